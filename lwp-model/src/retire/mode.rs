//! Mode.

use crate::choice::choice;
use lwp_regs::access::OperatingMode;

/// Operating mode of the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum OpMode {
    /// Real mode.
    Real = 0,
    /// Virtual-8086 mode.
    Virtual8086 = 1,
    /// Legacy protected mode, 32-bit addresses.
    Protected = 2,
    /// Compatibility mode (32-bit code under long mode), 32-bit addresses.
    Compatibility = 3,
    /// 64-bit mode.
    #[default]
    Long64 = 4,
    /// Not used, acts as protected mode.
    Unused5 = 5,
    /// Not used, acts as protected mode.
    Unused6 = 6,
    /// Not used, acts as protected mode.
    Unused7 = 7,
}

choice!(OpMode {
    Real = "real",
    Virtual8086 = "virtual-8086",
    Protected = "protected",
    Compatibility = "compatibility",
    Long64 = "64-bit",
    Unused5 = "unused 5",
    Unused6 = "unused 6",
    Unused7 = "unused 7",
});

impl OpMode {
    /// Returns the privilege level: 0 in real mode, 3 in virtual-8086 mode, otherwise `cpl`.
    #[must_use]
    #[inline]
    pub const fn level(self, cpl: u8) -> u8 {
        match self {
            Self::Real => OperatingMode::RealAddress,
            Self::Virtual8086 => OperatingMode::Virtual8086,
            _ => OperatingMode::Protected,
        }
        .level(cpl)
    }
}

/// Privilege and operating mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Current privilege level, 0 to 3: 0 in real mode, 3 in virtual-8086 mode.
    pub cpl: u8,
    /// Whether the processor is in System Management Mode, or enters or leaves it.
    pub smm: bool,
    /// Operating mode.
    pub op_mode: OpMode,
}
