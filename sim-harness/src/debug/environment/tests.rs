use super::*;
use crate::core::ReplayList;
use crate::device::run_closed_loop;
use crate::traces::{Retired as Instruction, Store};
use lwp_model::debug::DebugUnit;
use lwp_regs::debug::{Condition, Length, Slot};

/// Instructions of 4 bytes from 1000H on, each of which writes 8 bytes: the first at 5000H, the next 8 higher.
fn program(length: u64) -> Vec<Instruction> {
    let instruction = |at: u64| Instruction {
        ip: 0x1000 + 4 * at,
        length: 4,
        cpl: 3,
        stores: vec![Store { addr: 0x5000 + 8 * at, size: 8 }],
        ..Instruction::default()
    };
    (0..length).map(instruction).collect()
}

fn watch(slot: Slot, address: u64, condition: Condition, length: Length) -> Watch {
    Watch { slot, place: Place::Address(address), condition, length }
}

/// The records of a run, and the number of instructions.
fn run<const LANES: usize, const ACCESSES: usize>(setup: &Setup, program: Vec<Instruction>) -> (Recorder, u64) {
    let straps = Config::default();
    let mut unit = DebugUnit::<LANES, ACCESSES>::new(straps).unwrap();
    let instructions = ReplayList::new(program, 1);
    let mut computer = Computer::<LANES, _>::new(setup, &straps, instructions, Recorder::default());
    run_closed_loop(&mut unit, &mut computer, &mut |_| {});
    assert_eq!(computer.failure(), None);
    let retired = computer.retired();
    (computer.finish().records, retired)
}

fn setup(watches: Vec<Watch>, steps: Option<Steps>) -> Setup {
    Setup { lanes: 4, spacing: 1, watches, steps, text: None }
}

#[test]
fn nothing_is_lost_and_nothing_comes_twice() {
    let watches = vec![
        watch(Slot::Dr0, 0x1008, Condition::Execute, Length::One),
        watch(Slot::Dr1, 0x5028, Condition::Write, Length::Eight),
        watch(Slot::Dr3, 0x5030, Condition::ReadWrite, Length::Four),
    ];
    for lanes in [1, 2, 4] {
        let setup = Setup { lanes, ..setup(watches.clone(), None) };
        let (records, retired) = run::<4, 2>(&setup, program(10));
        assert_eq!(retired, 10, "{lanes}");
        assert_eq!(records.causes(), [("breakpoint 0", 1), ("breakpoint 1", 1), ("breakpoint 3", 1)], "{lanes}");
        assert_eq!(records.classes(), [("trap", 2), ("fault", 1)], "{lanes}");
    }
    let (records, retired) = run::<1, 1>(&setup(watches, None), program(10));
    assert_eq!((records.total(), retired), (3, 10));
}

#[test]
fn every_instruction_is_stepped_once() {
    let steps = |branches, from: Option<u64>, to: Option<u64>| {
        Some(Steps { branches, from: from.map(Place::Address), to: to.map(Place::Address) })
    };
    let stepped = |steps| run::<4, 2>(&setup(Vec::new(), steps), program(10)).0.causes();
    assert_eq!(stepped(steps(false, None, None)), [("step", 10)]);
    assert_eq!(stepped(steps(false, Some(0x1008), Some(0x1014))), [("step", 3)]);
    assert_eq!(stepped(steps(true, None, None)), []);
}

#[test]
fn an_instruction_of_many_accesses_is_undone_as_a_whole() {
    let mut program = program(3);
    program[1].stores = (0..5).map(|at| Store { addr: 0x6000 + 8 * at, size: 8 }).collect();
    let watches = vec![
        watch(Slot::Dr0, 0x1004, Condition::Execute, Length::One),
        watch(Slot::Dr1, 0x6000, Condition::Write, Length::Eight),
    ];
    for lanes in [1, 4] {
        let setup = Setup { lanes, ..setup(watches.clone(), None) };
        let (records, retired) = run::<4, 2>(&setup, program.clone());
        // The first access comes again behind the handler of the fault.
        assert_eq!(records.causes(), [("breakpoint 0", 1), ("breakpoint 1", 1)]);
        assert_eq!(retired, 3);
    }
}

#[test]
fn a_breakpoint_comes_before_an_exception_of_its_instruction() {
    let mut program = program(3);
    let kind = IntKind::Exception;
    let fault = lwp_model::retire::Interruption { valid: true, kind, vector: 14, from: 0x1004, to: 0x9000 };
    program[1].interruptions = vec![fault];
    let watches = vec![watch(Slot::Dr2, 0x1004, Condition::Execute, Length::One)];
    let (records, retired) = run::<4, 2>(&setup(watches, None), program);
    // Before the exception, and again when the instruction is repeated: its handler has not set RF in the image.
    assert_eq!((records.causes(), retired), (vec![("breakpoint 2", 2)], 3));
}

#[test]
fn a_region_is_aborted_once() {
    let mut program = program(6);
    for instruction in &mut program[2..4] {
        instruction.transaction.in_tx = true;
    }
    let watches = vec![watch(Slot::Dr0, 0x5018, Condition::Write, Length::Eight)];
    let straps = Config::default();
    let mut unit = DebugUnit::<4, 2>::new(straps).unwrap();
    let instructions = ReplayList::new(program, 1);
    let mut computer = Computer::<4, _>::new(&setup(watches, None), &straps, instructions, Recorder::default());
    run_closed_loop(&mut unit, &mut computer, &mut |_| {});
    assert_eq!(computer.retired(), 6);
    let remains = computer.finish();
    assert_eq!((remains.aborts, remains.records.total()), (1, 0));
}

#[test]
fn a_symbol_needs_symbols() {
    let place = Place::Symbol(Symbol { name: "counter".to_owned(), at: None });
    let watches = vec![Watch { place, ..watch(Slot::Dr0, 0, Condition::Write, Length::One) }];
    let instructions = ReplayList::new(program(1), 1);
    let computer = Computer::<4, _>::new(&setup(watches, None), &Config::default(), instructions, Recorder::default());
    let said = computer.failure().expect("no symbols").to_string();
    assert_eq!(said, "the trace has no symbols, so `counter` has no address");
    assert!(computer.is_over());
}
