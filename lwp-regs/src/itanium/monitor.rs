//! The fields that every monitor has: at which level, in which process, in which instruction set it counts.

use bitflags::bitflags;

bitflags! {
    /// A privilege level mask (`plm`): bit n counts at current privilege level n.
    ///
    /// The manual writes the mask with level 3 first: its 1001 is levels 3 and 0, as in `0b1001`.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "Privilege Level Constraints".
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct Plm: u8 {
        /// Level 0: the kernel and its interruption handlers.
        const CPL0 = 0b0001;
        /// Level 1.
        const CPL1 = 0b0010;
        /// Level 2.
        const CPL2 = 0b0100;
        /// Level 3: applications.
        const CPL3 = 0b1000;
    }
}

set_format!(Plm);

impl Plm {
    /// Applications only: the manual's 1000.
    pub const USER: Self = Self::CPL3;
    /// Applications and kernel: the manual's 1001.
    pub const USER_AND_KERNEL: Self = Self::CPL3.union(Self::CPL0);

    #[inline]
    pub(super) const fn from_field(bits: u8) -> Self {
        Self::from_bits_retain(bits)
    }

    #[inline]
    pub(super) const fn into_field(self) -> u8 {
        self.bits() & Self::all().bits() // `from_bits_retain` takes any
    }

    /// Whether privilege level `cpl`, 0 to 3, is counted; `plm[cpl]` in the manual.
    #[must_use]
    #[inline]
    pub const fn allows(self, cpl: u8) -> bool {
        (cpl < 4) & (self.bits() >> (cpl & 3) & 1 == 1)
    }
}

/// What enables a monitor (`pm`): PSR.up, which user mode controls, or PSR.pp, which it does not.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "Privilege Level Constraints".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MonitorLevel {
    /// 0: a user-level monitor, enabled while PSR.up is 1.
    #[default]
    User,
    /// 1: a system-level monitor, enabled while PSR.pp is 1.
    System,
}

impl MonitorLevel {
    #[inline]
    pub(super) const fn from_bits(bits: u8) -> Self {
        if bits & 1 == 0 { Self::User } else { Self::System }
    }

    #[inline]
    pub(super) const fn into_bits(self) -> u8 {
        self as u8
    }
}

/// The instruction sets that a monitor counts (`ism`), bits 25:24. A 1 leaves one out: bit 24 IA-64, bit 25 IA-32.
///
/// The reference manual gives "IA-64 only" as 01. Intel's VTune help and libpfm have 10 for bits 25:24, with which it
/// agrees if it lists bit 24 first ([`in_printed_order`](Self::in_printed_order)); this type follows them.
///
/// Source: Intel VTune help on editing Itanium events; libpfm, `pfmlib_itanium.h`. The other reading: Intel Itanium
/// Processor Reference Manual for Software Development, "Instruction Set Constraints".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Ism {
    /// 00: both.
    #[default]
    Both,
    /// 01: IA-32 only.
    Ia32Only,
    /// 10: IA-64 only.
    Ia64Only,
    /// 11: neither; nothing is counted.
    Neither,
}

impl Ism {
    #[inline]
    pub(super) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0b00 => Self::Both,
            0b01 => Self::Ia32Only,
            0b10 => Self::Ia64Only,
            _ => Self::Neither,
        }
    }

    #[inline]
    pub(super) const fn into_bits(self) -> u8 {
        self as u8
    }

    /// The two bits as the reference manual prints them, bit 24 first. Not for the register.
    #[must_use]
    #[inline]
    pub const fn in_printed_order(self) -> u8 {
        let bits = self.into_bits();
        (bits & 1) << 1 | bits >> 1
    }

    /// Whether the instruction set is counted that PSR.is tells: IA-32 if it is 1.
    #[must_use]
    #[inline]
    pub const fn allows(self, is: bool) -> bool {
        match self {
            Self::Both => true,
            Self::Ia32Only => is,
            Self::Ia64Only => !is,
            Self::Neither => false,
        }
    }

    /// Whether IA-32 execution is counted.
    #[must_use]
    #[inline]
    pub const fn counts_ia32(self) -> bool {
        self.allows(true)
    }
}

/// The part of a control register that says when its monitor counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Monitor {
    /// At which privilege levels.
    pub plm: Plm,
    /// Enabled by which bit of the PSR.
    pub pm: MonitorLevel,
    /// In which instruction sets.
    pub ism: Ism,
}

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-43, ITA-44: one bit for each level; all masks at all levels
    #[test]
    fn privilege_levels() {
        assert_eq!(Plm::USER.bits(), 0b1000);
        assert_eq!(Plm::USER_AND_KERNEL.bits(), 0b1001);
        assert_eq!(Plm::from_bits_retain(0xF9).into_field(), 0b1001, "levels that do not exist leave no trace");
        for mask in 0..16u8 {
            let plm = Plm::from_field(mask);
            let allowed = [plm.allows(0), plm.allows(1), plm.allows(2), plm.allows(3)];
            assert_eq!(allowed, [mask & 1 != 0, mask & 2 != 0, mask & 4 != 0, mask & 8 != 0]);
            assert!(!plm.allows(4), "there is no level 4");
        }
    }

    // ITA-45
    #[test]
    fn levels_of_monitors() {
        assert_eq!((MonitorLevel::User.into_bits(), MonitorLevel::System.into_bits()), (0, 1));
        assert_eq!(
            (MonitorLevel::from_bits(0), MonitorLevel::from_bits(1)),
            (MonitorLevel::User, MonitorLevel::System)
        );
    }

    // ITA-15, ITA-56: four values by name; IA-64 only is 10, printed as 01
    #[test]
    fn instruction_sets() {
        let table = [
            (Ism::Both, 0b00, [true, true]),
            (Ism::Ia32Only, 0b01, [false, true]),
            (Ism::Ia64Only, 0b10, [true, false]),
            (Ism::Neither, 0b11, [false, false]),
        ];
        for (ism, bits, [ia64, ia32]) in table {
            assert_eq!((ism.into_bits(), Ism::from_bits(bits)), (bits, ism));
            assert_eq!((ism.allows(false), ism.allows(true)), (ia64, ia32), "{ism:?}");
        }
        assert_eq!(Ism::Ia64Only.in_printed_order(), 0b01);
        assert_eq!(Ism::Ia32Only.in_printed_order(), 0b10);
        assert_eq!((Ism::Both.in_printed_order(), Ism::Neither.in_printed_order()), (0b00, 0b11));
    }
}
