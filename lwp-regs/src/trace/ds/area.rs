//! IA32_DS_AREA: where the debug-store area is.
#![allow(unsafe_code)] // makes the processor write memory

use crate::access::{GeneralProtection, MsrBus};
use crate::refused::Rule;

layout! {
    /// `IA32_DS_AREA`: linear address of the first byte of the buffer management area of this logical processor.
    ///
    /// The processor writes to the buffers that the area describes as soon as branch trace store or PEBS is on.
    ///
    /// Source: Intel SDM volume 3B, "BTS and DS Save Area"; number: Linux, `msr-index.h`.
    #[doc(alias = "0x600")]
    #[doc(alias = "IA32_DS_AREA")]
    pub struct DsArea: u64, Fault {
        /// The linear address.
        #[inline]
        pub address: u64,
    }
    msr "IA32_DS_AREA" = 0x600, unsafe_write, caps = LinearAddressBits;
}

/// Width of a linear address: 48, or 57 with five levels of paging (CPUID 8000_0008, EAX\[15:8\]); 32 where there is no
/// 64-bit mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinearAddressBits(pub u8);

impl LinearAddressBits {
    /// Whether `address` is canonical: the bits above the width are copies of the highest one in it. In a width of 32
    /// bits they are 0.
    #[must_use]
    #[inline]
    pub const fn is_canonical(self, address: u64) -> bool {
        self.sign_extended(address) == address
    }

    /// `address` with the highest bit of the width copied to all above; in a width of 32 bits these are 0.
    #[must_use]
    #[inline]
    pub const fn sign_extended(self, address: u64) -> u64 {
        match self.0 {
            0..=32 => address as u32 as u64,
            33..=63 => {
                let unused = 64 - self.0 as u32;
                ((address << unused) as i64 >> unused) as u64
            }
            64.. => address,
        }
    }
}

impl DsArea {
    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] when the address is not canonical. That this faults is known of registers that
    /// hold linear addresses in general; the project's sources do not say it of this one.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, width: &LinearAddressBits) -> Result<Self, GeneralProtection> {
        if width.is_canonical(new) {
            Ok(Self::from_bits(new))
        } else {
            let rule = Rule::Forbidden("a linear address has to be canonical");
            Err(GeneralProtection::refused("IA32_DS_AREA", new, rule))
        }
    }

    /// Writes the register.
    ///
    /// # Safety
    ///
    /// From now until the register is written again, whenever branch trace store or PEBS is on: the area at this
    /// address and the buffers it describes meet the condition of [`DebugCtl::write`](crate::trace::DebugCtl::write).
    /// While either is on, this write itself moves it to the new area.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    pub unsafe fn write<B: MsrBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        // SAFETY: the caller vouches for the area.
        unsafe { bus.wrmsr(Self::ADDRESS, self.into_bits()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BTS-12
    #[test]
    fn holds_a_linear_address() {
        assert_eq!(DsArea::ADDRESS, 0x600);
        let write =
            |new, bits| DsArea::check_write(DsArea::new(), new, &LinearAddressBits(bits)).map(|area| area.address());
        assert_eq!(write(0xFFFF_8880_0000_1000, 48), Ok(0xFFFF_8880_0000_1000));
        assert!(write(0x0000_8880_0000_1000, 48).is_err());
        assert_eq!(write(0x0000_8880_0000_1000, 57), Ok(0x0000_8880_0000_1000));
        assert_eq!(write(0xFFFF_F000, 32), Ok(0xFFFF_F000));
        assert!(write(0xFFFF_FFFF_FFFF_F000, 32).is_err());
    }
}
