//! A firmware that really uses every module of `lwp-regs`; `tools/scripts/firmware-size` measures how large it gets. It is
//! linked, not run: on x86-64 it executes the instructions, elsewhere it reaches the registers by words in memory.
#![no_std]
#![no_main]
#![cfg_attr(not(feature = "all"), allow(dead_code))] // a part of it, to be measured alone

mod board;
mod failure;
#[cfg_attr(target_arch = "x86_64", path = "machine_x86.rs")]
#[cfg_attr(not(target_arch = "x86_64"), path = "machine_by_memory.rs")]
mod machine;
mod modules;

/// Where the firmware begins. It does all of it over and over.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let mut machine = machine::machine();
    loop {
        board::output(modules::run(&mut machine));
    }
}

/// Never inlined: if it is not in the image, nothing in the image can panic.
#[panic_handler]
#[inline(never)]
fn panicked(_info: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(feature = "messages")]
    failure::tell(_info);
    loop {
        board::output(0xDEAD_u32);
    }
}
