//! The local APIC's entry for performance counters.

use super::FIRST_EXTERNAL_VECTOR;
use crate::access::GeneralProtection;
use crate::bits::U3;
use crate::msr::{Msr, msr_value};
use crate::refused::{Refused, Rule};

layout! {
    /// The local vector table's entry for performance counters ("LVT Performance Counter Register", LVTPC): what an overflow
    /// of a counter, or a full buffer of samples or branch records, interrupts with.
    ///
    /// In xAPIC mode it is 32 bits of memory at [`XAPIC_OFFSET`](Self::XAPIC_OFFSET) from the APIC's base; in x2APIC mode it
    /// is an MSR, whose bits 63:32 are reserved. The interrupt is edge triggered: unlike the entries of LINT0 and LINT1,
    /// this one has no trigger mode (bit 15), no remote IRR (bit 14) and no pin polarity (bit 13).
    ///
    /// Pentium 4 and Xeon processors set `mask` when they deliver the interrupt, and Linux expects it of every Intel
    /// processor; the handler clears it again ([`LvtPerformance::unmasked`]). AMD processors do not.
    ///
    /// Source: Intel SDM volume 3A, "Local Vector Table" (figure and text); number of the MSR: ibid., "x2APIC Register
    /// Address Space". That Linux unmasks on each interrupt, and KVM masks for Intel only: `arch/x86/events/intel/core.c`,
    /// `arch/x86/kvm/lapic.c`.
    #[doc(alias = "0x834")]
    #[doc(alias = "IA32_X2APIC_LVT_PMI")]
    #[doc(alias = "LVTPC")]
    pub struct LvtPerformance: u64, Fault {
        /// Vector of the interrupt, if it is a fixed one.
        #[inline]
        pub vector: u8,
        /// How the interrupt is delivered, raw; see [`LvtPerformance::mode`].
        #[inline]
        #[bits(3)]
        pub delivery_mode: U3,
        __: bool,
        /// Delivered to the processor, but not accepted yet. Read-only.
        #[inline]
        pub send_pending: bool,
        #[bits(3)]
        __: u64,
        /// The interrupt is not delivered.
        #[inline]
        pub mask: bool,
        #[bits(47)]
        __: u64,
    }
}

msr_value!(LvtPerformance, "IA32_X2APIC_LVT_PMI", read_write, caps = ());

/// How a local interrupt is delivered: bits 10:8 of an entry of the local vector table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DeliveryMode {
    /// 000b: the interrupt of the entry's vector.
    Fixed,
    /// 010b: a system-management interrupt; the vector has to be 0.
    Smi,
    /// 100b: the non-maskable interrupt; the vector does not matter.
    Nmi,
    /// 101b: INIT. Not supported in the entry for performance counters.
    Init,
    /// 111b: the vector comes from an external interrupt controller. Not supported in the entry for performance counters.
    ExtInt,
    /// An encoding without meaning.
    Reserved(u8),
}

impl DeliveryMode {
    /// What bits 10:8 mean.
    #[must_use]
    #[inline]
    pub const fn from_raw(raw: u8) -> Self {
        match raw {
            0 => Self::Fixed,
            2 => Self::Smi,
            4 => Self::Nmi,
            5 => Self::Init,
            7 => Self::ExtInt,
            _ => Self::Reserved(raw),
        }
    }

    /// Whether the entry for performance counters takes it.
    #[must_use]
    #[inline]
    pub const fn is_supported(self) -> bool {
        matches!(self, Self::Fixed | Self::Smi | Self::Nmi)
    }
}

impl LvtPerformance {
    /// The register in x2APIC mode.
    pub const MSR: Msr<Self> = Msr::new(Self::ADDRESS);
    /// Number of the MSR in x2APIC mode.
    pub const ADDRESS: u32 = 0x834;
    /// Bytes from the base of the local APIC, FEE0_0000 after reset, in xAPIC mode.
    pub const XAPIC_OFFSET: usize = 0x340;
    /// The lowest vector that the local APIC delivers.
    pub const FIRST_VECTOR: u8 = 16;
    /// Value after reset: masked.
    pub const RESET: Self = Self::new().with_mask(true);

    /// The entry that interrupts with `vector`, not masked.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the vector is one of the processor's exceptions: below 16 the APIC reports an error instead of
    /// interrupting, and up to 31 the handler could not tell the two apart.
    #[inline]
    pub const fn fixed(vector: u8) -> Result<Self, Refused> {
        if vector < FIRST_EXTERNAL_VECTOR {
            let rule = Rule::Forbidden("vectors 0 to 31 are the processor's own");
            return Err(Refused::new("LVTPC", vector as u64, rule));
        }
        Ok(Self::new().with_vector(vector))
    }

    /// The entry that interrupts by NMI, not masked: reaches code that has interrupts disabled, too. It has no vector
    /// and no end of interrupt.
    #[must_use]
    #[inline]
    pub const fn nmi() -> Self {
        Self::new().with_delivery_mode(U3::of::<4>())
    }

    /// The same entry, masked.
    #[must_use]
    #[inline]
    pub const fn masked(self) -> Self {
        self.with_mask(true)
    }

    /// The same entry, not masked: what a handler writes back before it returns.
    #[must_use]
    #[inline]
    pub const fn unmasked(self) -> Self {
        self.with_mask(false)
    }

    /// How the interrupt is delivered.
    #[must_use]
    #[inline]
    pub const fn mode(self) -> DeliveryMode {
        DeliveryMode::from_raw(self.delivery_mode().get())
    }

    /// Whether an overflow interrupts through this entry while it is not masked: its delivery mode is supported and, if it is
    /// fixed, its vector is one that the APIC delivers. Below 16 the APIC reports an error instead.
    ///
    /// Source: Intel SDM volume 3A, "Local Vector Table" (delivery modes) and "Valid Interrupt Vectors".
    #[must_use]
    #[inline]
    pub const fn delivers(self) -> bool {
        match self.mode() {
            DeliveryMode::Fixed => self.vector() >= Self::FIRST_VECTOR,
            mode => mode.is_supported(),
        }
    }

    /// What a write of `new` in xAPIC mode makes of the entry. Reserved bits are ignored, and `send_pending` does not change.
    ///
    /// Source: Intel SDM volume 3A, "Local Vector Table": delivery status is read-only, reserved bits read as 0.
    #[must_use]
    #[inline]
    pub const fn written_in_memory(self, new: u32) -> Self {
        Self::from_bits(new as u64 & !Self::RESERVED).with_send_pending(self.send_pending())
    }

    /// The register as xAPIC mode reads it.
    #[must_use]
    #[inline]
    pub const fn from_xapic(bits: u32) -> Self {
        Self::from_bits(bits as u64)
    }

    /// The bits to write in xAPIC mode.
    #[must_use]
    #[inline]
    pub const fn to_xapic(self) -> u32 {
        self.into_bits() as u32
    }

    /// What a WRMSR of `new` does in x2APIC mode. A write does not change `send_pending`.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the reserved bits that are set.
    #[inline]
    pub const fn check_write(old: Self, new: u64, _caps: &()) -> Result<Self, GeneralProtection> {
        match new & Self::RESERVED {
            0 => Ok(Self::from_bits(new).with_send_pending(old.send_pending())),
            bits => Err(GeneralProtection::refused("IA32_X2APIC_LVT_PMI", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_reset() {
        assert_eq!(LvtPerformance::new().with_vector(0xFF).into_bits(), 0xFF);
        assert_eq!(LvtPerformance::new().with_delivery_mode(U3::of::<7>()).into_bits(), 0x700);
        assert_eq!(LvtPerformance::new().with_send_pending(true).into_bits(), 0x1000);
        assert_eq!(LvtPerformance::new().with_mask(true).into_bits(), 0x1_0000);
        assert_eq!(LvtPerformance::RESET.to_xapic(), 0x0001_0000);
        assert_eq!(LvtPerformance::RESERVED, 0xFFFF_FFFF_FFFE_E800);
        assert_eq!((LvtPerformance::ADDRESS, LvtPerformance::XAPIC_OFFSET), (0x834, 0x340));
    }

    #[test]
    fn fixed_is_edge_triggered_and_refuses_the_exceptions() {
        assert_eq!(LvtPerformance::fixed(0xEE).map(LvtPerformance::to_xapic), Ok(0x0000_00EE));
        assert_eq!(LvtPerformance::fixed(0x20).map(LvtPerformance::to_xapic), Ok(0x0000_0020));
        let rule = Rule::Forbidden("vectors 0 to 31 are the processor's own");
        assert_eq!(LvtPerformance::fixed(0x1F), Err(Refused::new("LVTPC", 0x1F, rule)));
        assert_eq!(LvtPerformance::nmi().to_xapic(), 0x400);
    }

    #[test]
    fn the_handler_clears_the_mask_and_nothing_else() {
        let delivered = LvtPerformance::from_xapic(0x0001_00EE);
        assert!(delivered.mask());
        assert_eq!(delivered.unmasked().to_xapic(), 0xEE);
        assert_eq!(delivered.unmasked().masked(), delivered);
    }

    #[test]
    fn modes() {
        let mode = |bits| LvtPerformance::from_xapic(bits).mode();
        assert_eq!(mode(0x000), DeliveryMode::Fixed);
        assert_eq!(mode(0x200), DeliveryMode::Smi);
        assert_eq!(mode(0x400), DeliveryMode::Nmi);
        assert_eq!(mode(0x500), DeliveryMode::Init);
        assert_eq!(mode(0x700), DeliveryMode::ExtInt);
        for raw in [1u8, 3, 6] {
            assert_eq!(mode(u32::from(raw) << 8), DeliveryMode::Reserved(raw));
        }
        assert!(mode(0x200).is_supported());
        assert!(!mode(0x500).is_supported() && !mode(0x700).is_supported());
    }

    #[test]
    fn a_write_keeps_the_delivery_status_and_faults_on_reserved_bits() {
        let old = LvtPerformance::from_bits(0x1_1000);
        assert_eq!(LvtPerformance::check_write(old, 0xEE, &()).map(LvtPerformance::into_bits), Ok(0x10EE));
        let idle = LvtPerformance::RESET;
        assert_eq!(LvtPerformance::check_write(idle, 0x10EE, &()).map(LvtPerformance::into_bits), Ok(0xEE));
        let gp = |bits| Err(GeneralProtection::refused("IA32_X2APIC_LVT_PMI", bits, Rule::MustBeZero));
        assert_eq!(LvtPerformance::check_write(idle, 0x80EE, &()), gp(0x8000));
        assert_eq!(LvtPerformance::check_write(idle, 1 << 32, &()), gp(1 << 32));
    }
    // P6-46: the entry in memory keeps what it has and no reserved bit
    #[test]
    fn a_write_in_memory() {
        let written = |old, new| LvtPerformance::from_bits(old).written_in_memory(new).into_bits();
        assert_eq!(written(0x1_0000, 0xFFFF_FFFF), 0x1_07FF, "bit 12 stays 0");
        assert_eq!(written(0x1_1040, 0x0000_00EE), 0x10EE, "bit 12 stays 1");
    }

    #[test]
    fn what_interrupts() {
        for mode in 0..8 {
            for vector in 0..=255 {
                let entry = LvtPerformance::new().with_delivery_mode(U3::masked(mode)).with_vector(vector);
                assert_eq!(entry.delivers(), mode == 2 || mode == 4 || mode == 0 && vector >= 16, "{entry:?}");
            }
        }
    }
}
