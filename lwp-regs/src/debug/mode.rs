//! Privilege levels and modes.

use crate::access::GeneralProtection;

/// A privilege level, 0 (the system) to 3 (the user).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cpl(u8);

impl Cpl {
    /// The most privileged level.
    pub const SYSTEM: Self = Self(0);
    /// The least privileged level.
    pub const USER: Self = Self(3);

    /// The level with this number; `None` from 4 on.
    #[must_use]
    #[inline]
    pub const fn new(level: u8) -> Option<Self> {
        if level < 4 { Some(Self(level)) } else { None }
    }

    /// The level at which code of this CS selector runs in protected mode: its bits 1:0.
    #[must_use]
    #[inline]
    pub const fn of_cs(cs: u16) -> Self {
        Self((cs & 0b11) as u8)
    }

    /// Its number.
    #[must_use]
    #[inline]
    pub const fn level(self) -> u8 {
        self.0
    }
}

/// The mode of the processor, as far as it decides about the debug registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ProcessorMode {
    /// Real-address mode.
    RealAddress,
    /// System-management mode.
    SystemManagement,
    /// Protected mode at a privilege level, 64-bit mode included. Virtual-8086 mode is level 3.
    Protected(Cpl),
}

impl ProcessorMode {
    /// Whether MOV may access the debug registers in this mode: in real-address mode, in SMM, and at level 0.
    ///
    /// Source: Intel SDM volume 3B, "Debug Registers".
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Privilege`] at the levels 1 to 3.
    #[inline]
    pub const fn check_debug_access(self) -> Result<(), GeneralProtection> {
        match self {
            Self::RealAddress | Self::SystemManagement | Self::Protected(Cpl::SYSTEM) => Ok(()),
            Self::Protected(_) => Err(GeneralProtection::Privilege),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DBG-05: real-address mode, SMM and level 0 may, levels 1 to 3 may not
    #[test]
    fn who_may_access() {
        let protected = |level| ProcessorMode::Protected(Cpl::new(level).unwrap()).check_debug_access();
        assert_eq!(ProcessorMode::RealAddress.check_debug_access(), Ok(()));
        assert_eq!(ProcessorMode::SystemManagement.check_debug_access(), Ok(()));
        assert_eq!(protected(0), Ok(()));
        for level in 1..4 {
            assert_eq!(protected(level), Err(GeneralProtection::Privilege), "{level}");
        }
    }

    #[test]
    fn levels() {
        assert_eq!(Cpl::of_cs(0x33), Cpl::USER);
        assert_eq!(Cpl::of_cs(0x10), Cpl::SYSTEM);
        assert_eq!(Cpl::new(4), None);
    }
}
