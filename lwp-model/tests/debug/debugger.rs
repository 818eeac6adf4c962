//! How a program comes to its debugger, and how it goes on: a core, its program and a handler.

use super::bench::Bench;
use super::core::{Core, Does, EXTERNAL, Ended, Frame, PAGE_FAULT};
use lwp_model::debug::Config;
use lwp_regs::debug::{BREAKPOINT_VECTOR, Breakpoint, DEBUG_VECTOR, Enable, Length, Slot};

const GD: u64 = 1 << 13;
const DB: Ended = Ended::Delivered(DEBUG_VECTOR);

fn core(breakpoint: Breakpoint, others: u64, program: &[Does]) -> Core {
    Core::new(Bench::armed(Config::default(), &[(Slot::Dr1, breakpoint)], others), program)
}

fn nowhere() -> Breakpoint {
    Breakpoint { enable: Enable::empty(), ..Breakpoint::execute(0) }
}

// DBG-03, DBG-30, DBG-31: the nine ways to the debugger: what DR6 reports, and where the handler returns to
#[test]
fn nine_ways() {
    let task = Does::Switch { ip: 0x8000, t_flag: true, tf: false, rf: false };
    let access = |length| Breakpoint::read_write(0x5000, length);
    // The instruction, the breakpoint, other bits of DR7, TF, DR6, the address that is pushed.
    for (name, does, breakpoint, others, tf, dr6, ip) in [
        ("a switch to a task", task, nowhere(), 0, false, 0xFFFF_8FF0, 0x8000),
        ("any instruction", Does::Nothing, nowhere(), 0, true, 0xFFFF_4FF0, 0x1004),
        ("an address", Does::Nothing, Breakpoint::execute(0x1000), 0, false, 0xFFFF_0FF2, 0x1000),
        ("a read", Does::Load(0x5004), access(Length::Eight), 0, false, 0xFFFF_0FF2, 0x1004),
        ("a read or write", Does::Store(0x5000, 1), access(Length::One), 0, false, 0xFFFF_0FF2, 0x1004),
        ("a write", Does::Store(0x5002, 1), Breakpoint::write(0x5004, Length::Two), 0, false, 0xFFFF_0FF2, 0x1004),
        ("an input", Does::In(0x3F9), Breakpoint::io(0x3F8, Length::Two), 0, false, 0xFFFF_0FF2, 0x1004),
        ("an output", Does::Out(0x3F9), Breakpoint::io(0x3F8, Length::Two), 0, false, 0xFFFF_0FF2, 0x1004),
        ("a debug register", Does::WriteDr(0, 0x7777), nowhere(), GD, false, 0xFFFF_2FF0, 0x1000),
    ] {
        let mut core = core(breakpoint, others, &[does]);
        core.tf = tf;
        assert_eq!(core.step(), DB, "{name}");
        assert_eq!((core.frame().vector, core.frame().ip, core.status()), (1, ip, dr6), "{name}");
        assert_eq!(core.bench.read(0), 0, "{name}: an attempt changes nothing");
    }
    // Reading is an attempt as well; without GD there is none, and the register changes.
    let mut core = core(nowhere(), GD, &[Does::ReadDr(0)]);
    assert_eq!((core.step(), core.frame().ip, core.status()), (DB, 0x1000, 0xFFFF_2FF0));
    let mut core = self::core(nowhere(), 0, &[Does::WriteDr(0, 0x7777)]);
    assert_eq!((core.step(), core.bench.read(0)), (Ended::Executed, 0x7777));
    // The breakpoint instruction has a vector of its own.
    let mut core = self::core(nowhere(), 0, &[Does::Int(BREAKPOINT_VECTOR)]);
    assert_eq!(core.step(), Ended::Executed);
    assert_eq!((core.frame().vector, core.frame().ip, core.status()), (3, 0x1004, 0xFFFF_0FF0));
}

// DBG-18, DBG-20, DBG-26: without an enabled breakpoint, and for an access of another kind, none of these ways leads anywhere
#[test]
fn no_other_way() {
    for does in [Does::Load(0x5000), Does::Store(0x5000, 1), Does::In(0x5000), Does::Out(0x5000), Does::Nothing] {
        for breakpoint in [
            nowhere(),
            Breakpoint::write(0x5000, Length::One),
            Breakpoint::io(0x5000, Length::One),
            Breakpoint::execute(0x5000),
        ] {
            let on = match does {
                Does::Store(..) => matches!(breakpoint, b if b == Breakpoint::write(0x5000, Length::One)),
                Does::In(_) | Does::Out(_) => breakpoint == Breakpoint::io(0x5000, Length::One),
                _ => false,
            };
            let mut core = core(breakpoint, 0, &[does]);
            assert_eq!(core.step() == DB, on, "{does:?} {breakpoint:?}");
        }
    }
}

// DBG-04: the debugger is a procedure, or a task of its own with flags of its own
#[test]
fn through_either_gate() {
    for task in [None, Some(false)] {
        let watched = Breakpoint { enable: Enable::LOCAL, ..Breakpoint::write(0x5000, Length::Four) };
        let mut core = core(watched, 0, &[Does::Store(0x5000, 7), Does::Store(0x5000, 8)]);
        core.debug_task = task;
        assert_eq!(core.step(), DB);
        assert_eq!((core.frame().ip, core.memory[&0x5000], core.status()), (0x1004, 7, 0xFFFF_0FF2));
        // A task has local breakpoints of its own.
        let local = if task.is_some() { 0 } else { 1 << 2 };
        assert_eq!(core.bench.read(7) & 0xFF, local);
        core.iret();
        assert_eq!(core.step() == DB, task.is_none());
    }
}

// DBG-30, DBG-76: INT3 calls the handler of vector 3, with the program as it is; #DB is vector 1, INT1 calls it too
#[test]
fn two_vectors() {
    let mut core = core(nowhere(), 0, &[Does::Store(0x5000, 1), Does::Int(3), Does::Store(0x5000, 2), Does::Int1]);
    core.step();
    assert_eq!(core.step(), Ended::Executed);
    assert_eq!(core.frame(), Frame { vector: 3, ip: 0x1008, tf: false, rf: false, cpl: 0 });
    assert_eq!((core.ip, core.memory[&0x5000]), (Core::handler(3), 1));
    core.iret();
    assert_eq!((core.step(), core.memory[&0x5000]), (Ended::Executed, 2));
    assert_eq!((core.step(), core.frame().vector, core.frame().ip), (DB, 1, 0x1010));
}

// DBG-36, DBG-52: an instruction breakpoint comes before its instruction has done anything, a data breakpoint behind it
#[test]
fn before_and_behind() {
    let store = [Does::Store(0x5000, 7)];
    let mut before = core(Breakpoint::execute(0x1000), 0, &store);
    assert_eq!((before.step(), before.frame().ip, before.memory.get(&0x5000)), (DB, 0x1000, None));
    let mut behind = core(Breakpoint::write(0x5000, Length::Four), 0, &store);
    assert_eq!((behind.step(), behind.frame().ip, behind.memory.get(&0x5000)), (DB, 0x1004, Some(&7)));
}

// DBG-39, DBG-40, DBG-41, DBG-47, DBG-48, DBG-49: without RF again and again; with RF once and the breakpoint stays; or it is off
#[test]
fn resuming() {
    let program = [Does::Nothing, Does::Nothing, Does::Jump(0x1000)];
    let mut core = core(Breakpoint::execute(0x1004), 0, &program);
    assert_eq!(core.step(), Ended::Executed);
    for _ in 0..3 {
        assert_eq!((core.step(), core.frame().ip, core.frame().rf), (DB, 0x1004, false));
        core.iret();
    }
    for round in 0..3 {
        assert_eq!((core.step(), core.frame().ip), (DB, 0x1004), "{round}");
        core.stack[0].rf = true;
        core.iret();
        // The instruction itself, the jump, and the instruction before it.
        assert_eq!([(); 3].map(|()| core.step()), [Ended::Executed; 3], "{round}");
    }
    assert_eq!(core.step(), DB);
    core.bench.write(7, 0x400);
    core.iret();
    assert_eq!([(); 7].map(|()| core.step()), [Ended::Executed; 7]);
}

// DBG-37, DBG-43, DBG-48: an instruction that would fault meets its breakpoint first, and faults when it is executed
#[test]
fn a_breakpoint_before_a_fault() {
    let mut core = core(Breakpoint::execute(0x1000), 0, &[Does::Faults]);
    assert_eq!((core.step(), core.frame().rf), (DB, false));
    core.stack[0].rf = true;
    core.iret();
    assert_eq!(core.step(), Ended::Delivered(PAGE_FAULT));
    // RF = 1 in the frame of #PF: the breakpoint is not met when the instruction is repeated.
    assert_eq!((core.frame().ip, core.frame().rf), (0x1000, true));
    core.program.clear();
    core.iret();
    assert_eq!(core.step(), Ended::Executed);
}

// DBG-37: a trap comes before the fault of the next instruction, which is raised when that is executed
#[test]
fn a_trap_before_a_fault() {
    let mut core = core(Breakpoint::write(0x5000, Length::One), 0, &[Does::Store(0x5000, 1), Does::Faults]);
    assert_eq!((core.step(), core.status(), core.frame().ip), (DB, 0xFFFF_0FF2, 0x1004));
    core.iret();
    assert_eq!((core.step(), core.status()), (Ended::Delivered(PAGE_FAULT), 0xFFFF_0FF0));
}

// DBG-37: general detect, INT3, INT1 and INT n at a breakpoint wait for it
#[test]
fn a_breakpoint_before_the_others() {
    for (does, others) in [(Does::ReadDr(0), GD), (Does::Int(3), 0), (Does::Int1, 0), (Does::Int(0x80), 0)] {
        let mut core = core(Breakpoint::execute(0x1000), others, &[does]);
        assert_eq!((core.step(), core.status(), core.frame().rf), (DB, 0xFFFF_0FF2, false), "{does:?}");
        core.bench.write(7, 0x40C | others);
        core.stack[0].rf = true;
        core.iret();
        let second = core.step();
        assert_eq!(second == DB, matches!(does, Does::ReadDr(_) | Does::Int1), "{does:?}");
    }
}

// DBG-50: RF stops instruction breakpoints, and neither data, I/O, step, general detect nor a fault
#[test]
fn rf_stops_nothing_else() {
    for (does, breakpoint, others, tf, ended, dr6) in [
        (Does::Store(0x5000, 1), Breakpoint::write(0x5000, Length::One), 0, false, DB, 0xFFFF_0FF2),
        (Does::Out(0x80), Breakpoint::io(0x80, Length::One), 0, false, DB, 0xFFFF_0FF2),
        (Does::Nothing, Breakpoint::execute(0x1000), 0, true, DB, 0xFFFF_4FF0),
        (Does::ReadDr(6), Breakpoint::execute(0x1000), GD, false, DB, 0xFFFF_2FF0),
        (Does::Faults, Breakpoint::execute(0x1000), 0, false, Ended::Delivered(PAGE_FAULT), 0xFFFF_0FF0),
        (Does::Nothing, Breakpoint::execute(0x1000), 0, false, Ended::Executed, 0xFFFF_0FF0),
    ] {
        let mut core = core(breakpoint, others, &[does]);
        (core.ip, core.tf) = (0x9000, false);
        core.stack.push(Frame { vector: 1, ip: 0x1000, tf, rf: true, cpl: 0 });
        assert_eq!(core.iret(), Ended::Executed);
        assert_eq!((core.step(), core.bench.dr6()), (ended, dr6), "{does:?}");
    }
}

// DBG-46: RF as it is: an instruction breakpoint, an interrupt between instructions, a trap, a software interrupt
#[test]
fn rf_as_it_is() {
    // Two returns with RF = 1 in the image: an interrupt before the instruction pushes 1, one behind it 0.
    for (steps, rf) in [(0, true), (1, false)] {
        let mut core = core(Breakpoint::execute(0x1000), 0, &[]);
        core.ip = 0x9000;
        core.stack.push(Frame { vector: 1, ip: 0x1000, tf: false, rf: true, cpl: 0 });
        core.iret();
        (0..steps).for_each(|_| assert_eq!(core.step(), Ended::Executed));
        core.interrupt = true;
        assert_eq!((core.step(), core.frame().rf), (Ended::Delivered(EXTERNAL), rf), "{steps}");
    }
    // A trap behind the instruction that RF was for, a software interrupt with RF = 1 before it, a breakpoint.
    for (does, tf, ended) in [(Does::Nothing, true, DB), (Does::Int(0x80), false, Ended::Executed)] {
        let mut core = core(nowhere(), 0, &[does]);
        core.stack.push(Frame { vector: 1, ip: 0x1000, tf, rf: true, cpl: 0 });
        core.iret();
        assert_eq!((core.step(), core.frame().rf), (ended, false), "{does:?}");
    }
    let mut core = core(Breakpoint::execute(0x1000), 0, &[]);
    assert_eq!((core.step(), core.frame().rf), (DB, false));
}

// DBG-51: with `fault_rf` = 0 a fault at a breakpoint that was passed leads to the breakpoint a second time, unless the handler sets RF
#[test]
fn a_spurious_breakpoint() {
    for (fault_rf, handler_sets, again) in [(true, false, false), (false, false, true), (false, true, false)] {
        let straps = Config { fault_rf, long_mode: fault_rf, rtm: fault_rf, ..Config::default() };
        let bench = Bench::armed(straps, &[(Slot::Dr1, Breakpoint::execute(0x1000))], 0);
        let mut core = Core::new(bench, &[Does::Faults]);
        assert_eq!(core.step(), DB);
        core.stack[0].rf = true;
        core.iret();
        assert_eq!(core.step(), Ended::Delivered(PAGE_FAULT));
        core.stack[0].rf |= handler_sets;
        core.program.clear();
        core.iret();
        assert_eq!(core.step() == DB, again, "{fault_rf} {handler_sets}");
    }
}
