use super::*;
use crate::perf::architectural::PerfmonCaps;
use crate::perf::architectural::caps::tests::{ALL, CONROE, DIAMONDVILLE, ICE_LAKE, SKYLAKE_SP, YONAH, caps};

fn counter(leaf: [u32; 4], tsx: bool, number: u8) -> CounterCaps {
    let perfmon = PerfmonCaps { tsx, ..caps(leaf) };
    CounterCaps { perfmon, counter: perfmon.counter(number).unwrap() }
}

fn write(new: u64, caps: CounterCaps) -> Result<u64, GeneralProtection> {
    Ia32PerfEvtSel::check_write(Ia32PerfEvtSel::RESET, new, &caps).map(Ia32PerfEvtSel::into_bits)
}

fn gp(bits: u64, rule: Rule) -> Result<u64, GeneralProtection> {
    Err(GeneralProtection::refused("IA32_PERFEVTSELx", bits, rule))
}

// APM-15, APM-18, APM-21, APM-22, APM-23, APM-26, APM-28, APM-29, APM-31, APM-33: positions, by the figure
#[test]
fn positions() {
    let none = Ia32PerfEvtSel::new();
    assert_eq!(none.with_event(0xFF).into_bits(), 0x0000_00FF);
    assert_eq!(none.with_umask(0xFF).into_bits(), 0x0000_FF00);
    assert_eq!(none.with_user(true).into_bits(), 0x0001_0000);
    assert_eq!(none.with_os(true).into_bits(), 0x0002_0000);
    assert_eq!(none.with_edge(true).into_bits(), 0x0004_0000);
    assert_eq!(none.with_pin_control(true).into_bits(), 0x0008_0000);
    assert_eq!(none.with_interrupt(true).into_bits(), 0x0010_0000);
    assert_eq!(none.with_any_thread(true).into_bits(), 0x0020_0000);
    assert_eq!(none.with_enable(true).into_bits(), 0x0040_0000);
    assert_eq!(none.with_invert(true).into_bits(), 0x0080_0000);
    assert_eq!(none.with_cmask(0xFF).into_bits(), 0xFF00_0000);
    assert_eq!(none.with_in_tx(true).into_bits(), 0x1_0000_0000);
    assert_eq!(none.with_in_tx_checkpointed(true).into_bits(), 0x2_0000_0000);
    assert_eq!(Ia32PerfEvtSel::RESERVED, 0xFFFF_FFFC_0000_0000);
}

// APM-02: bits 31:0 without bit 21 are taken by every processor, for every counter
#[test]
fn the_layout_is_the_same_everywhere() {
    for leaf in ALL {
        for index in caps(leaf).all_counters() {
            let caps = CounterCaps { perfmon: caps(leaf), counter: index };
            assert_eq!(write(0xFFDF_FFFF, caps), Ok(0xFFDF_FFFF));
            assert_eq!(write(1 << 34, caps), gp(1 << 34, Rule::MustBeZero));
            assert_eq!(write(1 << 63, caps), gp(1 << 63, Rule::MustBeZero));
        }
    }
}

// APM-37, APM-38: bit 21 exists in version 3 and 4, not before, and not where it is deprecated
#[test]
fn any_thread_depends_on_the_version() {
    let refused = gp(0x20_0000, Rule::NotAvailable("AnyThread (version 3)"));
    assert_eq!(write(0x20_0000, counter(YONAH, false, 0)), refused);
    assert_eq!(write(0x20_0000, counter(CONROE, false, 0)), refused);
    assert_eq!(write(0x20_0000, counter(DIAMONDVILLE, false, 0)), Ok(0x20_0000));
    assert_eq!(write(0x20_0000, counter(SKYLAKE_SP, false, 0)), Ok(0x20_0000));
    assert_eq!(write(0x20_0000, counter(ICE_LAKE, false, 0)), refused);
}

#[test]
fn transactions_need_tsx_and_counter_2() {
    assert_eq!(write(1 << 32, counter(SKYLAKE_SP, false, 0)), gp(1 << 32, Rule::NotAvailable("TSX")));
    assert_eq!(write(3 << 32, counter(SKYLAKE_SP, false, 2)), gp(3 << 32, Rule::NotAvailable("TSX")));
    assert_eq!(write(1 << 32, counter(SKYLAKE_SP, true, 0)), Ok(1 << 32));
    assert_eq!(write(3 << 32, counter(SKYLAKE_SP, true, 2)), Ok(3 << 32));
    let only = Rule::Forbidden("IN_TXCP exists in counter 2 only");
    assert_eq!(write(3 << 32, counter(SKYLAKE_SP, true, 1)), gp(2 << 32, only));
}

// APM-29: bit 22 of each counter is its own; it exists in counter 1 as well
#[test]
fn every_counter_has_its_enable() {
    for number in 0..2 {
        assert_eq!(write(0x0041_00C0, counter(YONAH, false, number)), Ok(0x0041_00C0));
    }
}

// APM-21, APM-22: USR is levels 1 to 3, OS level 0; together all
#[test]
fn privilege_levels() {
    let counted = |bits| core::array::from_fn(|cpl| Ia32PerfEvtSel::from_bits(bits).counts_at(cpl as u8));
    assert_eq!(counted(0), [false; 4]);
    assert_eq!(counted(0x1_0000), [false, true, true, true]);
    assert_eq!(counted(0x2_0000), [true, false, false, false]);
    assert_eq!(counted(0x3_0000), [true; 4]);
}

/// The sum over some cycles, each with so many events; none before.
fn count(select: Ia32PerfEvtSel, cycles: &[u64]) -> u64 {
    let mut before = 0;
    let mut sum = 0;
    for &events in cycles {
        sum += select.increment(before, events);
        before = events;
    }
    sum
}

// APM-31, APM-32, APM-33, APM-34, APM-35: the comparison, with cycles of 0 to 4 events
#[test]
fn counter_mask() {
    let cycles = [0, 1, 2, 3, 4];
    let select = |cmask, invert| Ia32PerfEvtSel::new().with_cmask(cmask).with_invert(invert);
    assert_eq!(count(select(0, false), &cycles), 10, "all events");
    assert_eq!(count(select(0, true), &cycles), 10, "INV is ignored while CMASK is 0");
    assert_eq!(count(select(3, false), &cycles), 2, "3 and 4 are at least 3");
    assert_eq!(count(select(3, true), &cycles), 3, "0, 1 and 2 are less than 3");
    assert_eq!(count(select(1, true), &cycles), 1, "cycles without event");
    assert_eq!(count(select(255, false), &cycles), 0);
}

// APM-23, APM-24: transitions are counted; assertions back to back are one
#[test]
fn edges() {
    let select = Ia32PerfEvtSel::new().with_edge(true);
    assert_eq!(count(select, &[1, 0, 1, 0, 1]), 3);
    assert_eq!(count(select, &[1, 1, 1, 0, 1]), 2);
    assert_eq!(count(select, &[2, 3, 2]), 1);
    assert_eq!(count(select.with_cmask(2), &[1, 2, 3, 1, 2]), 2);
    assert_eq!(count(select.with_cmask(2).with_invert(true), &[3, 1, 3, 0]), 2);
}

// APM-26: set: on events, clear: on overflow
#[test]
fn pin() {
    assert_eq!(Ia32PerfEvtSel::from_bits(0x8_0000).pin(), PinToggle::Event);
    assert_eq!(Ia32PerfEvtSel::from_bits(0xFFF7_FFFF).pin(), PinToggle::Overflow);
}

#[test]
fn tock_fields_are_the_same_bits() {
    let mut copy = Ia32PerfEvtSel::RESET.to_tock();
    copy.modify(Ia32PerfEvtSel::tock_field("EVENT").val(0xC0) + Ia32PerfEvtSel::tock_field("ENABLE").val(1));
    assert_eq!(Ia32PerfEvtSel::from(copy).into_bits(), 0x40_00C0);
}
