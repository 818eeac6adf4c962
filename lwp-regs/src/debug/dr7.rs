//! DR7: what to wait for.

use super::handle::{Dr, dr_value, upper_half};
use super::{Condition, DebugCaps, Enable, Length, Slot, Slots};
use crate::access::{DebugBus, DebugFault, DebugRegister, GeneralProtection};

layout! {
    /// DR7, "Debug Control Register": which breakpoints are on and what each waits for.
    ///
    /// The fields of one breakpoint are also reached by its [`Slot`]: [`enable`](Self::enable),
    /// [`condition`](Self::condition), [`length`](Self::length). [`BreakpointSet`](super::BreakpointSet) puts register and
    /// addresses together and refuses what is undefined; this type takes any content.
    ///
    /// Bit 10 reads as 1, bits 12, 14 and 15 read as 0, whatever is written; 63:32 must be written as 0.
    ///
    /// Source: Intel SDM volume 3B, "Debug Control Register (DR7)"; the fixed bits and the reset value as in Linux, KVM's
    /// `DR7_FIXED_1` and `DR7_VOLATILE`.
    #[doc(alias = "debug control register")]
    pub struct Dr7: u64, Fault, ones = 0x400 {
        /// L0: breakpoint 0 is on for the current task.
        #[inline]
        pub l0: bool,
        /// G0: breakpoint 0 is on for all tasks.
        #[inline]
        pub g0: bool,
        /// L1: breakpoint 1 is on for the current task.
        #[inline]
        pub l1: bool,
        /// G1: breakpoint 1 is on for all tasks.
        #[inline]
        pub g1: bool,
        /// L2: breakpoint 2 is on for the current task.
        #[inline]
        pub l2: bool,
        /// G2: breakpoint 2 is on for all tasks.
        #[inline]
        pub g2: bool,
        /// L3: breakpoint 3 is on for the current task.
        #[inline]
        pub l3: bool,
        /// G3: breakpoint 3 is on for all tasks.
        #[inline]
        pub g3: bool,
        /// LE: local breakpoints are exact. Has no effect since the P6 family; software should set it.
        #[inline]
        pub le: bool,
        /// GE: global breakpoints are exact. Has no effect since the P6 family; software should set it.
        #[inline]
        pub ge: bool,
        #[bits(1, default = 1)]
        __: u8,
        /// RTM: advanced debugging of RTM regions, together with DEBUGCTL.RTM.
        #[inline]
        pub rtm: bool,
        #[bits(1)]
        __: u8,
        /// GD: general detect. The next MOV that accesses a debug register raises #DB instead. The processor clears it on
        /// entry to that handler.
        #[inline]
        pub gd: bool,
        #[bits(2)]
        __: u8,
        /// R/W0.
        #[inline]
        #[bits(2)]
        pub rw0: Condition,
        /// LEN0.
        #[inline]
        #[bits(2)]
        pub len0: Length,
        /// R/W1.
        #[inline]
        #[bits(2)]
        pub rw1: Condition,
        /// LEN1.
        #[inline]
        #[bits(2)]
        pub len1: Length,
        /// R/W2.
        #[inline]
        #[bits(2)]
        pub rw2: Condition,
        /// LEN2.
        #[inline]
        #[bits(2)]
        pub len2: Length,
        /// R/W3.
        #[inline]
        #[bits(2)]
        pub rw3: Condition,
        /// LEN3.
        #[inline]
        #[bits(2)]
        pub len3: Length,
        #[bits(32)]
        __: u32,
    }
}

dr_value!(Dr7);

impl Dr7 {
    /// The register.
    pub const DR: Dr<Self> = Dr::new(DebugRegister::Dr7);
    /// Value after reset: no breakpoint is on.
    pub const RESET: Self = Self::new();
    /// L0 to L3.
    const LOCAL: u64 = 0x55;
    /// L0 to L3 and G0 to G3.
    const ENABLES: u64 = 0xFF;

    /// Ln and Gn of a breakpoint.
    #[must_use]
    #[inline]
    pub const fn enable(self, slot: Slot) -> Enable {
        Enable::from_bits_retain((self.into_bits() >> Self::enable_offset(slot)) as u8 & 0b11)
    }

    /// The register with these Ln and Gn.
    #[must_use]
    #[inline]
    pub const fn with_enable(self, slot: Slot, enable: Enable) -> Self {
        self.with_pair(Self::enable_offset(slot), enable.bits())
    }

    /// R/Wn of a breakpoint.
    #[must_use]
    #[inline]
    pub const fn condition(self, slot: Slot) -> Condition {
        Condition::from_bits((self.into_bits() >> Self::condition_offset(slot)) as u8)
    }

    /// The register with this R/Wn.
    #[must_use]
    #[inline]
    pub const fn with_condition(self, slot: Slot, condition: Condition) -> Self {
        self.with_pair(Self::condition_offset(slot), condition.into_bits())
    }

    /// LENn of a breakpoint.
    #[must_use]
    #[inline]
    pub const fn length(self, slot: Slot) -> Length {
        Length::from_bits((self.into_bits() >> Self::length_offset(slot)) as u8)
    }

    /// The register with this LENn.
    #[must_use]
    #[inline]
    pub const fn with_length(self, slot: Slot, length: Length) -> Self {
        self.with_pair(Self::length_offset(slot), length.into_bits())
    }

    /// The register with this R/Wn and LENn, which are neighbours: both at once.
    #[must_use]
    #[inline]
    pub const fn with_kind(self, slot: Slot, condition: Condition, length: Length) -> Self {
        let kind = (condition.into_bits() | length.into_bits() << Self::RW0_BITS) as u64;
        let offset = Self::condition_offset(slot);
        Self::from_bits(self.into_bits() & !(0b1111 << offset) | kind << offset)
    }

    /// The breakpoints that are on, for the current task or for all.
    #[must_use]
    #[inline]
    pub const fn enabled(self) -> Slots {
        let mut slots = Slots::empty();
        let mut n = 0;
        while n < Slot::COUNT {
            if !self.enable(Slot::ALL[n]).is_empty() {
                slots = slots.union(Slot::ALL[n].set());
            }
            n += 1;
        }
        slots
    }

    /// The register with these breakpoints off and everything else as it is.
    #[must_use]
    #[inline]
    pub const fn without(self, slots: Slots) -> Self {
        let mut changed = self;
        let mut n = 0;
        while n < Slot::COUNT {
            if slots.has(Slot::ALL[n]) {
                changed = changed.with_enable(Slot::ALL[n], Enable::empty());
            }
            n += 1;
        }
        changed
    }

    /// The register with no breakpoint and no general detect, so that a handler is not interrupted by either; the
    /// rest as it is.
    #[must_use]
    #[inline]
    pub const fn disarmed(self) -> Self {
        Self::from_bits(self.into_bits() & !Self::ENABLES).with_gd(false)
    }

    /// What a hardware task switch leaves: L0 to L3 are clear, so that the new task does not hit the old one's
    /// breakpoints; G0 to G3 stay.
    #[must_use]
    #[inline]
    pub const fn after_task_switch(self) -> Self {
        Self::from_bits(self.into_bits() & !Self::LOCAL)
    }

    /// Whether a MOV may access any debug register while DR7 has this content.
    ///
    /// # Errors
    ///
    /// [`DebugFault::GeneralDetect`] while GD is set: #DB is raised before the MOV, with DR6.BD.
    #[inline]
    pub const fn check_access(self) -> Result<(), DebugFault> {
        if self.gd() { Err(DebugFault::GeneralDetect) } else { Ok(()) }
    }

    /// The bits that are not fixed on a processor with these features.
    #[must_use]
    #[inline]
    pub const fn writable_mask(caps: &DebugCaps) -> u64 {
        0xFFFF_23FF | (caps.rtm as u64) << Self::RTM_OFFSET
    }

    /// What a MOV of `new` to DR7 does: the register's new content. Undefined combinations are taken as they are; what
    /// is fixed stays as it is.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] when one of bits 63:32 is set. The register keeps its content then.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &DebugCaps) -> Result<Self, GeneralProtection> {
        if let Some(fault) = upper_half("DR7", new) {
            return Err(fault);
        }
        let writable = Self::writable_mask(caps);
        Ok(Self::from_bits(new & writable | Self::RESET.into_bits() & !writable))
    }

    /// Reads DR7.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn read<B: DebugBus>(bus: &mut B) -> Result<Self, B::Fault> {
        Self::DR.read(bus)
    }

    /// Switches every breakpoint and general detect off, and returns what stood there before. It is safe, since
    /// nothing is armed.
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised.
    #[allow(unsafe_code)] // a write whose contract cannot be broken
    pub fn disarm<B: DebugBus>(bus: &mut B) -> Result<Self, B::Fault> {
        let before = Self::read(bus)?;
        // SAFETY: no breakpoint is on in what is written.
        unsafe { Self::DR.write(bus, before.disarmed()) }?;
        Ok(before)
    }

    /// Bit number of Ln; Gn is the next.
    #[inline]
    const fn enable_offset(slot: Slot) -> usize {
        Self::L0_OFFSET + 2 * slot.number()
    }

    /// Bit number of the lower bit of R/Wn.
    #[inline]
    const fn condition_offset(slot: Slot) -> usize {
        Self::RW0_OFFSET + 4 * slot.number()
    }

    /// Bit number of the lower bit of LENn.
    #[inline]
    const fn length_offset(slot: Slot) -> usize {
        Self::LEN0_OFFSET + 4 * slot.number()
    }

    #[inline]
    const fn with_pair(self, offset: usize, pair: u8) -> Self {
        Self::from_bits(self.into_bits() & !(0b11 << offset) | (pair as u64 & 0b11) << offset)
    }
}

#[cfg(test)]
#[path = "dr7_tests.rs"]
mod tests;
