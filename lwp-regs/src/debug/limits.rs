//! Which breakpoints there can be in the present mode.

use super::DebugCaps;

/// What a breakpoint may be, by processor, CR4.DE and mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BreakpointLimits {
    /// Bits of a linear address: 32, or in 64-bit mode as many as a canonical address has.
    pub linear_address_bits: u8,
    /// Whether a breakpoint may be 8 bytes long: LEN 10 is defined.
    pub eight_bytes: bool,
    /// Whether a breakpoint may be at an I/O port: R/W 10 is defined, CR4.DE is 1.
    pub io: bool,
}

impl BreakpointLimits {
    /// The number of CR4.DE, "debugging extensions".
    pub const CR4_DE: u32 = 3;

    /// The limits on a processor with these features while CR4 is as given, in 64-bit mode if the processor has it.
    ///
    /// CPUID tells how wide a linear address may be; a system that uses narrower ones, as with CR4.LA57 clear, says so
    /// by [`with_linear_address_bits`](Self::with_linear_address_bits). LEN 10 is taken to be defined where there is a
    /// 64-bit mode; the manual lists models, and the first ones with 64-bit mode are among them.
    #[must_use]
    #[inline]
    pub const fn new(caps: &DebugCaps, cr4: u64) -> Self {
        Self {
            linear_address_bits: caps.linear_address_bits,
            eight_bytes: caps.long_mode,
            io: cr4 >> Self::CR4_DE & 1 != 0,
        }
    }

    /// These limits in a 32-bit mode: addresses of 32 bits and nothing 8 bytes long.
    #[must_use]
    #[inline]
    pub const fn in_32_bit_mode(self) -> Self {
        Self { linear_address_bits: 32, eight_bytes: false, ..self }
    }

    /// These limits with another width of linear addresses.
    #[must_use]
    #[inline]
    pub const fn with_linear_address_bits(self, bits: u8) -> Self {
        Self { linear_address_bits: bits, ..self }
    }

    /// The bits of `address` that no linear address has: those above bit 31 in 32-bit modes, and in 64-bit mode those
    /// that differ from the sign, the highest bit there is. 0 for an address that exists.
    #[must_use]
    #[inline]
    pub const fn excess(&self, address: u64) -> u64 {
        match self.linear_address_bits {
            bits @ 0..=32 => address & !crate::layout::mask(bits as usize),
            bits @ 33..64 => {
                let unused = 64 - bits as u32;
                address ^ (((address << unused) as i64) >> unused) as u64
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BreakpointLimits, DebugCaps};

    #[test]
    fn limits_by_mode() {
        let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0x8);
        assert!(limits.io && limits.eight_bytes);
        assert!(!BreakpointLimits::new(&DebugCaps::INTEL_64, 0x7F7).io, "only bit 3 of CR4 is DE");
        assert!(!limits.in_32_bit_mode().eight_bytes);
        assert_eq!(limits.in_32_bit_mode(), BreakpointLimits::new(&DebugCaps::IA32, 0x8));
    }

    #[test]
    fn addresses_that_exist() {
        let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
        assert_eq!(limits.excess(0x0000_7FFF_FFFF_FFFF), 0);
        assert_eq!(limits.excess(0xFFFF_8000_0000_0000), 0);
        assert_eq!(limits.excess(0x0000_8000_0000_0000), 0xFFFF_0000_0000_0000);
        assert_eq!(limits.excess(0xFFFF_7FFF_FFFF_FFFF), 0xFFFF_0000_0000_0000);
        assert_eq!(limits.with_linear_address_bits(57).excess(0x0000_8000_0000_0000), 0);
        assert_eq!(limits.in_32_bit_mode().excess(0xFFFF_FFFF), 0);
        assert_eq!(limits.in_32_bit_mode().excess(0x1_0000_0000), 0x1_0000_0000);
    }
}
