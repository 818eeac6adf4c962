//! P6: an interrupt at every thousandth cycle, and what its handler does.

use lwp_regs::access::MsrBus;
use lwp_regs::perf::p6::overflow::{Interrupted, OverflowHandler, OverflowSampler};
use lwp_regs::perf::p6::{Counter, EventSelect, P6Counters, P6Model, Run, SamplePeriod, event};

/// Starts counting. `None` if the event cannot be counted so, or an access has faulted.
///
/// The handler of the interrupt is installed: that is what `handler` says.
fn start<B: MsrBus>(bus: &mut B, model: P6Model, handler: &OverflowHandler) -> Option<OverflowSampler> {
    let sampler = OverflowSampler::new(Counter::Counter0, SamplePeriod::new(1000).ok()?);
    let cycles = EventSelect::new(&event::CPU_CLK_UNHALTED).interrupt(handler);
    let setup = Run { counter0: Some(cycles), counter1: None }.setup(model).ok()?;
    P6Counters::new(bus).start(&setup.starting_at(Counter::Counter0, sampler.initial())).ok()?;
    Some(sampler)
}

/// The interrupt: the address of the program, if the counter has overflowed. The counter starts again.
fn interrupt<B: MsrBus>(bus: &mut B, sampler: &OverflowSampler, at: Interrupted) -> Result<Option<u32>, B::Fault> {
    Ok(sampler.on_overflow(bus, at, ())?.map(|sample| sample.at.eip))
}

#[cfg(not(target_os = "none"))]
fn main() {
    use lwp_regs::fake::FakeMsrs;
    use lwp_regs::perf::p6::{PerfCtr, PerfEvtSel0, PerfEvtSel1};
    let mut cpu = FakeMsrs::<4>::new();
    cpu.define(PerfEvtSel0::MSR, PerfEvtSel0::new()).define(PerfEvtSel1::MSR, PerfEvtSel1::new());
    let counters = [Counter::Counter0, Counter::Counter1].map(PerfCtr::msr);
    cpu.define(counters[0], PerfCtr::from_bits(0)).define(counters[1], PerfCtr::from_bits(0));
    // SAFETY: nothing interrupts: the processor is a fake.
    let handler = unsafe { OverflowHandler::installed() };
    let sampler = start(&mut cpu, P6Model::PentiumIII, &handler).expect("the event counts on counter 0");
    assert!(cpu.get(PerfEvtSel0::MSR).enable() && cpu.get(PerfEvtSel0::MSR).interrupt());
    let at = Interrupted { cs: 0x1B, eip: 0x1000, tss: 0x40 };
    cpu.set(counters[0], PerfCtr::from_bits(0xFF_FFFF_FFFF));
    assert_eq!(interrupt(&mut cpu, &sampler, at), Ok(None), "it has not overflowed");
    cpu.set(counters[0], PerfCtr::from_bits(3));
    assert_eq!(interrupt(&mut cpu, &sampler, at), Ok(Some(0x1000)), "three events ago");
}
