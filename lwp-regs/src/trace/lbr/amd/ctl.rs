//! DBG_EXTN_CFG and LBR_SELECT: starting AMD's branch records, and leaving branches out.

use super::AmdLbrCaps;
use crate::access::GeneralProtection;
use crate::refused::Rule;
use crate::trace::LbrBranches;

layout! {
    /// `DBG_EXTN_CFG` (DebugExtnCtl): starts the branch records. Its other bits belong to other features, which a write
    /// has to preserve.
    ///
    /// Source: Linux, `msr-index.h`, `MSR_AMD_DBG_EXTN_CFG` and `DBG_EXTN_CFG_LBRV2EN` (`BIT_ULL(6)`), from AMD APM volume 2,
    /// "Last Branch Stack Registers".
    #[doc(alias = "0xC000010F")]
    #[doc(alias = "DbgExtnCfg")]
    #[doc(alias = "DBG_EXTN_CFG")]
    #[doc(alias = "DebugExtnCtl")]
    pub struct AmdDbgExtnCfg: u64, Preserve {
        #[bits(6)]
        __: u8,
        /// Records branches (`LBRV2EN`).
        #[inline]
        pub lbr_v2_enable: bool,
        #[bits(57)]
        __: u64,
    }
    msr "DBG_EXTN_CFG" = 0xC000_010F, read_write;
}

layout! {
    /// `LBR_SELECT` of AMD: a 1 leaves branches out. The bits are those of [`LbrSelect`](crate::trace::LbrSelect) without the
    /// call stack.
    ///
    /// Source: Linux, `arch/x86/events/amd/lbr.c` (`LBR_SELECT_*`, `LBR_SELECT_MASK` 0x1ff); number: `msr-index.h`,
    /// `MSR_AMD64_LBR_SELECT`.
    #[doc(alias = "0xC000010E")]
    #[doc(alias = "LBR_SELECT")]
    #[doc(alias = "MSR_AMD64_LBR_SELECT")]
    pub struct AmdLbrSelect: u64, Fault {
        /// Not those that end at privilege level 0.
        #[inline]
        pub cpl_eq_0: bool,
        /// Not those that end above privilege level 0.
        #[inline]
        pub cpl_neq_0: bool,
        /// No conditional branches.
        #[inline]
        pub jcc: bool,
        /// No relative near calls.
        #[inline]
        pub near_rel_call: bool,
        /// No indirect near calls.
        #[inline]
        pub near_ind_call: bool,
        /// No near returns.
        #[inline]
        pub near_ret: bool,
        /// No indirect near jumps.
        #[inline]
        pub near_ind_jmp: bool,
        /// No relative near jumps.
        #[inline]
        pub near_rel_jmp: bool,
        /// No far branches.
        #[inline]
        pub far_branch: bool,
        #[bits(55)]
        __: u64,
    }
    msr "LBR_SELECT" = 0xC000_010E, read_write, caps = AmdLbrCaps;
}

impl AmdLbrSelect {
    /// The value that records `branches` and no others, at every privilege level.
    #[must_use]
    #[inline]
    pub const fn only(branches: LbrBranches) -> Self {
        Self::from_bits(LbrBranches::all().difference(branches).bits())
    }

    /// The kinds that are recorded.
    #[must_use]
    #[inline]
    pub const fn branches(self) -> LbrBranches {
        LbrBranches::from_bits_truncate(!self.into_bits())
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the reserved bits. That they fault is unconfirmed: Linux never writes them.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &AmdLbrCaps) -> Result<Self, GeneralProtection> {
        match new & Self::RESERVED {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("LBR_SELECT", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Linux: KERNEL 0, USER 1, JCC 2, CALL_NEAR_REL 3, CALL_NEAR_IND 4, RET_NEAR 5, JMP_NEAR_IND 6, JMP_NEAR_REL 7,
    // FAR_BRANCH 8; LBR_SELECT_MASK 0x1ff; 0xc000010e; MSR_AMD_DBG_EXTN_CFG 0xc000010f, LBRV2EN BIT_ULL(6)
    #[test]
    fn numbers_and_positions() {
        let select = AmdLbrSelect::new;
        let bits = [
            select().with_cpl_eq_0(true),
            select().with_cpl_neq_0(true),
            select().with_jcc(true),
            select().with_near_rel_call(true),
            select().with_near_ind_call(true),
            select().with_near_ret(true),
            select().with_near_ind_jmp(true),
            select().with_near_rel_jmp(true),
            select().with_far_branch(true),
        ];
        assert_eq!(bits.map(AmdLbrSelect::into_bits), [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100]);
        assert_eq!((AmdLbrSelect::ADDRESS, AmdLbrSelect::RESERVED), (0xC000_010E, !0x1FF));
        assert_eq!((AmdDbgExtnCfg::ADDRESS, AmdDbgExtnCfg::RESERVED), (0xC000_010F, !0x40));
        assert_eq!(AmdDbgExtnCfg::new().with_lbr_v2_enable(true).into_bits(), 0x40);
    }

    #[test]
    fn kinds_and_writes() {
        let returns = AmdLbrSelect::only(LbrBranches::RETURNS);
        assert_eq!((returns.into_bits(), returns.branches()), (0x1DC, LbrBranches::RETURNS));
        let caps = AmdLbrCaps::new(16, false);
        let write = |new| AmdLbrSelect::check_write(AmdLbrSelect::new(), new, &caps).map(AmdLbrSelect::into_bits);
        assert_eq!(write(0x1FF), Ok(0x1FF));
        assert_eq!(write(0x3FF), Err(GeneralProtection::refused("LBR_SELECT", 0x200, Rule::MustBeZero)));
    }
}
