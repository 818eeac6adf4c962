// Only PerfEvtSel0 has the enable bit: PerfEvtSel1 cannot be given one.
use lwp_regs::perf::p6::{PerfEvtSel0, PerfEvtSel1};

fn main() {
    let _ = PerfEvtSel0::new().with_enable(true);
    let _ = PerfEvtSel1::new().with_enable(true);
}
