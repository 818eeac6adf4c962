//! The rules about a debug-store area, one by one.

use super::*;
use crate::trace::{Page, PageAttributes};

const PAGES: &[Page] = &[Page { linear: 0, bytes: 0x40_0000, attributes: PageAttributes::all() }];
const MANAGEMENT: Region<'_> = Region { base: 0x1000, bytes: 0x80, pages: PAGES };
const BTS: Region<'_> = Region { base: 0x2000, bytes: 100 * 24, pages: PAGES };
const PEBS: PebsSetup<'_> = PebsSetup {
    region: Region { base: 0x4000, bytes: 16 * 144, pages: PAGES },
    format: PebsFormat::Registers,
    record_bytes: 144,
    interrupt_after: 12,
    waiting: 4,
    counter_reset: PebsReset::general([0xFFFF_FFFF_FFFF_FC18; 8]),
};

fn builder() -> DsBuilder<'static> {
    DsBuilder::new(DsFormat::Bits64, MANAGEMENT, true)
}

fn with_bts(region: Region<'static>, mode: BtsMode) -> Result<DsPlan, DsError> {
    builder().bts(region, mode).build()
}

// BTS-24, BTS-41, BTS-53: base, index, absolute maximum and threshold; BTS-17, BTS-18
#[test]
fn a_good_area() {
    let plan = builder().bts(BTS, BtsMode::InterruptAfter(90)).pebs(PEBS).build().unwrap();
    assert_eq!(plan.warnings(), DsWarnings::empty());
    assert_eq!(plan.address(), 0x1000);
    let bts = DsBuffer { base: 0x2000, index: 0x2000, absolute_maximum: 0x2960, interrupt_threshold: 0x2870 };
    assert_eq!(plan.image().bts, bts);
    let pebs = DsBuffer { base: 0x4000, index: 0x4000, absolute_maximum: 0x4900, interrupt_threshold: 0x46C0 };
    assert_eq!(plan.image().pebs, pebs);
    assert_eq!(plan.image().pebs_counter_reset, PebsReset::general([0xFFFF_FFFF_FFFF_FC18; 8]));
    let circular = with_bts(BTS, BtsMode::Circular).unwrap();
    assert_eq!(circular.image().bts.interrupt_threshold, 0x2960, "never reached");
    assert_eq!(circular.image().pebs, DsBuffer::default());
}

// BTS-16, BTS-41: the threshold is a record inside the buffer
#[test]
fn the_threshold_is_inside() {
    for after in [0, 100, 101, u64::MAX] {
        let threshold = DsError::Threshold { part: DsPart::Bts, after, records: 100 };
        assert_eq!(with_bts(BTS, BtsMode::InterruptAfter(after)), Err(threshold));
    }
    let near = with_bts(BTS, BtsMode::InterruptAfter(93)).unwrap();
    assert_eq!(near.warnings(), DsWarnings::THRESHOLD_NEAR_END);
    assert_eq!(with_bts(BTS, BtsMode::InterruptAfter(92)).unwrap().warnings(), DsWarnings::empty());
}

// BTS-31: warned, not refused; the rest is not used
#[test]
fn sizes_should_be_multiples() {
    let plan = with_bts(Region { bytes: 2423, ..BTS }, BtsMode::Circular).unwrap();
    assert_eq!(plan.warnings(), DsWarnings::REST_UNUSED);
    assert_eq!(plan.image().bts.absolute_maximum, 0x2960, "100 records of 24 bytes");
    let small = DsError::TooSmall { part: DsPart::Bts, needed: 24 };
    assert_eq!(with_bts(Region { bytes: 23, ..BTS }, BtsMode::Circular), Err(small));
}

// BTS-32: room for what occurs until the interrupt is served
#[test]
fn precise_records_have_room_while_they_wait() {
    let build = |pebs| builder().pebs(pebs).build().map(drop);
    assert_eq!(build(PEBS), Ok(()));
    assert_eq!(build(PebsSetup { waiting: 5, ..PEBS }), Err(DsError::Latency { waiting: 5, room: 4 }));
    assert_eq!(build(PebsSetup { record_bytes: 136, ..PEBS }), Err(DsError::PebsRecordBytes(136)));
    assert_eq!(build(PebsSetup { record_bytes: 148, ..PEBS }), Err(DsError::PebsRecordBytes(148)));
    let adaptive = PebsSetup { format: PebsFormat::Adaptive, ..PEBS };
    assert!(build(PebsSetup { record_bytes: 32, waiting: 4, ..adaptive }).is_ok(), "the basic group alone");
    assert_eq!(build(PebsSetup { record_bytes: 24, ..adaptive }), Err(DsError::PebsRecordBytes(24)));
    let timed = PebsSetup { format: PebsFormat::Timed, ..PEBS };
    assert_eq!(build(timed), Err(DsError::PebsRecordBytes(144)), "a Skylake writes 200 bytes");
    let threshold = DsError::Threshold { part: DsPart::Pebs, after: 16, records: 16 };
    assert_eq!(build(PebsSetup { interrupt_after: 16, ..PEBS }), Err(threshold));
}

// BTS-29, BTS-33, BTS-36: every part is checked, the management area too
#[test]
fn each_part_has_good_pages() {
    const PAGEABLE: &[Page] = &[Page {
        linear: 0,
        bytes: 0x40_0000,
        attributes: PageAttributes::all().difference(PageAttributes::NON_PAGED),
    }];
    let page = |part| Err(DsError::Page { part, linear: 0, missing: PageAttributes::NON_PAGED });
    let management = Region { pages: PAGEABLE, ..MANAGEMENT };
    let plan = DsBuilder::new(DsFormat::Bits64, management, true).bts(BTS, BtsMode::Circular).build();
    assert_eq!(plan, page(DsPart::Management));
    assert_eq!(with_bts(Region { pages: PAGEABLE, ..BTS }, BtsMode::Circular), page(DsPart::Bts));
    let pebs = PebsSetup { region: Region { pages: PAGEABLE, ..PEBS.region }, ..PEBS };
    assert_eq!(builder().pebs(pebs).build(), page(DsPart::Pebs));
}

// BTS-34: warned, not refused, whichever part it is
#[test]
fn write_back_is_recommended() {
    const UNCACHED: &[Page] = &[Page { linear: 0, bytes: 0x40_0000, attributes: PageAttributes::REQUIRED }];
    let warnings = |management, bts, region| {
        let pebs = PebsSetup { region, ..PEBS };
        let plan = DsBuilder::new(DsFormat::Bits64, management, true).bts(bts, BtsMode::Circular).pebs(pebs).build();
        plan.map(|plan| plan.warnings())
    };
    let uncached = |region| Region { pages: UNCACHED, ..region };
    let (warned, quiet) = (Ok(DsWarnings::NOT_WRITE_BACK), Ok(DsWarnings::empty()));
    assert_eq!(warnings(MANAGEMENT, BTS, PEBS.region), quiet);
    assert_eq!(warnings(uncached(MANAGEMENT), BTS, PEBS.region), warned);
    assert_eq!(warnings(MANAGEMENT, uncached(BTS), PEBS.region), warned);
    assert_eq!(warnings(MANAGEMENT, BTS, uncached(PEBS.region)), warned);
}

// BTS-30
#[test]
fn each_part_is_contiguous() {
    const SHORT: &[Page] = &[Page { bytes: 0x2800, ..PAGES[0] }];
    let short = Region { pages: SHORT, ..BTS };
    let gap = DsError::NotContiguous { part: DsPart::Bts, linear: 0x2800 };
    assert_eq!(with_bts(short, BtsMode::Circular), Err(gap));
}

// BTS-35: only where A20M mode is possible
#[test]
fn bit_20_matters_where_a20m_does() {
    let high = Region { base: 0x0F_F800, ..BTS };
    assert!(with_bts(high, BtsMode::Circular).is_ok());
    let a20 = DsError::A20 { part: DsPart::Bts, linear: 0x10_0000 };
    assert_eq!(builder().a20m_possible().bts(high, BtsMode::Circular).build(), Err(a20));
    assert!(builder().a20m_possible().bts(BTS, BtsMode::Circular).build().is_ok());
}

// BTS-37: meant for systems with the APIC enabled
#[test]
fn without_an_apic_there_is_no_area() {
    let off = DsBuilder::new(DsFormat::Bits64, MANAGEMENT, false).bts(BTS, BtsMode::Circular);
    assert_eq!(off.build(), Err(DsError::NoApic));
}

#[test]
fn places() {
    let misaligned = |part, base, alignment| Err::<DsPlan, _>(DsError::Misaligned { part, base, alignment });
    assert_eq!(with_bts(Region { base: 0x2004, ..BTS }, BtsMode::Circular), misaligned(DsPart::Bts, 0x2004, 8));
    assert_eq!(
        with_bts(Region { base: 0x2008, ..BTS }, BtsMode::Circular).unwrap().warnings(),
        DsWarnings::NOT_CACHE_ALIGNED
    );
    let narrow = |management, bts| {
        DsBuilder::new(DsFormat::Bits32, management, true).bts(bts, BtsMode::Circular).build().map(drop)
    };
    assert_eq!(narrow(MANAGEMENT, Region { base: 0x2004, ..BTS }), Ok(()), "fields of 4 bytes");
    assert_eq!(narrow(MANAGEMENT, Region { base: 0x2002, ..BTS }), misaligned(DsPart::Bts, 0x2002, 4).map(drop));
    let between = Region { base: 0x1004, ..MANAGEMENT };
    assert_eq!(narrow(between, BTS), misaligned(DsPart::Management, 0x1004, 8).map(drop));
    let overlap = Err(DsError::Overlap(DsPart::Management, DsPart::Bts));
    assert_eq!(with_bts(Region { base: 0x1040, ..BTS }, BtsMode::Circular), overlap);
    let pebs = PebsSetup { region: Region { base: 0x2900, ..PEBS.region }, ..PEBS };
    let overlap = Err(DsError::Overlap(DsPart::Bts, DsPart::Pebs));
    assert_eq!(builder().bts(BTS, BtsMode::Circular).pebs(pebs).build(), overlap);
    let small = DsError::TooSmall { part: DsPart::Management, needed: 0x80 };
    let management = Region { bytes: 0x50, ..MANAGEMENT };
    let plan = DsBuilder::new(DsFormat::Bits64, management, true).bts(BTS, BtsMode::Circular).build();
    assert_eq!(plan, Err(small));
    assert_eq!(builder().build(), Err(DsError::NoBuffer));
    let high = Region { base: 0xFFFF_F000, bytes: 0x1200, pages: &[Page { bytes: 1 << 40, ..PAGES[0] }] };
    let build = |format| DsBuilder::new(format, MANAGEMENT, true).bts(high, BtsMode::Circular).build().map(drop);
    assert_eq!(build(DsFormat::Bits32), Err(DsError::TooHigh { part: DsPart::Bts, base: 0xFFFF_F000 }));
    assert_eq!(build(DsFormat::Bits64), Ok(()));
}
