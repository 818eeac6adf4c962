// The interfaces of tock return no error, so a register behind a bus that may fault does not have them.
use core::cell::RefCell;
use lwp_regs::access::{GeneralProtection, MsrBus};
use lwp_regs::lwp::{LwpMsr0, msr0_fields};
use tock_registers::interfaces::Readable;

fn is_enabled(bus: &RefCell<impl MsrBus<Fault = GeneralProtection>>) -> bool {
    LwpMsr0::MSR.tock(bus).is_set(msr0_fields::ENABLED)
}

fn main() {}
