//! Branches and samples in memory: the debug store from its set-up to its interrupt.

use crate::board::{flag, input, output};
use crate::failure::{Failed, OrTell, tell};
use crate::machine::Machine;
use lwp_regs::access::Cpuid;
use lwp_regs::delivery::{Gate64, Idt, X2Apic};
use lwp_regs::trace::{
    BtsMode, BtsRecord, DsBuilder, DsFeatures, DsFormat, DsMemory, DsPlan, DsView, Page, PageAttributes, PebsFormat, PebsRecord,
    PebsReset, PebsSetup, PmiHandler, RecordBuffer, Region,
};

/// What is done with the records.
struct Take;

impl PmiHandler for Take {
    fn branch(&mut self, record: BtsRecord) {
        output(record.from);
        output(record.to);
        output(record.flags.predicted());
    }

    fn precise(&mut self, record: PebsRecord) {
        output(record.ip);
    }

    fn counters(&mut self, overflowed: u64) {
        output(overflowed);
    }
}

/// A plan for the memory, as far as the pages are what the system says.
fn plan(view: &DsView<'_>, bts: &RecordBuffer<'_>, pebs: &RecordBuffer<'_>) -> Result<DsPlan, Failed> {
    let pages = [Page { linear: input(), bytes: input(), attributes: PageAttributes::from_bits_truncate(input() as _) }];
    let region = |base, bytes| Region { base, bytes, pages: &pages };
    let mode = if flag() { BtsMode::Circular } else { BtsMode::InterruptAfter(input()) };
    let builder = DsBuilder::new(view.format(), region(view.address(), 128), flag())
        .bts(region(bts.address(), bts.bytes() as u64), mode)
        .global_counters()
        .pebs(PebsSetup {
            region: region(pebs.address(), pebs.bytes() as u64),
            format: PebsFormat::Registers,
            record_bytes: input(),
            interrupt_after: input(),
            waiting: input(),
            counter_reset: PebsReset::general([input(); 8]),
        });
    let plan = builder.build().or_tell()?;
    output(plan.warnings().bits());
    Ok(plan)
}

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let [.., ecx, edx] = machine.cpuid(1, 0);
    let format = DsFormat::select(DsFeatures::from_cpuid(ecx, edx), flag());
    let (mut area, mut bts, mut pebs) = (DsMemory::<128>::new(), DsMemory::<480>::new(), DsMemory::<576>::new());
    let (view, bts, pebs) = (area.management(format).or_tell()?, bts.records(), pebs.records());
    let placed = plan(&view, &bts, &pebs)?.place(view, Some(bts), Some(pebs)).or_tell()?;

    let (mut gates, mut apic) = ([Gate64::ABSENT; 256], X2Apic(*machine));
    // SAFETY: area and buffers stay until the processor has been stopped below.
    let pointed = unsafe { placed.point(machine) }.or_tell()?;
    let routed = pointed.route(&mut apic, 0xEE).map_err(|error| tell(&error))?;
    // SAFETY: the processor does not use this table.
    let handled = unsafe { routed.install(&mut Idt::new(&mut gates, 0x10), input(), &mut apic) }.or_tell()?;
    // SAFETY: as above.
    let mut running = unsafe { handled.start(machine) }.or_tell()?;
    while flag() {
        let mut isr = running.interrupt(machine).or_tell()?;
        output(isr.dispatch(&mut Take).or_tell()?.bits());
        isr.exit(&mut apic).or_tell()?;
    }
    let mut stopped = running.stop(machine).map_err(|(_, fault)| tell(&fault))?;
    output(stopped.store().branch_history(|record| Take.branch(record)).or_tell()?);
    Ok(())
}
