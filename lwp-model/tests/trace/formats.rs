//! The formats of the LBR stack: offsets and linear addresses in each mode, predictions and transactions.

use super::bench::*;
use lwp_model::Choice;
use lwp_model::retire::{BranchKind, IntKind, OpMode};
use lwp_model::trace::{Config, Entry, Format, Inputs, Lane};
use lwp_regs::trace::{LbrEntry, LbrFormat, LbrFrom, LbrInfo, LbrTo};

type Small = Bench<1, 4>;

/// A unit that records with this format.
fn bench(lbr_format: Format) -> Small {
    Small::on(Config { lbr_format, ..Config::default() }, LBR)
}

/// Source and destination of a branch.
fn pair(bench: &mut Small, lane: Lane) -> (u64, u64) {
    bench.retire(&[lane]);
    bench.pair()
}

// LBR-11, LBR-12, LBR-13, LBR-16: a code segment that begins at 1_0000H, in compatibility mode
#[test]
fn a_base_other_than_0() {
    for (format, expected) in [
        (Format::Offset32, (0x0000_0456_0000_0123, 0)),
        (Format::Linear, (0x1_0123, 0x1_0456)),
        (Format::Effective, (0x123, 0x456)),
        (Format::Flags, (0x123, 0x456)),
        (Format::Tsx, (0x123, 0x456)),
        (Format::Info, (0x123, 0x456)),
    ] {
        let mut bench = bench(format);
        (bench.stays.mode.op_mode, bench.stays.cs_base) = (OpMode::Compatibility, 0x1_0000);
        assert_eq!(pair(&mut bench, jump(0x1_0123, 0x1_0456)), expected, "{format:?}");
    }
}

// LBR-09, LBR-12, LBR-13, LBR-14: in 64-bit mode whole addresses, otherwise bits 63:32 are 0; the base does not carry into them
#[test]
fn upper_bits_by_mode() {
    let (from, to) = (0xFFFF_8000_1234_5678, 0xFFFF_8000_9ABC_DEF0);
    for (format, whole, half) in [
        (Format::Linear, (from, to), (0x1234_5678, 0x9ABC_DEF0)),
        (Format::Effective, (from, to), (0x1234_5678, 0x9ABC_DEF0)),
        (Format::Flags, (from & u64::MAX >> 1, to), (0x1234_5678, 0x9ABC_DEF0)),
        (Format::Tsx, (from & u64::MAX >> 3, to), (0x1234_5678, 0x9ABC_DEF0)),
        (Format::Info, (from, to), (0x1234_5678, 0x9ABC_DEF0)),
        (Format::Offset32, (0x9ABC_DEF0_1234_5678, 0), (0x9ABC_DEF0_1234_5678, 0)),
    ] {
        for op_mode in [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Unused6] {
            let mut bench = bench(format);
            bench.stays.mode.op_mode = op_mode;
            assert_eq!(pair(&mut bench, jump(from, to)), half, "{format:?} {op_mode:?}");
        }
        assert_eq!(pair(&mut bench(format), jump(from, to)), whole, "{format:?}");
    }
    // An offset below the base is negative: 32 bits of it.
    let mut bench = bench(Format::Effective);
    (bench.stays.mode.op_mode, bench.stays.cs_base) = (OpMode::Protected, 0x1_0000);
    assert_eq!(pair(&mut bench, jump(0xFFF0, 0x1_0000)), (0xFFFF_FFF0, 0));
}

// LBR-09, LBR-14, LBR-18, TRC-26: outside 64-bit mode bits 63:32 of the address are 0; the flags of the format stay in bits 63:61 of the
// source, and the last exception record has them too
#[test]
fn flags_outside_64_bit_mode() {
    for (format, predicted_branch, mispredicted_branch, abort) in [
        (Format::Flags, 0x1234_5678, 0x8000_0000_1234_5678, 0x8000_0000_1234_5678),
        (Format::Tsx, 0x4000_0000_1234_5678, 0xC000_0000_1234_5678, 0xE000_0000_1234_5678),
    ] {
        for (pred_ok, tx_abort, from) in
            [(true, false, predicted_branch), (false, false, mispredicted_branch), (false, true, abort)]
        {
            let mut bench = bench(format);
            bench.stays.mode.op_mode = OpMode::Compatibility;
            // What is above bit 31 is no part of an address of this mode.
            let branch = of_kind(BranchKind::JmpIndirect, 0xFFFF_8001_1234_5678, 0xFFFF_8001_9ABC_DEF0);
            bench.retire(&[predicted(in_region(branch, tx_abort), pred_ok)]);
            let tos = bench.read(TOS) as u32;
            assert_eq!([bench.read(FROM + tos), bench.read(TO + tos)], [from, 0x9ABC_DEF0], "{format:?}");
            bench.interrupt(IntKind::Exception, 14, 0x9ABC_DEF4, 0xFFFF_FFFF_8100_0000);
            assert_eq!([bench.read(LER_FROM), bench.read(LER_TO)], [from, 0x9ABC_DEF0], "{format:?}");
        }
    }
}

// LBR-16: the destination of a far transfer is an offset in the new code segment, and has the width of the new mode
#[test]
fn far_transfers() {
    for (kind, far) in [
        (BranchKind::JmpIndirect, false),
        (BranchKind::Ret, false),
        (BranchKind::FarJmp, true),
        (BranchKind::FarCall, true),
        (BranchKind::FarRet, true),
        (BranchKind::System, true),
        (BranchKind::Unused15, true),
    ] {
        let mut bench = bench(Format::Effective);
        (bench.stays.mode.op_mode, bench.stays.cs_base) = (OpMode::Compatibility, 0x1_0000);
        (bench.stays.far_base, bench.stays.far_long) = (0x20, true);
        let expected = if far { 0xFFFF_8000_0000_0400 - 0x20 } else { 0xFFFF_0400 };
        let shown = pair(&mut bench, of_kind(kind, 0x1_0123, 0xFFFF_8000_0000_0400));
        assert_eq!(shown, (0x123, expected), "{kind:?}");
    }
}

// LBR-09, LBR-16: an interrupt of a 32-bit program into a 64-bit kernel, and the return
#[test]
fn into_the_kernel_and_back() {
    let mut bench = bench(Format::Effective);
    (bench.stays.mode.op_mode, bench.stays.cs_base) = (OpMode::Compatibility, 0x1_0000);
    (bench.stays.far_base, bench.stays.far_long) = (0, true);
    bench.interrupt(IntKind::Interrupt, 0x80, 0x1_0123, 0xFFFF_FFFF_8100_0000);
    assert_eq!(bench.pair(), (0x123, 0xFFFF_FFFF_8100_0000));
    (bench.stays.mode.op_mode, bench.stays.cs_base) = (OpMode::Long64, 0);
    (bench.stays.far_base, bench.stays.far_long) = (0x1_0000, false);
    let iret = of_kind(BranchKind::System, 0xFFFF_FFFF_8100_0040, 0x1_0123);
    assert_eq!(pair(&mut bench, iret), (0xFFFF_FFFF_8100_0040, 0x123));
}

// LBR-14: bit 63 of the source: mispredicted; 0 if it is not known
#[test]
fn mispredictions() {
    let set = |mut lane: Lane, valid, ok| {
        (lane.branch.pred_valid, lane.branch.pred_ok) = (valid, ok);
        lane
    };
    for (valid, ok, mispredicted) in
        [(true, false, true), (true, true, false), (false, false, false), (false, true, false)]
    {
        for (format, from) in [(Format::Flags, true), (Format::Tsx, true), (Format::Effective, false)] {
            let shown = pair(&mut bench(format), set(jump(0x100, 0x200), valid, ok));
            assert_eq!(shown, (u64::from(mispredicted && from) << 63 | 0x100, 0x200), "{format:?}");
        }
        let mut info = bench(Format::Info);
        info.retire(&[set(jump(0x100, 0x200), valid, ok)]);
        assert_eq!((info.newest().mispredicted, info.newest().from), (mispredicted, 0x100));
    }
    let mut bench = bench(Format::Flags);
    bench.interrupt(IntKind::Exception, 14, 0x100, 0x9000);
    assert_eq!(bench.pair(), (0x100, 0x9000), "nothing is claimed of an interruption");
}

// LBR-15, LBR-22: TSX information in the source register or in the information, with its strap alone
#[test]
fn transactions() {
    for (in_tx, tx_abort) in [(false, false), (true, false), (false, true), (true, true)] {
        for rtm in [false, true] {
            let mut lane = of_kind(BranchKind::System, 0x100, 0x200);
            (lane.transaction.in_tx, lane.transaction.tx_abort) = (in_tx, tx_abort);
            let (in_tx, tx_abort) = (in_tx && rtm, tx_abort && rtm);
            let on = |lbr_format| Small::on(Config { lbr_format, rtm, ..Config::default() }, LBR);
            let bits = u64::from(tx_abort) << 61 | u64::from(in_tx) << 62;
            assert_eq!(pair(&mut on(Format::Tsx), lane), (bits | 0x100, 0x200));
            assert_eq!(pair(&mut on(Format::Flags), lane), (0x100, 0x200));
            let mut info = on(Format::Info);
            info.retire(&[lane]);
            let tos = u32::from(info.tos());
            assert_eq!(info.read(INFO + tos) >> 61, u64::from(tx_abort) | u64::from(in_tx) << 1);
        }
    }
}

// LBR-15, LBR-21, LBR-22: a triplet, as software reads it
#[test]
fn a_triplet() {
    let mut bench = bench(Format::Info);
    bench.pass(9);
    bench.retire(&[predicted(in_region(jump(0x100, 0x200), false), false)]);
    let tos = bench.read(TOS) as u32;
    // One clock of the WRMSR, nine idle ones, and its own.
    let triplet = [bench.read(FROM + tos), bench.read(TO + tos), bench.read(INFO + tos)];
    assert_eq!(triplet, [0x100, 0x200, 1 << 63 | 1 << 62 | 11]);
}

// LBR-15: formats without a third register keep no clocks and no flags in it
#[test]
fn no_information_in_other_formats() {
    for format in [Format::Offset32, Format::Linear, Format::Effective, Format::Flags, Format::Tsx] {
        let mut bench = bench(format);
        bench.retire(&[predicted(in_region(jump(0x100, 0x200), true), false)]);
        let Entry { cycles, tsx_abort, in_tx, mispredicted, .. } = bench.newest();
        assert_eq!((cycles, tsx_abort, in_tx, mispredicted), (0, false, false, false), "{format:?}");
    }
}

// LBR-11: a branch from one lane; the far base belongs to the last of a group
#[test]
fn a_near_and_a_far_branch_in_a_group() {
    let mut bench = Bench::<4, 32>::on(Config { lbr_format: Format::Offset32, ..deep() }, LBR);
    (bench.stays.mode.op_mode, bench.stays.cs_base) = (OpMode::Protected, 0x1000);
    (bench.stays.far_base, bench.stays.far_long) = (0x8000, false);
    let mut inputs = Inputs::default();
    inputs.lanes[0] = jump(0x1010, 0x1020);
    inputs.lanes[2] = of_kind(BranchKind::FarCall, 0x1024, 0x8100);
    bench.cycle(inputs);
    let entry = bench.unit.state().lbr.entry;
    assert_eq!([entry[1].from, entry[2].from], [0x0000_0020_0000_0010, 0x0000_0100_0000_0024]);
}

// LBR-10, LBR-20: the strap is IA32_PERF_CAPABILITIES[5:0]; by this code alone software decodes what the unit has written
#[test]
fn software_decodes_by_the_code() {
    let (from, to) = (0xFFFF_FFFF_8100_0010, 0xFFFF_FFFF_8100_0400);
    for (code, format) in (0..).zip(Format::ALL) {
        let mut bench = bench(*format);
        bench.retire(&[predicted(in_region(of_kind(BranchKind::System, from, to), true), false)]);
        let Entry { from, to, cycles, .. } = bench.newest();
        let number = u32::from(bench.tos());
        let info = if code == 5 { bench.read(INFO + number) } else { 0 };
        let entry =
            LbrEntry { from: LbrFrom::from_bits(from), to: LbrTo::from_bits(to), info: LbrInfo::from_bits(info) };
        let record = LbrFormat::from_perf_capabilities(code).decode(entry).unwrap();
        let (whole, flags, tsx, clocks) = (code > 0, code >= 3, code >= 4, code == 5);
        let address = |low: u64| if whole { 0xFFFF_FFFF_0000_0000 | low } else { low };
        assert_eq!((record.from, record.to), (address(0x8100_0010), address(0x8100_0400)), "{format:?}");
        assert_eq!((record.mispredicted, record.in_tsx), (flags.then_some(true), tsx.then_some(true)));
        assert_eq!((record.tsx_abort, record.cycles), (tsx.then_some(true), clocks.then_some(cycles)));
    }
}
