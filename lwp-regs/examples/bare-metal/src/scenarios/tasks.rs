//! Runs the programs of two tasks, in 32-bit protected mode.

use crate::list::tasks::{FIRST_TASK, NOPS, SECOND, SECOND_TASK, Step, TASK_GATE, TaskScenario, Way};
use crate::list::{At, CODE, END, Line};
use crate::segments::{self, Pointer};
use crate::serial::say;
use core::arch::global_asm;
use lwp_regs::debug::Eflags;

global_asm!(include_str!("tasks.s"));

unsafe extern "C" {
    fn task_enter();
    static task_entry_1: u8;
    static task_entry_48: u8;
    static task_second_stack: u8;
    static mut task_segments_pointer: Pointer;
    static mut task_gates_pointer: Pointer;
    static mut task_registers: [u32; 7];
    static mut task_lines: [[u32; 5]; 25];
    static mut task_count: u32;
}

/// A TSS of 32 bits.
type TaskState = [u32; 26];
/// The tables, which the processor writes.
struct Tables {
    segments: [u64; 6],
    gates: [u64; TASK_GATE as usize + 1],
    tasks: [TaskState; 2],
}
static mut TABLES: Tables = Tables { segments: [0; 6], gates: [0; TASK_GATE as usize + 1], tasks: [[0; 26]; 2] };

/// A descriptor of a TSS: present, level 0, available or busy.
fn descriptor(base: u64, busy: bool) -> u64 {
    let kind: u64 = if busy { 0x8B } else { 0x89 };
    103 | (base & 0xFF_FFFF) << 16 | kind << 40 | (base >> 24 & 0xFF) << 56
}

/// Writes the tables.
fn tables(scenario: &TaskScenario) -> Tables {
    let bases =
        [0, 1].map(|task| (&raw const TABLES) as u64 + core::mem::offset_of!(Tables, tasks) as u64 + 104 * task);
    let segments = [
        0,
        0x00CF_9A00_0000_FFFF, // code of 32 bits
        0x00CF_9200_0000_FFFF, // data
        descriptor(bases[0], false),
        0x0020_9A00_0000_0000, // code of 64 bits, for the way back
        descriptor(bases[1], scenario.way == Way::Return),
    ];
    let mut gates = [0; TASK_GATE as usize + 1];
    for (vector, entry) in [(1, (&raw const task_entry_1) as u64), (END, (&raw const task_entry_48) as u64)] {
        gates[usize::from(vector)] = entry & 0xFFFF | 8 << 16 | 0x8E << 40 | (entry & 0xFFFF_0000) << 32;
    }
    gates[usize::from(TASK_GATE)] = u64::from(SECOND_TASK) << 16 | 0x85 << 40;
    let mut tasks = [[0; 26]; 2];
    tasks[0][0] = SECOND_TASK.into(); // IRET with NT returns to it
    tasks[1][0] = FIRST_TASK.into();
    // EIP, EFLAGS, ESP; ES, CS, SS, DS; T.
    (tasks[1][8], tasks[1][9]) = (SECOND as u32, scenario.images[1].bits() as u32);
    tasks[1][14] = (&raw const task_second_stack) as u32;
    (tasks[1][18], tasks[1][19], tasks[1][20], tasks[1][21]) = (0x10, 8, 0x10, 0x10);
    tasks[1][25] = 104 << 16 | u32::from(scenario.trap);
    Tables { segments, gates, tasks }
}

/// Writes the instructions of both tasks.
fn place(scenario: &TaskScenario) {
    let nops = [0x90; NOPS as usize];
    let parts: [(u64, &[u8]); 4] =
        [(CODE, &nops), (CODE + NOPS, scenario.switch()), (SECOND, &nops), (SECOND + NOPS, &[0xCD, END])];
    for (address, bytes) in parts {
        for (to, byte) in (address..).zip(bytes) {
            // SAFETY: memory that the list owns.
            unsafe { (to as *mut u8).write(*byte) };
        }
    }
}

/// Runs a scenario and writes its lines.
pub(crate) fn run(scenario: &TaskScenario) {
    place(scenario);
    let tables = tables(scenario);
    let [dr0, dr1, dr2, dr3] = scenario.addresses().map(|address| address as u32);
    let nested = if scenario.way == Way::Return { 1 << 14 } else { 0 };
    let flags = scenario.images[0].bits() as u32 | nested;
    let first = TaskScenario::address(Step::First(0)) as u32;
    let registers = [dr0, dr1, dr2, dr3, scenario.control().into_bits() as u32, flags, first];
    let base = (&raw const TABLES) as u64;
    let pointer = |offset: usize, bytes: usize| Pointer { limit: bytes as u16 - 1, base: base + offset as u64 };
    // SAFETY: there is one processor, and what is written is used from `task_enter` on only.
    unsafe { (&raw mut TABLES).write(tables) };
    // SAFETY: the same.
    unsafe { (&raw mut task_segments_pointer).write(pointer(core::mem::offset_of!(Tables, segments), 48)) };
    let gates = pointer(core::mem::offset_of!(Tables, gates), 8 * (usize::from(TASK_GATE) + 1));
    // SAFETY: the same.
    unsafe { (&raw mut task_gates_pointer).write(gates) };
    // SAFETY: the same.
    unsafe { (&raw mut task_registers).write(registers) };
    // SAFETY: the same.
    unsafe { (&raw mut task_count).write(0) };
    // SAFETY: leaves for protected mode and returns to this one, with all registers that a function keeps.
    unsafe { task_enter() };
    segments::load_segments();
    write(scenario);
}

/// Writes the lines that the handlers kept.
fn write(scenario: &TaskScenario) {
    say!("scenario {scenario}");
    // SAFETY: no handler of them runs any more.
    let (lines, count) = unsafe { ((&raw const task_lines).read(), (&raw const task_count).read()) };
    for [vector, eip, flags, dr6, dr7] in lines.into_iter().take(count as usize) {
        let [dr6, dr7] = [dr6, dr7].map(u64::from);
        let flags = Eflags::from_bits(flags.into());
        let line = if vector == 1 {
            let at = At::Code(u64::from(eip).wrapping_sub(CODE));
            Line::Debug { at, rf: flags.rf(), tf: flags.tf(), dr6, dr7 }
        } else {
            Line::End { dr6, dr7 }
        };
        say!("{line}");
    }
}
