//! IA32_PMCx and IA32_A_PMCx: a general-purpose counter, and two ways to write it.

use super::PerfmonCaps;
use crate::access::GeneralProtection;
use crate::layout::mask;
use crate::msr::msr_value;
use crate::refused::{Refused, Rule};

layout! {
    /// `IA32_PMCx`: a general-purpose counter. Reads have [`PerfmonCaps::width`] valid bits, the others are 0.
    ///
    /// A write takes bits 31:0 and fills the rest of the counter with copies of bit 31; bits 63:32 of what is written do not
    /// matter. So a counter can be set to -2^31 to 2^31 - 1, and to nothing else; use [`Ia32APmc`] for more. The counter has
    /// to be disabled (`IA32_PERFEVTSELx` bit 22 clear) while it is written.
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 1".
    #[doc(alias = "0xC1")]
    #[doc(alias = "IA32_PMC0")]
    #[doc(alias = "IA32_PMCx")]
    pub struct Ia32Pmc: u64, Zero {
        /// The count.
        #[inline]
        pub value: u64,
    }
}

msr_value!(Ia32Pmc, "IA32_PMCx", read_write, caps = PerfmonCaps);

impl Ia32Pmc {
    /// Number of `IA32_PMC0`; the others follow.
    pub const FIRST: u32 = 0xC1;
    /// The largest number of events after which a counter that is written here can be made to overflow.
    pub const MAX_PERIOD: u64 = 1 << 31;

    /// What to write for the counter to overflow after `period` events, 1 to [`MAX_PERIOD`](Self::MAX_PERIOD).
    ///
    /// # Errors
    ///
    /// [`Refused`] for any other period.
    #[inline]
    pub const fn overflow_after(period: u64) -> Result<Self, Refused> {
        match period {
            0 => {
                Err(Refused::new("IA32_PMCx", 0, Rule::Forbidden("a counter overflows after 1 event at the earliest")))
            }
            1..=Self::MAX_PERIOD => Ok(Self::from_bits(period.wrapping_neg() & mask(32))),
            _ => Err(Refused::new("IA32_PMCx", period, Rule::AtMost(Self::MAX_PERIOD))),
        }
    }

    /// What a WRMSR of `new` makes of the counter: bits 31:0, sign-extended to its width.
    ///
    /// # Errors
    ///
    /// None.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        let extended = new as u32 as i32 as i64 as u64;
        Ok(Self::from_bits(extended & mask(caps.width as usize)))
    }
}

layout! {
    /// `IA32_A_PMCx`: the same counter as [`Ia32Pmc`], written in its full width.
    ///
    /// Exists where [`Ia32PerfCapabilities::full_width_write`](super::Ia32PerfCapabilities::full_width_write) is set.
    ///
    /// Source: Intel SDM volume 3B, "Full-Width Writes to Performance Counter Registers".
    #[doc(alias = "0x4C1")]
    #[doc(alias = "IA32_A_PMC0")]
    #[doc(alias = "IA32_A_PMCx")]
    pub struct Ia32APmc: u64, Fault {
        /// The count.
        #[inline]
        pub value: u64,
    }
}

msr_value!(Ia32APmc, "IA32_A_PMCx", read_write, caps = PerfmonCaps);

impl Ia32APmc {
    /// Number of `IA32_A_PMC0`; the others follow.
    pub const FIRST: u32 = 0x4C1;

    /// What to write for a counter `width` bits wide to overflow after `period` events, 1 to 2^`width` - 1.
    ///
    /// # Errors
    ///
    /// [`Refused`] for any other period.
    #[inline]
    pub const fn overflow_after(period: u64, width: u8) -> Result<Self, Refused> {
        if period == 0 {
            let rule = Rule::Forbidden("a counter overflows after 1 event at the earliest");
            return Err(Refused::new("IA32_A_PMCx", 0, rule));
        }
        let most = mask(width as usize);
        if period > most {
            return Err(Refused::new("IA32_A_PMCx", period, Rule::AtMost(most)));
        }
        Ok(Self::from_bits(period.wrapping_neg() & most))
    }

    /// What a WRMSR of `new` makes of the counter.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] where full-width writes do not exist, else
    /// [`GeneralProtection::Refused`] with the bits beyond the width of the counter.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        if !caps.capabilities.full_width_write() {
            return Err(GeneralProtection::NoSuchRegister);
        }
        match new & !mask(caps.width as usize) {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_A_PMCx", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::Ia32PerfCapabilities;
    use crate::perf::architectural::caps::tests::{SKYLAKE_SP, YONAH, caps};

    fn wide(width: u8) -> PerfmonCaps {
        PerfmonCaps { width, ..caps(YONAH) }
    }

    fn write(new: u64, width: u8) -> u64 {
        Ia32Pmc::check_write(Ia32Pmc::from_bits(0x1234), new, &wide(width)).unwrap().into_bits()
    }

    // APM-13, APM-14: bit 31 fills the counter up to its width, and no further; bits 63:32 do not matter
    #[test]
    fn a_write_is_32_bits_sign_extended() {
        assert_eq!(write(0x7FFF_FFFF, 40), 0x7FFF_FFFF);
        assert_eq!(write(0x8000_0000, 40), 0xFF_8000_0000);
        assert_eq!(write(0xFFFF_FFFF, 40), 0xFF_FFFF_FFFF);
        assert_eq!(write(0xFFFF_FFFF, 48), 0xFFFF_FFFF_FFFF);
        assert_eq!(write(0xFFFF_FFFF, 32), 0xFFFF_FFFF);
        assert_eq!(write(0xFFFF_FFFF, 64), u64::MAX);
        assert_eq!(write(0xAAAA_AAAA_0000_0001, 48), 1);
    }

    #[test]
    fn the_period_counts_up_to_the_overflow() {
        let after = |period| Ia32Pmc::overflow_after(period).map(Ia32Pmc::into_bits);
        assert_eq!(after(1), Ok(0xFFFF_FFFF));
        assert_eq!(after(100_000), Ok(0xFFFE_7960));
        assert_eq!(after(0x8000_0000), Ok(0x8000_0000));
        assert!(after(0x8000_0001).is_err() && after(0).is_err());
        let after = |period, width| Ia32APmc::overflow_after(period, width).map(Ia32APmc::into_bits);
        assert_eq!(after(1, 48), Ok(0xFFFF_FFFF_FFFF));
        assert_eq!(after(0xFFFF_FFFF_FFFF, 48), Ok(1));
        assert_eq!(after(1 << 48, 48), Err(Refused::new("IA32_A_PMCx", 1 << 48, Rule::AtMost(0xFFFF_FFFF_FFFF))));
        assert!(after(0, 48).is_err());
    }

    #[test]
    fn full_width_takes_every_bit_of_the_counter_and_faults_beyond() {
        let mut caps = caps(SKYLAKE_SP);
        let write = |new, caps| Ia32APmc::check_write(Ia32APmc::new(), new, &caps).map(Ia32APmc::into_bits);
        assert_eq!(write(0, caps), Err(GeneralProtection::NoSuchRegister));
        caps.capabilities = Ia32PerfCapabilities::from_bits(0x2000);
        assert_eq!(write(0x0001_0000_0000, caps), Ok(0x0001_0000_0000));
        assert_eq!(write(0x8000_0000, caps), Ok(0x8000_0000), "no sign extension");
        let gp = GeneralProtection::refused("IA32_A_PMCx", 1 << 48, Rule::MustBeZero);
        assert_eq!(write(1 << 48, caps), Err(gp));
    }
}
