//! Whether a trace of register writes stops a counter before it presets it.

use crate::refused::{Refused, Rule};

/// What a register is to a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Role {
    /// It says what the counter with this number counts; bit 22 is its enable.
    Select(u8),
    /// It is the counter with this number.
    Counter(u8),
}

/// Watches the writes to the registers of a processor, in order, and refuses a write to a counter that is enabled.
///
/// What the hardware does then is not defined; it is a rule for software. The numbers of the registers are those of
/// [`CounterIndex::role`](crate::perf::architectural::CounterIndex::role) or
/// [`AmdCounterIndex::role`](crate::perf::amd::AmdCounterIndex::role). Not for the P6 family, where one bit enables both
/// counters.
///
/// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 1", on the flag EN.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WriteOrder {
    role: fn(u32) -> Option<Role>,
    enabled: u32,
}

impl WriteOrder {
    /// All counters are disabled, as after reset.
    #[must_use]
    #[inline]
    pub const fn new(role: fn(u32) -> Option<Role>) -> Self {
        Self { role, enabled: 0 }
    }

    /// Takes note of a write.
    ///
    /// # Errors
    ///
    /// [`Refused`] when it presets a counter that is enabled; `bits` has a 1 at the number of the counter.
    pub fn observe(&mut self, address: u32, value: u64) -> Result<(), Refused> {
        let bit = |number: u8| 1u32.checked_shl(number.into()).unwrap_or(0);
        match (self.role)(address) {
            Some(Role::Select(number)) if value >> 22 & 1 != 0 => self.enabled |= bit(number),
            Some(Role::Select(number)) => self.enabled &= !bit(number),
            Some(Role::Counter(number)) if self.enabled & bit(number) != 0 => {
                let rule = Rule::Forbidden("EN has to be cleared before the counter is written");
                return Err(Refused::new("performance counter", bit(number).into(), rule));
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::amd::AmdCounterIndex;
    use crate::perf::architectural::CounterIndex;

    fn first_bad(role: fn(u32) -> Option<Role>, trace: &[(u32, u64)]) -> Option<usize> {
        let mut order = WriteOrder::new(role);
        trace.iter().position(|&(address, value)| order.observe(address, value).is_err())
    }

    // APM-30: a write to IA32_PMCx with IA32_PERFEVTSELx bit 22 set is flagged, by either number of the counter
    #[test]
    fn a_counter_is_written_while_disabled() {
        let bad = |trace| first_bad(CounterIndex::role, trace);
        assert_eq!(bad(&[(0xC1, 5), (0x186, 0x41_00C0)]), None);
        assert_eq!(bad(&[(0x186, 0x41_00C0), (0xC1, 5)]), Some(1));
        assert_eq!(bad(&[(0x186, 0x41_00C0), (0x4C1, 5)]), Some(1));
        assert_eq!(bad(&[(0x186, 0x41_00C0), (0x186, 0x01_00C0), (0xC1, 5), (0x186, 0x41_00C0)]), None);
        assert_eq!(bad(&[(0x187, 0x41_00C0), (0xC1, 5), (0xC2, 5)]), Some(2), "another counter does not matter");
        assert_eq!(bad(&[(0x186, 0x41_00C0), (0x309, 5), (0x38F, 1)]), None, "nor do other registers");
    }

    #[test]
    fn the_rule_names_the_counter() {
        let mut order = WriteOrder::new(AmdCounterIndex::role);
        order.observe(0xC001_0204, 1 << 22).unwrap();
        let refused = order.observe(0xC001_0205, 0).unwrap_err();
        assert_eq!((refused.register, refused.bits), ("performance counter", 0x4));
        assert_eq!(first_bad(AmdCounterIndex::role, &[(0xC001_0000, 1 << 22), (0xC001_0201, 1)]), Some(1), "an alias");
    }
}
