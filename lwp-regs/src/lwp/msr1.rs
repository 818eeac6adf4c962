//! LWPMSR1: the pointer to the control block.

use super::{LwpMsr0, LwpcbAddr};
use crate::access::{GeneralProtection, MsrBus};

/// LWPMSR1: the linear address of the active control block, or nothing when LWP is inactive. Reset value 0: inactive.
///
/// Reading it does what the SLWPCB instruction does (the hardware flushes its state to the block), writing it does what
/// LLWPCB does (the old block is flushed and the new one is loaded once ring 3 is entered). Both *write user memory*,
/// hence the unsafe accesses.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWPMSR1 - LWPCB". Faulting with #GP and the reset value are
/// this project's decisions, as the proposal gives none.
#[doc(alias = "0xC0000106")]
#[doc(alias = "LWPMSR1")]
#[doc(alias = "LWP_CBADDR")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LwpMsr1(Option<LwpcbAddr>);

impl LwpMsr1 {
    /// Number of the register. The proposal gives none; this is the one of the processors that were built later.
    pub const ADDRESS: u32 = 0xC000_0106;
    /// Value after reset: LWP is inactive.
    pub const RESET: Self = Self::INACTIVE;
    /// No control block.
    pub const INACTIVE: Self = Self(None);

    /// A register that points at `block`.
    #[must_use]
    #[inline]
    pub const fn new(block: LwpcbAddr) -> Self {
        Self(Some(block))
    }

    /// The control block, `None` when inactive.
    #[must_use]
    #[inline]
    pub const fn block(self) -> Option<LwpcbAddr> {
        self.0
    }

    /// The 64 bits of the register.
    #[must_use]
    #[inline]
    pub const fn into_bits(self) -> u64 {
        match self.0 {
            Some(block) => block.get(),
            None => 0,
        }
    }

    /// Whether RDMSR or WRMSR may touch the register at all while LWPMSR0 is `msr0`.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NotEnabled`] while LWPMSR0\[0\] is 0. (The instructions raise #UD instead.)
    #[inline]
    pub const fn check_access(msr0: LwpMsr0) -> Result<(), GeneralProtection> {
        if msr0.enabled() { Ok(()) } else { Err(GeneralProtection::NotEnabled) }
    }

    /// What a WRMSR of `value` makes of the register, before any effect of it.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NotEnabled`] as in [`check_access`](Self::check_access), and
    /// [`GeneralProtection::Misaligned`] for an address that is not a multiple of 16.
    #[inline]
    pub const fn check_write(value: u64, msr0: LwpMsr0) -> Result<Self, GeneralProtection> {
        if let Err(fault) = Self::check_access(msr0) {
            return Err(fault);
        }
        if value == 0 {
            return Ok(Self::INACTIVE);
        }
        match LwpcbAddr::new(value) {
            Ok(block) => Ok(Self::new(block)),
            Err(_) => Err(GeneralProtection::Misaligned(value)),
        }
    }

    /// Reads the register and makes the hardware flush its state to the active block.
    ///
    /// # Safety
    ///
    /// The active block, if any, is mapped and nothing else uses its hardware-owned fields during the call.
    ///
    /// # Errors
    ///
    /// What the bus reports.
    #[allow(unsafe_code)] // makes the processor write memory
    pub unsafe fn read<B: MsrBus>(bus: &mut B) -> Result<u64, B::Fault> {
        // SAFETY: the caller vouches for the memory that the flush writes.
        unsafe { bus.rdmsr(Self::ADDRESS) }
    }

    /// Writes the register: ends the session of the old block and begins that of the new one, if any.
    ///
    /// # Safety
    ///
    /// The block and the buffer it describes belong to the hardware until another value is written: they stay mapped,
    /// writable by ring 3, in normal write-back memory and in place, and Rust code looks at them only through
    /// [`ActiveLwpcb`](super::ActiveLwpcb) and [`RingReader`](super::RingReader). The old block meets the condition of
    /// [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// What the bus reports; the old session goes on then.
    #[allow(unsafe_code)] // makes the processor write memory
    pub unsafe fn write<B: MsrBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        // SAFETY: the caller vouches for both blocks and their buffers.
        unsafe { bus.wrmsr(Self::ADDRESS, self.into_bits()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{LwpMsr0, LwpMsr1, LwpcbAddr};
    use crate::access::{GeneralProtection, MsrBus};

    const ON: LwpMsr0 = LwpMsr0::from_bits(1);

    // LWP-MSR1-06
    #[test]
    fn inactive_after_reset() {
        assert_eq!(LwpMsr1::ADDRESS, 0xC000_0106);
        assert_eq!(LwpMsr1::RESET.into_bits(), 0);
        assert_eq!(LwpMsr1::RESET.block(), None);
    }

    // LWP-MSR1-01
    #[test]
    fn holds_the_whole_pointer() {
        let msr1 = LwpMsr1::check_write(0xFFFF_8000_0000_1230, ON).unwrap();
        assert_eq!(msr1.block(), LwpcbAddr::new(0xFFFF_8000_0000_1230).ok());
        assert_eq!(msr1.into_bits(), 0xFFFF_8000_0000_1230);
        assert_eq!(LwpMsr1::check_write(0, ON), Ok(LwpMsr1::INACTIVE));
    }

    #[test]
    fn misaligned_pointers_fault() {
        for low in 1..16 {
            for address in [low, 0x1000 + low] {
                let fault = LwpMsr1::check_write(address, ON).unwrap_err();
                assert_eq!(fault, GeneralProtection::Misaligned(address));
            }
        }
    }

    // LWP-MSR1-05
    #[test]
    fn faults_while_disabled() {
        let off = LwpMsr0::from_bits(0x8000_000E);
        assert_eq!(LwpMsr1::check_access(off), Err(GeneralProtection::NotEnabled));
        assert_eq!(LwpMsr1::check_write(0, off), Err(GeneralProtection::NotEnabled));
    }

    struct OneRegister(u32, u64);

    #[allow(unsafe_code)] // implements the bus
    impl MsrBus for OneRegister {
        type Fault = GeneralProtection;
        unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, GeneralProtection> {
            if address == self.0 { Ok(self.1) } else { Err(GeneralProtection::NoSuchRegister) }
        }
        unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
            self.1 = value;
            if address == self.0 { Ok(()) } else { Err(GeneralProtection::NoSuchRegister) }
        }
    }

    #[test]
    #[allow(unsafe_code)] // stands in for firmware
    fn goes_through_the_bus() {
        let mut bus = OneRegister(0xC000_0106, 0);
        let msr1 = LwpMsr1::new(LwpcbAddr::new(0x40).unwrap());
        // SAFETY: the bus is a variable; no hardware is behind it.
        unsafe { msr1.write(&mut bus) }.unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { LwpMsr1::read(&mut bus) }, Ok(0x40));
        bus.0 = 1;
        // SAFETY: as above.
        assert_eq!(unsafe { LwpMsr1::read(&mut bus) }, Err(GeneralProtection::NoSuchRegister));
    }
}
