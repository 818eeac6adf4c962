//! Source and destination registers of the formats that put more into them than an address.

use crate::bits::{U48, U61, U63};
use crate::refused::{Refused, Rule};

/// `value`, of which `bits` bits count, with the highest of them copied to all above.
#[inline]
const fn sign_extended(value: u64, bits: usize) -> u64 {
    let unused = 64 - bits as u32;
    ((value << unused) as i64 >> unused) as u64
}

/// Conversions between the shortened address in a register and the whole one.
macro_rules! shortened_address {
    ($ty:ident, $bits:ident, $register:literal) => {
        impl $ty {
            /// The whole address: the highest stored bit is copied to those that the register has no room for.
            #[must_use]
            #[inline]
            pub const fn full_address(self) -> u64 {
                sign_extended(self.address().get(), Self::ADDRESS_BITS)
            }

            /// The register with this address and everything else 0.
            ///
            /// # Errors
            ///
            /// [`Refused`] with the bits that would not come back, since they are not copies of the highest stored one.
            #[inline]
            pub const fn at(address: u64) -> Result<Self, Refused> {
                let lost = address ^ sign_extended(address, Self::ADDRESS_BITS);
                if lost == 0 {
                    return Ok(Self::new().with_address($bits::masked(address)));
                }
                let rule = Rule::Forbidden("other information is stored there; use a canonical address");
                Err(Refused::new($register, lost, rule))
            }
        }
    };
}

layout! {
    /// `MSR_LASTBRANCH_x` in format 0: one register holds both offsets.
    ///
    /// Source: Intel SDM volume 3B (253669-032), "Last Branch, Interrupt, and Exception Recording (Intel Core Solo and Intel
    /// Core Duo Processors)": "bits 31-0 hold the 'from' address, bits 63-32 hold the 'to' address"; Linux,
    /// `intel_pmu_lbr_read_32` in `arch/x86/events/intel/lbr.c`.
    #[doc(alias = "MSR_LASTBRANCH_x")]
    pub struct FromAndTo: u64, Preserve {
        /// Offset of the source.
        #[inline]
        pub source: u32,
        /// Offset of the destination.
        #[inline]
        pub destination: u32,
    }
}

layout! {
    /// `MSR_LASTBRANCH_x_FROM_IP` in formats 3 and 6.
    ///
    /// Source: Intel SDM volume 3B, "LBR Stack and Intel 64 Processors"; bit 63: Linux, `arch/x86/events/intel/lbr.c`.
    pub struct FromWithFlags: u64, Preserve {
        /// Address, without its highest bit, which is like the one below it.
        #[inline]
        #[bits(63)]
        pub address: U63,
        /// The branch was mispredicted.
        #[inline]
        pub mispredicted: bool,
    }
}

shortened_address!(FromWithFlags, U63, "MSR_LASTBRANCH_x_FROM_IP");

layout! {
    /// `MSR_LASTBRANCH_x_FROM_IP` in format 4.
    ///
    /// On processors of this format without TSX, bits 62:61 are 0 in records of the hardware, but have to be like bit 60 in
    /// a value that software writes: see [`sign_extended`](Self::sign_extended).
    ///
    /// Source: Linux, `arch/x86/events/intel/lbr.c`, `lbr_from_signext_quirk_wr`.
    pub struct FromWithTsx: u64, Preserve {
        /// Address, without its highest three bits, which are like the one below them.
        #[inline]
        #[bits(61)]
        pub address: U61,
        /// The branch is the abort of a transaction.
        #[inline]
        pub tsx_abort: bool,
        /// The branch was taken in a transaction.
        #[inline]
        pub in_tsx: bool,
        /// The branch was mispredicted.
        #[inline]
        pub mispredicted: bool,
    }
}

shortened_address!(FromWithTsx, U61, "MSR_LASTBRANCH_x_FROM_IP");

impl FromWithTsx {
    /// What software writes on a processor without TSX: bits 62:61 are copies of bit 60. WRMSR takes them for part of the
    /// address there and faults if it is not canonical.
    #[must_use]
    #[inline]
    pub const fn sign_extended(self) -> Self {
        let negative = self.address().get() >> (Self::ADDRESS_BITS - 1) != 0;
        self.with_tsx_abort(negative).with_in_tsx(negative)
    }
}

layout! {
    /// `MSR_LASTBRANCH_x_TO_IP` in format 6.
    ///
    /// Source: Linux, `arch/x86/events/intel/lbr.c`.
    pub struct ToWithCycles: u64, Preserve {
        /// Address, without its highest 16 bits, which are like the one below them.
        #[inline]
        #[bits(48)]
        pub address: U48,
        /// Core clocks since the previous record.
        #[inline]
        pub cycles: u16,
    }
}

shortened_address!(ToWithCycles, U48, "MSR_LASTBRANCH_x_TO_IP");

#[cfg(test)]
mod tests {
    use super::*;

    // LBR-14, LBR-15
    #[test]
    fn positions() {
        assert_eq!(FromAndTo::from_bits(0x2222_2222_1111_1111).source(), 0x1111_1111);
        assert_eq!(FromAndTo::from_bits(0x2222_2222_1111_1111).destination(), 0x2222_2222);
        assert_eq!(FromWithFlags::new().with_mispredicted(true).into_bits(), 0x8000_0000_0000_0000);
        assert_eq!(FromWithFlags::from_bits(u64::MAX).address(), 0x7FFF_FFFF_FFFF_FFFF);
        assert_eq!(FromWithTsx::new().with_tsx_abort(true).into_bits(), 0x2000_0000_0000_0000);
        assert_eq!(FromWithTsx::new().with_in_tsx(true).into_bits(), 0x4000_0000_0000_0000);
        assert_eq!(FromWithTsx::new().with_mispredicted(true).into_bits(), 0x8000_0000_0000_0000);
        assert_eq!(FromWithTsx::from_bits(u64::MAX).address(), 0x1FFF_FFFF_FFFF_FFFF);
        assert_eq!(ToWithCycles::new().with_cycles(0xFFFF).into_bits(), 0xFFFF_0000_0000_0000);
        assert_eq!(ToWithCycles::from_bits(u64::MAX).address(), 0x0000_FFFF_FFFF_FFFF);
    }

    #[test]
    fn without_tsx_the_upper_bits_belong_to_the_address() {
        let written = |bits| FromWithTsx::from_bits(bits).sign_extended().into_bits();
        assert_eq!(written(0x1FFF_FFFF_8100_0010), 0x7FFF_FFFF_8100_0010);
        assert_eq!(written(0x9FFF_FFFF_8100_0010), 0xFFFF_FFFF_8100_0010);
        assert_eq!(written(0xE000_0000_0040_0000), 0x8000_0000_0040_0000);
    }
}
