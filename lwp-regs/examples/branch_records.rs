//! The last branches: recorded by the processor, read newest first.

use lwp_regs::Refused;
use lwp_regs::access::MsrBus;
use lwp_regs::trace::{DebugCtl, LbrFormat, LbrLayout, LbrRecord, LbrStack, UntracedDebugCtl};

/// The stack of a processor: DisplayFamily, DisplayModel and IA32_PERF_CAPABILITIES. `None` for one that is not known.
fn stack(family: u8, model: u8, perf_capabilities: u64) -> Option<Result<LbrStack, Refused>> {
    let layout = LbrLayout::for_model(family, model)?;
    Some(LbrStack::new(layout, LbrFormat::from_perf_capabilities(perf_capabilities)))
}

/// Starts recording.
fn record<B: MsrBus>(bus: &mut B) -> Result<(), B::Fault> {
    let lbr = UntracedDebugCtl::without_trace(DebugCtl::new().with_lbr(true));
    DebugCtl::modify(bus, DebugCtl::new(), lbr).map(drop)
}

/// The newest branches, read while nothing is recorded; how many there are.
fn newest<B: MsrBus>(stack: &LbrStack, bus: &mut B, records: &mut [LbrRecord]) -> Result<usize, B::Fault> {
    stack.still(bus, |bus, _| stack.read(bus, records))?
}

#[cfg(not(target_os = "none"))]
fn main() {
    use lwp_regs::fake::FakeMsrs;
    use lwp_regs::trace::LbrDepth;
    let stack = stack(6, 0x1A, 4).expect("Nehalem has a stack").expect("of this format");
    assert_eq!(stack.layout().depth(), LbrDepth::SIXTEEN);
    let mut cpu = FakeMsrs::<40, _, 200>::default();
    cpu.define(DebugCtl::MSR, DebugCtl::RESET).define_number(0x1C9, 15); // the newest one is 15
    for number in (0x680..0x690).chain(0x6C0..0x6D0) {
        cpu.define_number(number, number.into());
    }
    record(&mut cpu).expect("the fake has the register");
    assert!(cpu.get(DebugCtl::MSR).lbr());
    let mut records = [LbrRecord::default(); 4];
    let read: Result<_, lwp_regs::access::GeneralProtection> = newest(&stack, &mut cpu, &mut records);
    assert_eq!(read, Ok(4));
    assert_eq!(records.map(|record| record.from), [0x68F, 0x68E, 0x68D, 0x68C]);
}
