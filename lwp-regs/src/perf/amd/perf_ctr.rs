//! PERF_CTRn: a core performance counter.

use crate::access::GeneralProtection;
use crate::bits::U48;
use crate::msr::msr_value;
use crate::refused::{Refused, Rule};

layout! {
    /// `PERF_CTRn`: a core performance counter of an AMD processor, 48 bits wide. A write takes the full width.
    ///
    /// Source: AMD APM volume 2, "Core Performance-Monitoring Counters". That bits 63:48 are ignored on a write rather than
    /// refused is unconfirmed; KVM does it so.
    #[doc(alias = "PERF_CTR0")]
    #[doc(alias = "PERF_LEGACY_CTR0")]
    #[doc(alias = "0xC0010004")]
    #[doc(alias = "0xC0010201")]
    #[doc(alias = "PERF_CTR")]
    #[doc(alias = "PerfCtr0")]
    pub struct AmdPerfCtr: u64, Ignored {
        /// The count.
        #[inline]
        #[bits(48)]
        pub value: U48,
        __: u16,
    }
}

msr_value!(AmdPerfCtr, "PERF_CTRn", read_write, caps = ());

impl AmdPerfCtr {
    /// Width in bits.
    pub const WIDTH: u8 = 48;
    /// The largest number of events after which a counter can be made to overflow: its top bit has to be 1 until then,
    /// so that an overflow can be told.
    pub const MAX_PERIOD: u64 = 1 << 47;

    /// What to write for the counter to overflow after `period` events, 1 to [`MAX_PERIOD`](Self::MAX_PERIOD).
    ///
    /// # Errors
    ///
    /// [`Refused`] for any other period.
    #[inline]
    pub const fn overflow_after(period: u64) -> Result<Self, Refused> {
        match period {
            0 => {
                Err(Refused::new("PERF_CTRn", 0, Rule::Forbidden("a counter overflows after 1 event at the earliest")))
            }
            1..=Self::MAX_PERIOD => Ok(Self::from_bits((1 << Self::WIDTH) - period)),
            _ => Err(Refused::new("PERF_CTRn", period, Rule::AtMost(Self::MAX_PERIOD))),
        }
    }

    /// What a WRMSR of `new` makes of the counter.
    ///
    /// # Errors
    ///
    /// None.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &()) -> Result<Self, GeneralProtection> {
        Ok(Self::from_bits(new & !Self::RESERVED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_eight_bits() {
        let write = |new| AmdPerfCtr::check_write(AmdPerfCtr::new(), new, &()).map(AmdPerfCtr::into_bits);
        assert_eq!(write(u64::MAX), Ok(0x0000_FFFF_FFFF_FFFF));
        assert_eq!(write(0x8000_0000), Ok(0x8000_0000), "no sign extension");
    }

    #[test]
    fn periods() {
        let after = |period| AmdPerfCtr::overflow_after(period).map(AmdPerfCtr::into_bits);
        assert_eq!(after(1), Ok(0xFFFF_FFFF_FFFF));
        assert_eq!(after(1 << 47), Ok(0x8000_0000_0000));
        let refused = Refused::new("PERF_CTRn", (1 << 47) + 1, Rule::AtMost(1 << 47));
        assert_eq!(after((1 << 47) + 1), Err(refused));
        assert_eq!(after(0).unwrap_err().bits, 0);
    }
}
