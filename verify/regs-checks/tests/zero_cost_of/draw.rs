//! Arguments to compare the ways of an access with: always the same ones, drawn so that rare cases occur, too.

use lwp_regs::debug::Slot;
use std::cell::Cell;
use std::ops::Range;

/// A source of arguments.
#[derive(Debug)]
pub(crate) struct Source(Cell<u64>);

impl Source {
    pub(crate) fn new() -> Self {
        Self(Cell::new(0x9E37_79B9_7F4A_7C15))
    }

    /// How often arguments are drawn for each access.
    pub(crate) fn rounds(&self) -> Range<u32> {
        0..20_000
    }

    pub(crate) fn draw<T: Draw>(&self) -> T {
        T::from_word(self.word())
    }

    /// Marsaglia's xorshift64.
    fn random(&self) -> u64 {
        let mut x = self.0.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0.set(x);
        x
    }

    /// A word in which few bits are set, half of them, or all but a few.
    fn word(&self) -> u64 {
        let few = self.random() & self.random() & self.random();
        match self.random() >> 61 {
            0 => 0,
            1 => u64::MAX,
            2 | 3 => few,
            4 => !few,
            _ => self.random(),
        }
    }
}

/// What can be an argument.
pub(crate) trait Draw {
    fn from_word(word: u64) -> Self;
}

macro_rules! draw {
    ($($ty:ty: $word:ident => $value:expr;)+) => {
        $(impl Draw for $ty {
            fn from_word($word: u64) -> Self {
                $value
            }
        })+
    };
}

draw! {
    u64: word => word;
    u32: word => word as u32;
    u16: word => word as u16;
    u8: word => word as u8;
    bool: word => word & 1 == 1;
    Slot: word => Slot::ALL[word as usize % Slot::COUNT];
}
