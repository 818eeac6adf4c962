//! Runs a scenario: places its program, sets its breakpoints, and enters it.

use crate::list::{CODE, Image, MAPPED, MIDDLE, Piece, SELECTOR_AT, STACK, Scenario, frame_address};
use crate::report::Progress;
use crate::segments::{KERNEL_CODE, KERNEL_DATA, USER_CODE, USER_DATA};
use crate::{entries, interrupt};
use core::arch::asm;
use lwp_regs::access::{DebugBus, DebugRegister};
use lwp_regs::bare_metal::BareMetal;
use lwp_regs::debug::{BreakpointLimits, Dr7};

pub(crate) static PROGRESS: Progress = Progress::new();

unsafe extern "C" {
    fn scenario_enter(frame: *const [u64; 5], middle: u64, selector: u64, mapped: u64);
    /// Where a program that has ended goes on: on any stack, at level 0.
    pub(crate) fn scenario_leave() -> !;
}

/// Runs a scenario and writes its lines.
pub(crate) fn run(scenario: &Scenario) {
    PROGRESS.begin(scenario);
    place(scenario);
    set_debugging_extensions(scenario.extensions);
    entries::set_trap_gate(scenario.trap_gate);
    if scenario.interrupt {
        interrupt::request();
    }
    // SAFETY: privilege level 0, the only processor, and the debug registers are ours.
    let mut cpu = unsafe { BareMetal::new() };
    arm(&mut cpu, scenario);
    let frame = frame(scenario, scenario.image, CODE);
    // SAFETY: the frame leads to the program that was placed, which ends in `leave`; there is a handler for all that it raises.
    unsafe { scenario_enter(&raw const frame, MIDDLE, frame[4], MAPPED) };
    let Ok(_) = Dr7::disarm(&mut cpu);
    if scenario.interrupt {
        interrupt::withdraw();
    }
    PROGRESS.write();
}

/// The frame of an IRET to this address.
fn frame(scenario: &Scenario, image: Image, ip: u64) -> [u64; 5] {
    let [code, data] = if scenario.user { [USER_CODE, USER_DATA] } else { [KERNEL_CODE, KERNEL_DATA] };
    [ip, code, image.bits(), STACK, data]
}

/// Writes the program, its data, and the frames of its IRETs.
fn place(scenario: &Scenario) {
    let mut to = CODE;
    for (index, piece) in scenario.pieces().iter().enumerate() {
        for byte in piece.encode(index).as_slice() {
            // SAFETY: memory that the list owns.
            unsafe { (to as *mut u8).write(*byte) };
            to += 1;
        }
        if let Piece::Frame(image) = *piece {
            let frame = frame(scenario, image, scenario.address(index + 2));
            // SAFETY: memory that the list owns.
            unsafe { (frame_address(index) as *mut [u64; 5]).write(frame) };
        }
    }
    let selector = frame(scenario, Image::default(), 0)[4] as u16;
    // SAFETY: memory that the list owns.
    unsafe { (MIDDLE.wrapping_add_signed(SELECTOR_AT.into()) as *mut u16).write(selector) };
}

/// Writes DR0 to DR3, DR6 and DR7.
fn arm(cpu: &mut BareMetal, scenario: &Scenario) {
    use DebugRegister::{Dr0, Dr1, Dr2, Dr3, Dr6, Dr7};
    let [dr0, dr1, dr2, dr3] = scenario.addresses();
    let values = [dr0, dr1, dr2, dr3, scenario.status, scenario.control().into_bits()];
    for (register, value) in [Dr0, Dr1, Dr2, Dr3, Dr6, Dr7].into_iter().zip(values) {
        // SAFETY: there is a handler for what they watch.
        let Ok(()) = unsafe { cpu.write_dr(register, value) };
    }
}

/// Sets CR4.DE.
fn set_debugging_extensions(on: bool) {
    let bit = 1 << BreakpointLimits::CR4_DE;
    let mut cr4: u64;
    // SAFETY: reads CR4, which is allowed at level 0.
    unsafe { asm!("mov {}, cr4", out(reg) cr4, options(nomem, nostack, preserves_flags)) };
    cr4 = if on { cr4 | bit } else { cr4 & !bit };
    // SAFETY: changes DE only, which has no effect on memory.
    unsafe { asm!("mov cr4, {}", in(reg) cr4, options(nostack, preserves_flags)) };
}
