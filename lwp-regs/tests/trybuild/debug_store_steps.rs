// BTS-25, BTS-26, BTS-27, BTS-42: a step of the set-up cannot be left out: no start before the handler is installed.
use lwp_regs::access::MsrBus;
use lwp_regs::trace::{DsSetup, Pointed};

fn start<B: MsrBus>(setup: DsSetup<'_, Pointed>, bus: &mut B) {
    let _ = unsafe { setup.start(bus) };
}

fn main() {}
