//! Random numbers, one sequence per thread.

use crate::Draw;
use std::cell::Cell;

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(1) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LEFT: Cell<u32> = const { Cell::new(0) };
}

/// Begins the sequence of this thread again.
pub fn seed(seed: u64) {
    STATE.set(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    DEPTH.set(0);
    LEFT.set(2000);
}

/// The next number of this thread's sequence (xorshift64*).
pub(crate) fn next() -> u64 {
    let mut x = STATE.get();
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    STATE.set(x);
    x.wrapping_mul(0x2545_F491_4F6C_DD1D)
}

/// A number below `count`.
#[must_use]
pub fn below(count: usize) -> usize {
    (next() >> 32) as usize % count.max(1)
}

/// How deep values are made of values, and how many are made for one call; it ends where types are made of each other.
#[derive(Debug)]
pub struct Deep(());

impl Deep {
    /// One deeper, unless it is too deep.
    #[must_use]
    pub fn enter() -> Option<Self> {
        if DEPTH.get() >= 8 || LEFT.get() == 0 {
            return None;
        }
        LEFT.set(LEFT.get() - 1);
        DEPTH.set(DEPTH.get() + 1);
        Some(Self(()))
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

/// A value; some tries, since not all that is drawn makes one.
#[must_use]
pub fn draw<T: Draw>() -> Option<T> {
    (0..4).find_map(|_| T::draw())
}

/// A value, for what has to give one: a closure.
///
/// # Panics
///
/// If none could be made.
#[must_use]
pub fn draw_surely<T: Draw>() -> T {
    (0..100).find_map(|_| T::draw()).expect("values of this type can be made")
}
