// A counter's number comes from what the processor has, not out of thin air.
use lwp_regs::perf::architectural::{CounterIndex, PerfmonCaps};

fn main() {
    let caps = PerfmonCaps::from_cpuid([0x0728_0201, 0, 0, 0]).unwrap();
    let _: CounterIndex = caps.counter(1).unwrap();
    let _ = CounterIndex(5);
}
