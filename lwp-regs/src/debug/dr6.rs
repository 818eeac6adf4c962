//! DR6: what happened.

use super::handle::{Dr, dr_value, upper_half};
use super::{DebugCaps, Slots};
use crate::access::{DebugBus, DebugRegister, GeneralProtection};

/// A status bit that is 0 when its condition held; it reads 1 otherwise, also where the feature is lacking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
enum ActiveLow {
    Detected = 0,
    NotDetected = 1,
}

impl ActiveLow {
    #[inline]
    const fn new(detected: bool) -> Self {
        if detected { Self::Detected } else { Self::NotDetected }
    }

    #[inline]
    const fn from_bits(bit: u8) -> Self {
        Self::new(bit == 0)
    }

    #[inline]
    const fn into_bits(self) -> u8 {
        self as u8
    }

    #[inline]
    const fn detected(self) -> bool {
        matches!(self, Self::Detected)
    }
}

layout! {
    /// DR6, "Debug Status Register": which conditions held when the last debug exception was raised.
    ///
    /// The processor writes it only when it raises #DB, and it may only ever add: it clears B0 to B3 at times, the other
    /// bits never. So that two exceptions are not taken for one, the handler clears the register before it returns, to
    /// [`Dr6::RESET`] and not to 0, which is what [`Dr6::clear`] does. [`new`](Self::new) is the cleared register, too.
    ///
    /// B0 to B3 may be set for breakpoints that are not enabled; [`BreakpointSet::hits`](super::BreakpointSet::hits) leaves
    /// those out.
    ///
    /// BLD (bit 11) and RTM (bit 16) are active low. The accessors [`bus_lock`](Self::bus_lock) and
    /// [`in_transaction`](Self::in_transaction) tell the condition, not the bit.
    ///
    /// Bits 10:4 and 31:17 read as 1 and bit 12 reads as 0, whatever is written; 63:32 must be written as 0.
    ///
    /// Source: Intel SDM volume 3B, "Debug Status Register (DR6)"; the fixed bits and the reset value as in Linux, KVM's
    /// `DR6_FIXED_1`, `DR6_VOLATILE` and `DR6_ACTIVE_LOW`.
    #[doc(alias = "debug status register")]
    pub struct Dr6: u64, Fault, ones = 0xFFFE_07F0 {
        /// B0: the condition of breakpoint 0 held.
        #[inline]
        pub b0: bool,
        /// B1: the condition of breakpoint 1 held.
        #[inline]
        pub b1: bool,
        /// B2: the condition of breakpoint 2 held.
        #[inline]
        pub b2: bool,
        /// B3: the condition of breakpoint 3 held.
        #[inline]
        pub b3: bool,
        #[bits(7, default = 0x7F)]
        __: u8,
        #[bits(1, default = ActiveLow::NotDetected)]
        bld: ActiveLow,
        #[bits(1)]
        __: u8,
        /// BD: the next instruction accesses a debug register while DR7.GD protects them.
        #[inline]
        pub bd: bool,
        /// BS: single step.
        #[inline]
        pub bs: bool,
        /// BT: a switch to a task whose TSS has its T flag set.
        #[inline]
        pub bt: bool,
        #[bits(1, default = ActiveLow::NotDetected)]
        rtm: ActiveLow,
        #[bits(15, default = 0x7FFF)]
        __: u16,
        #[bits(32)]
        __: u32,
    }
}

dr_value!(Dr6);

impl Dr6 {
    /// The register.
    pub const DR: Dr<Self> = Dr::new(DebugRegister::Dr6);
    /// Value after reset and when cleared: nothing happened.
    pub const RESET: Self = Self::new();

    /// BLD, bit 11: a bus lock was taken, where DEBUGCTL.BLD asks to be told. True when the bit is *0*.
    #[must_use]
    #[inline]
    pub const fn bus_lock(self) -> bool {
        self.bld().detected()
    }

    /// The register with this condition.
    #[must_use]
    #[inline]
    pub const fn with_bus_lock(self, detected: bool) -> Self {
        self.with_bld(ActiveLow::new(detected))
    }

    /// RTM, bit 16: #DB or #BP occurred inside an RTM region while advanced debugging of RTM was enabled. True when the
    /// bit is *0*.
    #[must_use]
    #[inline]
    pub const fn in_transaction(self) -> bool {
        self.rtm().detected()
    }

    /// The register with this condition.
    #[must_use]
    #[inline]
    pub const fn with_in_transaction(self, detected: bool) -> Self {
        self.with_rtm(ActiveLow::new(detected))
    }

    /// B0 to B3 as a set. Those of breakpoints that are not enabled mean nothing.
    #[must_use]
    #[inline]
    pub const fn conditions(self) -> Slots {
        Slots::from_bits_retain((self.into_bits() & Slots::all().bits() as u64) as u8)
    }

    /// The register with these of B0 to B3.
    #[must_use]
    #[inline]
    pub const fn with_conditions(self, slots: Slots) -> Self {
        let b = Slots::all().bits() as u64;
        Self::from_bits(self.into_bits() & !b | slots.bits() as u64 & b)
    }

    /// Whether the register tells of nothing at all. In a #DB handler: INT1, if the handler has cleared it before.
    #[must_use]
    #[inline]
    pub const fn is_clear(self) -> bool {
        let events = Self::writable_mask(&DebugCaps { rtm: true, bus_lock_detect: true, ..DebugCaps::IA32 });
        (self.into_bits() ^ Self::RESET.into_bits()) & events == 0
    }

    /// The bits that are not fixed on a processor with these features.
    #[must_use]
    #[inline]
    pub const fn writable_mask(caps: &DebugCaps) -> u64 {
        0xE00F | (caps.bus_lock_detect as u64) << Self::BLD_OFFSET | (caps.rtm as u64) << Self::RTM_OFFSET
    }

    /// What a MOV of `new` to DR6 does: the register's new content. What is fixed stays as it is.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] when one of bits 63:32 is set. The register keeps its content then.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &DebugCaps) -> Result<Self, GeneralProtection> {
        if let Some(fault) = upper_half("DR6", new) {
            return Err(fault);
        }
        let writable = Self::writable_mask(caps);
        Ok(Self::from_bits(new & writable | Self::RESET.into_bits() & !writable))
    }

    /// Reads DR6.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn read<B: DebugBus>(bus: &mut B) -> Result<Self, B::Fault> {
        Self::DR.read(bus)
    }

    /// Writes DR6. It is safe, since a status cannot arm anything.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    #[allow(unsafe_code)] // a write whose contract cannot be broken
    pub fn write<B: DebugBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        // SAFETY: no content of DR6 arms or moves a breakpoint.
        unsafe { Self::DR.write(bus, self) }
    }

    /// Clears DR6, as a handler does before it returns; the processor does not do it.
    ///
    /// # Errors
    ///
    /// As for [`write`](Self::write).
    pub fn clear<B: DebugBus>(bus: &mut B) -> Result<(), B::Fault> {
        Self::RESET.write(bus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refused::Rule;

    const ALL: DebugCaps = DebugCaps { rtm: true, bus_lock_detect: true, ..DebugCaps::INTEL_64 };

    // DBG-10: B0-B3 0-3, BD 13, BS 14, BT 15, RTM 16; reset and reserved values
    #[test]
    fn positions_and_reset() {
        assert_eq!(Dr6::RESET.into_bits(), 0xFFFF_0FF0);
        assert_eq!(Dr6::new().with_b0(true).into_bits(), 0xFFFF_0FF1);
        assert_eq!(Dr6::new().with_b1(true).into_bits(), 0xFFFF_0FF2);
        assert_eq!(Dr6::new().with_b2(true).into_bits(), 0xFFFF_0FF4);
        assert_eq!(Dr6::new().with_b3(true).into_bits(), 0xFFFF_0FF8);
        assert_eq!(Dr6::new().with_bd(true).into_bits(), 0xFFFF_2FF0);
        assert_eq!(Dr6::new().with_bs(true).into_bits(), 0xFFFF_4FF0);
        assert_eq!(Dr6::new().with_bt(true).into_bits(), 0xFFFF_8FF0);
        assert_eq!(Dr6::RESERVED, 0xFFFF_FFFF_FFFE_17F0);
        assert!(!Dr6::RESET.has_reserved_bits());
        assert!(Dr6::from_bits(0).has_reserved_bits(), "bits that read as 1");
    }

    // DBG-10: RTM, and later BLD, are active low: the accessor tells the condition
    #[test]
    fn two_bits_are_active_low() {
        assert!(!Dr6::RESET.in_transaction() && !Dr6::RESET.bus_lock());
        assert_eq!(Dr6::new().with_in_transaction(true).into_bits(), 0xFFFE_0FF0);
        assert_eq!(Dr6::new().with_bus_lock(true).into_bits(), 0xFFFF_07F0);
        assert!(Dr6::from_bits(0xFFFE_0FF0).in_transaction());
        assert!(Dr6::from_bits(0xFFFF_07F0).bus_lock());
        assert!(Dr6::from_bits(0xFFFE_0FF0).to_tock().read(Dr6::tock_field("RTM")) == 0, "tock has the bit itself");
    }

    // DBG-12: one exception may report several breakpoints
    #[test]
    fn conditions_are_a_set() {
        assert_eq!(Dr6::from_bits(0xFFFF_0FF6).conditions(), Slots::DR1 | Slots::DR2);
        assert_eq!(Dr6::new().with_conditions(Slots::DR0 | Slots::DR3).into_bits(), 0xFFFF_0FF9);
        assert_eq!(Dr6::from_bits(0xFFFF_4FFF).with_conditions(Slots::empty()).into_bits(), 0xFFFF_4FF0);
    }

    // DBG-10: what is written to reserved bits below 32 is ignored, above it faults
    #[test]
    fn writes() {
        let write = |new, caps| Dr6::check_write(Dr6::RESET, new, caps).map(Dr6::into_bits);
        assert_eq!(write(0, &DebugCaps::IA32), Ok(0xFFFF_0FF0));
        assert_eq!(write(0, &ALL), Ok(0xFFFE_07F0));
        assert_eq!(write(0xFFFF_FFFF, &DebugCaps::INTEL_64), Ok(0xFFFF_EFFF));
        assert_eq!(write(0xFFFF_FFFF, &ALL), Ok(0xFFFF_EFFF));
        assert_eq!(write(0x4001, &DebugCaps::IA32), Ok(0xFFFF_4FF1));
        let refused = |bits| Err(GeneralProtection::refused("DR6", bits, Rule::MustBeZero));
        assert_eq!(write(1 << 32, &ALL), refused(1 << 32));
        assert_eq!(write(u64::MAX, &ALL), refused(0xFFFF_FFFF_0000_0000));
    }

    #[test]
    fn clear_means_that_nothing_is_told() {
        assert!(Dr6::RESET.is_clear());
        assert!(Dr6::from_bits(0xFFFF_0FF0 | 1 << 12).is_clear(), "bit 12 tells nothing");
        for told in [0xFFFF_0FF8, 0xFFFF_2FF0, 0xFFFF_07F0, 0xFFFE_0FF0] {
            assert!(!Dr6::from_bits(told).is_clear(), "{told:#x}");
        }
    }
}
