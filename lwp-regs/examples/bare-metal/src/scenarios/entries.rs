//! The handlers: what they do is decided by the list, and reported.

use crate::interrupt;
use crate::list::{At, CODE, END, Frame, INTERRUPT, Line, SOFTWARE};
use crate::program::{PROGRESS, scenario_leave};
use crate::segments::{KERNEL_CODE, KERNEL_DATA, Pointer};
use core::arch::{asm, global_asm};
use core::cell::Cell;
use lwp_regs::bare_metal::BareMetal;
use lwp_regs::debug::{Dr6, Dr7, Eflags};

global_asm!(include_str!("entries.s"));

/// Vectors that have an entry.
const VECTORS: usize = 9;
/// Vectors up to the last one of them.
const TABLE: usize = SOFTWARE as usize + 1;

unsafe extern "C" {
    static scenario_entries: [[u64; 2]; VECTORS];
}

/// What is on the stack of a handler.
#[repr(C)]
struct Stack {
    r15: u64,
    general: [u64; 14],
    vector: u64,
    error_code: u64,
    rip: u64,
    cs: u64,
    flags: u64,
    rsp: u64,
    ss: u64,
}

struct Table(Cell<[[u64; 2]; TABLE]>);
// SAFETY: there is one processor; `install` and `set_trap_gate` write it while nothing runs that has breakpoints.
unsafe impl Sync for Table {}
static GATES: Table = Table(Cell::new([[0; 2]; TABLE]));

/// Where each vector is entered.
fn addresses() -> impl Iterator<Item = (u8, u64)> {
    // SAFETY: a constant table in entries.s.
    let entries = unsafe { scenario_entries };
    entries.into_iter().map(|[vector, address]| (vector as u8, address))
}

/// Loads the table of gates.
pub(crate) fn install() {
    set_trap_gate(false);
    let pointer = Pointer { limit: (TABLE * 16 - 1) as u16, base: GATES.0.as_ptr() as u64 };
    // SAFETY: the table lives as long as the kernel.
    unsafe { asm!("lidt [{}]", in(reg) &raw const pointer, options(nostack, preserves_flags)) };
}

/// Makes all gates; that of #DB is a trap gate, which leaves IF, or an interrupt gate.
pub(crate) fn set_trap_gate(trap: bool) {
    let mut gates = [[0; 2]; TABLE];
    for (vector, address) in addresses() {
        let stack: u64 = if vector == 1 { 0 } else { 1 };
        let level: u64 = if matches!(vector, 3 | END | SOFTWARE) { 3 } else { 0 };
        let kind: u64 = if vector == 1 && trap { 0xF } else { 0xE };
        let access = 0x80 | level << 5 | kind;
        let low = address & 0xFFFF | KERNEL_CODE << 16 | stack << 32 | access << 40 | (address & 0xFFFF_0000) << 32;
        gates[usize::from(vector)] = [low, address >> 32];
    }
    GATES.0.set(gates);
}

/// Where an instruction pointer is.
fn place(rip: u64) -> At {
    if (CODE..CODE + 0x1000).contains(&rip) {
        return At::Code(rip - CODE);
    }
    addresses().find(|(_, address)| *address == rip).map_or(At::Kernel, |(vector, _)| At::Entry(vector))
}

#[unsafe(no_mangle)]
extern "C" fn scenario_exception(stack: &mut Stack) {
    let vector = stack.vector as u8;
    if matches!(vector, 8 | 13 | 14) && place(stack.rip) == At::Kernel {
        panic!("exception {vector}, error code {:#x}, at {:#x}", stack.error_code, stack.rip);
    }
    // SAFETY: privilege level 0, the only processor, and the debug registers are ours.
    let mut cpu = unsafe { BareMetal::new() };
    if vector == END {
        // Reading may be a general detect.
        let (Ok(dr6), Ok(dr7)) = (Dr6::read(&mut cpu), Dr7::read(&mut cpu));
        end(stack, Line::End { dr6: dr6.into_bits(), dr7: dr7.into_bits() });
        return;
    }
    let flags = Eflags::from_bits(stack.flags);
    let (at, rf, tf) = (place(stack.rip), flags.rf(), flags.tf());
    let line = if vector == 1 {
        let (Ok(dr6), Ok(dr7)) = (Dr6::read(&mut cpu), Dr7::read(&mut cpu));
        Line::Debug { at, rf, tf, dr6: dr6.into_bits(), dr7: dr7.into_bits() }
    } else {
        Line::Other { vector, at, rf, tf }
    };
    if !PROGRESS.keep(line) {
        end(stack, Line::Limit);
        return;
    }
    handle(stack, line, &mut cpu);
    if vector == INTERRUPT {
        interrupt::acknowledge();
    }
}

/// Does what the list says.
fn handle(stack: &mut Stack, line: Line, cpu: &mut BareMetal) {
    let mut frame = Frame { ip: stack.rip, flags: Eflags::from_bits(stack.flags) };
    let scenario = PROGRESS.scenario();
    let mut handler = PROGRESS.handler.get();
    if let Line::Debug { dr6, dr7, .. } = line {
        let writes = handler.debug(&scenario, &mut frame, Dr6::from_bits(dr6), Dr7::from_bits(dr7));
        if let Some(value) = writes.dr6 {
            let Ok(()) = Dr6::from_bits(value).write(cpu);
        }
        if let Some(value) = writes.dr7 {
            // SAFETY: this is the handler that expects the breakpoints.
            let Ok(()) = unsafe { Dr7::DR.write(cpu, Dr7::from_bits(value)) };
        }
    } else if let Some(address) = handler.other(&scenario, &mut frame, stack.vector as u8) {
        stack.r15 = address;
    }
    PROGRESS.handler.set(handler);
    (stack.rip, stack.flags) = (frame.ip, frame.flags.into_bits());
}

/// Returns to `program::run` rather than to the program.
fn end(stack: &mut Stack, line: Line) {
    PROGRESS.end(line);
    stack.rip = scenario_leave as *const () as u64;
    (stack.cs, stack.ss, stack.flags) = (KERNEL_CODE, KERNEL_DATA, 2);
}
