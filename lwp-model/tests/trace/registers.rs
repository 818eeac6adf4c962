//! RDMSR and WRMSR: which registers there are, what they hold, and what is refused.

use super::bench::*;
use lwp_model::retire::{OpMode, RegOp, RegRequest, RegResult};
use lwp_model::trace::{Config, Depth, Format, Inputs, Linear, Numbers};

type Small = Bench<1, 4>;
type Large = Bench<4, 32>;

const GP: Result<u64, RegResult> = Err(RegResult::GeneralProtection);
const NOT_MINE: Result<u64, RegResult> = Err(RegResult::NotMine);

/// Straps of a processor without any choice.
fn bare() -> Config {
    let none = Config { ds: false, ds_cpl: false, dtes64: false, pmi_freeze: false, ..Config::default() };
    Config { smm_freeze: false, rtm: false, pebs_counters: 0, ..none }
}

// DCTL-02, DCTL-03: at 1D9H; the flags that exist read back, every other bit is #GP(0) and changes nothing
#[test]
fn debugctl_has_its_flags_alone() {
    let flags = [0, 1, 6, 7, 8, 9, 10, 11, 12, 14, 15];
    let mut bench = Small::new(Config::default());
    let all = flags.iter().fold(0, |all, bit| all | 1 << bit);
    for bit in 0..64 {
        let expected = if flags.contains(&bit) { Ok(0) } else { GP };
        assert_eq!(bench.wrmsr(DEBUGCTL, 1 << bit), expected, "{bit}");
    }
    bench.write(DEBUGCTL, all);
    assert_eq!((bench.read(DEBUGCTL), all), (0xDFC3, 0xDFC3));
    assert_eq!((bench.wrmsr(DEBUGCTL, 0xDFC3 | 1 << 13), bench.read(DEBUGCTL)), (GP, 0xDFC3));
    assert_eq!((bench.rdmsr(0x1D8), bench.wrmsr(0x1DA, 0)), (NOT_MINE, NOT_MINE));
}

// DCTL-03, DCTL-21, BTS-06: a strap for each feature brings its flags
#[test]
fn debugctl_has_the_flags_of_its_straps() {
    let plain = bare();
    for (straps, flags) in [
        (plain, 0),
        (Config { ds: true, ..plain }, TR | BTS | BTINT),
        (Config { ds: true, ds_cpl: true, ..plain }, TR | BTS | BTINT | OFF_OS | OFF_USR),
        (Config { pmi_freeze: true, ..plain }, FREEZE_LBRS | FREEZE_PERFMON),
        (Config { smm_freeze: true, ..plain }, FREEZE_SMM),
        (Config { rtm: true, ..plain }, RTM),
    ] {
        let mut bench = Small::new(straps);
        for bit in 0..64 {
            let expected = if (flags | LBR | BTF) >> bit & 1 == 1 { Ok(0) } else { GP };
            assert_eq!(bench.wrmsr(DEBUGCTL, 1 << bit), expected, "{bit} of {straps:?}");
        }
    }
}

// DCTL-12, DCTL-15: the flags that other units follow
#[test]
fn flags_for_other_units() {
    for (value, shown) in [
        (0, [false; 4]),
        (BTF, [true, false, false, false]),
        (FREEZE_PERFMON, [false, true, false, false]),
        (FREEZE_SMM, [false, false, true, false]),
        (RTM, [false, false, false, true]),
        (LBR | FREEZE_LBRS, [false; 4]),
    ] {
        let out = Small::on(Config::default(), value).out();
        assert_eq!([out.btf, out.freeze_on_pmi, out.freeze_while_smm, out.rtm_debug], shown, "{value:x}");
    }
}

// LBR-04, LBR-06, LBR-21: N pairs or triplets, one number after the other
#[test]
fn registers_of_the_stack() {
    for (lbr_numbers, from, to) in [(Numbers::Core, 0x40, 0x60), (Numbers::Nehalem, 0x680, 0x6C0)] {
        for (lbr_depth, n) in [(Depth::Four, 4), (Depth::Eight, 8), (Depth::Sixteen, 16), (Depth::ThirtyTwo, 32)] {
            let mut bench =
                Large::new(Config { lbr_numbers, lbr_depth, lbr_format: Format::Info, ..Config::default() });
            for i in 0..n {
                bench.write(from + i, 0x1111_0000 + u64::from(i));
                bench.write(to + i, u64::MAX - u64::from(i));
                bench.write(INFO + i, 0x1000 + u64::from(i));
            }
            for i in 0..n {
                assert_eq!(bench.read(from + i), 0x1111_0000 + u64::from(i));
                assert_eq!(bench.read(to + i), u64::MAX - u64::from(i));
                assert_eq!(bench.read(INFO + i), 0x1000 + u64::from(i));
            }
            // 40H to 5FH and 60H to 7FH have no number between them.
            let own = |number| [from, to, INFO].iter().any(|first| (*first..first + n).contains(&number));
            for number in [from - 1, from + n, to - 1, to + n, INFO - 1, INFO + n].into_iter().filter(|at| !own(*at)) {
                assert_eq!((bench.rdmsr(number), bench.wrmsr(number, 0)), (NOT_MINE, NOT_MINE), "{number:x}");
            }
        }
    }
}

// LBR-11, LBR-21: with offset32 an entry is one register; only the format info has a third
#[test]
fn registers_by_format() {
    for (lbr_format, to, info) in [
        (Format::Offset32, NOT_MINE, NOT_MINE),
        (Format::Linear, Ok(0), NOT_MINE),
        (Format::Effective, Ok(0), NOT_MINE),
        (Format::Flags, Ok(0), NOT_MINE),
        (Format::Tsx, Ok(0), NOT_MINE),
        (Format::Info, Ok(0), Ok(0)),
    ] {
        let mut bench = Small::new(Config { lbr_format, ..Config::default() });
        assert_eq!([bench.rdmsr(FROM), bench.rdmsr(TO), bench.rdmsr(INFO)], [Ok(0), to, info], "{lbr_format:?}");
    }
}

// LBR-22: CYCLES, TSX_ABORT, IN_TX, MISPRED; the bits between are not kept
#[test]
fn information() {
    let mut bench = Small::new(Config { lbr_format: Format::Info, ..Config::default() });
    bench.write(INFO + 1, u64::MAX);
    assert_eq!(bench.read(INFO + 1), 0xE000_0000_0000_FFFF);
    for (bits, at) in [(1 << 61, 0), (1 << 62, 1), (1 << 63, 2)] {
        bench.write(INFO, bits);
        let entry = bench.unit.state().lbr.entry[0];
        let flags = [entry.tsx_abort, entry.in_tx, entry.mispredicted];
        assert_eq!(flags, core::array::from_fn(|flag| flag == at));
    }
}

// LBR-04, LBR-07: the lowest M bits, and no others
#[test]
fn top_of_stack() {
    for (lbr_depth, n) in [(Depth::Four, 4), (Depth::Eight, 8), (Depth::Sixteen, 16), (Depth::ThirtyTwo, 32)] {
        let mut bench = Large::new(Config { lbr_depth, ..Config::default() });
        for value in 0..n {
            bench.write(TOS, value);
            assert_eq!(bench.read(TOS), value);
        }
        for bit in n.trailing_zeros()..64 {
            assert_eq!(bench.wrmsr(TOS, 1 << bit), GP, "{bit} of {n}");
        }
        assert_eq!(bench.read(TOS), n - 1);
    }
}

// LBR-17: the pair is read-only
#[test]
fn last_exception_record_is_read_only() {
    let mut bench = Small::new(Config::default());
    for number in [LER_FROM, LER_TO] {
        assert_eq!((bench.wrmsr(number, 0), bench.rdmsr(number)), (GP, Ok(0)));
    }
}

// BTS-06, BTS-12: at 600H, if there is a debug store; canonical addresses alone
#[test]
fn ds_area() {
    let wide = |linear| Config { linear, ..Config::default() };
    let narrow = Config { linear: Linear::Bits32, dtes64: false, ..Config::default() };
    for (straps, value, result) in [
        (wide(Linear::Bits48), 0x7FFF_FFFF_FFFF, Ok(0)),
        (wide(Linear::Bits48), 0x8000_0000_0000, GP),
        (wide(Linear::Bits48), 0xFFFF_8000_0000_0000, Ok(0)),
        (wide(Linear::Bits48), 0x7FFF_8000_0000_0000, GP),
        (wide(Linear::Bits57), 0x8000_0000_0000, Ok(0)),
        (wide(Linear::Bits57), 0x0100_0000_0000_0000, GP),
        (wide(Linear::Bits57), 0xFF00_0000_0000_0000, Ok(0)),
        (narrow, 0xFFFF_FFFF, Ok(0)),
        (narrow, 0x1_0000_0000, GP),
        (narrow, 0xFFFF_FFFF_FFFF_FFFF, GP),
    ] {
        let mut bench = Small::new(straps);
        assert_eq!(bench.wrmsr(DS_AREA, value), result, "{value:x}");
        assert_eq!(bench.read(DS_AREA), if result.is_ok() { value } else { 0 });
    }
    let mut bench = Small::new(bare());
    assert_eq!((bench.rdmsr(DS_AREA), bench.wrmsr(DS_AREA, 0)), (NOT_MINE, NOT_MINE));
}

// BTS-09: a bit for each counter that can store records
#[test]
fn pebs_enable() {
    for pebs_counters in 1..=4 {
        let mut bench = Small::new(Config { pebs_counters, ..Config::default() });
        for bit in 0..64 {
            let expected = if bit < pebs_counters { Ok(0) } else { GP };
            assert_eq!(bench.wrmsr(PEBS_ENABLE, 1 << bit), expected, "{bit} of {pebs_counters}");
        }
        assert_eq!(bench.read(PEBS_ENABLE), 1 << (pebs_counters - 1));
    }
    let mut bench = Small::new(Config { pebs_counters: 0, ..Config::default() });
    assert_eq!((bench.rdmsr(PEBS_ENABLE), bench.wrmsr(PEBS_ENABLE, 0)), (NOT_MINE, NOT_MINE));
}

// TRC-11: MSR_LBR_SELECT, 1C8H, is not the unit's, nor are operations other than RDMSR and WRMSR
#[test]
fn not_mine() {
    let mut bench = Small::new(Config::default());
    assert_eq!((bench.rdmsr(0x1C8), bench.wrmsr(0x1C8, 1)), (NOT_MINE, NOT_MINE));
    for op in [RegOp::Rdtsc, RegOp::Rdtscp, RegOp::Rdpmc, RegOp::ReadDr, RegOp::WriteDr, RegOp::Unused7] {
        assert_eq!(bench.request(op, DEBUGCTL, 1), NOT_MINE, "{op:?}");
    }
    // Not even at level 3.
    bench.stays.mode.cpl = 3;
    assert_eq!(bench.rdmsr(0x1C8), NOT_MINE);
    assert_eq!(bench.debugctl(), 0);
}

// Privilege: "the level is not 0" of the contract's Request
#[test]
fn only_level_0() {
    let mut bench = Small::on(Config::default(), LBR);
    for (op_mode, cpl, result) in [
        (OpMode::Long64, 0, Ok(LBR)),
        (OpMode::Long64, 1, GP),
        (OpMode::Protected, 3, GP),
        (OpMode::Compatibility, 2, GP),
        (OpMode::Real, 3, Ok(LBR)),
        (OpMode::Virtual8086, 0, GP),
    ] {
        (bench.stays.mode.op_mode, bench.stays.mode.cpl) = (op_mode, cpl);
        assert_eq!(bench.rdmsr(DEBUGCTL), result, "{op_mode:?} {cpl}");
        let written = bench.wrmsr(DEBUGCTL, LBR);
        assert_eq!(written.is_ok(), result.is_ok());
    }
}

// A request waits for a cycle without lanes and without an interruption; a partial cycle does not keep it.
#[test]
fn a_request_is_accepted_alone() {
    let mut bench = Small::new(Config::default());
    let reg = RegRequest { valid: true, op: RegOp::Rdmsr, lp: 0, number: DEBUGCTL, wdata: 0 };
    let asked = Inputs::<1> { reg, ..Inputs::default() };
    let mut with_lane = asked;
    with_lane.lanes[0] = at(0x100);
    assert!(!bench.cycle(with_lane).reg_done);
    let mut with_int = asked;
    with_int.int.valid = true;
    assert!(!bench.cycle(with_int).reg_done);
    with_lane.partial = true;
    assert!(bench.cycle(with_lane).reg_done);
    assert!(bench.cycle(asked).reg_done);
    assert!(!bench.idle().reg_done, "one cycle alone");
}
