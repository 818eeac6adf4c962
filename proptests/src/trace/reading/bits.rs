//! Values of which some bits are open.

use std::fmt;

/// A 64-bit value whose bits outside `care` may have any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bits {
    value: u64,
    care: u64,
}

impl Bits {
    /// Any value.
    pub(super) const ANY: Self = Self { value: 0, care: 0 };

    /// Returns the one value `value`.
    pub(super) const fn exact(value: u64) -> Self {
        Self { value, care: u64::MAX }
    }

    /// Returns the values that agree with `value` in the bits of `care`.
    pub(super) const fn masked(value: u64, care: u64) -> Self {
        Self { value: value & care, care }
    }

    /// Returns the values that agree with `value` in the lowest `count` bits.
    pub(super) fn low(value: u64, count: u32) -> Self {
        Self::masked(value, ones(count))
    }

    /// Whether `value` is one of the values.
    pub(super) const fn allows(self, value: u64) -> bool {
        value & self.care == self.value
    }

    /// Whether some value belongs to both.
    pub(super) const fn meets(self, other: Self) -> bool {
        (self.value ^ other.value) & self.care & other.care == 0
    }

    /// Returns the value, if there is only one.
    pub(super) fn known(self) -> Option<u64> {
        (self.care == u64::MAX).then_some(self.value)
    }

    /// Returns a set that has the values of both.
    pub(super) const fn or(self, other: Self) -> Self {
        Self::masked(self.value, self.care & other.care & !(self.value ^ other.value))
    }

    /// Returns the values whose low half is that of `self`, and whose high half is the low one of `high`.
    pub(super) fn joined(self, high: Self) -> Self {
        let half = ones(32);
        Self::masked(self.value & half | high.value << 32, self.care & half | high.care << 32)
    }

    /// Returns the values with these bits in place of their own. `None` leaves the bit open.
    pub(super) fn with(self, bit: u32, state: Option<bool>) -> Self {
        let mask = 1 << bit;
        match state {
            None => Self::masked(self.value, self.care & !mask),
            Some(state) => Self { value: self.value & !mask | u64::from(state) << bit, care: self.care | mask },
        }
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.care {
            u64::MAX => write!(f, "{:#x}", self.value),
            care => write!(f, "{:#x} in the bits {care:#x}", self.value),
        }
    }
}

/// Returns a value whose lowest `count` bits are 1.
pub(super) fn ones(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
