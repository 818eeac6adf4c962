// The overflow status cannot be written; it is cleared by another register.
use lwp_regs::access::MsrBus;
use lwp_regs::perf::architectural::{Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus};

fn acknowledge<B: MsrBus>(bus: &mut B, status: Ia32PerfGlobalStatus) {
    let _ = Ia32PerfGlobalOvfCtrl::MSR.write_unchecked(bus, Ia32PerfGlobalOvfCtrl::acknowledge(status));
    let _ = Ia32PerfGlobalStatus::MSR.write_unchecked(bus, Ia32PerfGlobalStatus::new());
}

fn main() {}
