//! Processors with counters, and one without.

use super::{CounterHardware, CounterSelect, CounterWidth};
use crate::access::{CounterBus, MsrBus, TimeBus};
use crate::perf::amd::{AmdCounterIndex, AmdGlobalStatusClr, AmdPerfCaps, AmdPerfCtl, AmdPerfCtr};
use crate::perf::architectural::{
    CounterIndex, Ia32APmc, Ia32PerfEvtSel, Ia32PerfGlobalCtrl, Ia32PerfGlobalOvfCtrl, Ia32Pmc, PerfmonCaps,
};
use crate::refused::{Refused, Rule};
use core::convert::Infallible;

/// The general-purpose counters of an Intel processor with architectural performance monitoring.
#[derive(Debug)]
pub struct ArchitecturalCounters<B> {
    bus: B,
    caps: PerfmonCaps,
    width: CounterWidth,
}

impl<B> ArchitecturalCounters<B>
where
    B: MsrBus + CounterBus<Fault = <B as MsrBus>::Fault> + TimeBus<Fault = <B as MsrBus>::Fault>,
{
    /// The counters behind `bus`; `None` when the processor gives them a width that no counter has.
    #[must_use]
    pub fn new(bus: B, caps: PerfmonCaps) -> Option<Self> {
        let width = CounterWidth::new(caps.width)?;
        Some(Self { bus, caps, width })
    }

    /// Lets every counter count that is enabled by its own register: version 2 and later want it in two places. To be
    /// called once, and after whoever else has changed `IA32_PERF_GLOBAL_CTRL`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn enable_all(&mut self) -> Result<(), <B as MsrBus>::Fault> {
        if !self.caps.has_global_control() {
            return Ok(());
        }
        Ia32PerfGlobalCtrl::MSR.write_unchecked(&mut self.bus, Ia32PerfGlobalCtrl::all(&self.caps))
    }

    /// The bus.
    #[inline]
    pub const fn bus_mut(&mut self) -> &mut B {
        &mut self.bus
    }
}

impl<B> CounterHardware for ArchitecturalCounters<B>
where
    B: MsrBus + CounterBus<Fault = <B as MsrBus>::Fault> + TimeBus<Fault = <B as MsrBus>::Fault>,
{
    type Counter = CounterIndex;
    type Select = Ia32PerfEvtSel;
    type Fault = <B as MsrBus>::Fault;

    fn width(&self) -> CounterWidth {
        self.width
    }

    /// As far as 32 bits go, sign-extended; with full-width writes as far as the top bit of the counter is 1 until the
    /// overflow.
    fn preset(&self, period: u64) -> Result<u64, Refused> {
        if !self.caps.capabilities.full_width_write() {
            let written = Ia32Pmc::overflow_after(period)?.value() as u32;
            return Ok(i64::from(written as i32) as u64 & self.width.max()); // as the counter shows it then
        }
        let preset = Ia32APmc::overflow_after(period, self.width.bits())?.value();
        if !self.width.is_negative(preset) {
            return Err(Refused::new("IA32_A_PMCx", period, Rule::AtMost(1 << (self.width.bits() - 1))));
        }
        Ok(preset)
    }

    fn tsc(&mut self) -> Result<u64, Self::Fault> {
        self.bus.rdtsc()
    }

    fn read(&mut self, counter: CounterIndex) -> Result<u64, Self::Fault> {
        self.bus.rdpmc(counter.rdpmc_selector())
    }

    fn write_counter(&mut self, counter: CounterIndex, value: u64) -> Result<(), Self::Fault> {
        match counter.full_width(&self.caps) {
            Some(register) => register.write_unchecked(&mut self.bus, Ia32APmc::from_bits(value & self.width.max())),
            None => counter.counter().write_unchecked(&mut self.bus, Ia32Pmc::from_bits(value & 0xFFFF_FFFF)),
        }
    }

    fn write_select(&mut self, counter: CounterIndex, select: Ia32PerfEvtSel) -> Result<(), Self::Fault> {
        counter.select().write_unchecked(&mut self.bus, select)
    }

    fn clear_overflow(&mut self, counter: CounterIndex) -> Result<(), Self::Fault> {
        if !self.caps.has_global_control() {
            return Ok(());
        }
        Ia32PerfGlobalOvfCtrl::MSR.write_unchecked(&mut self.bus, Ia32PerfGlobalOvfCtrl::counter(counter))
    }
}

/// The core performance counters of an AMD processor.
///
/// With `PerfMonV2` the processor remembers each overflow in [`AmdGlobalStatus`](crate::perf::amd::AmdGlobalStatus). The
/// counters of a processor with [these capabilities](Self::with_caps) clear the bit of a counter whose overflow has been
/// handled, and no other bit. They leave `PerfCntrGlobalCtl` alone, which lets every counter count after reset.
#[derive(Debug)]
pub struct AmdCounters<B> {
    bus: B,
    perfmon_v2: bool,
}

impl<B> AmdCounters<B> {
    /// The counters behind `bus`, of a processor without `PerfMonV2`. On one that has it, the global status goes on to show
    /// each overflow; see [`with_caps`](Self::with_caps).
    #[must_use]
    #[inline]
    pub const fn new(bus: B) -> Self {
        Self { bus, perfmon_v2: false }
    }

    /// Returns the counters behind `bus`, of a processor with these capabilities.
    #[must_use]
    #[inline]
    pub const fn with_caps(bus: B, caps: &AmdPerfCaps) -> Self {
        Self { bus, perfmon_v2: caps.perfmon_v2 }
    }

    /// The bus.
    #[inline]
    pub const fn bus_mut(&mut self) -> &mut B {
        &mut self.bus
    }
}

impl<B> CounterHardware for AmdCounters<B>
where
    B: MsrBus + CounterBus<Fault = <B as MsrBus>::Fault> + TimeBus<Fault = <B as MsrBus>::Fault>,
{
    type Counter = AmdCounterIndex;
    type Select = AmdPerfCtl;
    type Fault = <B as MsrBus>::Fault;

    fn width(&self) -> CounterWidth {
        const { CounterWidth::new(AmdPerfCtr::WIDTH).unwrap() }
    }

    fn preset(&self, period: u64) -> Result<u64, Refused> {
        AmdPerfCtr::overflow_after(period).map(|preset| preset.value().get())
    }

    fn tsc(&mut self) -> Result<u64, Self::Fault> {
        self.bus.rdtsc()
    }

    fn read(&mut self, counter: AmdCounterIndex) -> Result<u64, Self::Fault> {
        self.bus.rdpmc(counter.rdpmc_selector())
    }

    fn write_counter(&mut self, counter: AmdCounterIndex, value: u64) -> Result<(), Self::Fault> {
        counter.counter().write_unchecked(&mut self.bus, AmdPerfCtr::from_bits(value & !AmdPerfCtr::RESERVED))
    }

    fn write_select(&mut self, counter: AmdCounterIndex, select: AmdPerfCtl) -> Result<(), Self::Fault> {
        counter.select().write_unchecked(&mut self.bus, select)
    }

    fn clear_overflow(&mut self, counter: AmdCounterIndex) -> Result<(), Self::Fault> {
        if !self.perfmon_v2 {
            return Ok(()); // nothing remembers it
        }
        AmdGlobalStatusClr::MSR.write_unchecked(&mut self.bus, AmdGlobalStatusClr::counter(counter))
    }
}

/// A processor that has a time-stamp counter and nothing else, as the AMD K6: virtual time works, counters do not exist.
#[derive(Debug)]
pub struct TscOnly<B>(pub B);

/// Counts nothing: there is no counter to write it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoSelect;

impl CounterSelect for NoSelect {
    const DISABLED: Self = Self;

    fn is_enabled(self) -> bool {
        false
    }

    fn interrupts(self) -> bool {
        false
    }
}

impl<B: TimeBus> CounterHardware for TscOnly<B> {
    type Counter = Infallible;
    type Select = NoSelect;
    type Fault = B::Fault;

    const INTERRUPTS: bool = false;

    fn width(&self) -> CounterWidth {
        CounterWidth::TSC
    }

    fn preset(&self, period: u64) -> Result<u64, Refused> {
        Err(Refused::new("performance counter", period, Rule::NotAvailable("performance counters")))
    }

    fn tsc(&mut self) -> Result<u64, B::Fault> {
        self.0.rdtsc()
    }

    fn read(&mut self, counter: Infallible) -> Result<u64, B::Fault> {
        match counter {}
    }

    fn write_counter(&mut self, counter: Infallible, _value: u64) -> Result<(), B::Fault> {
        match counter {}
    }

    fn write_select(&mut self, counter: Infallible, _select: NoSelect) -> Result<(), B::Fault> {
        match counter {}
    }

    fn clear_overflow(&mut self, counter: Infallible) -> Result<(), B::Fault> {
        match counter {}
    }
}
