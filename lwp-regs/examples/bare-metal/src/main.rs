//! A kernel for QEMU that shows `lwp-regs` on a processor: identification, MSRs, and the debug registers with their
//! exceptions. It writes a line for each thing that it has shown, and ends QEMU with a status.
//!
//! `cargo run` in this folder. What a kernel of your own needs of it is in `breakpoints.rs` and in the #DB handler in
//! `exceptions.rs`; the rest boots it.
#![no_std]
#![no_main]

mod breakpoints;
mod exceptions;
mod identification;
mod port;
mod programs;
mod registers;
mod serial;
mod stepping;

use core::arch::global_asm;
use core::panic::PanicInfo;
use lwp_regs::bare_metal::BareMetal;
use serial::say;

global_asm!(include_str!("boot.s"));

#[unsafe(no_mangle)]
extern "C" fn kernel() -> ! {
    exceptions::install();
    // SAFETY: privilege level 0 with interrupts off on the only processor, whose registers nobody else uses; exceptions
    // have a handler, which goes on behind an instruction only where this kernel says so.
    let mut cpu = unsafe { BareMetal::new() };
    identification::show(&cpu);
    registers::show(&mut cpu);
    breakpoints::show(&mut cpu);
    stepping::show(&mut cpu);
    say!("done");
    port::exit(true)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    say!("FAILED: {info}");
    port::exit(false)
}
