//! Privilege levels and modes.

use crate::access::{GeneralProtection, OperatingMode};

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
    /// The mode of a processor in this operating mode at `cpl`, in SMM or outside. SMM comes first, then real-address mode.
    #[must_use]
    #[inline]
    pub const fn new(mode: OperatingMode, cpl: Cpl, smm: bool) -> Self {
        match mode {
            _ if smm => Self::SystemManagement,
            OperatingMode::RealAddress => Self::RealAddress,
            OperatingMode::Virtual8086 => Self::Protected(Cpl::USER),
            OperatingMode::Protected => Self::Protected(cpl),
        }
    }

    /// The operand of a MOV to or from a debug register: 64 bits in 64-bit mode, otherwise 32.
    ///
    /// Source: Intel SDM volume 3B, "Debug Registers and Intel 64 Processors".
    #[must_use]
    #[inline]
    pub const fn debug_operand(value: u64, in_64_bit_mode: bool) -> u64 {
        if in_64_bit_mode { value } else { value & u32::MAX as u64 }
    }

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

    // DBG-05: SMM may, whatever the mode below it; virtual-8086 mode is level 3 and may not
    #[test]
    fn modes() {
        let may = |mode, cpl, smm| ProcessorMode::new(mode, Cpl::new(cpl).unwrap(), smm).check_debug_access().is_ok();
        for cpl in 0..4 {
            assert!(may(OperatingMode::RealAddress, cpl, false));
            assert!(!may(OperatingMode::Virtual8086, cpl, false));
            assert_eq!(may(OperatingMode::Protected, cpl, false), cpl == 0);
            for mode in [OperatingMode::RealAddress, OperatingMode::Virtual8086, OperatingMode::Protected] {
                assert!(may(mode, cpl, true));
            }
        }
    }

    // DBG-07: in 32-bit modes bits 63:32 are neither read nor written
    #[test]
    fn operands() {
        assert_eq!(ProcessorMode::debug_operand(0xFFFF_8000_1234_5678, true), 0xFFFF_8000_1234_5678);
        assert_eq!(ProcessorMode::debug_operand(0xFFFF_8000_1234_5678, false), 0x1234_5678);
    }

    #[test]
    fn levels() {
        assert_eq!(Cpl::of_cs(0x33), Cpl::USER);
        assert_eq!(Cpl::of_cs(0x10), Cpl::SYSTEM);
        assert_eq!(Cpl::new(4), None);
    }
}
