//! Which of the two counters.

use core::fmt;

/// One of the two performance counters of a P6 family processor; an index that cannot be out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Counter {
    /// PerfCtr0, set up by PerfEvtSel0.
    Counter0,
    /// PerfCtr1, set up by PerfEvtSel1.
    Counter1,
}

impl Counter {
    /// Both counters, so two events can be counted at the same time.
    pub const ALL: [Self; 2] = [Self::Counter0, Self::Counter1];

    /// The counter's number: its place after PerfCtr0 and PerfEvtSel0, and its name in ECX for RDPMC.
    #[must_use]
    #[inline]
    pub const fn index(self) -> u32 {
        self as u32
    }

    /// The name of the register that sets it up, as in the manual.
    #[must_use]
    #[inline]
    pub const fn select_name(self) -> &'static str {
        match self {
            Self::Counter0 => "PerfEvtSel0",
            Self::Counter1 => "PerfEvtSel1",
        }
    }
}

impl TryFrom<u32> for Counter {
    type Error = NoSuchCounter;

    fn try_from(index: u32) -> Result<Self, NoSuchCounter> {
        match index {
            0 => Ok(Self::Counter0),
            1 => Ok(Self::Counter1),
            _ => Err(NoSuchCounter(index)),
        }
    }
}

/// There are the counters 0 and 1, not this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoSuchCounter(pub u32);

impl fmt::Display for NoSuchCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no performance counter {}; a P6 family processor has the counters 0 and 1", self.0)
    }
}

impl core::error::Error for NoSuchCounter {}

#[cfg(test)]
mod tests {
    use super::*;

    // P6-01: two counters
    #[test]
    fn there_are_two() {
        assert_eq!(Counter::try_from(0), Ok(Counter::Counter0));
        assert_eq!(Counter::try_from(1), Ok(Counter::Counter1));
        assert_eq!(Counter::try_from(2), Err(NoSuchCounter(2)));
        assert_eq!(Counter::try_from(u32::MAX), Err(NoSuchCounter(u32::MAX)));
        assert_eq!(Counter::ALL.map(Counter::index), [0, 1]);
    }
}
