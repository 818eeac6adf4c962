//! Single situations, to be read beside the manual.

use super::instructions::{Instruction, Use, code};
use super::machine::{Machine, Step, border};
use lwp_regs::debug::{Breakpoint, BreakpointLimits, BreakpointSet, DebugCaps, Length, Slot, Slots};
use nix::sys::signal::Signal;

/// EFLAGS.RF.
const RF: u64 = 1 << 16;
/// What `Machine` has in RAX.
const RAX: u64 = 0x5A5A_5A5A_5A5A_5A5A;

/// Two bytes.
const STORE: Instruction = Instruction { name: "mov [rdi], al", code: code!("mov [rdi], al"), ..TEMPLATE };
const TEMPLATE: Instruction = Instruction { name: "", code: code!("nop"), uses: Use::Store, bytes: 1, here: || true };

fn set(breakpoints: &[Breakpoint]) -> BreakpointSet {
    let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
    let mut set = BreakpointSet::new();
    for (slot, breakpoint) in Slot::ALL.into_iter().zip(breakpoints) {
        set.set(slot, *breakpoint, &limits).expect("a valid breakpoint");
    }
    set
}

/// `instruction` with RDI at the border of the pages.
fn at(instruction: &'static Instruction) -> Step {
    Step { instruction, rdi: border(), rsi: border(), rcx: 0, flags: 0 }
}

pub(crate) fn a_data_breakpoint_stops_after_the_instruction() {
    let mut machine = Machine::new();
    let set = set(&[Breakpoint::write(border(), Length::One)]);
    let stop = machine.execute(&set, &at(&STORE));
    assert_eq!((stop.rip, stop.hits), (STORE.address() + 2, Slots::DR0));
    assert_eq!(machine.memory(border()), RAX & 0xFF, "the store is done");
}

pub(crate) fn an_instruction_breakpoint_stops_before_the_instruction() {
    let mut machine = Machine::new();
    let start = STORE.address();
    let set = set(&[Breakpoint::write(border(), Length::One), Breakpoint::execute(start)]);
    let again = |machine: &mut Machine, flags: u64| {
        let mut registers = machine.registers();
        registers.rip = start;
        registers.eflags = registers.eflags & !RF | flags;
        machine.set_registers(registers);
        machine.go_on(&set)
    };

    let stop = machine.execute(&set, &at(&STORE));
    assert_eq!((stop.rip, stop.hits), (start, Slots::DR1));
    assert_eq!(machine.memory(border()), 0, "the store is not done");

    let stop = again(&mut machine, 0);
    assert_eq!((stop.rip, stop.hits), (start, Slots::DR1), "without RF it is hit again");
    assert_eq!(machine.memory(border()), 0, "the store is still not done");

    let stop = again(&mut machine, RF);
    assert_eq!((stop.rip, stop.hits), (start + 2, Slots::DR0), "RF holds back the one, not the other");
    assert_eq!(machine.memory(border()), RAX & 0xFF);
    assert_eq!(machine.registers().eflags & RF, 0, "RF lasts for one instruction");

    let stop = again(&mut machine, 0);
    assert_eq!((stop.rip, stop.hits), (start, Slots::DR1), "the breakpoint is on as before");
}

pub(crate) fn single_step_and_a_breakpoint_are_reported_together() {
    let mut machine = Machine::new();
    let set = set(&[Breakpoint::execute(0), Breakpoint::read_write(border(), Length::Eight)]);
    machine.prepare(&set, &Step { flags: RF, ..at(&STORE) });
    machine.single_step();
    let status = machine.status();
    assert!(status.bs(), "RF does not hold back a single step");
    assert_eq!(set.hits(status), Slots::DR1, "nor a data breakpoint");
    assert_eq!(machine.registers().rip, STORE.address() + 2);
    assert_eq!(machine.memory(border()), RAX & 0xFF, "the instruction is done");
}

pub(crate) fn a_compare_and_exchange_that_fails_counts_as_a_write() {
    const CMPXCHG: Instruction =
        Instruction { name: "cmpxchg [rdi], rdx", code: code!("cmpxchg [rdi], rdx"), bytes: 8, ..TEMPLATE };
    let mut machine = Machine::new();
    let set = set(&[Breakpoint::write(border(), Length::Eight)]);
    machine.set_memory(border(), 7);
    let stop = machine.execute(&set, &at(&CMPXCHG));
    assert_eq!(stop.hits, Slots::DR0);
    assert_eq!(machine.registers().rax, 7, "RAX was not equal");
    assert_eq!(machine.memory(border()), 7, "the memory is as it was");
}

/// Loads SS (two bytes) and goes on to add to EDX (two bytes).
const LOAD_SS: Instruction = Instruction {
    name: "mov ss, [rdi]; inc edx",
    code: code!("mov ss, [rdi]", "inc edx"),
    uses: Use::Load,
    ..TEMPLATE
};

pub(crate) fn traps_after_a_load_of_ss_wait_for_the_next_instruction() {
    let mut machine = Machine::new();
    machine.set_memory(border(), machine.registers().ss);
    let (second, third) = (LOAD_SS.address() + 2, LOAD_SS.address() + 4);

    let data = set(&[Breakpoint::read_write(border(), Length::Two)]);
    let stop = machine.execute(&data, &at(&LOAD_SS));
    assert_eq!((stop.rip, stop.hits), (third, Slots::DR0));
    assert_eq!(machine.registers().rdx, 1, "the second instruction is done");

    machine.prepare(&set(&[]), &at(&LOAD_SS));
    machine.single_step();
    assert_eq!(machine.registers().rip, third);

    // Intel's manual suppresses an instruction breakpoint on the second instruction, too. AMD's processors do not all do so.
    let instruction = set(&[Breakpoint::execute(second)]);
    let stop = machine.execute(&instruction, &at(&LOAD_SS));
    println!(
        "an instruction breakpoint right after MOV SS is {}",
        if stop.rip == second { "hit" } else { "suppressed" }
    );
    assert!([second, third + 1].contains(&stop.rip));
}

pub(crate) fn a_fault_saves_rf_set() {
    let mut machine = Machine::new();
    for flags in [0, RF] {
        machine.prepare(&set(&[]), &Step { rdi: 0, flags, ..at(&STORE) });
        assert_eq!(machine.run(), Signal::SIGSEGV, "#PF: there is no page at 0");
        let registers = machine.registers();
        assert_eq!((registers.rip, registers.eflags & RF), (STORE.address(), RF));
    }
}

pub(crate) fn rf_of_a_trap_between_two_repetitions() {
    const FILL: Instruction = Instruction { name: "rep stosb", code: code!("rep stosb"), uses: Use::Fill, ..TEMPLATE };
    let mut machine = Machine::new();
    let set = set(&[Breakpoint::write(border(), Length::One)]);
    // A page fault inside the repetition would set RF.
    machine.set_memory(border() - 8, 0);
    machine.set_memory(border(), 0);
    let stop = machine.execute(&set, &Step { rcx: 64, ..at(&FILL) });
    assert_eq!((stop.rip, stop.hits), (FILL.address(), Slots::DR0));
    assert!((1..64).contains(&stop.rcx), "some repetitions are left: {}", stop.rcx);
    // The manuals: 1. A processor of AMD, under a hypervisor, saves what the first repetition found.
    let clear = machine.registers().eflags & RF == 0;
    println!("a trap between two repetitions saves RF as {}", if clear { "it was, 0" } else { "1" });

    let stop = machine.execute(&set, &Step { rcx: 64, flags: RF, ..at(&FILL) });
    assert_eq!((stop.rip, stop.hits), (FILL.address(), Slots::DR0));
    assert_eq!(machine.registers().eflags & RF, RF);

    let stop = machine.execute(&set, &Step { rcx: 1, flags: RF, ..at(&FILL) });
    assert_eq!((stop.rip, stop.hits, stop.rcx), (FILL.address() + 2, Slots::DR0, 0));
    assert_eq!(machine.registers().eflags & RF, 0, "not after the last one");
}
