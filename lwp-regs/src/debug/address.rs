//! DR0 to DR3: where the breakpoints are.

use super::handle::{Dr, dr_value};
use super::{DebugCaps, Slot};
use crate::access::{DebugRegister, GeneralProtection};

layout! {
    /// DR0 to DR3, "Debug Address Registers": the linear address of a breakpoint, or for an I/O breakpoint its port.
    ///
    /// It is compared before translation: of two linear addresses of the same physical byte only the one in the register
    /// matches. Low bits below the breakpoint's length do not take part. A processor with 64-bit mode holds all 64 bits,
    /// canonical or not; one without it holds 32. In 32-bit modes bits 63:32 are neither read nor written.
    ///
    /// Source: Intel SDM volume 3B, "Debug Address Registers (DR0-DR3)" and "Debug Registers and Intel 64 Processors".
    #[doc(alias("DR0", "DR1", "DR2", "DR3"))]
    pub struct BreakpointAddress: u64, Fault {
        /// Bits 63:0: the address.
        #[inline]
        pub address: u64,
    }
}

dr_value!(BreakpointAddress);

impl BreakpointAddress {
    /// The register of a breakpoint.
    #[must_use]
    #[inline]
    pub const fn dr(slot: Slot) -> Dr<Self> {
        Dr::new(match slot {
            Slot::Dr0 => DebugRegister::Dr0,
            Slot::Dr1 => DebugRegister::Dr1,
            Slot::Dr2 => DebugRegister::Dr2,
            Slot::Dr3 => DebugRegister::Dr3,
        })
    }

    /// What a MOV of `new` does: the register's new content. Every address is taken, those that never match included.
    ///
    /// # Errors
    ///
    /// None; the signature is that of the other registers.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &DebugCaps) -> Result<Self, GeneralProtection> {
        Ok(Self::from_bits(if caps.long_mode { new } else { new & 0xFFFF_FFFF }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DBG-07: 32 bits of linear address, 64 where there is a 64-bit mode
    #[test]
    fn an_address_fills_the_register() {
        assert_eq!(BreakpointAddress::new().with_address(0x8000_0000_1234_5678).into_bits(), 0x8000_0000_1234_5678);
        assert_eq!(BreakpointAddress::RESERVED, 0);
        let write = |new, caps| BreakpointAddress::check_write(BreakpointAddress::new(), new, caps);
        assert_eq!(write(0x8000_0000_1234_5678, &DebugCaps::INTEL_64).unwrap().address(), 0x8000_0000_1234_5678);
        assert_eq!(write(0x8000_0000_1234_5678, &DebugCaps::IA32).unwrap().address(), 0x1234_5678);
    }
}
