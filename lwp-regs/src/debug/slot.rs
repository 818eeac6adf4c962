//! The four breakpoints: one of them, and a set of them.

use super::{BreakpointAddress, Dr};
use bitflags::bitflags;
use core::fmt;

/// One of the four breakpoints, named by the register that holds its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Slot {
    /// Breakpoint 0: DR0, with L0, G0, R/W0 and LEN0 of DR7 and B0 of DR6.
    Dr0 = 0,
    /// Breakpoint 1: DR1, and so on.
    Dr1 = 1,
    /// Breakpoint 2.
    Dr2 = 2,
    /// Breakpoint 3.
    Dr3 = 3,
}

impl Slot {
    /// How many breakpoints there are.
    pub const COUNT: usize = 4;
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [Self::Dr0, Self::Dr1, Self::Dr2, Self::Dr3];

    /// The breakpoint with this number; `None` from 4 on.
    #[must_use]
    #[inline]
    pub const fn new(number: usize) -> Option<Self> {
        if number < Self::COUNT { Some(Self::ALL[number]) } else { None }
    }

    /// Its number, 0 to 3.
    #[must_use]
    #[inline]
    pub const fn number(self) -> usize {
        self as usize
    }

    /// The register that holds its address.
    #[must_use]
    #[inline]
    pub const fn register(self) -> Dr<BreakpointAddress> {
        BreakpointAddress::dr(self)
    }

    /// The set of only this one.
    #[must_use]
    #[inline]
    pub const fn set(self) -> Slots {
        Slots::from_bits_retain(1 << self as u8)
    }

    /// Name of its address register, as in the manual.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        ["DR0", "DR1", "DR2", "DR3"][self as usize]
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

bitflags! {
    /// A set of breakpoints, in the layout of B0 to B3 in DR6.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct Slots: u8 {
        /// Breakpoint 0.
        const DR0 = 1 << Slot::Dr0 as u8;
        /// Breakpoint 1.
        const DR1 = 1 << Slot::Dr1 as u8;
        /// Breakpoint 2.
        const DR2 = 1 << Slot::Dr2 as u8;
        /// Breakpoint 3.
        const DR3 = 1 << Slot::Dr3 as u8;
    }
}

set_format!(Slots);

impl Slots {
    /// Whether the set has this breakpoint.
    #[must_use]
    #[inline]
    pub const fn has(self, slot: Slot) -> bool {
        self.intersects(slot.set())
    }

    /// The breakpoints of the set, in the order of their numbers.
    pub fn slots(self) -> impl Iterator<Item = Slot> {
        Slot::ALL.into_iter().filter(move |&slot| self.has(slot))
    }
}

impl From<Slot> for Slots {
    fn from(slot: Slot) -> Self {
        slot.set()
    }
}

impl FromIterator<Slot> for Slots {
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Self {
        slots.into_iter().fold(Self::empty(), |set, slot| set | slot.set())
    }
}

#[cfg(test)]
mod tests {
    use super::{Slot, Slots};
    use crate::access::DebugRegister;

    // DBG-06: there are four breakpoints, each with an address register of its own
    #[test]
    fn there_are_four() {
        let registers = [DebugRegister::Dr0, DebugRegister::Dr1, DebugRegister::Dr2, DebugRegister::Dr3];
        for (number, register) in registers.into_iter().enumerate() {
            let slot = Slot::new(number).unwrap();
            assert_eq!(slot.number(), number);
            assert_eq!(slot.register().register(), register);
        }
        assert_eq!(Slot::new(4), None);
        assert_eq!(Slot::Dr3.name(), "DR3");
    }

    #[test]
    fn sets() {
        assert_eq!(Slot::Dr2.set().bits(), 0b0100);
        let set = Slots::DR1 | Slots::DR3;
        assert!(set.has(Slot::Dr1) && !set.has(Slot::Dr2));
        assert!(set.slots().eq([Slot::Dr1, Slot::Dr3]));
        assert_eq!(set.slots().collect::<Slots>(), set);
    }
}
