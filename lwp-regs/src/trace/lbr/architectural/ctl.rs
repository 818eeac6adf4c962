//! IA32_LBR_CTL and IA32_LBR_DEPTH: which branches are recorded, and how many.

use super::ArchLbrCaps;
use crate::access::GeneralProtection;
use crate::refused::{Refused, Rule};
use bitflags::bitflags;

const CTL: &str = "IA32_LBR_CTL";
const DEPTH: &str = "IA32_LBR_DEPTH";

layout! {
    /// `IA32_LBR_CTL`: starts the records and chooses the branches. A 1 lets branches in, unlike in
    /// [`LbrSelect`](crate::trace::LbrSelect). The LBR flag of `IA32_DEBUGCTL` means nothing on processors with this register.
    ///
    /// Source: Linux, `msr-index.h` (`MSR_ARCH_LBR_CTL`) and `arch/x86/events/intel/lbr.c` (`ARCH_LBR_*_BIT`), from Intel SDM
    /// volume 3B, "Architectural Last Branch Records"; bit 22: ibid., `ARCH_LBR_OTHER_BRANCH_BIT`.
    #[doc(alias = "0x14CE")]
    #[doc(alias = "IA32_LBR_CTL")]
    #[doc(alias = "MSR_ARCH_LBR_CTL")]
    #[doc(alias = "LBREn")]
    pub struct Ia32LbrCtl: u64, Fault {
        /// Records branches.
        #[inline]
        pub enable: bool,
        /// Those that end at privilege level 0 (CPL filtering).
        #[inline]
        pub os: bool,
        /// Those that end at the other privilege levels.
        #[inline]
        pub user: bool,
        /// Call-stack mode: a return takes the record of its call away.
        #[inline]
        pub call_stack: bool,
        #[bits(12)]
        __: u64,
        /// Conditional branches.
        #[inline]
        pub jcc: bool,
        /// Relative near jumps.
        #[inline]
        pub near_rel_jmp: bool,
        /// Indirect near jumps.
        #[inline]
        pub near_ind_jmp: bool,
        /// Relative near calls.
        #[inline]
        pub near_rel_call: bool,
        /// Indirect near calls.
        #[inline]
        pub near_ind_call: bool,
        /// Near returns.
        #[inline]
        pub near_ret: bool,
        /// Every other branch: interrupts, exceptions, far branches.
        #[inline]
        pub other_branch: bool,
        #[bits(41)]
        __: u64,
    }
    msr "IA32_LBR_CTL" = 0x14CE, read_write, caps = ArchLbrCaps;
}

bitflags! {
    /// Kinds of branches that [`Ia32LbrCtl`] tells apart, to be combined: each at its bit of the register.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct ArchLbrBranches: u64 {
        /// Conditional branches.
        const CONDITIONAL = 1 << Ia32LbrCtl::JCC_OFFSET;
        /// Relative near jumps.
        const RELATIVE_JUMPS = 1 << Ia32LbrCtl::NEAR_REL_JMP_OFFSET;
        /// Indirect near jumps.
        const INDIRECT_JUMPS = 1 << Ia32LbrCtl::NEAR_IND_JMP_OFFSET;
        /// Relative near calls.
        const RELATIVE_CALLS = 1 << Ia32LbrCtl::NEAR_REL_CALL_OFFSET;
        /// Indirect near calls.
        const INDIRECT_CALLS = 1 << Ia32LbrCtl::NEAR_IND_CALL_OFFSET;
        /// Near returns.
        const RETURNS = 1 << Ia32LbrCtl::NEAR_RET_OFFSET;
        /// Every other branch.
        const OTHER = 1 << Ia32LbrCtl::OTHER_BRANCH_OFFSET;
        /// Near calls.
        const CALLS = Self::RELATIVE_CALLS.bits() | Self::INDIRECT_CALLS.bits();
    }
}

set_format!(ArchLbrBranches);

impl Ia32LbrCtl {
    /// Records nothing. Value after reset (unconfirmed; INIT keeps the register, as that of KVM does).
    pub const OFF: Self = Self::new();

    /// Records `branches` at every privilege level, beginning with the write. Where the processor lacks one of the two
    /// selections, its bits are 0 and leave nothing out (unconfirmed).
    ///
    /// # Errors
    ///
    /// [`Refused`] when the processor cannot choose kinds and `branches` is not all of them.
    #[inline]
    pub const fn recording(branches: ArchLbrBranches, caps: &ArchLbrCaps) -> Result<Self, Refused> {
        let levels = Self::new().with_enable(true).with_os(caps.ebx.levels()).with_user(caps.ebx.levels());
        if caps.ebx.filter() {
            return Ok(Self::from_bits(levels.into_bits() | branches.bits()));
        }
        if branches.bits() == ArchLbrBranches::all().bits() {
            return Ok(levels);
        }
        Err(Refused::new(CTL, branches.bits(), Rule::NotAvailable("branch filtering")))
    }

    /// The kinds that are let in.
    #[must_use]
    #[inline]
    pub const fn branches(self) -> ArchLbrBranches {
        ArchLbrBranches::from_bits_truncate(self.into_bits())
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// Source: patches to KVM for these registers, `arch_lbr_ctl_is_valid`.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the reserved bits or, if there are none, with the bits of a selection that CPUID
    /// does not report.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &ArchLbrCaps) -> Result<Self, GeneralProtection> {
        if new & Self::RESERVED != 0 {
            return Err(GeneralProtection::refused(CTL, new & Self::RESERVED, Rule::MustBeZero));
        }
        let none = Self::new();
        let groups = [
            (caps.ebx.levels(), none.with_os(true).with_user(true).into_bits(), "CPL filtering"),
            (caps.ebx.call_stack(), none.with_call_stack(true).into_bits(), "call-stack mode"),
            (caps.ebx.filter(), ArchLbrBranches::all().bits(), "branch filtering"),
        ];
        let mut i = 0;
        while i < groups.len() {
            let (available, bits, feature) = groups[i];
            if !available && new & bits != 0 {
                return Err(GeneralProtection::refused(CTL, new & bits, Rule::NotAvailable(feature)));
            }
            i += 1;
        }
        Ok(Self::from_bits(new))
    }
}

layout! {
    /// `IA32_LBR_DEPTH`: how many entries record. A write, of the same number too, sets every entry to 0.
    ///
    /// Source: Linux, `msr-index.h` (`MSR_ARCH_LBR_DEPTH`) and `intel_pmu_arch_lbr_reset`: "Write to ARCH_LBR_DEPTH MSR, all
    /// LBR entries are reset to 0".
    #[doc(alias = "0x14CF")]
    #[doc(alias = "IA32_LBR_DEPTH")]
    #[doc(alias = "MSR_ARCH_LBR_DEPTH")]
    pub struct Ia32LbrDepth: u64, Fault {
        /// Number of entries.
        #[inline]
        pub entries: u64,
    }
    msr "IA32_LBR_DEPTH" = 0x14CF, read_write, caps = ArchLbrCaps;
}

impl Ia32LbrDepth {
    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// Source: patches to KVM for these registers, `arch_lbr_depth_is_valid`.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with a number that CPUID does not list.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &ArchLbrCaps) -> Result<Self, GeneralProtection> {
        if caps.has_depth(new) {
            return Ok(Self::from_bits(new));
        }
        let rule = Rule::Forbidden("a depth has to be among those of CPUID.1CH:EAX[7:0]");
        Err(GeneralProtection::refused(DEPTH, new, rule))
    }
}

#[cfg(test)]
mod tests {
    use super::super::caps::tests::{ALL, LEAST};
    use super::*;
    use crate::trace::{ArchLbrEax, ArchLbrEbx};

    // Linux: ARCH_LBR_CTL_LBREN BIT(0), KERNEL 1, USER 2, CALL_STACK 3, JCC 16, REL_JMP 17, IND_JMP 18, REL_CALL 19,
    // IND_CALL 20, RETURN 21, OTHER_BRANCH 22; ARCH_LBR_CTL_MASK 0x7f000e
    #[test]
    fn positions() {
        let ctl = Ia32LbrCtl::new;
        let bits = [
            ctl().with_enable(true),
            ctl().with_os(true),
            ctl().with_user(true),
            ctl().with_call_stack(true),
            ctl().with_jcc(true),
            ctl().with_near_rel_jmp(true),
            ctl().with_near_ind_jmp(true),
            ctl().with_near_rel_call(true),
            ctl().with_near_ind_call(true),
            ctl().with_near_ret(true),
            ctl().with_other_branch(true),
        ];
        let numbers = [0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22];
        assert_eq!(bits.map(Ia32LbrCtl::into_bits), numbers.map(|bit| 1 << bit));
        assert_eq!((Ia32LbrCtl::ADDRESS, Ia32LbrDepth::ADDRESS), (0x14CE, 0x14CF));
        assert_eq!(!Ia32LbrCtl::RESERVED, 0x7F_000E | 1);
        assert_eq!(ArchLbrBranches::all().bits(), 0x7F_0000);
    }

    // KVM: without EBX[0] bits 2:1 fault, without EBX[2] bit 3, without EBX[1] bits 22:16
    #[test]
    fn writes() {
        let write = |new, ebx| {
            let caps = ArchLbrCaps { ebx: ArchLbrEbx::from_bits(ebx), ..ALL };
            Ia32LbrCtl::check_write(Ia32LbrCtl::OFF, new, &caps).map(Ia32LbrCtl::into_bits)
        };
        let lacks = |bits, feature| Err(GeneralProtection::refused(CTL, bits, Rule::NotAvailable(feature)));
        assert_eq!(write(0x7F_000F, 7), Ok(0x7F_000F));
        assert_eq!(write(0x7F_000F, 6), lacks(0x6, "CPL filtering"));
        assert_eq!(write(0x7F_000F, 5), lacks(0x7F_0000, "branch filtering"));
        assert_eq!(write(0x7F_000F, 3), lacks(0x8, "call-stack mode"));
        assert_eq!(write(1, 0), Ok(1), "the enable bit needs no flag");
        for bit in (4..16).chain(23..64) {
            let reserved = GeneralProtection::refused(CTL, 1 << bit, Rule::MustBeZero);
            assert_eq!(write(1 << bit | 1, 7), Err(reserved));
        }
    }

    #[test]
    fn what_is_recorded() {
        let calls = ArchLbrBranches::CALLS | ArchLbrBranches::RETURNS;
        let ctl = Ia32LbrCtl::recording(calls, &ALL).unwrap();
        assert_eq!((ctl.into_bits(), ctl.branches()), (0x38_0007, calls));
        assert_eq!(Ia32LbrCtl::recording(ArchLbrBranches::all(), &LEAST).map(Ia32LbrCtl::into_bits), Ok(1));
        assert_eq!(Ia32LbrCtl::recording(calls, &LEAST).unwrap_err().bits, 0x38_0000);
        for caps in [ALL, LEAST] {
            let every = Ia32LbrCtl::recording(ArchLbrBranches::all(), &caps).unwrap();
            assert!(Ia32LbrCtl::check_write(Ia32LbrCtl::OFF, every.into_bits(), &caps).is_ok());
        }
    }

    #[test]
    fn depths() {
        let write = |new, depths| {
            let caps = ArchLbrCaps { eax: ArchLbrEax::from_bits(depths), ..ALL };
            Ia32LbrDepth::check_write(Ia32LbrDepth::new(), new, &caps).map(|depth| depth.entries())
        };
        assert_eq!([8, 16, 32].map(|entries| write(entries, 0xB)), [Ok(8), Ok(16), Ok(32)]);
        assert_eq!(write(64, 0x80), Ok(64));
        // Testcases of KVM's review: 65, 127, 128 and multiples of 8 from 520 on
        for entries in [0, 7, 24, 33, 64, 65, 127, 128, 520, 1 << 32 | 8, u64::MAX] {
            assert!(write(entries, 0xB).is_err(), "{entries}");
        }
    }
}
