// An Intel processor's IA32_PERFEVTSELx does not take what was built for an AMD processor.
use lwp_regs::access::MsrBus;
use lwp_regs::perf::amd::AmdPerfCtl;
use lwp_regs::perf::architectural::{CounterIndex, Ia32PerfEvtSel};

fn set_up<B: MsrBus>(bus: &mut B, counter: CounterIndex, ours: Ia32PerfEvtSel, theirs: AmdPerfCtl) {
    let _ = counter.select().write_unchecked(bus, ours);
    let _ = counter.select().write_unchecked(bus, theirs);
}

fn main() {}
