//! MSR_LBR_SELECT: which branches the LBR stack leaves out.

use super::LbrLayout;
use crate::access::GeneralProtection;
use crate::msr::{Msr, msr_value};
use crate::refused::Rule;
use bitflags::bitflags;

layout! {
    /// `MSR_LBR_SELECT`: a 1 leaves branches out, except for `call_stack`. Value after reset 0: all are recorded.
    ///
    /// On Nehalem and Westmere, calls are recorded only if jumps are (Linux: indirect calls need indirect jumps, calls of
    /// both kinds need both kinds of jumps).
    ///
    /// Source: Linux, `arch/x86/events/intel/lbr.c`, from Intel SDM volume 3B, "LBR Stack and Filtering"
    /// (`MSR_LBR_SELECT`).
    #[doc(alias = "0x1C8")]
    #[doc(alias = "MSR_LBR_SELECT")]
    pub struct LbrSelect: u64, Fault {
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
        /// No far branches: interrupts, exceptions, system calls and their returns among them.
        #[inline]
        pub far_branch: bool,
        /// Call-stack mode: a return takes the record of its call off the stack. Haswell and later.
        #[inline]
        pub call_stack: bool,
        #[bits(54)]
        __: u64,
    }
}

msr_value!(LbrSelect, "MSR_LBR_SELECT", read_write, caps = LbrLayout);

bitflags! {
    /// Kinds of branches that [`LbrSelect`] tells apart, to be combined: bit n is bit n of the register.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct LbrBranches: u64 {
        /// Conditional branches.
        const CONDITIONAL = 1 << LbrSelect::JCC_OFFSET;
        /// Relative near calls.
        const RELATIVE_CALLS = 1 << LbrSelect::NEAR_REL_CALL_OFFSET;
        /// Indirect near calls.
        const INDIRECT_CALLS = 1 << LbrSelect::NEAR_IND_CALL_OFFSET;
        /// Near returns.
        const RETURNS = 1 << LbrSelect::NEAR_RET_OFFSET;
        /// Indirect near jumps.
        const INDIRECT_JUMPS = 1 << LbrSelect::NEAR_IND_JMP_OFFSET;
        /// Relative near jumps.
        const RELATIVE_JUMPS = 1 << LbrSelect::NEAR_REL_JMP_OFFSET;
        /// Far branches, interrupts and exceptions.
        const FAR = 1 << LbrSelect::FAR_BRANCH_OFFSET;
        /// Near calls.
        const CALLS = Self::RELATIVE_CALLS.bits() | Self::INDIRECT_CALLS.bits();
    }
}

set_format!(LbrBranches);

impl LbrSelect {
    /// The register; [`LbrLayout::select`] tells whether a model has it.
    pub(super) const MSR: Msr<Self> = Msr::new(Self::ADDRESS);
    /// Number of the register.
    pub const ADDRESS: u32 = 0x1C8;

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
        LbrBranches::from_bits_truncate(!self.into_bits()) // the other bits are not about kinds
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] where the model has no such register; [`GeneralProtection::Refused`] with
    /// the bits that are reserved or, if there are none, with `call_stack` where the model has no such mode. That
    /// reserved bits fault is this project's reading.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, layout: &LbrLayout) -> Result<Self, GeneralProtection> {
        let value = Self::from_bits(new);
        if layout.select().is_none() {
            return Err(GeneralProtection::NoSuchRegister);
        }
        match new & Self::RESERVED {
            0 if value.call_stack() && !layout.has_call_stack() => {
                let bits = Self::new().with_call_stack(true).into_bits();
                Err(GeneralProtection::refused("MSR_LBR_SELECT", bits, Rule::NotAvailable("call-stack mode")))
            }
            0 => Ok(value),
            bits => Err(GeneralProtection::refused("MSR_LBR_SELECT", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let select = LbrSelect::new;
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
            select().with_call_stack(true),
        ];
        assert_eq!(bits.map(LbrSelect::into_bits), [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200]);
        assert_eq!(LbrSelect::ADDRESS, 0x1C8);
    }

    #[test]
    fn a_one_leaves_out() {
        assert_eq!(LbrSelect::only(LbrBranches::all()).into_bits(), 0);
        assert_eq!(LbrSelect::only(LbrBranches::CALLS | LbrBranches::RETURNS).into_bits(), 0x1C4);
        assert_eq!(LbrSelect::only(LbrBranches::empty()).into_bits(), 0x1FC);
        assert_eq!(LbrSelect::from_bits(0x1C5).branches(), LbrBranches::CALLS | LbrBranches::RETURNS);
    }

    #[test]
    fn writes_by_model() {
        let write = |new, layout| LbrSelect::check_write(LbrSelect::new(), new, &layout).map(LbrSelect::into_bits);
        assert_eq!(write(0, LbrLayout::CORE2), Err(GeneralProtection::NoSuchRegister));
        assert_eq!(write(0x1FF, LbrLayout::NEHALEM), Ok(0x1FF));
        let no_stack = GeneralProtection::refused("MSR_LBR_SELECT", 0x200, Rule::NotAvailable("call-stack mode"));
        assert_eq!(write(0x3C5, LbrLayout::NEHALEM), Err(no_stack));
        assert_eq!(write(0x3C5, LbrLayout::HASWELL), Ok(0x3C5));
        let reserved = GeneralProtection::refused("MSR_LBR_SELECT", 0xC00, Rule::MustBeZero);
        assert_eq!(write(0xC00, LbrLayout::SKYLAKE), Err(reserved));
    }
}
