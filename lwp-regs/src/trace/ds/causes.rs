//! Why there was a performance interrupt.

use super::{BtsRecord, DsBuffer, PebsEnable, PebsRecord};
use crate::perf::architectural::Ia32PerfGlobalStatus;
use bitflags::bitflags;

bitflags! {
    /// What a performance interrupt may come from. All share one vector and one handler, and several may have come at
    /// once.
    ///
    /// Source: Intel SDM volume 3B, "Writing the DS Interrupt Service Routine".
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct PmiCauses: u8 {
        /// The BTS buffer has reached its threshold.
        const BRANCHES = 1 << 0;
        /// The PEBS buffer has reached its threshold.
        const PRECISE = 1 << 1;
        /// A counter has overflowed that stores no PEBS records (non-precise event-based sampling).
        const COUNTERS = 1 << 2;
    }
}

set_format!(PmiCauses);

/// What tells the causes apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PmiState {
    /// The BTS buffer, if it is to interrupt.
    pub bts: Option<DsBuffer>,
    /// The PEBS buffer, if there is one.
    pub pebs: Option<DsBuffer>,
    /// Which counters store PEBS records.
    pub pebs_enable: PebsEnable,
    /// Fixed-function counters can store records, too (PEBS_BASELINE).
    pub extended_pebs: bool,
    /// `IA32_PERF_GLOBAL_STATUS`; 0 where there is none.
    pub global_status: u64,
}

impl PmiState {
    /// `IA32_PERF_GLOBAL_STATUS`\[62\], OvfDSBuffer: the PEBS buffer has reached its threshold.
    pub const DS_BUFFER: u64 = 1 << 62;
    /// Overflow bits of `IA32_PERF_GLOBAL_STATUS`: general counters from bit 0, fixed ones from bit 32. The bits above
    /// are not about counters.
    const COUNTERS: u64 = 0x0000_FFFF_FFFF_FFFF;
    /// What the interrupt handler of the debug store acknowledges: the overflow indications that it looks at, and the
    /// freeze (bits 58 and 59), which lasts until it is acknowledged.
    pub(super) const HANDLED: u64 = Self::COUNTERS
        | Self::DS_BUFFER
        | Ia32PerfGlobalStatus::new().with_lbr_frozen(true).with_counters_frozen(true).into_bits();

    /// The counters that store PEBS records, at their bits of `IA32_PERF_GLOBAL_STATUS`.
    #[must_use]
    #[inline]
    pub const fn precise_counters(&self) -> u64 {
        if self.extended_pebs { self.pebs_enable.extended_counter_mask() } else { self.pebs_enable.counter_mask() }
    }

    /// The counters that have overflowed and store no PEBS records, at their bits of `IA32_PERF_GLOBAL_STATUS`.
    #[must_use]
    #[inline]
    pub const fn overflowed(&self) -> u64 {
        self.global_status & Self::COUNTERS & !self.precise_counters()
    }

    /// All causes. Empty if there is none: an interrupt of another unit, or one that has been handled already.
    #[must_use]
    pub fn causes(&self) -> PmiCauses {
        let due = |buffer: Option<DsBuffer>| buffer.is_some_and(|buffer| buffer.is_due());
        let mut causes = PmiCauses::empty();
        causes.set(PmiCauses::BRANCHES, due(self.bts));
        causes.set(PmiCauses::PRECISE, due(self.pebs) || self.global_status & Self::DS_BUFFER != 0);
        causes.set(PmiCauses::COUNTERS, self.overflowed() != 0);
        causes
    }
}

/// The routines for the causes of a performance interrupt, one each. See [`DsIsr::dispatch`](super::DsIsr::dispatch).
pub trait PmiHandler {
    /// A branch record; oldest first.
    fn branch(&mut self, record: BtsRecord);

    /// A PEBS record; oldest first.
    fn precise(&mut self, record: PebsRecord);

    /// Counters that have overflowed, at their bits of `IA32_PERF_GLOBAL_STATUS`.
    fn counters(&mut self, overflowed: u64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::U4;

    const FULL: Option<DsBuffer> =
        Some(DsBuffer { base: 0x1000, index: 0x1030, absolute_maximum: 0x1060, interrupt_threshold: 0x1030 });
    const FREE: Option<DsBuffer> =
        Some(DsBuffer { base: 0x1000, index: 0x1018, absolute_maximum: 0x1060, interrupt_threshold: 0x1030 });

    // BTS-44: each cause alone, and all three at once
    #[test]
    fn every_combination_of_causes() {
        for set in 0..8u8 {
            let has = |bit: u8| set & 1 << bit != 0;
            let state = PmiState {
                bts: if has(0) { FULL } else { FREE },
                pebs: if has(1) { FULL } else { FREE },
                pebs_enable: PebsEnable::new().with_counters(U4::of::<1>()),
                extended_pebs: false,
                global_status: if has(2) { 0x1_0000_0003 } else { 0x1 },
            };
            assert_eq!(state.causes().bits(), set);
            assert_eq!(state.overflowed(), if has(2) { 0x1_0000_0002 } else { 0 }, "counter 0 stores records");
        }
    }

    // with extended PEBS, fixed counter 0 stores records by bit 32, which enables the latency of loads before
    #[test]
    fn a_fixed_counter_stores_records() {
        let pebs_enable = PebsEnable::from_bits(0x1_0000_0001);
        let before = PmiState { pebs_enable, global_status: 0x1_0000_0003, ..PmiState::default() };
        assert_eq!(before.overflowed(), 0x1_0000_0002);
        let extended = PmiState { extended_pebs: true, ..before };
        assert_eq!((extended.overflowed(), extended.precise_counters()), (0x2, 0x1_0000_0001));
    }

    #[test]
    fn the_status_tells_of_pebs_too() {
        let state = PmiState { global_status: 0x4000_0000_0000_0000, ..PmiState::default() };
        assert_eq!(state.causes(), PmiCauses::PRECISE);
        let changed = PmiState { global_status: 0x8000_0000_0000_0000, ..PmiState::default() };
        assert_eq!(changed.causes(), PmiCauses::empty(), "CondChgd is no cause");
    }
}
