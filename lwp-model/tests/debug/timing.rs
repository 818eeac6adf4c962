//! The examples of the page `docs/src/debug/timing.md`, one after the other.

use super::bench::{Bench, at, in_region, iteration, of_kind, ss_load, stepped, writes};
use lwp_model::debug::{Config, DbClass, Inputs, LaneKind, Special};
use lwp_model::retire::{IntKind, RegOp, RegResult, Rep};
use lwp_regs::debug::{Breakpoint, Enable, Length, Slot, Slots};

// DBG-29, DBG-52: "A data breakpoint in a group"
#[test]
fn a_data_breakpoint_in_a_group() {
    let four_bytes = Breakpoint::write(0x1000, Length::Four);
    for lost in [false, true] {
        let mut bench = Bench::armed(Config::default(), &[(Slot::Dr0, four_bytes)], 0);
        let out = bench.group(&[at(0x400), writes(at(0x403), 0x1002, 1), at(0x407), at(0x40A)]);
        assert_eq!((out.db_valid, out.db_class, out.db_b), (true, DbClass::Trap, Slots::DR0));
        assert_eq!((out.cut_valid, out.cut_before, out.cut_lane), (true, false, 1));
        // What is presented meanwhile is ignored.
        let waiting = bench.group(&[at(0x407)]);
        assert!(waiting.db_valid && !waiting.cut_valid);
        if lost {
            // DBG-58: another exception comes first.
            let out = bench.interrupt(IntKind::Exception);
            assert!(!out.db_valid && bench.dr6() == 0xFFFF_0FF0);
        } else {
            let out = bench.deliver(0x407);
            assert_eq!((out.frame_valid, out.frame_rf, bench.dr6()), (true, false, 0xFFFF_0FF1));
        }
    }
}

// DEB-02: the same with an instruction breakpoint at the next instruction
#[test]
fn the_next_instructions_breakpoint_is_merged() {
    for (merge_next, dr6) in [(false, 0xFFFF_0FF1), (true, 0xFFFF_0FF3)] {
        let straps = Config { merge_next, ..Config::default() };
        let breakpoints =
            [(Slot::Dr0, Breakpoint::write(0x1000, Length::Four)), (Slot::Dr1, Breakpoint::execute(0x407))];
        let mut bench = Bench::armed(straps, &breakpoints, 0);
        bench.group(&[writes(at(0x403), 0x1002, 1)]);
        bench.deliver(0x407);
        assert_eq!(bench.dr6(), dr6);
        // A step reports itself and its data alone.
        bench.write(6, 0);
        bench.group(&[writes(stepped(0x403), 0x1002, 1)]);
        bench.deliver(0x407);
        assert_eq!(bench.dr6(), 0xFFFF_4FF1);
    }
}

// DBG-36, DBG-39, DBG-40, DBG-41, DBG-42, DBG-47: "An instruction breakpoint, and RF"
#[test]
fn an_instruction_breakpoint_and_rf() {
    let here = Breakpoint { enable: Enable::LOCAL, ..Breakpoint::execute(0x403) };
    let mut bench = Bench::armed(Config::default(), &[(Slot::Dr1, here)], 0);
    let group = [at(0x400), at(0x403), at(0x407)];
    let out = bench.group(&group);
    assert_eq!((out.db_class, out.db_b, out.cut_before, out.cut_lane), (DbClass::Fault, Slots::DR1, true, 1));
    let out = bench.deliver(0x403);
    assert_eq!((out.frame_valid, out.frame_rf, bench.dr6()), (true, false, 0xFFFF_0FF2));
    // Without RF in the image the instruction hits again.
    assert!(bench.group(&group[1..]).db_valid);
    bench.deliver(0x403);
    let mut iret = of_kind(0x9000, LaneKind::Iret);
    iret.debug.rf_image = true;
    bench.group(&[iret]);
    assert!(bench.unit.state().flags.rf);
    let out = bench.group(&[at(0x403), at(0x407), at(0x40A)]);
    assert!(!out.db_valid && !bench.unit.state().flags.rf);
    // RF runs through the lanes, and lasts for one instruction.
    assert!(!bench.group(&[iret, at(0x403)]).db_valid);
    let out = bench.group(&[iret, at(0x403), at(0x403)]);
    assert_eq!((out.cut_before, out.cut_lane), (true, 2));
}

// DBG-57, DBG-59, DBG-60, DBG-68, DBG-73: "An SS load with a breakpoint, and what follows"
#[test]
fn an_ss_load_with_a_breakpoint() {
    let watched = Breakpoint::read_write(0x2000, Length::Two);
    let mov_ss = |tf: bool| {
        let mut load = ss_load(if tf { stepped(0x500) } else { at(0x500) });
        load.accesses[0] = lwp_model::retire::Access { read: true, write: false, addr: 0x2000, size: 2 };
        load
    };
    let armed = || {
        let mut bench = Bench::armed(Config::default(), &[(Slot::Dr0, watched)], 0);
        let out = bench.group(&[mov_ss(true)]);
        assert!(out.hold && !out.db_valid && bench.unit.state().flags.shadow);
        bench
    };
    let int_80 = of_kind(0x502, LaneKind::IntN);
    let out = armed().group(&[int_80]);
    assert_eq!((out.db_class, out.db_b, out.db_bs), (DbClass::Trap, Slots::DR0, false));
    let out = armed().group(&[stepped(0x502)]);
    assert_eq!((out.db_b, out.db_bs), (Slots::DR0, true));
    let mut faults = armed();
    let out = faults.interrupt(IntKind::Exception);
    assert!(!out.hold && !out.db_valid && !faults.unit.state().flags.shadow);
}

// DBG-24, DBG-25: "A question, and general detect"
#[test]
fn a_question_and_general_detect() {
    let mut bench = Bench::armed(Config::default(), &[], 0x2000);
    let out = bench.ask(0x500);
    assert!(out.ask_done && !out.db_valid && bench.unit.state().flags.passed);
    assert_eq!(bench.mov(RegOp::WriteDr, 7, 0), Err(RegResult::Debug));
    let out = bench.deliver(0x500);
    assert_eq!((out.frame_rf, bench.dr6(), bench.unit.state().flags.passed), (true, 0xFFFF_2FF0, false));
    // A breakpoint there comes first: the MOV is not requested.
    let mut bench = Bench::armed(Config::default(), &[(Slot::Dr3, Breakpoint::execute(0x500))], 0x2000);
    let out = bench.ask(0x500);
    assert_eq!((out.ask_done, out.db_valid, out.db_b, out.db_bd), (true, true, Slots::DR3, false));
}

// DBG-45, DBG-54: "A repeated string"
#[test]
fn a_repeated_string() {
    let iterations = |tf: bool| {
        let of = |rep, addr| {
            let lane = if tf { stepped(0x600) } else { at(0x600) };
            writes(iteration(rep, lane), addr, 1)
        };
        [of(Rep::First, 0x1000), of(Rep::Further, 0x1001), of(Rep::Last, 0x1002)]
    };
    for (string_group, tf, b, cut_lane, in_rep) in
        [(0, false, Slots::DR0, 1, true), (3, false, Slots::DR0, 2, false), (3, true, Slots::empty(), 0, true)]
    {
        let straps = Config { string_group, ..Config::default() };
        let mut bench = Bench::armed(straps, &[(Slot::Dr0, Breakpoint::write(0x1001, Length::One))], 0);
        let out = bench.group(&iterations(tf));
        assert_eq!(
            (out.db_b, out.db_bs, out.cut_before, out.cut_lane),
            (b, tf, false, cut_lane),
            "{string_group} {tf}"
        );
        assert_eq!(bench.unit.state().flags.in_rep, in_rep);
        assert_eq!(bench.deliver(0x600).frame_rf, in_rep);
    }
}

// DBG-80, DBG-81: "A transaction"
#[test]
fn a_transaction() {
    let watched = [(Slot::Dr0, Breakpoint::write(0x1000, Length::One))];
    for rtm_debug in [true, false] {
        let mut bench = Bench::armed(Config::default(), &watched, 1 << 11);
        bench.stays.rtm_debug = rtm_debug;
        let out = bench.group(&[in_region(writes(at(0x700), 0x1000, 1))]);
        let class = if rtm_debug { DbClass::Rollback } else { DbClass::Abort };
        assert_eq!((out.db_class, out.db_b), (class, Slots::DR0));
        if rtm_debug {
            let out = bench.deliver(0x6F0);
            assert_eq!((out.frame_valid, out.frame_rf, bench.dr6()), (true, true, 0xFFFE_0FF1));
        } else {
            let out = bench.cycle(Inputs { db_ack: true, ..Inputs::default() });
            assert_eq!((out.db_valid, out.frame_valid, bench.dr6()), (false, false, 0xFFFF_0FF0));
        }
    }
}

// DBG-19, DBG-21, DBG-42, DBG-74, DBG-75: "A task switch"
#[test]
fn a_task_switch() {
    let local = Breakpoint { enable: Enable::LOCAL, ..Breakpoint::execute(1) };
    let mut bench = Bench::armed(Config::default(), &[(Slot::Dr0, local), (Slot::Dr1, Breakpoint::execute(2))], 0);
    let mut switch = at(0x800);
    switch.debug = Special { kind: LaneKind::TaskSwitch, rf_image: true, t_flag: true };
    let out = bench.group(&[switch]);
    assert_eq!((out.db_class, out.db_bt, out.db_b), (DbClass::Trap, true, Slots::empty()));
    let registers = bench.unit.state().registers;
    assert_eq!((registers.dr7.enable, bench.unit.state().flags.rf), (0b1000, true));
    let out = bench.deliver(0x10_0000);
    assert_eq!((out.frame_rf, bench.dr6(), bench.unit.state().flags.rf), (true, 0xFFFF_8FF0, false));
    // The task of #DB with T: it never ends.
    bench.group(&[switch]);
    for _ in 0..3 {
        let mut gate = Inputs { db_ack: true, ..Inputs::default() };
        (gate.int.valid, gate.int.kind, gate.int.task, gate.int.t) = (true, IntKind::Exception, true, true);
        let out = bench.cycle(gate);
        assert!(out.db_valid && out.db_bt);
    }
}
