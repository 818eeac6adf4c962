// The interfaces of tock return no error, so a register behind a bus that may fault does not have them.
use lwp_regs::access::{GeneralProtection, MsrBus};
use lwp_regs::lwp::{LwpMsr0, msr0_fields};
use tock_registers::interfaces::Readable;

fn is_enabled(bus: impl MsrBus<Fault = GeneralProtection> + Copy) -> bool {
    LwpMsr0::MSR.tock(bus).is_set(msr0_fields::ENABLED)
}

fn main() {}
