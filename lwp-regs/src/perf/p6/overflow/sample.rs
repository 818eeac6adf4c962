//! What the overflow handler does: save, reset the counter, return.

use crate::access::MsrBus;
use crate::perf::p6::{Counter, P6Counters, PerfCtr, SamplePeriod};

/// Where the interrupt came in: what the handler finds in its frame and in the task register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Interrupted {
    /// EIP: the next instruction. The event happened some instructions before.
    pub eip: u32,
    /// The CS selector; its low two bits are the privilege level.
    pub cs: u16,
    /// The selector of the task state segment (STR).
    pub tss: u16,
}

/// A sample: what the overflow handler saves.
///
/// Source: Intel SDM volume 3, "Monitoring Counter Overflow" of the P6 family processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SampleRecord<T = ()> {
    /// Where.
    pub at: Interrupted,
    /// The counter that overflowed.
    pub overflowed: Counter,
    /// Both counters, before one of them was reset.
    pub counters: [PerfCtr; 2],
    /// Whatever else is of interest, for instance a time or a thread.
    pub other: T,
}

impl<T> SampleRecord<T> {
    /// How many events too late the handler ran: what was counted between the overflow and its reading the counter.
    #[must_use]
    #[inline]
    pub const fn late_by(&self) -> u64 {
        self.counters[self.overflowed.index() as usize].count().get()
    }
}

/// The overflow handler of one counter, apart from entry and return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OverflowSampler {
    counter: Counter,
    period: SamplePeriod,
}

impl OverflowSampler {
    /// Samples each `period` events of `counter`.
    #[must_use]
    #[inline]
    pub const fn new(counter: Counter, period: SamplePeriod) -> Self {
        Self { counter, period }
    }

    /// What the counter is set to at the start and after each overflow.
    #[must_use]
    #[inline]
    pub const fn initial(&self) -> PerfCtr {
        PerfCtr::preset(self.period)
    }

    /// Takes a sample if the counter has overflowed: reads both counters, resets this one to its initial setting. `None`
    /// if it has not, so that the samplers of two counters, which share one interrupt, can be asked one after the other.
    ///
    /// What is counted between the overflow and the reset is in [`SampleRecord::late_by`] and not made up for, so that the
    /// time between two samples is a little more than the period. To be called where the interrupt cannot nest.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; the counter is not reset then.
    pub fn on_overflow<B: MsrBus, T>(
        &self,
        bus: &mut B,
        at: Interrupted,
        other: T,
    ) -> Result<Option<SampleRecord<T>>, B::Fault> {
        let mut p6 = P6Counters::new(bus);
        let counters = [p6.read(Counter::Counter0)?, p6.read(Counter::Counter1)?];
        if !counters[self.counter.index() as usize].has_overflowed() {
            return Ok(None);
        }
        self.rearm(p6.into_bus())?;
        Ok(Some(SampleRecord { at, overflowed: self.counter, counters, other }))
    }

    /// Resets the counter to its initial setting: the next overflow comes a period later.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn rearm<B: MsrBus>(&self, bus: &mut B) -> Result<(), B::Fault> {
        P6Counters::new(bus).load(self.counter, self.initial())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_bus::{Access::*, TestBus};
    use super::*;

    const AT: Interrupted = Interrupted { eip: 0x0804_8123, cs: 0x23, tss: 0x60 };

    fn sampler(counter: Counter) -> OverflowSampler {
        OverflowSampler::new(counter, SamplePeriod::new(1000).unwrap())
    }

    // P6-49: EIP, CS, TSS and both counters are saved; P6-50: the counter is reset to its initial setting
    #[test]
    fn an_overflow_is_saved_and_the_counter_reset() {
        let mut bus = TestBus::with([(0xC1, 7), (0xC2, 0xFF_FFFF_FF00)]);
        let record = sampler(Counter::Counter0).on_overflow(&mut bus, AT, "pid 42").unwrap().unwrap();
        assert_eq!((record.at.eip, record.at.cs, record.at.tss), (0x0804_8123, 0x23, 0x60));
        assert_eq!(record.counters.map(|counter| counter.count()), [7, 0xFF_FFFF_FF00]);
        assert_eq!((record.overflowed, record.late_by(), record.other), (Counter::Counter0, 7, "pid 42"));
        assert_eq!(bus.trace, [Rdmsr(0xC1), Rdmsr(0xC2), Wrmsr(0xC1, 0xFFFF_FC18)]);
    }

    #[test]
    fn the_other_counters_overflow_is_left_alone() {
        let mut bus = TestBus::with([(0xC1, 7), (0xC2, 0xFF_FFFF_FF00)]);
        assert_eq!(sampler(Counter::Counter1).on_overflow(&mut bus, AT, ()), Ok(None));
        assert_eq!(bus.trace, [Rdmsr(0xC1), Rdmsr(0xC2)]);
    }

    // P6-50: the period is the same every time
    #[test]
    fn the_period_is_constant() {
        let sampler = sampler(Counter::Counter1);
        let mut bus = TestBus::with([(0xC1, 0)]);
        for late in [0, 3, 12] {
            sampler.rearm(&mut bus).unwrap();
            let counter = PerfCtr::written(bus.register(0xC2));
            assert!(!counter.advanced(999).has_overflowed());
            assert!(counter.advanced(1000).has_overflowed());
            let mut at_interrupt = TestBus::with([(0xC2, counter.advanced(1000 + late).into_bits())]);
            let record = sampler.on_overflow(&mut at_interrupt, AT, ()).unwrap().unwrap();
            assert_eq!(record.late_by(), late);
            bus = at_interrupt;
        }
    }
}
