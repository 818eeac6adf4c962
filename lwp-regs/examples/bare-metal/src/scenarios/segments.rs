//! Segments for levels 0 and 3, stacks for the handlers, and page tables that level 3 may use.

use core::arch::{asm, naked_asm};
use core::cell::UnsafeCell;

pub(crate) const KERNEL_CODE: u64 = 0x08;
pub(crate) const KERNEL_DATA: u64 = 0x10;
pub(crate) const USER_DATA: u64 = 0x18 | 3;
pub(crate) const USER_CODE: u64 = 0x20 | 3;
const TASK: u16 = 0x28;

/// Bytes of a stack.
const STACK: usize = 0x4000;

/// What the processor and this module write.
struct Shared<T>(UnsafeCell<T>);
// SAFETY: there is one processor, and `install` alone writes them, before anything else uses them.
unsafe impl<T> Sync for Shared<T> {}

/// The 64-bit TSS up to the limit: 104 bytes.
static TASK_STATE: Shared<[u32; 26]> = Shared(UnsafeCell::new([0; 26]));
static SEGMENTS: Shared<[u64; 7]> = Shared(UnsafeCell::new([0; 7]));
static STACKS: Shared<[[u128; STACK / 16]; 2]> = Shared(UnsafeCell::new([[0; STACK / 16]; 2]));

#[repr(C, packed)]
pub(crate) struct Pointer {
    pub(crate) limit: u16,
    pub(crate) base: u64,
}

pub(crate) fn install() {
    load_segments();
    open_pages();
}

/// #DB comes on the stack of level 0, so that one may come before the first instruction of the handler of another. The other vectors have a
/// stack of the interrupt-stack table.
pub(crate) fn load_segments() {
    let mut task = [0; 26];
    // RSP0 is at byte 4, the interrupt-stack table at byte 36.
    for (stack, word) in [1, 9].into_iter().enumerate() {
        let top = STACKS.0.get() as u64 + (STACK * (stack + 1)) as u64;
        (task[word], task[word + 1]) = (top as u32, (top >> 32) as u32);
    }
    task[25] = 104 << 16; // no I/O bitmap
    let base = TASK_STATE.0.get() as u64;
    // Present, 64-bit TSS, limit 103.
    let low = 103 | (base & 0xFF_FFFF) << 16 | 0x89 << 40 | (base >> 24 & 0xFF) << 56;
    let segments = [
        0,
        0x0020_9A00_0000_0000, // code of level 0
        0x0000_9200_0000_0000, // data of level 0
        0x0000_F200_0000_0000, // data of level 3
        0x0020_FA00_0000_0000, // code of level 3
        low,
        base >> 32,
    ];
    // SAFETY: nothing else uses the table yet.
    unsafe { *TASK_STATE.0.get() = task };
    // SAFETY: the same.
    unsafe { *SEGMENTS.0.get() = segments };
    let pointer = Pointer { limit: 7 * 8 - 1, base: SEGMENTS.0.get() as u64 };
    // SAFETY: the tables live as long as the kernel; selector 8 means the same as before.
    unsafe { load(&raw const pointer, TASK, KERNEL_DATA as u16) };
}

/// Loads GDTR, TR and SS.
#[unsafe(naked)]
unsafe extern "sysv64" fn load(_pointer: *const Pointer, _task: u16, _stack: u16) {
    naked_asm!("lgdt [rdi]", "ltr si", "mov ss, edx", "ret")
}

/// Level 3 may access all memory that is mapped. The tables are those of `boot.s`: one of each level, and directories of large pages.
fn open_pages() {
    const USER: u64 = 1 << 2;
    const LARGE: u64 = 1 << 7;
    fn open(table: u64, depth: u32) {
        for index in 0..512 {
            let entry = (table & 0x000F_FFFF_FFFF_F000) as *mut u64;
            // SAFETY: a table of 512 entries at its physical address, which is its linear one.
            let entry = unsafe { entry.add(index) };
            // SAFETY: the same.
            let value = unsafe { entry.read() };
            if value & 1 == 0 {
                continue;
            }
            // SAFETY: adds a right.
            unsafe { entry.write(value | USER) };
            if depth > 0 && value & LARGE == 0 {
                open(value, depth - 1);
            }
        }
    }
    let tables: u64;
    // SAFETY: reads CR3, which is allowed at level 0.
    unsafe { asm!("mov {}, cr3", out(reg) tables, options(nomem, nostack, preserves_flags)) };
    open(tables, 2);
    // SAFETY: writes what was there, so that no old right is remembered.
    unsafe { asm!("mov cr3, {}", in(reg) tables, options(nostack, preserves_flags)) };
}
