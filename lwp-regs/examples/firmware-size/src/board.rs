//! Two words of a board: one to read, one to write. What comes and goes by them nobody can know when the firmware is
//! compiled, so nothing that depends on it is left out or done in advance.

/// Where the board has its words.
const BOARD: usize = 0x4000_0000;

/// The address of word `index`, of 8 bytes each.
pub fn word(index: usize) -> *mut u64 {
    core::ptr::with_exposed_provenance_mut(BOARD + 8 * index)
}

/// A value that comes from outside.
pub fn input() -> u64 {
    // SAFETY: the board has this word, and reading it is all that the firmware does with it.
    unsafe { word(0).read_volatile() }
}

/// An input of 32 bits.
pub fn input32() -> u32 {
    input() as u32
}

/// An input of 8 bits.
pub fn input8() -> u8 {
    input() as u8
}

/// A bit that comes from outside.
pub fn flag() -> bool {
    input() & 1 != 0
}

/// Tells the outside a value.
pub fn output(value: impl Into<u64>) {
    // SAFETY: the board has this word, and takes any value.
    unsafe { word(1).write_volatile(value.into()) };
}
