//! A kernel for QEMU that runs the scenarios of [`list`] and reports each exception that they lead to, a line each.
//!
//! `cargo run --bin debug-scenarios` in this folder. A test of `proptests` compares the report with what the debug unit does.
#![no_std]
#![no_main]

mod entries;
mod interrupt;
#[allow(dead_code, reason = "the test uses the rest")]
mod list;
#[path = "../port.rs"]
mod port;
mod program;
mod report;
mod segments;
#[path = "../serial.rs"]
mod serial;
mod tasks;

use core::arch::global_asm;
use core::panic::PanicInfo;
use serial::say;

global_asm!(include_str!("../boot.s"));

#[unsafe(no_mangle)]
extern "C" fn kernel() -> ! {
    segments::install();
    entries::install();
    interrupt::install();
    let mut scenarios = 0;
    list::each(&mut |scenario| {
        program::run(scenario);
        scenarios += 1;
    });
    list::tasks::each(&mut |scenario| {
        tasks::run(scenario);
        scenarios += 1;
    });
    say!("done: {scenarios} scenarios");
    port::exit(true)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    say!("FAILED: {info}");
    port::exit(false)
}
