//! IA32_FIXED_CTR_CTRL: what the fixed-function counters count, and whether.

use super::{FixedIndex, PerfmonCaps};
use crate::access::GeneralProtection;
use crate::bits::{U4, U52};
use crate::refused::Rule;

layout! {
    /// The four bits of one counter in [`Ia32FixedCtrCtrl`].
    pub struct FixedControl: u8, Zero {
        /// Count at privilege level 0.
        #[inline]
        pub os: bool,
        /// Count at privilege levels 1, 2 and 3.
        #[inline]
        pub user: bool,
        /// Count for every logical processor of the core. Version 3; deprecated in version 5.
        #[inline]
        pub any_thread: bool,
        /// Interrupt through the local APIC on overflow.
        #[inline]
        pub interrupt: bool,
        #[bits(4)]
        __: u8,
    }
}

impl FixedControl {
    /// Whether the counter counts at all.
    #[must_use]
    #[inline]
    pub const fn is_enabled(self) -> bool {
        self.os() || self.user()
    }
}

layout! {
    /// `IA32_FIXED_CTR_CTRL`: four bits for each fixed-function counter, see [`FixedControl`]. Version 2. Reset value 0.
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 2", and "Version 3" for `any_thread`.
    /// Fields of counters above 2 are those of later versions.
    #[doc(alias = "0x38D")]
    #[doc(alias = "IA32_FIXED_CTR_CTRL")]
    pub struct Ia32FixedCtrCtrl: u64, Fault {
        /// Counter 0.
        #[inline]
        #[bits(4)]
        pub ctr0: U4,
        /// Counter 1.
        #[inline]
        #[bits(4)]
        pub ctr1: U4,
        /// Counter 2.
        #[inline]
        #[bits(4)]
        pub ctr2: U4,
        /// Counters 3 to 15, four bits each.
        #[inline]
        #[bits(52)]
        pub further: U52,
    }
    msr "IA32_FIXED_CTR_CTRL" = 0x38D, read_write, caps = PerfmonCaps;
}

impl Ia32FixedCtrCtrl {
    /// No counter counts.
    pub const RESET: Self = Self::new();

    /// What counter `index` does.
    #[must_use]
    #[inline]
    pub const fn counter(self, index: FixedIndex) -> FixedControl {
        FixedControl::from_bits((self.into_bits() >> (4 * index.number())) as u8 & 0xF)
    }

    /// The same register with counter `index` doing this. The four reserved bits of `control` are left out.
    #[must_use]
    #[inline]
    pub const fn with_counter(self, index: FixedIndex, control: FixedControl) -> Self {
        let at = 4 * index.number();
        Self::from_bits(self.into_bits() & !(0xF << at) | (control.into_bits() as u64 & 0xF) << at)
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] in version 1, else [`GeneralProtection::Refused`] with the bits of counters
    /// that do not exist, or the `any_thread` bits of those that do where there is no such thing.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        if !caps.has_global_control() {
            return Err(GeneralProtection::NoSuchRegister);
        }
        let mut fields = 0u64;
        let mut number = 0;
        while number < FixedIndex::MAX_COUNTERS {
            if caps.fixed(number).is_some() {
                fields |= 0xF << (4 * number);
            }
            number += 1;
        }
        let absent = new & !fields;
        if absent != 0 {
            return Err(GeneralProtection::refused("IA32_FIXED_CTR_CTRL", absent, Rule::MustBeZero));
        }
        let any_thread = new & 0x4444_4444_4444_4444;
        if any_thread != 0 && !caps.has_any_thread() {
            let rule = Rule::NotAvailable("AnyThread (version 3)");
            return Err(GeneralProtection::refused("IA32_FIXED_CTR_CTRL", any_thread, rule));
        }
        Ok(Self::from_bits(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{CONROE, DIAMONDVILLE, ICE_LAKE, PENRYN, SKYLAKE_SP, YONAH, caps};

    #[test]
    fn four_bits_each() {
        let index = |number| caps(ICE_LAKE).fixed(number).unwrap();
        let all = FixedControl::new().with_os(true).with_user(true);
        assert_eq!(all.into_bits(), 0x3, "11b: all levels");
        assert_eq!(all.with_any_thread(true).with_interrupt(true).into_bits(), 0xF);
        let control = Ia32FixedCtrCtrl::RESET.with_counter(index(1), all.with_interrupt(true));
        assert_eq!(control.into_bits(), 0xB0);
        assert_eq!(control.with_counter(index(2), all).with_counter(index(1), all).into_bits(), 0x330);
        assert_eq!(control.with_counter(index(3), all).into_bits(), 0x30B0);
        assert_eq!(control.counter(index(1)), all.with_interrupt(true));
        assert!(!control.counter(index(0)).is_enabled() && control.counter(index(1)).is_enabled());
        let loud = FixedControl::from_bits(0xF3);
        assert_eq!(Ia32FixedCtrCtrl::RESET.with_counter(index(0), loud).into_bits(), 0x3, "no neighbour is touched");
    }

    #[test]
    fn writes_depend_on_version_and_count() {
        let write = |leaf, new| {
            Ia32FixedCtrCtrl::check_write(Ia32FixedCtrCtrl::RESET, new, &caps(leaf)).map(Ia32FixedCtrCtrl::into_bits)
        };
        let gp = |bits, rule| Err(GeneralProtection::refused("IA32_FIXED_CTR_CTRL", bits, rule));
        let any_thread = Rule::NotAvailable("AnyThread (version 3)");
        assert_eq!(write(YONAH, 0), Err(GeneralProtection::NoSuchRegister));
        assert_eq!(write(CONROE, 1), gp(1, Rule::MustBeZero), "it has no fixed counter");
        assert_eq!(write(PENRYN, 0xBBB), Ok(0xBBB));
        assert_eq!(write(PENRYN, 0x400), gp(0x400, any_thread));
        assert_eq!(write(PENRYN, 0x1000), gp(0x1000, Rule::MustBeZero));
        assert_eq!(write(DIAMONDVILLE, 0x1F), gp(0x10, Rule::MustBeZero), "it has one");
        assert_eq!(write(SKYLAKE_SP, 0xFFF), Ok(0xFFF));
        assert_eq!(write(ICE_LAKE, 0xBBBB), Ok(0xBBBB));
        assert_eq!(write(ICE_LAKE, 0x4000), gp(0x4000, any_thread));
    }
}
