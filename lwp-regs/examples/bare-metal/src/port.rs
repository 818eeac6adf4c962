//! I/O ports.

use core::arch::asm;

pub(crate) fn read(port: u16) -> u8 {
    let value;
    // SAFETY: none of the devices of this machine writes memory when a port of its is read.
    unsafe { asm!("in al, dx", in("dx") port, out("al") value, options(nostack, preserves_flags)) };
    value
}

pub(crate) fn write(port: u16, value: u8) {
    // SAFETY: the ports that are written here belong to devices without access to memory.
    unsafe { asm!("out dx, al", in("dx") port, in("al") value, options(nostack, preserves_flags)) };
}

/// Ends QEMU by its device isa-debug-exit.
pub(crate) fn exit(success: bool) -> ! {
    write(0xF4, if success { 0x10 } else { 0x11 });
    loop {
        core::hint::spin_loop();
    }
}
