//! Rows of the table of the page `docs/src/debug/arbiter.md` that no example of the timing shows.

use super::bench::{Bench, at, in_region, iteration, of_kind, ss_load, stepped, writes};
use lwp_model::debug::{Config, DbClass, Inputs, LaneKind};
use lwp_model::retire::{Branch, BranchKind, IntKind, Io, Rep};
use lwp_regs::debug::{Breakpoint, Length, Slot, Slots, StatusKept};

// DBG-64, DBG-65, DBG-68, DEB-13: TF was 1 when the instruction began
#[test]
fn a_step() {
    for (kind, straps, steps) in [
        (LaneKind::Other, Config::default(), true),
        (LaneKind::Iret, Config::default(), true),
        (LaneKind::Int1, Config::default(), true),
        (LaneKind::Int1, Config { int1_step: false, ..Config::default() }, false),
        (LaneKind::IntN, Config::default(), false),
        (LaneKind::Int3, Config::default(), false),
        (LaneKind::TaskSwitch, Config::default(), false),
        (LaneKind::Unused6, Config::default(), true),
    ] {
        let mut lane = of_kind(0x400, kind);
        lane.flags.tf = true;
        let out = Bench::new(straps).group(&[lane, at(0x500)]);
        assert_eq!(out.db_bs, steps, "{kind:?}");
        // DBG-33: INT1 is a trap also without a step.
        assert_eq!(out.db_valid, steps || kind == LaneKind::Int1, "{kind:?}");
    }
}

// DCTL-18: with BTF a taken branch alone is a step
#[test]
fn branch_steps() {
    let branch = |kind, taken| {
        let mut lane = stepped(0x400);
        lane.branch = Branch { kind, taken, ..Branch::default() };
        let mut bench = Bench::new(Config::default());
        bench.stays.btf = true;
        bench.group(&[lane]).db_bs
    };
    assert!(branch(BranchKind::JmpRel, true) && branch(BranchKind::System, true));
    assert!(!branch(BranchKind::Cond, false) && !branch(BranchKind::None, true));
}

// DBG-38: nothing is checked behind an SS load; DEB-25: of several in a row the first alone casts a shadow, or each one does
#[test]
fn behind_an_ss_load() {
    for (ss_chain, cut_lane) in [(false, 2), (true, 0)] {
        let straps = Config { ss_chain, ..Config::default() };
        let mut bench = Bench::armed(straps, &[(Slot::Dr0, Breakpoint::execute(0x404))], 0);
        let load = ss_load(at(0x400));
        let out = bench.group(&[load, ss_load(at(0x402)), at(0x404)]);
        assert_eq!((out.db_valid, out.cut_lane), (!ss_chain, cut_lane), "{ss_chain}");
        assert!(!bench.group(&[]).cut_valid);
    }
}

// DEB-30: the breakpoint behind an SS load stops the instruction if a strap says so, and what the load hit is lost
#[test]
fn behind_an_ss_load_that_hides_nothing() {
    let straps = Config { ss_fetch: true, ..Config::default() };
    let breakpoints = [(Slot::Dr0, Breakpoint::execute(0x404)), (Slot::Dr1, Breakpoint::write(0x1000, Length::Two))];
    let mut bench = Bench::armed(straps, &breakpoints, 0);
    let out = bench.group(&[ss_load(writes(at(0x400), 0x1000, 2)), at(0x404)]);
    assert_eq!((out.db_class, out.db_b, out.cut_before, out.hold), (DbClass::Fault, Slots::DR0, true, false));
    bench.deliver(0x404);
    assert!(!bench.group(&[at(0x500)]).db_valid);
    // The same by a question.
    bench.group(&[ss_load(at(0x400))]);
    assert_eq!(bench.ask(0x404).db_b, Slots::DR0);
}

// DBG-45, DEB-29: RF of a trap between two iterations is 1, or by a strap what the first iteration found
#[test]
fn rf_between_iterations() {
    for (rep_rf, found, pushed) in [(false, false, true), (false, true, true), (true, false, false), (true, true, true)]
    {
        let straps = Config { rep_rf, ..Config::default() };
        let mut bench = Bench::armed(straps, &[(Slot::Dr0, Breakpoint::write(0x1001, Length::One))], 0);
        let mut iret = of_kind(0x600, LaneKind::Iret);
        iret.debug.rf_image = found;
        let first = iteration(Rep::First, at(0x400));
        let out = bench.group(&[iret, first, iteration(Rep::Further, writes(at(0x400), 0x1001, 1))]);
        assert_eq!((out.db_b, out.cut_lane), (Slots::DR0, 2));
        assert_eq!(bench.deliver(0x400).frame_rf, pushed, "{rep_rf} {found}");
    }
    // The last iteration clears RF.
    let mut bench = Bench::new(Config { rep_rf: true, ..Config::default() });
    let mut iret = of_kind(0x600, LaneKind::Iret);
    iret.debug.rf_image = true;
    bench.group(&[iret, iteration(Rep::First, at(0x400)), iteration(Rep::Last, at(0x400))]);
    assert!(!bench.unit.state().flags.rf);
}

// DBG-32, DBG-12: what meets at one instruction is one #DB
#[test]
fn several_at_once() {
    let breakpoints = [
        (Slot::Dr0, Breakpoint::write(0x1000, Length::Four)),
        (Slot::Dr2, Breakpoint::read_write(0x1003, Length::One)),
    ];
    let mut bench = Bench::armed(Config::default(), &breakpoints, 0);
    let out = bench.group(&[writes(stepped(0x400), 0x1000, 8)]);
    assert_eq!((out.db_b, out.db_bs, out.db_class), (Slots::DR0 | Slots::DR2, true, DbClass::Trap));
    bench.deliver(0x404);
    assert_eq!(bench.dr6(), 0xFFFF_4FF5);
}

// DBG-37: a trap of an instruction comes before the breakpoint at the next one, which follows behind the handler
#[test]
fn a_trap_then_a_fault() {
    let mut bench = Bench::armed(Config::default(), &[(Slot::Dr0, Breakpoint::execute(0x404))], 0);
    let out = bench.group(&[stepped(0x400), at(0x404)]);
    assert_eq!((out.db_class, out.db_b, out.cut_before), (DbClass::Trap, Slots::empty(), false));
    bench.deliver(0x404);
    let out = bench.group(&[at(0x404)]);
    assert_eq!((out.db_class, out.db_b, out.cut_before), (DbClass::Fault, Slots::DR0, true));
}

// DBG-26, DEB-18: an I/O breakpoint needs CR4.DE, unless a strap says otherwise
#[test]
fn input_and_output() {
    for (de, io_gate, hits) in [(true, true, true), (false, true, false), (false, false, true)] {
        let straps = Config { io_gate, ..Config::default() };
        let mut bench = Bench::armed(straps, &[(Slot::Dr1, Breakpoint::io(0x3F8, Length::Four))], 0);
        bench.stays.de = de;
        let io = Io { valid: true, write: true, port: 0x3FB, size: 1 };
        let mut inputs = Inputs { io, ..Inputs::default() };
        inputs.lanes[0] = at(0x400);
        assert_eq!(bench.cycle(inputs).db_b == Slots::DR1, hits, "{de} {io_gate}");
    }
}

// DBG-43, DBG-46, DBG-51: RF that other exceptions and interrupts push
#[test]
fn rf_of_other_frames() {
    let pentium = Config { rtm: false, long_mode: false, fault_rf: false, ..Config::default() };
    for (straps, kind, trap, rf) in [
        (Config::default(), IntKind::Exception, false, true),
        (pentium, IntKind::Exception, false, false),
        (Config::default(), IntKind::Exception, true, false),
        (Config::default(), IntKind::Interrupt, false, false),
        (Config::default(), IntKind::Nmi, false, false),
    ] {
        let mut inputs = Inputs::default();
        (inputs.int.valid, inputs.int.kind, inputs.int.trap) = (true, kind, trap);
        let out = Bench::new(straps).cycle(inputs);
        assert_eq!((out.frame_valid, out.frame_rf), (true, rf), "{kind:?} {trap}");
    }
    assert!(!Bench::new(Config::default()).interrupt(IntKind::Smi).frame_valid);
}

// DBG-11, DEB-14: what stays in DR6
#[test]
fn dr6_as_written() {
    for (status, dr6) in [
        (StatusKept::AllButBreakpoints, 0xFFFF_CFF1),
        (StatusKept::Nothing, 0xFFFF_4FF1),
        (StatusKept::All, 0xFFFF_CFF9),
    ] {
        let straps = Config { status, ..Config::default() };
        let mut bench = Bench::armed(straps, &[(Slot::Dr0, Breakpoint::write(0x1000, Length::One))], 0);
        bench.write(6, 0xFFFF_8FF8);
        bench.group(&[writes(stepped(0x400), 0x1000, 1)]);
        bench.deliver(0x404);
        assert_eq!(bench.dr6(), dr6, "{status:?}");
    }
}

// DEB-19: conditions of breakpoints that are off are reported with one that is on, never alone
#[test]
fn breakpoints_that_are_off() {
    let off = Breakpoint { enable: lwp_regs::debug::Enable::empty(), ..Breakpoint::write(0x1000, Length::One) };
    for (status_off, b) in [(false, Slots::DR0), (true, Slots::DR0 | Slots::DR3)] {
        let straps = Config { status_off, ..Config::default() };
        let mut bench =
            Bench::armed(straps, &[(Slot::Dr3, off), (Slot::Dr0, Breakpoint::write(0x1001, Length::One))], 0);
        assert!(!bench.group(&[writes(at(0x400), 0x1000, 1)]).db_valid);
        assert_eq!(bench.group(&[writes(at(0x404), 0x1000, 2)]).db_b, b);
    }
}

// DBG-80, DBG-82: INT3 in a region is cut off before it is executed, and outside it raises no #DB
#[test]
fn int3() {
    let int3 = of_kind(0x400, LaneKind::Int3);
    assert!(!Bench::new(Config::default()).group(&[int3]).db_valid);
    let out = Bench::new(Config::default()).group(&[in_region(int3)]);
    assert_eq!((out.db_class, out.db_b, out.cut_before), (DbClass::Abort, Slots::empty(), true));
    let without = Config { rtm: false, ..Config::default() };
    assert!(!Bench::new(without).group(&[in_region(int3)]).db_valid);
}
