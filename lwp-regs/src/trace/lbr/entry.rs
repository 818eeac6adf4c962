//! The registers of one entry of the LBR stack, as they are.

use super::LbrDepth;
use crate::access::GeneralProtection;
use crate::bits::U5;
use crate::msr::{Msr, msr_value};
use crate::refused::Rule;

layout! {
    /// `MSR_LASTBRANCH_x_FROM_IP`: where a branch came from, as the processor stored it. What bits 63:61 mean depends on
    /// the format; [`LbrFormat::decode`](super::LbrFormat::decode) tells.
    ///
    /// Source: Intel SDM volume 3B, "LBR Stack".
    #[doc(alias = "0x680")]
    #[doc(alias = "0x40")]
    #[doc(alias = "MSR_LASTBRANCH_x_FROM_IP")]
    pub struct LbrFrom: u64, Preserve {
        /// Address and, above it, flags of the format.
        #[inline]
        pub source: u64,
    }
}

msr_value!(LbrFrom, "MSR_LASTBRANCH_x_FROM_IP", read_write);

layout! {
    /// `MSR_LASTBRANCH_x_TO_IP`: where a branch went, as the processor stored it. In format 6, bits 63:48 are elapsed
    /// cycles.
    ///
    /// Source: Intel SDM volume 3B, "LBR Stack".
    #[doc(alias = "0x6C0")]
    #[doc(alias = "0x60")]
    #[doc(alias = "MSR_LASTBRANCH_x_TO_IP")]
    pub struct LbrTo: u64, Preserve {
        /// Address and, above it, what the format adds.
        #[inline]
        pub destination: u64,
    }
}

msr_value!(LbrTo, "MSR_LASTBRANCH_x_TO_IP", read_write);

layout! {
    /// `MSR_LBR_INFO_x`: prediction, TSX information and elapsed cycles of a branch. Skylake and later.
    ///
    /// Source: Intel SDM volume 3B, "Last Branch, Call Stack, Interrupt, and Exception Recording for Processors based on
    /// Skylake Microarchitecture", Table 17-16.
    #[doc(alias = "0xDC0")]
    #[doc(alias = "MSR_LBR_INFO_x")]
    pub struct LbrInfo: u64, Zero {
        /// Core clocks since the previous record; stays at its largest value when there were more.
        #[inline]
        pub cycles: u16,
        #[bits(45)]
        __: u64,
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

msr_value!(LbrInfo, "MSR_LBR_INFO_x", read_write);

layout! {
    /// `MSR_LASTBRANCH_TOS`: the number of the entry with the most recent record. A record is written to the next entry
    /// first, so the pointer never names an entry that is being written.
    ///
    /// Of a stack of N entries the lowest log2 N bits count ([`LbrDepth::newest`](super::LbrDepth::newest)).
    ///
    /// Source: Intel SDM volume 3B, "LBR Stack"; the order: ibid., "LBR Stack for Processors Based on Intel NetBurst
    /// Microarchitecture". Five bits: Skylake, the deepest stack of these registers.
    #[doc(alias = "0x1C9")]
    #[doc(alias = "MSR_LASTBRANCH_TOS")]
    pub struct LbrTos: u64, Fault {
        /// Number of the entry.
        #[inline]
        #[bits(5)]
        pub index: U5,
        #[bits(59)]
        __: u64,
    }
}

msr_value!(LbrTos, "MSR_LASTBRANCH_TOS", read_write, caps = LbrDepth);

impl LbrTos {
    /// The register.
    pub(super) const MSR: Msr<Self> = Msr::new(Self::ADDRESS);
    /// Number of the register.
    pub const ADDRESS: u32 = 0x1C9;

    /// What a WRMSR of `new` makes of the register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the bits above log2 N. That they fault is this project's decision: the
    /// manual calls them reserved and says no more.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, depth: &LbrDepth) -> Result<Self, GeneralProtection> {
        match new & !(depth.get() as u64 - 1) {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("MSR_LASTBRANCH_TOS", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LBR-22: CYCLES 15:0, TSX_ABORT 61, IN_TSX 62, MISPRED 63
    #[test]
    fn info_positions() {
        assert_eq!(LbrInfo::new().with_cycles(0xFFFF).into_bits(), 0xFFFF);
        assert_eq!(LbrInfo::new().with_tsx_abort(true).into_bits(), 0x2000_0000_0000_0000);
        assert_eq!(LbrInfo::new().with_in_tsx(true).into_bits(), 0x4000_0000_0000_0000);
        assert_eq!(LbrInfo::new().with_mispredicted(true).into_bits(), 0x8000_0000_0000_0000);
        assert_eq!(LbrInfo::RESERVED, 0x1FFF_FFFF_FFFF_0000);
    }

    // LBR-07: the low M bits
    #[test]
    fn tos_takes_the_bits_of_its_depth() {
        let write = |new, depth| LbrTos::check_write(LbrTos::new(), new, &depth).map(|tos| tos.index().get());
        assert_eq!(write(31, LbrDepth::THIRTY_TWO), Ok(31));
        let gp = |bits| Err(GeneralProtection::refused("MSR_LASTBRANCH_TOS", bits, Rule::MustBeZero));
        assert_eq!(write(0x25, LbrDepth::THIRTY_TWO), gp(0x20));
        assert_eq!(write(3, LbrDepth::FOUR), Ok(3));
        assert_eq!(write(5, LbrDepth::FOUR), gp(4));
        assert_eq!(LbrTos::RESERVED, 0xFFFF_FFFF_FFFF_FFE0);
    }

    #[test]
    fn addresses_fill_their_registers() {
        assert_eq!(LbrFrom::from_bits(u64::MAX).source(), u64::MAX);
        assert_eq!(LbrTo::from_bits(0x8000_0000_0000_0001).destination(), 0x8000_0000_0000_0001);
    }
}
