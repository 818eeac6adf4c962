//! The last branches: the stack of the processor (LBR), and a circular buffer in memory (BTS), which needs no interrupt.

use lwp_regs::Refused;
use lwp_regs::access::MsrBus;
use lwp_regs::trace::{BtsMode, DsBuilder, DsError, DsSetup, DsView, Page, Placed, RecordBuffer, Region};
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

/// A circular buffer for the branches of one processor. `pages` are what the system says of the memory.
fn area<'a>(view: DsView<'a>, bts: RecordBuffer<'a>, pages: &[Page]) -> Result<DsSetup<'a, Placed>, DsError> {
    let region = |base, bytes| Region { base, bytes, pages };
    let builder = DsBuilder::new(view.format(), region(view.address(), 128), true);
    let plan = builder.bts(region(bts.address(), bts.bytes() as u64), BtsMode::Circular).build()?;
    plan.place(view, Some(bts), None)
}

#[cfg(not(target_os = "none"))]
fn main() {
    use lwp_regs::trace::{DsFormat, DsMemory, PageAttributes};
    use lwp_regs::{access::GeneralProtection, fake::FakeMsrs};
    let stack = stack(6, 0x1A, 4).expect("Nehalem has a stack").expect("of this format");
    let mut cpu = FakeMsrs::<40, _, 200>::default();
    cpu.define(DebugCtl::MSR, DebugCtl::RESET).define_number(0x1C9, 15).define_number(0x600, 0); // the newest one is 15
    for number in (0x680..0x690).chain(0x6C0..0x6D0) {
        cpu.define_number(number, number.into());
    }
    record(&mut cpu).expect("the fake has it");
    let mut records = [LbrRecord::default(); 4];
    let read: Result<_, GeneralProtection> = newest(&stack, &mut cpu, &mut records);
    assert_eq!((read, records.map(|record| record.from)), (Ok(4), [0x68F, 0x68E, 0x68D, 0x68C]));

    let (mut memory, mut bts) = (DsMemory::<128>::new(), DsMemory::<480>::new());
    let pages = [Page { linear: 0, bytes: u64::MAX, attributes: PageAttributes::all() }];
    let view = memory.management(DsFormat::Bits64).expect("128 bytes are enough");
    let placed = area(view, bts.records(), &pages);
    // SAFETY: area and buffer stay until the processor has been stopped below.
    let pointed = unsafe { placed.expect("it is as it must be").point(&mut cpu) }.expect("the fake has it");
    // SAFETY: as above.
    let running = unsafe { pointed.without_interrupt().expect("circular").start(&mut cpu) }.expect("the fake has it");
    assert_eq!(cpu.get(DebugCtl::MSR).into_bits(), 0xC1);
    let mut stopped = running.stop(&mut cpu).map_err(|(_, fault)| fault).expect("the fake has it");
    assert_eq!(stopped.store().branch_history(|_| ()), Ok(0)); // the fake stores nothing
}
