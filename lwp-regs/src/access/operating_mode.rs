//! The privilege level of a mode.

/// The mode of the processor, as far as the privilege level depends on it.
///
/// Source: Intel SDM volume 3B, "8086 Emulation": code in virtual-8086 mode runs at level 3. That nothing is forbidden in
/// real-address mode: volume 2, "Real-Address Mode Exceptions" of the instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum OperatingMode {
    /// Real-address mode.
    RealAddress,
    /// Virtual-8086 mode.
    Virtual8086,
    /// Protected mode, compatibility mode and 64-bit mode included.
    Protected,
}

impl OperatingMode {
    /// The privilege level in this mode: 0 in real-address mode, 3 in virtual-8086 mode, else the current privilege level
    /// `cpl`, 0 to 3.
    #[must_use]
    #[inline]
    pub const fn level(self, cpl: u8) -> u8 {
        match self {
            Self::RealAddress => 0,
            Self::Virtual8086 => 3,
            Self::Protected => cpl,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OperatingMode;

    // TSC-11: virtual-8086 mode is level 3, whatever CPL is
    #[test]
    fn levels() {
        for cpl in 0..4 {
            assert_eq!(OperatingMode::RealAddress.level(cpl), 0);
            assert_eq!(OperatingMode::Virtual8086.level(cpl), 3);
            assert_eq!(OperatingMode::Protected.level(cpl), cpl);
        }
    }
}
