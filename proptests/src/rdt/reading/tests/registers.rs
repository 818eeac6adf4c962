//! Which requests fault.

use super::super::plain::{Ask, Delays, L2, L3, Level, Op, Straps};
use super::super::registers::{DONE, FAULT, NOT_MINE};
use super::bench::{
    ASSOC, Bench, CTR, Checked, EVTSEL, L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, THROTTLE, l3_alone, straps,
};

#[test]
fn values_after_reset() {
    let mut b = Bench::new(&straps());
    let zero = [L3_QOS_CFG, L2_QOS_CFG, EVTSEL, ASSOC, THROTTLE, THROTTLE + 3];
    zero.iter().try_for_each(|number| b.reads(0, *number, 0)).unwrap();
    b.reads(0, L3_MASK + 3, 0b1111).unwrap();
    b.reads(0, L2_MASK, 0b11).unwrap();
    assert!(b.clone().reads(0, L2_MASK, 0b111).is_err());
    for number in [L3_MASK + 4, L2_MASK + 4, THROTTLE + 4, THROTTLE + 0x40, 0xC80, 0xC83, 0xC8C] {
        b.absent(number).unwrap();
    }
}

#[test]
fn what_is_written_is_read() {
    let mut b = Bench::new(&straps());
    let values = [
        (L3_QOS_CFG, 1),
        (L2_QOS_CFG, 1),
        (EVTSEL, 0x3FF_0000_00FF),
        (ASSOC, 0x3_0000_0003),
        (L3_MASK + 2, 0b0110),
        (L2_MASK + 3, 0b10),
        (THROTTLE + 1, 90),
    ];
    for (number, value) in values {
        b.writes(1, number, value).unwrap();
    }
    for (number, value) in values {
        b.reads(1, number, value).unwrap();
        let own = [EVTSEL, ASSOC].contains(&number);
        b.reads(0, number, if own { 0 } else { value }).unwrap();
    }
}

/// Writes values of which the first are taken and the others fault.
fn writes(straps: &Straps, number: u32, taken: &[u64], faults: &[u64]) -> Checked {
    let mut b = Bench::new(straps);
    for value in taken {
        b.writes(0, number, *value)?;
        assert!(b.clone().faults(number, *value).is_err());
    }
    let last = taken.last().copied().unwrap_or(0);
    for value in faults {
        b.faults(number, *value)?;
        assert!(b.clone().writes(0, number, *value).is_err());
        b.ask(Ask { op: Op::Read, lp: 0, number, level: 0 }, DONE, last)?;
    }
    Ok(())
}

#[test]
fn reserved_bits_and_ranges() {
    let intel = straps();
    let amd = Straps { amd: true, ..intel };
    let sparse = Straps { sparse: true, ..intel };
    let bit = |n: u32| 1_u64 << n;
    writes(&intel, L3_QOS_CFG, &[1], &[2, bit(63)]).unwrap();
    writes(&intel, EVTSEL, &[bit(41), 7], &[bit(8), bit(31), bit(42), bit(63)]).unwrap();
    writes(&amd, EVTSEL, &[bit(43), 7], &[bit(8), bit(31), bit(44), bit(63)]).unwrap();
    writes(&intel, ASSOC, &[3 << 32 | 3], &[4, bit(10), bit(31), 4 << 32, bit(63)]).unwrap();
    writes(&intel, L3_MASK, &[0b1, 0b1000, 0b1111, 0b0110], &[0, 0b10000, 0b101, bit(63)]).unwrap();
    writes(&sparse, L3_MASK, &[0b1111, 0b101], &[0, 0b10000, bit(63)]).unwrap();
    writes(&amd, L2_MASK, &[0b11, 0], &[0b100, bit(63)]).unwrap();
    writes(&intel, THROTTLE, &[0, 90, 1], &[91, bit(15), bit(16), bit(63)]).unwrap();
    let mut b = Bench::new(&intel);
    b.faults(CTR, 0).unwrap();
}

#[test]
fn classes_are_those_of_some_resource() {
    // L3 with CDP has classes 0 and 1 of masks 0 to 4; the last mask has no partner. There is nothing else.
    let mut straps = Straps { delays: None, ..l3_alone() };
    straps.levels[L3].highest = 4;
    let mut b = Bench::new(&straps);
    b.runs(0, 0, 4).unwrap();
    b.faults(ASSOC, 5 << 32).unwrap();
    b.writes(0, L3_QOS_CFG, 1).unwrap();
    b.reads(0, ASSOC, 4 << 32).unwrap();
    b.runs(0, 0, 1).unwrap();
    b.faults(ASSOC, 2 << 32).unwrap();
    b.reads(0, L3_MASK + 4, 0b1111).unwrap();
    // Delays have class 3 still.
    let delays = Some(Delays { highest: 3, most: 90, linear: true, core: false, period: 8 });
    let mut b = Bench::new(&Straps { delays, ..straps });
    b.writes(0, L3_QOS_CFG, 1).unwrap();
    b.runs(0, 0, 3).unwrap();
    b.faults(ASSOC, 4 << 32).unwrap();
}

#[test]
fn straps_without_a_feature() {
    let mut nothing = Straps { delays: None, events: 0, max_rmid: 0, monitored: 0, ..straps() };
    nothing.levels[L3] = Level { masks: false, cdp: false, highest: 0, ..nothing.levels[L3] };
    nothing.levels[L2] = Level { masks: false, cdp: false, highest: 0, ..nothing.levels[L2] };
    let mut b = Bench::new(&nothing);
    for number in [L3_QOS_CFG, L2_QOS_CFG, EVTSEL, CTR, ASSOC, L3_MASK, L2_MASK, THROTTLE] {
        b.absent(number).unwrap();
    }
    // Monitoring alone: class 0 alone.
    let mut b = Bench::new(&Straps { events: 2, max_rmid: 1, ..nothing });
    b.runs(0, 1, 0).unwrap();
    b.faults(ASSOC, 1 << 32).unwrap();
    // Delays alone: RMID 0 alone.
    let delays = Some(Delays { highest: 1, most: 90, linear: true, core: false, period: 8 });
    let mut b = Bench::new(&Straps { delays, ..nothing });
    b.runs(0, 0, 1).unwrap();
    b.faults(ASSOC, 1).unwrap();
    b.absent(EVTSEL).unwrap();
}

#[test]
fn privilege() {
    let mut b = Bench::new(&straps());
    for op in [Op::Read, Op::Write(0)] {
        b.ask(Ask { op, lp: 0, number: EVTSEL, level: 3 }, FAULT, 0).unwrap();
        b.ask(Ask { op, lp: 0, number: 0x10, level: 3 }, NOT_MINE, 0).unwrap();
    }
    b.ask(Ask { op: Op::Other, lp: 0, number: EVTSEL, level: 3 }, NOT_MINE, 0).unwrap();
    assert!(b.ask(Ask { op: Op::Read, lp: 0, number: EVTSEL, level: 1 }, DONE, 0).is_err());
}
