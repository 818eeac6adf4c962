//! The LBR stack: what is recorded, where, and after how many clocks; the last exception record.

use super::bench::*;
use lwp_model::retire::{BranchKind, IntKind, OpMode};
use lwp_model::trace::{Config, Depth, Entry, Format, Inputs};

type Small = Bench<1, 4>;
type Large = Bench<4, 32>;

fn with(lbr_format: Format) -> Config {
    Config { lbr_format, ..Config::default() }
}

// DCTL-04, LBR-01: records only while LBR is 1
#[test]
fn only_while_lbr_is_set() {
    let mut bench = Small::new(Config::default());
    bench.jump(0x100, 0x200);
    assert_eq!((bench.tos(), bench.pair()), (0, (0, 0)));
    bench.write(DEBUGCTL, LBR);
    bench.jump(0x100, 0x200);
    assert_eq!((bench.tos(), bench.pair()), (1, (0x100, 0x200)));
    bench.write(DEBUGCTL, BTF | FREEZE_LBRS);
    bench.jump(0x300, 0x400);
    assert_eq!((bench.tos(), bench.pair()), (1, (0x100, 0x200)));
}

// LBR-05: one record for each kind of branch and interruption
#[test]
fn one_record_for_each_kind() {
    let mut bench = Large::on(deep(), LBR);
    let branches = [
        BranchKind::JmpRel,
        BranchKind::Cond,
        BranchKind::JmpIndirect,
        BranchKind::CallRel,
        BranchKind::CallIndirect,
        BranchKind::Ret,
        BranchKind::FarJmp,
        BranchKind::FarCall,
        BranchKind::FarRet,
        BranchKind::System,
        BranchKind::Unused13,
    ];
    for (number, kind) in (1..).zip(branches) {
        bench.retire(&[of_kind(kind, 0x100 * number, 0x5000)]);
        assert_eq!((u64::from(bench.tos()), bench.pair()), (number, (0x100 * number, 0x5000)), "{kind:?}");
    }
    let before = bench.tos();
    let interruptions = [
        (IntKind::Interrupt, 0x80),
        (IntKind::Exception, 14),
        (IntKind::Exception, 3),
        (IntKind::Nmi, 2),
        (IntKind::Smi, 0),
        (IntKind::Unused7, DB),
    ];
    for (number, (kind, vector)) in (1..).zip(interruptions) {
        bench.interrupt(kind, vector, 0x100 * u64::from(number), 0x9000);
        assert_eq!((bench.tos(), bench.pair()), (before + number, (0x100 * u64::from(number), 0x9000)), "{kind:?}");
    }
}

// LBR-01, LBR-05: what makes no record: #DB, RSM, a branch that is not taken, no branch, a lane that is not valid, a partial cycle
#[test]
fn what_makes_no_record() {
    let mut bench = Small::on(Config::default(), LBR);
    let mut not_taken = of_kind(BranchKind::Cond, 0x100, 0x104);
    not_taken.branch.taken = false;
    let mut nothing = jump(0x100, 0x200);
    nothing.retired.valid = false;
    for lane in [not_taken, of_kind(BranchKind::None, 0x100, 0x200), nothing] {
        bench.group(&[lane]);
        assert_eq!(bench.tos(), 0, "{lane:?}");
    }
    let mut partial = Inputs { partial: true, ..Inputs::default() };
    partial.lanes[0] = jump(0x100, 0x200);
    bench.cycle(partial);
    bench.interrupt(IntKind::Rsm, 0, 0x100, 0x200);
    assert_eq!(bench.tos(), 0);
    bench.interrupt(IntKind::Exception, DB, 0x100, 0x200);
    assert_eq!((bench.tos(), bench.pair()), (0, (0, 0)));
    // An interruption hides the lanes of its cycle.
    bench.write(DEBUGCTL, LBR);
    let mut both = Inputs::default();
    both.lanes[0] = jump(0x100, 0x200);
    (both.int.valid, both.int.from, both.int.to) = (true, 0x300, 0x9000);
    bench.cycle(both);
    assert_eq!((bench.tos(), bench.pair()), (1, (0x300, 0x9000)));
}

// LBR-03: with the strap TR alone updates the stack, without it only LBR does
#[test]
fn tr_without_lbr() {
    for (lbr_tr, debugctl, recorded) in
        [(false, TR, false), (true, TR, true), (true, 0, false), (false, LBR | TR, true), (true, LBR, true)]
    {
        let mut bench = Small::on(Config { lbr_tr, ..Config::default() }, debugctl);
        bench.jump(0x100, 0x200);
        assert_eq!(bench.tos(), u8::from(recorded), "{lbr_tr} {debugctl:x}");
    }
}

// LBR-04, LBR-07, LBR-08, LBR-23: N + 1 records: the pointer wraps, and the oldest entry is overwritten
#[test]
fn the_stack_wraps() {
    for (lbr_depth, n) in [(Depth::Four, 4), (Depth::Eight, 8), (Depth::Sixteen, 16), (Depth::ThirtyTwo, 32)] {
        let mut bench = Large::on(Config { lbr_depth, ..Config::default() }, LBR);
        for number in 1..=n + 1 {
            bench.jump(0x1000 + number, 0x2000 + number);
            assert_eq!(u64::from(bench.tos()), number % n, "the newest entry");
            assert_eq!(bench.pair(), (0x1000 + number, 0x2000 + number));
        }
        let entry = bench.unit.state().lbr.entry;
        let sources: Vec<_> = entry.iter().map(|entry| entry.from).collect();
        let expected = (0..32).map(|i| match i {
            _ if i >= n => 0,
            0 => 0x1000 + n,
            1 => 0x1000 + n + 1,
            _ => 0x1000 + i,
        });
        assert_eq!(sources, expected.collect::<Vec<_>>());
    }
}

// LBR-08: several branches in a cycle, in program order; with four entries a group fills the stack
#[test]
fn several_branches_in_a_cycle() {
    let group = [jump(0x100, 0x200), at(0x200), jump(0x203, 0x300), jump(0x300, 0x400)];
    let mut bench = Large::on(deep(), LBR);
    bench.group(&group);
    let sources = |bench: &Large| bench.unit.state().lbr.entry.map(|entry| entry.from);
    assert_eq!((bench.tos(), &sources(&bench)[..5]), (3, &[0, 0x100, 0x203, 0x300, 0][..]));
    let mut bench = Large::on(Config::default(), LBR);
    bench.group(&[jump(1, 9), jump(2, 9), jump(3, 9), jump(4, 9)]);
    assert_eq!((bench.tos(), &sources(&bench)[..5]), (0, &[4, 1, 2, 3, 0][..]));
    bench.group(&[jump(5, 9), jump(6, 9), jump(7, 9)]);
    assert_eq!((bench.tos(), &sources(&bench)[..5]), (3, &[4, 5, 6, 7, 0][..]));
}

// LBR-08: the next record goes behind the entry that software has written to TOS
#[test]
fn a_pointer_that_software_wrote() {
    let mut bench = Small::new(Config::default());
    bench.write(TOS, 3);
    bench.write(DEBUGCTL, LBR);
    bench.jump(0x100, 0x200);
    assert_eq!((bench.tos(), bench.pair()), (0, (0x100, 0x200)));
}

// LBR-24: clocks since the last record; a second record of the cycle has none; at most 65535
#[test]
fn elapsed_clocks() {
    let mut bench = Large::on(Config { lbr_format: Format::Info, ..deep() }, LBR);
    bench.jump(0x100, 0x200);
    for clocks in [1_usize, 2, 10, 65534, 65535, 65536, 70000] {
        bench.pass(clocks - 1);
        bench.group(&[jump(0x100, 0x200), at(0x200), jump(0x203, 0x300)]);
        let [first, second] = newest_two(&bench);
        assert_eq!((usize::from(first.cycles), second.cycles), (clocks.min(65535), 0), "{clocks}");
    }
    // Only clocks of the core count, and they go on while the stack stands still; WRMSR of an entry is no update.
    bench.write(DEBUGCTL, 0);
    bench.write(INFO, 7);
    bench.stays.core_clock = false;
    bench.pass(100);
    bench.stays.core_clock = true;
    bench.pass(5);
    bench.write(DEBUGCTL, LBR);
    bench.jump(0x100, 0x200);
    assert_eq!(bench.newest().cycles, 2 + 5 + 2);
    // A debug exception is no record.
    bench.interrupt(IntKind::Exception, DB, 0x200, 0x9000);
    bench.write(DEBUGCTL, LBR);
    bench.jump(0x100, 0x200);
    assert_eq!(bench.newest().cycles, 3);
}

/// The two newest entries.
fn newest_two(bench: &Large) -> [Entry; 2] {
    let entry = &bench.unit.state().lbr.entry;
    let tos = usize::from(bench.tos());
    [entry[(tos + 31) % 32], entry[tos]]
}

// LBR-17, LBR-19: the last branch before an exception or interrupt
#[test]
fn the_last_branch_before_an_exception() {
    for (kind, vector) in [
        (IntKind::Exception, 14),
        (IntKind::Exception, DB),
        (IntKind::Interrupt, 0x80),
        (IntKind::Nmi, 2),
        (IntKind::Smi, 0),
        (IntKind::Unused5, 0),
    ] {
        let mut bench = Small::on(Config::default(), LBR);
        bench.jump(0x100, 0x200);
        bench.retire(&[predicted(jump(0x210, 0x300), false)]);
        bench.interrupt(kind, vector, 0x304, 0x9000);
        assert_eq!((bench.read(LER_FROM), bench.read(LER_TO)), (0x8000_0000_0000_0210, 0x300), "{kind:?} {vector}");
        // The next one copies the record of this one, if it made one.
        bench.write(DEBUGCTL, LBR);
        bench.interrupt(IntKind::Interrupt, 0x20, 0x9004, 0xA000);
        let expected = if vector == DB { (0x8000_0000_0000_0210, 0x300) } else { (0x304, 0x9000) };
        assert_eq!((bench.read(LER_FROM), bench.read(LER_TO)), expected, "{kind:?} {vector}");
    }
}

// LBR-17, LBR-19: nothing is copied at RSM, nor while the stack stands still
#[test]
fn no_last_exception_record() {
    let mut bench = Small::on(Config::default(), LBR);
    bench.jump(0x100, 0x200);
    bench.interrupt(IntKind::Rsm, 0, 0x204, 0x300);
    assert_eq!(bench.read(LER_FROM), 0);
    bench.write(DEBUGCTL, 0);
    bench.interrupt(IntKind::Exception, 14, 0x204, 0x9000);
    assert_eq!(bench.read(LER_FROM), 0);
    // An SMI that freezes is not recorded, but is an interrupt: it copies.
    bench.write(DEBUGCTL, LBR | FREEZE_SMM);
    bench.interrupt(IntKind::Smi, 0, 0x204, 0x3_8000);
    assert_eq!((bench.read(LER_FROM), bench.read(LER_TO), bench.tos()), (0x100, 0x200, 1));
}

// LBR-11, LBR-17: with offset32 the pair holds the halves of the entry
#[test]
fn the_last_exception_record_of_offset32() {
    let mut bench = Small::on(with(Format::Offset32), LBR);
    bench.jump(0x1234_5678, 0x9ABC_DEF0);
    bench.interrupt(IntKind::Exception, 14, 0x304, 0x9000);
    assert_eq!((bench.read(LER_FROM), bench.read(LER_TO)), (0x1234_5678, 0x9ABC_DEF0));
}

// LBR-18: 64 bits in 64-bit mode, bits 63:32 are 0 in compatibility mode
#[test]
fn the_last_exception_record_by_mode() {
    for (op_mode, upper) in [(OpMode::Long64, 0xFFFF_FFFF_0000_0000), (OpMode::Compatibility, 0)] {
        let mut bench = Small::on(with(Format::Linear), LBR);
        bench.stays.mode.op_mode = op_mode;
        bench.jump(0xFFFF_FFFF_8000_0010, 0xFFFF_FFFF_8000_0400);
        bench.interrupt(IntKind::Exception, 14, 0x304, 0x9000);
        let ler = (bench.read(LER_FROM), bench.read(LER_TO));
        assert_eq!(ler, (upper | 0x8000_0010, upper | 0x8000_0400), "{op_mode:?}");
    }
}
