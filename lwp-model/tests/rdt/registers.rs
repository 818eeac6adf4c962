//! RDMSR and WRMSR: which registers there are, and what they take.

use super::bench::{
    Answer, Bench, CTR, DONE, ERROR, EVTSEL, GP, L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, Large, NOT_MINE, PQR_ASSOC,
    THROTTLE, amd, assoc, evtsel, l3_only, wrmsr,
};
use lwp_model::Choice;
use lwp_model::rdt::{Config, ModeInputs, Select};
use lwp_model::retire::{OpMode, RegOp, RegRequest};

/// Every register of the default straps, with a value that it takes and its reset value.
const ALL: [(u32, u64, u64); 17] = [
    (L3_QOS_CFG, 1, 0),
    (L2_QOS_CFG, 1, 0),
    (EVTSEL, 0x3FF_0000_00FF, 0),
    (PQR_ASSOC, 1 << 32 | 3, 0),
    (CTR, 0, 1 << 63),
    (L3_MASK, 0b0001, 0b1111),
    (L3_MASK + 1, 0b0110, 0b1111),
    (L3_MASK + 2, 0b1110, 0b1111),
    (L3_MASK + 3, 0b1000, 0b1111),
    (L2_MASK, 0b01, 0b11),
    (L2_MASK + 1, 0b10, 0b11),
    (L2_MASK + 2, 0b01, 0b11),
    (L2_MASK + 3, 0b10, 0b11),
    (THROTTLE, 1, 0),
    (THROTTLE + 1, 50, 0),
    (THROTTLE + 2, 89, 0),
    (THROTTLE + 3, 90, 0),
];

/// Numbers of registers that the default straps have.
fn numbers() -> impl Iterator<Item = u32> {
    ALL.iter().map(|(number, ..)| *number)
}

/// The numbers around them, on both sides.
fn all_numbers() -> impl Iterator<Item = u32> {
    (0xC80..0xCA0).chain(0xD0C..0xD20).chain(0xD4C..0xD60)
}

/// The numbers that the unit has.
fn found(straps: Config) -> Vec<u32> {
    let mut bench = Bench::new(straps);
    all_numbers().filter(|&number| bench.rdmsr(0, number) != NOT_MINE).collect()
}

// RDTM-09, RDTM-22, RDTM-24, RDTM-30, RDTA-12, RDTA-17, RDTA-21, RDTA-26, RDTA-32: each register at its number, with its reset value (0 of
// IA32_L3_QOS_CFG and IA32_L2_QOS_CFG: CDP is off), takes values and gives them back; the others are where they were
#[test]
fn every_register_keeps_a_value() {
    let mut bench = Bench::new(Config::default());
    for (number, _, reset) in ALL {
        assert_eq!(bench.rdmsr(0, number), Ok(reset), "{number:x}");
    }
    for (done, (number, value, _)) in ALL.into_iter().enumerate() {
        if number == CTR {
            assert_eq!(bench.try_wrmsr(0, number, value), GP);
            continue;
        }
        bench.wrmsr(0, number, value);
        for (other, (number, value, reset)) in ALL.into_iter().enumerate().filter(|(_, row)| row.0 != CTR) {
            assert_eq!(bench.rdmsr(0, number), Ok(if other <= done { value } else { reset }), "{number:x}");
        }
    }
}

#[test]
fn numbers_that_there_are() {
    let straps = Config::default();
    let all: Vec<u32> = {
        let mut all: Vec<u32> = numbers().collect();
        all.sort_unstable();
        all
    };
    let without = |gone: &[u32]| all.iter().copied().filter(|number| !gone.contains(number)).collect::<Vec<_>>();
    assert_eq!(found(straps), all);
    assert_eq!(found(Config { l3_cdp: false, ..straps }), without(&[L3_QOS_CFG]));
    assert_eq!(found(Config { l2_cdp: false, ..straps }), without(&[L2_QOS_CFG]));
    let fewer = Config { l3_cos: 2, l2_cos: 1, mba_cos: 0, ..straps };
    let gone = [L3_MASK + 3, L2_MASK + 2, L2_MASK + 3, THROTTLE + 1, THROTTLE + 2, THROTTLE + 3];
    assert_eq!(found(fewer), without(&gone));
    let unmonitored = Config { events: 0, max_rmid: 0, l3_max_rmid: 0, ..straps };
    assert_eq!(found(unmonitored), without(&[EVTSEL, CTR]));
    let nothing = Config { l3_cat: false, l3_cdp: false, l3_cos: 0, mba: false, mba_cos: 0, ..l3_only() };
    assert_eq!(found(nothing), [EVTSEL, CTR, PQR_ASSOC]);
    assert!(found(Config { events: 0, max_rmid: 0, l3_max_rmid: 0, ..nothing }).is_empty());
}

/// Bits that WRMSR takes, each alone, besides this value.
fn bits(bench: &mut Bench, number: u32, besides: u64) -> u64 {
    let mut taken = 0;
    for bit in 0..64 {
        bench.wrmsr(0, number, besides);
        let answer = bench.try_wrmsr(0, number, besides | 1 << bit);
        let now = bench.rdmsr(0, number);
        if answer == DONE {
            assert_eq!(now, Ok(besides | 1 << bit), "{number:x}");
            taken |= 1 << bit;
        } else {
            assert_eq!((answer, now), (GP, Ok(besides)), "{number:x}, bit {bit}: refused, so not changed");
        }
    }
    taken
}

// RDTM-18, RDTM-31, RDTA-17, RDTA-20, RDTA-21: each reserved bit faults, also one of an RMID, a class, a mask or a delay that is too
// large. An RMID has 10 bits, of AMD 12. RDT-18: IA32_QM_EVTSEL takes every RMID of its field, IA32_PQR_ASSOC those that there are.
#[test]
fn reserved_bits() {
    let mut bench = Bench::new(Config { sparse: true, ..Config::default() });
    for (number, besides, expected) in [
        (L3_QOS_CFG, 0, 1),
        (L2_QOS_CFG, 0, 1),
        (EVTSEL, 0, 0x3FF_0000_00FF),
        (PQR_ASSOC, 0, 3 << 32 | 3),
        (L3_MASK, 1, 0b1111),
        (L3_MASK + 3, 4, 0b1111),
        (L2_MASK, 1, 0b11),
        (L2_MASK + 3, 2, 0b11),
        // 64, but not 128.
        (THROTTLE, 0, 0x7F),
    ] {
        assert_eq!(bits(&mut bench, number, besides), expected, "{number:x}");
    }
    let mut bench = Bench::new(amd(Config { mba_max: 0xFFF, mba_linear: false, ..Config::default() }));
    for (number, expected) in [(EVTSEL, 0xFFF_0000_00FF), (PQR_ASSOC, 3 << 32 | 3), (THROTTLE + 1, 0xFFF)] {
        assert_eq!(bits(&mut bench, number, 0), expected, "{number:x}");
    }
}

// RDTM-05, RDTM-31: IA32_PQR_ASSOC takes RMIDs up to the highest, which need not be the last that the hardware has. RDT-18:
// IA32_QM_EVTSEL takes the others too, and IA32_QM_CTR reads Error for them
#[test]
fn the_highest_rmid() {
    for max_rmid in 0..4 {
        let mut bench = Bench::new(Config { max_rmid, l3_max_rmid: 0, ..Config::default() });
        for rmid in 0..=5 {
            let (answer, now) = if rmid <= max_rmid.into() { (DONE, rmid) } else { (GP, max_rmid.into()) };
            assert_eq!(bench.try_wrmsr(0, PQR_ASSOC, assoc(rmid, 0)), answer, "{rmid} of {max_rmid}");
            assert_eq!(bench.rdmsr(0, PQR_ASSOC), Ok(now));
            assert_eq!(bench.select(0, 1, rmid), if rmid == 0 { Ok(0) } else { ERROR }, "{rmid} of {max_rmid}");
        }
    }
}

/// Classes that IA32_PQR_ASSOC takes, of the first six.
fn classes(bench: &mut Bench) -> Vec<u64> {
    (0..6).filter(|&cos| bench.try_wrmsr(1, PQR_ASSOC, assoc(0, cos)) == DONE).collect()
}

// RDTA-04, RDTA-29: a class is refused that no resource has; class 0 never is
#[test]
fn classes_that_there_are() {
    let none = Config { l3_cdp: false, l3_cos: 0, l2_cdp: false, l2_cos: 0, mba_cos: 0, ..Config::default() };
    for straps in [
        Config { l3_cos: 2, ..none },
        Config { l2_cos: 2, ..none },
        Config { mba_cos: 2, ..none },
        Config { l3_cos: 2, l2_cos: 1, ..none },
    ] {
        assert_eq!(classes(&mut Bench::new(straps)), [0, 1, 2]);
    }
    assert_eq!(classes(&mut Bench::new(none)), [0]);
    let nothing = Config { l3_cat: false, l2_cat: false, mba: false, ..none };
    assert_eq!(classes(&mut Bench::new(nothing)), [0], "there are RMIDs");
}

// RDTA-14, RDT-11: with CDP a cache has the lower half of its classes; another resource may still have the others
#[test]
fn classes_with_cdp() {
    let straps = Config { mba: false, mba_cos: 0, ..Config::default() };
    let mut bench = Bench::new(straps);
    assert_eq!(classes(&mut bench), [0, 1, 2, 3]);
    bench.wrmsr(0, L3_QOS_CFG, 1);
    assert_eq!(classes(&mut bench), [0, 1, 2, 3], "of the L2 cache");
    bench.assign(0, 0, 3);
    bench.wrmsr(0, L2_QOS_CFG, 1);
    assert_eq!(classes(&mut bench), [0, 1]);
    // The one that has class 3 already keeps it.
    assert_eq!(bench.rdmsr(0, PQR_ASSOC), Ok(assoc(0, 3)));
    bench.wrmsr(0, L3_QOS_CFG, 0);
    assert_eq!(classes(&mut bench), [0, 1, 2, 3], "of the L3 cache");
    // Three classes: rounded down.
    let mut bench = Bench::new(Config { l3_cos: 2, l2_cos: 2, ..straps });
    bench.wrmsr(0, L3_QOS_CFG, 1);
    bench.wrmsr(0, L2_QOS_CFG, 1);
    assert_eq!(classes(&mut bench), [0]);
    // Four classes of bandwidth.
    let mut bench = Bench::new(Config::default());
    bench.wrmsr(0, L3_QOS_CFG, 1);
    bench.wrmsr(0, L2_QOS_CFG, 1);
    assert_eq!(classes(&mut bench), [0, 1, 2, 3]);
}

// RDTA-13, RDTA-15: all mask registers are there with CDP, and a switch changes none of them
#[test]
fn masks_stay_when_cdp_is_switched() {
    let mut bench = Bench::new(Config::default());
    for (n, mask) in (0..4).zip([1, 2, 4, 8]) {
        bench.wrmsr(0, L3_MASK + n, mask);
    }
    for enable in [1, 0, 1] {
        bench.wrmsr(0, L3_QOS_CFG, enable);
        assert_eq!([0, 1, 2, 3].map(|n| bench.rdmsr(0, L3_MASK + n)), [1, 2, 4, 8].map(Ok));
        assert_eq!([0, 1, 2, 3].map(|n| bench.rdmsr(0, L2_MASK + n)), [Ok(3); 4]);
        assert_eq!((bench.rdmsr(0, L3_QOS_CFG), bench.rdmsr(0, L2_QOS_CFG)), (Ok(enable), Ok(0)));
    }
}

/// Whether the ones of a mask are in one piece, by its digits.
fn in_one_piece(mask: u64) -> bool {
    let digits = format!("{mask:b}");
    !digits.trim_end_matches('0').contains('0')
}

// RDTA-09, RDTA-20: every mask of eight and of four ways, and one bit more; with CDP the same
#[test]
fn masks_that_are_taken() {
    let intel = Config { l3_ways: 4, l2_ways: 8, l3_cos: 1, l2_cos: 1, ..Config::default() };
    let sparse = Config { sparse: true, ..intel };
    for (name, straps) in [("intel", intel), ("sparse", sparse), ("amd", amd(intel))] {
        let legal = |mask: u64| match name {
            "intel" => mask != 0 && in_one_piece(mask),
            "sparse" => mask != 0,
            _ => true,
        };
        let mut bench = Large::new(straps);
        for cdp in [0, 1] {
            bench.wrmsr(0, L3_QOS_CFG, cdp);
            bench.wrmsr(0, L2_QOS_CFG, cdp);
            let number = L2_MASK + cdp as u32;
            for mask in 0..=256 {
                let expected = if mask < 256 && legal(mask) { DONE } else { GP };
                assert_eq!(bench.try_wrmsr(0, number, mask), expected, "{name}: L2 mask {mask:#b}");
            }
            for mask in 0..=16 {
                let expected = if mask < 16 && legal(mask) { DONE } else { GP };
                assert_eq!(bench.try_wrmsr(0, L3_MASK + 1, mask), expected, "{name}: L3 mask {mask:#b}");
            }
        }
    }
}

// RDTA-33: delays from 0 to MBA_MAX
#[test]
fn delays_that_are_taken() {
    for (mba_max, mba_linear) in [(1, true), (90, true), (99, true), (1, false), (300, false), (0xFFF, false)] {
        let mut bench = Bench::new(Config { mba_max, mba_linear, ..Config::default() });
        let most = u64::from(mba_max);
        for (delay, answer) in [(0, DONE), (1, DONE), (most - 1, DONE), (most, DONE), (most + 1, GP), (1 << 16, GP)] {
            assert_eq!(bench.try_wrmsr(0, THROTTLE + 2, delay), answer, "{delay} of {mba_max}");
        }
        assert_eq!(bench.rdmsr(0, THROTTLE + 2), Ok(most));
    }
}

// Level 0 alone: real mode is level 0 and virtual-8086 mode is level 3, whatever `cpl` says
#[test]
fn levels() {
    let mut bench = Bench::new(Config::default());
    for op_mode in OpMode::ALL.iter().copied() {
        for cpl in 0..4 {
            bench.mode = ModeInputs { cpl, op_mode };
            let allowed = match op_mode {
                OpMode::Real => true,
                OpMode::Virtual8086 => false,
                _ => cpl == 0,
            };
            let answers = |done: Answer| if allowed { done } else { GP };
            assert_eq!(bench.rdmsr(0, L3_MASK + 1), answers(Ok(0b1111)), "{op_mode:?}, {cpl}");
            assert_eq!(bench.try_wrmsr(0, L3_MASK + 2, 0b11), answers(DONE), "{op_mode:?}, {cpl}");
            assert_eq!(bench.try_wrmsr(0, CTR, 0), GP);
            assert_eq!((bench.rdmsr(0, 0x10), bench.try_wrmsr(0, 0xC94, 0)), (NOT_MINE, NOT_MINE));
            bench.mode = ModeInputs::default();
            let mask = if allowed { 0b11 } else { 0b1111 };
            assert_eq!(bench.rdmsr(0, L3_MASK + 2), Ok(mask), "a refused WRMSR changes nothing");
            bench.wrmsr(0, L3_MASK + 2, 0b1111);
        }
    }
}

#[test]
fn every_register_is_for_level_0() {
    let mut bench = Bench::new(Config::default());
    bench.mode = ModeInputs { cpl: 3, op_mode: OpMode::Long64 };
    for (number, value, _) in ALL {
        assert_eq!((bench.rdmsr(0, number), bench.try_wrmsr(0, number, value)), (GP, GP), "{number:x}");
    }
    bench.mode = ModeInputs::default();
    for (number, _, reset) in ALL {
        assert_eq!(bench.rdmsr(0, number), Ok(reset), "{number:x}");
    }
}

#[test]
fn other_operations_are_not_mine() {
    let mut bench = Bench::new(Config::default());
    for op in RegOp::ALL.iter().copied().filter(|op| !matches!(op, RegOp::Rdmsr | RegOp::Wrmsr)) {
        for number in [PQR_ASSOC, L3_MASK] {
            assert_eq!(bench.ask(RegRequest { op, ..wrmsr(0, number, 1) }), NOT_MINE, "{op:?}");
        }
    }
    assert_eq!((bench.rdmsr(0, PQR_ASSOC), bench.rdmsr(0, L3_MASK)), (Ok(0), Ok(0b1111)));
    // A number is compared in all its bits.
    assert_eq!([0xC90, 0x1C90, 0x8000_0C90].map(|number| bench.rdmsr(0, number)), [Ok(0b1111), NOT_MINE, NOT_MINE]);
}

// IA32_PQR_ASSOC and IA32_QM_EVTSEL are a logical processor's; of its number the lowest bit counts here. Masks are everybody's.
#[test]
fn whose_registers() {
    let mut bench = Bench::new(Config { select: Select::Thread, ..Config::default() });
    bench.assign(0, 1, 2);
    bench.assign(3, 2, 1);
    bench.wrmsr(4, EVTSEL, evtsel(2, 7));
    bench.wrmsr(0, L3_MASK, 1);
    for lp in 0..8 {
        let (own, selected) = if lp % 2 == 0 { (assoc(1, 2), evtsel(2, 7)) } else { (assoc(2, 1), 0) };
        assert_eq!((bench.rdmsr(lp, PQR_ASSOC), bench.rdmsr(lp, EVTSEL)), (Ok(own), Ok(selected)), "{lp}");
        assert_eq!(bench.rdmsr(lp, L3_MASK), Ok(1));
    }
}

// A request is answered in the next cycle, for one cycle, and the next one may be made in it
#[test]
fn requests_in_every_cycle() {
    let mut bench = Bench::new(Config::default());
    assert_eq!(bench.answer(), None);
    assert_eq!(bench.rdmsr(0, L3_MASK), Ok(0b1111));
    assert_eq!(bench.try_wrmsr(1, L3_MASK, 0b11), DONE);
    assert_eq!(bench.rdmsr(0, L3_MASK), Ok(0b11));
    assert_eq!(bench.rdmsr(0, 0), NOT_MINE);
    assert_eq!(bench.try_wrmsr(1, L3_MASK, 0), GP);
    bench.idle();
    assert_eq!(bench.answer(), None);
    assert_eq!(bench.rdmsr(0, L3_MASK), Ok(0b11));
}
