//! What the exception pushed, as far as a debugger needs it.

use super::{Cpl, Eflags};

/// The part of an exception's stack frame that a #DB handler reads and changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DebugFrame {
    /// The saved instruction pointer, relative to CS.
    pub ip: u64,
    /// The saved CS selector.
    pub cs: u16,
    /// The saved flags.
    pub flags: Eflags,
}

/// Where a #DB was delivered, compared with where its condition arose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Delivery {
    /// At the same privilege level.
    SameLevel,
    /// At another one: an interrupt handler had been entered before. Saved pointer and flags are the handler's.
    LevelChanged {
        /// The level at which the condition arose.
        detected: Cpl,
        /// The level that was interrupted.
        delivered: Cpl,
    },
}

impl DebugFrame {
    /// The privilege level of the interrupted code. In real-address mode CS does not tell it.
    #[must_use]
    #[inline]
    pub const fn cpl(&self) -> Cpl {
        if self.flags.vm() { Cpl::USER } else { Cpl::of_cs(self.cs) }
    }

    /// Whether the privilege level has changed since the condition arose at `detected`, the level of the code for which
    /// the breakpoint was set.
    ///
    /// That happens when a MOV or POP to SS hits a data breakpoint and INT n, INT3 or INTO follows: the #DB is
    /// delivered after the switch to that interrupt's handler. A handler that takes the frame for the program's would
    /// then let a program act on the system.
    ///
    /// Source: Intel SDM volume 3B, "Data Memory and I/O Breakpoint Exception Conditions".
    #[must_use]
    #[inline]
    pub const fn delivery(&self, detected: Cpl) -> Delivery {
        let delivered = self.cpl();
        if delivered.level() == detected.level() {
            Delivery::SameLevel
        } else {
            Delivery::LevelChanged { detected, delivered }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DBG-61: between the access at level 3 and #DB an INT n has led to level 0
    #[test]
    fn the_level_may_have_changed() {
        let program = DebugFrame { ip: 0x40_1136, cs: 0x33, flags: Eflags::from_bits(0x246) };
        assert_eq!(program.delivery(Cpl::USER), Delivery::SameLevel);
        let system = DebugFrame { ip: 0xFFFF_FFFF_8100_0000, cs: 0x10, ..program };
        assert_eq!(system.delivery(Cpl::USER), Delivery::LevelChanged { detected: Cpl::USER, delivered: Cpl::SYSTEM });
        assert_eq!(system.delivery(Cpl::SYSTEM), Delivery::SameLevel);
    }

    #[test]
    fn virtual_8086_mode_is_level_3() {
        let frame = DebugFrame { ip: 0, cs: 0xF000, flags: Eflags::from_bits(0x2_0202) };
        assert_eq!(frame.cpl(), Cpl::USER);
    }
}
