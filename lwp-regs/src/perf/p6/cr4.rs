//! CR4.PCE: who may use RDPMC.

/// Who may read the counters with RDPMC: CR4.PCE, bit 8.
///
/// A secure system keeps [`KernelOnly`](Self::KernelOnly): whoever reads the counters sees traces of what others do, and
/// times it. It gives user mode an interface of its own instead, for instance [`EmulatedRdpmc`](super::EmulatedRdpmc)
/// behind a system call, which can decide who sees what. [`Everybody`](Self::Everybody) is for machines that have one user
/// or none. On a Pentium Pro before stepping 9 it is broken as well (its erratum 26, as Linux has it).
///
/// Source: Intel SDM volume 3, "PerfCtr0 and PerfCtr1 MSRs" and "Control Registers"; erratum: Linux
/// `arch/x86/events/intel/p6.c`.
#[doc(alias = "PCE")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RdpmcPolicy {
    /// Privilege level 0 only: PCE is 0. What a system sets when it initialises.
    #[default]
    KernelOnly,
    /// Any privilege level, virtual-8086 mode included: PCE is 1.
    Everybody,
}

impl RdpmcPolicy {
    /// CR4.PCE, performance-monitoring counter enable.
    pub const CR4_PCE: u64 = 1 << 8;

    /// The value of CR4 that makes this the policy; all other bits of `cr4` stay.
    #[must_use]
    #[inline]
    pub const fn apply(self, cr4: u64) -> u64 {
        match self {
            Self::KernelOnly => cr4 & !Self::CR4_PCE,
            Self::Everybody => cr4 | Self::CR4_PCE,
        }
    }

    /// The policy that `cr4` holds.
    #[must_use]
    #[inline]
    pub const fn of(cr4: u64) -> Self {
        match cr4 & Self::CR4_PCE {
            0 => Self::KernelOnly,
            _ => Self::Everybody,
        }
    }

    /// Whether RDPMC may be executed at privilege level `cpl` (virtual-8086 mode is level 3); else it raises #GP.
    #[must_use]
    #[inline]
    pub const fn permits(self, cpl: u8) -> bool {
        matches!(self, Self::Everybody) || cpl == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // VPC-62: bit 8 is set by OR with 256, nothing else changes
    #[test]
    fn pce_is_bit_8() {
        assert_eq!(RdpmcPolicy::CR4_PCE, 256);
        assert_eq!(RdpmcPolicy::Everybody.apply(0), 0x100);
        assert_eq!(RdpmcPolicy::Everybody.apply(0x6D0), 0x7D0);
        assert_eq!(RdpmcPolicy::Everybody.apply(0x7D0), 0x7D0);
    }

    // P6-36: the secure policy, which is the default, clears it
    #[test]
    fn the_default_is_secure() {
        assert_eq!(RdpmcPolicy::default().apply(0x7D0), 0x6D0);
        assert_eq!(RdpmcPolicy::of(0x6D0), RdpmcPolicy::KernelOnly);
        assert_eq!(RdpmcPolicy::of(0x7D0), RdpmcPolicy::Everybody);
    }

    // P6-34: PCE and privilege level; virtual-8086 mode runs at level 3
    #[test]
    fn who_may_execute_rdpmc() {
        let at_levels = |cr4| [0, 1, 2, 3].map(|cpl| RdpmcPolicy::of(cr4).permits(cpl));
        assert_eq!(at_levels(0x000), [true, false, false, false]);
        assert_eq!(at_levels(0x100), [true, true, true, true]);
    }
}
