//! The fields of the processor status register that monitoring goes by.

use super::{Dcr, MonitorLevel};
use crate::bits::U2;

layout! {
    /// PSR, as far as it is about monitoring. The other bits are kept as they are.
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Processor Status Register (PSR)"; Linux,
    /// `arch/ia64/include/asm/kregs.h`.
    pub struct Psr: u64, Preserve {
        #[bits(2)]
        __: u8,
        /// Enables user-level monitors. User mode can change it, with `sum` and `rum`.
        #[inline]
        pub up: bool,
        #[bits(17)]
        __: u32,
        /// Secure monitors: outside privilege level 0, data registers read as 0.
        #[inline]
        pub sp: bool,
        /// Enables system-level monitors. Only privilege level 0 can change it.
        #[inline]
        pub pp: bool,
        #[bits(10)]
        __: u16,
        /// Current privilege level.
        #[inline]
        #[bits(2)]
        pub cpl: U2,
        /// Instruction set: 1 while IA-32 code runs.
        #[inline]
        pub is: bool,
        #[bits(29)]
        __: u32,
    }
}

impl Psr {
    /// The fields of this register once an interruption has been delivered: privilege level 0, IA-64 code, `sp` is 0, and
    /// `pp` comes from DCR.pp. Of the others nothing is said.
    ///
    /// `up` stays: the reference manual does not say otherwise, and a system call that enters by an interruption would
    /// not be counted for its process if it went. A handler that is not to be counted by user-level monitors clears it.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "Privilege Level Constraints"; Intel
    /// Itanium Architecture Software Developer's Manual, volume 2, "Processor Status Register (PSR)", on the state after an
    /// interruption.
    #[must_use]
    #[inline]
    pub const fn after_interruption(self, dcr: Dcr) -> Self {
        self.with_cpl(U2::of::<0>()).with_is(false).with_sp(false).with_pp(dcr.pp())
    }

    /// Whether reading a counter, whose PMC\[i\].pm is `pm`, gives its count; 0 if not. Outside privilege level 0, PSR.sp
    /// hides all counters, and those of system-level monitors are always hidden.
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, revision 2.3, "Performance Monitoring".
    #[must_use]
    #[inline]
    pub const fn reads_pmd(self, pm: MonitorLevel) -> bool {
        self.cpl().get() == 0 || !self.sp() && matches!(pm, MonitorLevel::User)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-42: up and pp
    #[test]
    fn positions() {
        assert_eq!(Psr::new().with_up(true).into_bits(), 1 << 2);
        assert_eq!(Psr::new().with_sp(true).into_bits(), 1 << 20);
        assert_eq!(Psr::new().with_pp(true).into_bits(), 1 << 21);
        assert_eq!(Psr::new().with_cpl(U2::of::<3>()).into_bits(), 0x3_0000_0000);
        assert_eq!(Psr::new().with_is(true).into_bits(), 0x4_0000_0000);
    }

    // ITA-50: an interruption takes pp from DCR.pp, whatever it was
    #[test]
    fn an_interruption_copies_pp() {
        for (old, dcr) in [(false, false), (false, true), (true, false), (true, true)] {
            let user = Psr::new().with_pp(old).with_up(true).with_sp(true).with_cpl(U2::of::<3>()).with_is(true);
            let handler = user.after_interruption(Dcr::new().with_pp(dcr));
            assert_eq!(handler, Psr::new().with_pp(dcr).with_up(true));
        }
        let other = Psr::from_bits(u64::MAX).after_interruption(Dcr::new());
        assert_eq!(other.into_bits(), !0x7_0030_0000, "other bits are left alone");
    }

    #[test]
    fn secure_monitors() {
        let reads = |sp, pm| [0, 1, 2, 3].map(|cpl| Psr::new().with_sp(sp).with_cpl(U2::masked(cpl)).reads_pmd(pm));
        assert_eq!(reads(false, MonitorLevel::User), [true; 4]);
        for (sp, pm) in [(true, MonitorLevel::User), (false, MonitorLevel::System), (true, MonitorLevel::System)] {
            assert_eq!(reads(sp, pm), [true, false, false, false]);
        }
    }
}
