//! Conditions that meet: at one instruction, and at an instruction and the next one. The page `docs/src/debug/arbiter.md`.

use super::bench::{Bench, at, writes};
use lwp_model::debug::{Config, DbClass, Inputs, LaneKind, Special};
use lwp_model::retire::{IntKind, Io, RegOp, RegResult};
use lwp_regs::debug::{Breakpoint, Length, Slot, Slots};

const GD: u64 = 1 << 13;

/// A trap condition of the instruction at 400H.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Trap {
    Step,
    Data,
    Port,
    Task,
    Int1,
}

const TRAPS: [Trap; 5] = [Trap::Step, Trap::Data, Trap::Port, Trap::Task, Trap::Int1];

/// Breakpoints 0 and 1 are at data and a port, breakpoint 2 at the next instruction, and 3 at the instruction itself.
fn armed(next: bool, itself: bool, others: u64) -> Bench {
    let mut breakpoints =
        vec![(Slot::Dr0, Breakpoint::write(0x1000, Length::Four)), (Slot::Dr1, Breakpoint::io(0x80, Length::One))];
    breakpoints.extend(next.then_some((Slot::Dr2, Breakpoint::execute(0x404))));
    breakpoints.extend(itself.then_some((Slot::Dr3, Breakpoint::execute(0x400))));
    Bench::armed(Config::default(), &breakpoints, others)
}

/// A group whose lane 0 has these conditions, with what DR6 then reports.
fn group(traps: &[Trap]) -> (Inputs<4>, u64) {
    let (mut inputs, mut dr6) = (Inputs::default(), 0xFFFF_0FF0);
    inputs.lanes[0] = at(0x400);
    for trap in traps {
        match trap {
            Trap::Step => {
                inputs.lanes[0].flags.tf = true;
                dr6 |= 0x4000;
            }
            Trap::Data => {
                inputs.lanes[0] = writes(inputs.lanes[0], 0x1002, 1);
                dr6 |= 1;
            }
            Trap::Port => {
                inputs.io = Io { valid: true, write: true, port: 0x80, size: 1 };
                dr6 |= 2;
            }
            Trap::Task => {
                inputs.lanes[0].debug = Special { kind: LaneKind::TaskSwitch, rf_image: false, t_flag: true };
                dr6 |= 0x8000;
            }
            Trap::Int1 => inputs.lanes[0].debug.kind = LaneKind::Int1,
        }
    }
    (inputs, dr6)
}

/// Pairs that one instruction can have: a task switch is not stepped, and is no INT1.
fn pairs() -> impl Iterator<Item = [Trap; 2]> {
    let meet = |[one, other]: &[Trap; 2]| {
        one < other && !matches!([one, other], [Trap::Step, Trap::Task] | [Trap::Task, Trap::Int1])
    };
    TRAPS.into_iter().flat_map(|one| TRAPS.map(|other| [one, other])).filter(meet)
}

// DBG-12, DBG-31, DBG-32, DBG-33: two conditions of an instruction are one trap, which reports both
#[test]
fn at_one_instruction() {
    assert_eq!(pairs().count(), 8);
    for traps in pairs() {
        let mut bench = armed(false, false, 0);
        let (inputs, dr6) = group(&traps);
        let out = bench.cycle(inputs);
        assert_eq!((out.db_valid, out.db_class, out.cut_before, out.cut_lane), (true, DbClass::Trap, false, 0));
        assert!(!bench.deliver(0x404).db_valid, "{traps:?}");
        assert_eq!(bench.dr6(), dr6, "{traps:?}");
    }
}

// DBG-31, DBG-33, DBG-37: a trap of an instruction and a breakpoint at the next one: the trap first, then a fault
#[test]
fn a_trap_and_the_next_breakpoint() {
    for trap in TRAPS {
        let mut bench = armed(true, false, 0);
        let (mut inputs, dr6) = group(&[trap]);
        inputs.lanes[1] = at(0x404);
        let out = bench.cycle(inputs);
        assert_eq!((out.db_class, out.cut_before, out.cut_lane), (DbClass::Trap, false, 0), "{trap:?}");
        bench.deliver(0x404);
        assert_eq!(bench.dr6(), dr6, "{trap:?}");
        let out = bench.group(&[at(0x404)]);
        assert_eq!((out.db_class, out.db_b, out.cut_before), (DbClass::Fault, Slots::DR2, true), "{trap:?}");
    }
}

// DBG-31, DBG-37: a breakpoint at an instruction that would also trap: the fault first, then its traps
#[test]
fn a_breakpoint_and_a_trap_of_its_instruction() {
    for trap in TRAPS {
        let mut bench = armed(false, true, 0);
        let (inputs, dr6) = group(&[trap]);
        let out = bench.cycle(inputs);
        assert_eq!((out.db_class, out.db_b, out.cut_before), (DbClass::Fault, Slots::DR3, true), "{trap:?}");
        bench.deliver(0x400);
        assert_eq!(bench.dr6(), 0xFFFF_0FF8);
        bench.write(6, 0xFFFF_0FF0);
        let mut iret = at(0x9000);
        iret.debug = Special { kind: LaneKind::Iret, rf_image: true, t_flag: false };
        bench.group(&[iret]);
        let out = bench.cycle(inputs);
        assert_eq!((out.db_class, out.cut_before), (DbClass::Trap, false), "{trap:?}");
        bench.deliver(0x404);
        assert_eq!(bench.dr6(), dr6, "{trap:?}");
    }
}

// DBG-13, DBG-32, DBG-62: a trap of an instruction and general detect at the next one: the trap first, and the MOV is refused while it is
// pending; then it asks again
#[test]
fn a_trap_and_general_detect() {
    for trap in TRAPS {
        let mut bench = armed(false, false, GD);
        let (inputs, dr6) = group(&[trap]);
        assert!(!bench.cycle(inputs).reg_ready, "{trap:?}");
        bench.deliver(0x404);
        assert_eq!(bench.dr6(), dr6);
        // Each #DB clears GD. The handler sets it again.
        let control = bench.read(7);
        bench.write(7, control | GD);
        assert_eq!(bench.mov(RegOp::ReadDr, 0, 0), Err(RegResult::Debug));
        let out = bench.out();
        assert_eq!((out.db_class, out.db_bd, out.db_b, out.db_bs), (DbClass::Fault, true, Slots::empty(), false));
    }
}

// DBG-58: each of these traps is lost if another exception is delivered first, or an interrupt that does not wait
#[test]
fn a_trap_that_is_lost() {
    for trap in TRAPS {
        for kind in [IntKind::Exception, IntKind::Interrupt, IntKind::Nmi] {
            let mut bench = armed(false, false, 0);
            assert!(bench.cycle(group(&[trap]).0).db_valid);
            assert!(!bench.interrupt(kind).db_valid, "{trap:?} {kind:?}");
            assert_eq!((bench.dr6(), bench.group(&[at(0x500)]).db_valid), (0xFFFF_0FF0, false));
        }
    }
}

// DBG-37: an interrupt, NMI or SMI before an instruction with a breakpoint, or general detect: the interrupt first
#[test]
fn interrupts_and_the_next_instruction() {
    for kind in [IntKind::Interrupt, IntKind::Nmi, IntKind::Smi] {
        let mut bench = armed(true, false, GD);
        bench.group(&[at(0x400)]);
        let out = bench.interrupt(kind);
        assert_eq!((out.db_valid, out.frame_rf, bench.dr6()), (false, false, 0xFFFF_0FF0), "{kind:?}");
        if kind == IntKind::Smi {
            bench.interrupt(IntKind::Rsm);
        } else {
            let mut iret = at(0x9000);
            iret.debug.kind = LaneKind::Iret;
            assert!(!bench.group(&[iret]).db_valid);
        }
        // The breakpoint comes before general detect.
        let out = bench.ask(0x404);
        assert_eq!((out.db_class, out.db_b, out.db_bd), (DbClass::Fault, Slots::DR2, false), "{kind:?}");
    }
}

// DBG-58, DBG-70: #DB and what follows its delivery: SMI keeps the report, an exception of the delivery does not take it back
#[test]
fn behind_the_delivery() {
    for trap in TRAPS {
        let mut bench = armed(false, false, 0);
        let (inputs, dr6) = group(&[trap]);
        bench.cycle(inputs);
        bench.deliver(0x404);
        bench.interrupt(IntKind::Smi);
        bench.write(6, 0xFFFF_0FF0);
        bench.interrupt(IntKind::Rsm);
        assert_eq!(bench.dr6(), dr6, "{trap:?}");
        bench.interrupt(IntKind::Exception);
        assert_eq!((bench.dr6(), bench.out().db_valid), (dr6, false), "{trap:?}");
    }
}
