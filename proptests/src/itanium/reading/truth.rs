//! What is known of a bit, a number and a register: the documents leave some of them open.

/// A bit; `None` if the documents do not define it.
pub(super) type Truth = Option<bool>;

pub(super) const YES: Truth = Some(true);
pub(super) const NO: Truth = Some(false);

pub(super) fn and(left: Truth, right: Truth) -> Truth {
    match (left, right) {
        (NO, _) | (_, NO) => NO,
        (YES, YES) => YES,
        _ => None,
    }
}

pub(super) fn or(left: Truth, right: Truth) -> Truth {
    not(and(not(left), not(right)))
}

pub(super) fn not(bit: Truth) -> Truth {
    bit.map(|bit| !bit)
}

/// A number between two bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) least: u32,
    pub(super) most: u32,
}

impl Span {
    pub(super) const ZERO: Self = Self { least: 0, most: 0 };

    /// Returns `number` if it counts, 0 if it does not, both bounds if that is not known.
    pub(super) fn of(number: u32, counts: Truth) -> Self {
        let least = if counts == YES { number } else { 0 };
        let most = if counts == NO { 0 } else { number };
        Self { least, most }
    }

    /// Returns the sum of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { least: self.least + other.least, most: self.most + other.most }
    }

    /// Returns the number, if it is known.
    pub(super) fn exact(self) -> Option<u32> {
        (self.least == self.most).then_some(self.least)
    }

    /// Returns whether the number is larger than `limit`.
    pub(super) fn above(self, limit: u32) -> Truth {
        if self.least > limit {
            YES
        } else if self.most <= limit {
            NO
        } else {
            None
        }
    }
}

/// A register of 64 bits, some of which are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) value: u64,
    pub(super) known: u64,
}

impl Bits {
    /// Returns a register whose bits are all known.
    pub(super) const fn exact(value: u64) -> Self {
        Self { value, known: u64::MAX }
    }

    /// Returns `width` bits from bit `at`, if all of them are known.
    pub(super) fn field(self, at: u32, width: u32) -> Option<u64> {
        let ones = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        (self.known >> at & ones == ones).then_some(self.value >> at & ones)
    }

    /// Returns a bit.
    pub(super) fn bit(self, at: u32) -> Truth {
        self.field(at, 1).map(|bit| bit == 1)
    }

    /// Sets a bit, or forgets it.
    pub(super) fn set(&mut self, at: u32, bit: Truth) {
        self.value = self.value & !(1 << at) | u64::from(bit == YES) << at;
        self.known = self.known & !(1 << at) | u64::from(bit.is_some()) << at;
    }

    /// Returns whether a value that is read may be that of the register.
    pub(super) fn allows(self, value: u64) -> bool {
        (value ^ self.value) & self.known == 0
    }
}
