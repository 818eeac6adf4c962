//! The rules of `DsBuilder` and what the hardware does with an area that breaks them: a rule that the builder checks is one that the hardware needs.

use super::{Device, HANDLER, ends, on_both, taken};
use lwp_model::trace::Config;
use lwp_regs::access::MsrBus;
use lwp_regs::delivery::{LocalApic, LvtPerformance};
use lwp_regs::trace::{
    BtsMode, DebugCtl, DsBuilder, DsError, DsFormat, DsPart, Page, PageAttributes, PebsFormat, PebsReset, PebsSetup,
    Region,
};
use sim_harness::trace::machine::Machine;
use std::cell::UnsafeCell;
use std::ptr::with_exposed_provenance_mut;

/// Four pages.
#[repr(C, align(4096))]
struct Pages(UnsafeCell<[u64; 2048]>);

/// An area, by offsets from the first page. The rule that it breaks, if any, is the only one.
#[derive(Clone, Copy)]
struct Area {
    management: u64,
    /// Bytes of it that are mapped.
    management_bytes: u64,
    bts: u64,
    bts_bytes: u64,
    /// Bytes of the buffer that are mapped.
    mapped: u64,
    after: u64,
}

/// Ten branch records; the interrupt comes after six.
const GOOD: Area = Area { management: 0, management_bytes: 0x80, bts: 0x1000, bts_bytes: 240, mapped: 240, after: 6 };

/// What became of nine branches.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    stored: u64,
    lost: u64,
    interrupts: u64,
}

const WORKS: Outcome = Outcome { stored: 9, lost: 0, interrupts: 1 };

impl Area {
    /// What the builder says of it.
    fn verdict(&self, base: u64) -> Result<(), DsError> {
        let page = |linear, bytes| Page { linear, bytes, attributes: PageAttributes::all() };
        let management_pages = [page(base & !0xFFF, 0x1000)];
        // Pages of any size, so that a gap may be anywhere.
        let buffer_pages = [page(base + self.bts, self.mapped)];
        let management =
            Region { base: base + self.management, bytes: self.management_bytes, pages: &management_pages };
        let bts = Region { base: base + self.bts, bytes: self.bts_bytes, pages: &buffer_pages };
        let builder = DsBuilder::new(DsFormat::Bits64, management, true);
        builder.bts(bts, BtsMode::InterruptAfter(self.after)).build().map(drop)
    }

    /// Nine branches on a machine whose area is as this one says, without a builder in between.
    fn run<D: Device>(&self, mut machine: &Machine<D, 4>) -> Outcome {
        let pages = Box::new(Pages(UnsafeCell::new([0; 2048])));
        let base = pages.0.get().expose_provenance() as u64;
        let (management, bts) = (base + self.management, base + self.bts);
        let maximum = bts + self.bts_bytes / 24 * 24;
        for (place, value) in (0..).step_by(8).zip([bts, bts, maximum, bts + 24 * self.after]) {
            let at = with_exposed_provenance_mut::<u64>((management + place) as usize);
            // SAFETY: inside the pages; the machine does not run.
            unsafe { at.write_unaligned(value) };
        }
        for (start, bytes) in [(management, self.management_bytes), (bts, self.mapped)] {
            // Whole words: the unit asks for no less.
            let region = start & !7..(start + bytes) & !7;
            // SAFETY: the pages outlive the run, and nobody else looks at them meanwhile.
            unsafe { machine.map(region) };
        }
        machine.set_lvt_performance(LvtPerformance::fixed(0xEE).unwrap()).unwrap();
        let on = DebugCtl::new().with_tr(true).with_bts(true).with_btint(true).with_bts_off_os(true);
        // SAFETY: the area is what this test is about; the machine writes into mapped memory alone.
        unsafe { machine.wrmsr(0x600, management) }.unwrap();
        // SAFETY: as above.
        unsafe { on.write(&mut machine) }.unwrap();
        (0..9).for_each(|number| machine.retire(&[taken(number)], ends(number).1));
        machine.settle();
        let seen = machine.seen();
        drop(pages);
        Outcome { stored: seen.stored, lost: seen.lost, interrupts: seen.requests }
    }
}

/// Runs an area on model and RTL; an error of the builder is without its addresses.
fn judged(area: Area) -> (Result<(), DsError>, Outcome) {
    fn on_machine<D: Device>(machine: &Machine<D, 4>, area: Area) -> Outcome {
        area.run(machine)
    }
    (area.verdict(0x10_0000), on_both!(Config::default(), |machine| on_machine(machine, area)))
}

// BTS-53: an area that the builder takes works
#[test]
fn a_good_area_works() {
    assert_eq!(judged(GOOD), (Ok(()), WORKS));
    let (verdict, outcome) = judged(Area { bts_bytes: 247, mapped: 247, ..GOOD });
    assert_eq!((verdict, outcome), (Ok(()), WORKS), "BTS-31: a rest at the end is not used");
}

// BTS-29, BTS-30, BTS-53: what the builder refuses, and what the hardware would have done
#[test]
fn what_the_builder_refuses_does_not_work() {
    let lost = |lost| Outcome { stored: 9 - lost, lost, interrupts: 0 };
    let (management, bts) = (DsPart::Management, DsPart::Bts);
    let at = |offset: u64| 0x10_0000 + offset;
    let misaligned = |part, offset| DsError::Misaligned { part, base: at(offset), alignment: 8 };
    let gap = |offset| DsError::NotContiguous { part: bts, linear: at(offset) };
    for (area, verdict, outcome) in [
        // An address that is not a multiple of the fields' size: no record is stored.
        (Area { management: 4, ..GOOD }, misaligned(management, 4), lost(9)),
        (Area { bts: 0x1004, ..GOOD }, misaligned(bts, 0x1004), lost(9)),
        // Fields that are not in memory: a page fault.
        (Area { management_bytes: 0x18, ..GOOD }, DsError::TooSmall { part: management, needed: 0x80 }, lost(9)),
        // A page that is missing: what lies there is lost, and the index stays before it.
        (Area { mapped: 96, ..GOOD }, gap(0x1060), lost(5)),
        // No room for a record.
        (Area { bts_bytes: 23, mapped: 23, after: 1, ..GOOD }, DsError::TooSmall { part: bts, needed: 24 }, lost(9)),
        // A threshold that is never reached: no interrupt, and records are lost once the buffer is full.
        (
            Area { after: 0, ..GOOD },
            DsError::Threshold { part: bts, after: 0, records: 10 },
            Outcome { interrupts: 0, ..WORKS },
        ),
        (
            Area { bts_bytes: 144, mapped: 144, after: 7, ..GOOD },
            DsError::Threshold { part: bts, after: 7, records: 6 },
            lost(3),
        ),
        // A threshold at the end: the interrupt comes too late for the records that follow.
        (
            Area { bts_bytes: 144, mapped: 144, after: 6, ..GOOD },
            DsError::Threshold { part: bts, after: 6, records: 6 },
            Outcome { stored: 6, lost: 3, interrupts: 1 },
        ),
    ] {
        assert_eq!(judged(area), (Err(verdict), outcome));
    }
}

// BTS-53: a buffer over its own management area destroys it with the first record
#[test]
fn parts_that_overlap_destroy_one_another() {
    let area = Area { bts: 0x40, ..GOOD };
    let overlapping = Area { management: 0x40, management_bytes: 0x80, ..area };
    let (verdict, outcome) = judged(overlapping);
    assert_eq!(verdict.map_err(|error| matches!(error, DsError::Overlap(..))), Err(true));
    // The first record is written over base, index and maximum; behind it the index is no place in a buffer.
    assert_eq!((outcome.stored, outcome.lost), (1, 8));
}

// BTS-32: without room behind the threshold, samples that come before the interrupt is served are lost
#[test]
fn precise_records_need_room_while_they_wait() {
    let page = [Page { linear: 0, bytes: 1 << 32, attributes: PageAttributes::all() }];
    let region = |base, bytes| Region { base, bytes, pages: &page };
    let builder = DsBuilder::new(DsFormat::Bits64, region(0x1000, 0x80), true);
    let pebs = |records: u64, record_bytes| PebsSetup {
        region: region(0x2000, 144 * records),
        format: PebsFormat::Registers,
        record_bytes,
        interrupt_after: 1,
        waiting: 3,
        counter_reset: PebsReset::general([u64::MAX]),
    };
    assert_eq!(builder.pebs(pebs(3, 144)).build(), Err(DsError::Latency { waiting: 3, room: 2 }));
    assert!(builder.pebs(pebs(4, 144)).build().is_ok());
    assert_eq!(builder.pebs(pebs(4, 136)).build(), Err(DsError::PebsRecordBytes(136)));
    // Four samples before anybody drains.
    assert_eq!(on_both!(Config::default(), |machine| samples(machine, 3)), (3, 1));
    assert_eq!(on_both!(Config::default(), |machine| samples(machine, 4)), (4, 0));
}

/// Four samples into a buffer of this many records, which asks for its interrupt after one: stored, lost.
fn samples<D: Device>(mut machine: &Machine<D, 4>, records: u64) -> (u64, u64) {
    let pages = Box::new(Pages(UnsafeCell::new([0; 2048])));
    let base = pages.0.get().expose_provenance() as u64;
    let buffer = base + 0x1000;
    let fields = [buffer, buffer, buffer + 144 * records, buffer + 144, u64::MAX];
    for (place, value) in (0x20..).step_by(8).zip(fields) {
        let at = with_exposed_provenance_mut::<u64>((base + place) as usize);
        // SAFETY: inside the pages; the machine does not run.
        unsafe { at.write_volatile(value) };
    }
    // SAFETY: the pages outlive the run, and nobody else looks at them meanwhile.
    unsafe { machine.map(base..base + 0x4000) };
    machine.set_counter(u64::MAX);
    // SAFETY: the area and its buffer are mapped.
    unsafe { machine.wrmsr(0x600, base) }.unwrap();
    // SAFETY: as above.
    unsafe { machine.wrmsr(0x3F1, 1) }.unwrap();
    // The first instruction overflows; each one behind it is a sample and overflows the counter again.
    (0..8).for_each(|number| machine.retire(&[taken(number)], ends(number).1));
    machine.settle();
    assert_eq!(machine.take_interrupt(0, HANDLER), None, "the entry is masked");
    let seen = machine.seen();
    drop(pages);
    (seen.stored, seen.lost)
}
