//! The two counters of a P6 family processor, of which one register enables both.

use super::{CounterHardware, CounterSelect, CounterWidth};
use crate::access::{CounterBus, MsrBus, TimeBus};
use crate::perf::p6::{Counter, PerfCtr, PerfEvtSel0, PerfEvtSel1, SamplePeriod, rdpmc};
use crate::refused::{Refused, Rule};

impl CounterSelect for PerfEvtSel0 {
    const DISABLED: Self = Self::new();

    fn is_enabled(self) -> bool {
        self.enable()
    }

    fn interrupts(self) -> bool {
        self.interrupt()
    }
}

/// The counters of a P6 family processor, each enabled by itself.
///
/// Hardware has one enable bit, in PerfEvtSel0. A select of either counter is a value of [`PerfEvtSel0`], whose EN says
/// whether this counter counts. The register's EN is 1 while one of the two does. A counter that does not count is given
/// an event that does not occur.
#[derive(Debug)]
pub struct P6FamilyCounters<B> {
    bus: B,
    /// What counter 0 counts.
    select: PerfEvtSel0,
    /// Whether counter 1 counts.
    counter1: bool,
}

impl<B> P6FamilyCounters<B> {
    /// The counters behind `bus`, which are stopped, as after reset.
    #[must_use]
    #[inline]
    pub const fn new(bus: B) -> Self {
        Self { bus, select: PerfEvtSel0::new(), counter1: false }
    }

    /// The bus.
    #[inline]
    pub const fn bus_mut(&mut self) -> &mut B {
        &mut self.bus
    }
}

impl<B: MsrBus> P6FamilyCounters<B> {
    /// Writes PerfEvtSel0 for counters of which the first counts `select` and the second counts or not.
    fn write_select0(&mut self, select: PerfEvtSel0, counter1: bool) -> Result<(), B::Fault> {
        let value = match (select.enable(), counter1) {
            (true, _) => select,
            (false, true) => PerfEvtSel0::NOTHING.with_enable(true),
            (false, false) => PerfEvtSel0::new(),
        };
        PerfEvtSel0::MSR.write_unchecked(&mut self.bus, value)?;
        (self.select, self.counter1) = (select, counter1);
        Ok(())
    }
}

impl<B> CounterHardware for P6FamilyCounters<B>
where
    B: MsrBus + CounterBus<Fault = <B as MsrBus>::Fault> + TimeBus<Fault = <B as MsrBus>::Fault>,
{
    type Counter = Counter;
    type Select = PerfEvtSel0;
    type Fault = <B as MsrBus>::Fault;

    fn width(&self) -> CounterWidth {
        const { CounterWidth::new(PerfCtr::WIDTH as u8).unwrap() }
    }

    fn preset(&self, period: u64) -> Result<u64, Refused> {
        let events = u32::try_from(period).ok().and_then(|events| SamplePeriod::new(events).ok());
        let refused = Refused::new("PerfCtrx", period, Rule::AtMost(SamplePeriod::MAX.events().into()));
        events.map(|period| PerfCtr::preset(period).count().get()).ok_or(refused)
    }

    fn tsc(&mut self) -> Result<u64, Self::Fault> {
        self.bus.rdtsc()
    }

    fn read(&mut self, counter: Counter) -> Result<u64, Self::Fault> {
        rdpmc(&mut self.bus, counter)
    }

    fn write_counter(&mut self, counter: Counter, value: u64) -> Result<(), Self::Fault> {
        PerfCtr::msr(counter).write_unchecked(&mut self.bus, PerfCtr::from_bits(value & 0xFFFF_FFFF))
    }

    fn write_select(&mut self, counter: Counter, select: PerfEvtSel0) -> Result<(), Self::Fault> {
        if counter == Counter::Counter0 {
            return self.write_select0(select, self.counter1);
        }
        let own = if select.enable() { select.with_enable(false).into_bits() } else { 0 };
        PerfEvtSel1::MSR.write_unchecked(&mut self.bus, PerfEvtSel1::from_bits(own))?;
        if self.select.enable() {
            self.counter1 = select.enable(); // EN is 1 and stays so
            return Ok(());
        }
        self.write_select0(self.select, select.enable())
    }

    fn clear_overflow(&mut self, _counter: Counter) -> Result<(), Self::Fault> {
        Ok(()) // nothing remembers it
    }
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code)] // a bus of the test
    extern crate std;
    use super::*;
    use crate::access::GeneralProtection;
    use std::vec::Vec;

    #[derive(Default)]
    struct Trace(Vec<(u32, u64)>);

    impl MsrBus for Trace {
        type Fault = GeneralProtection;
        unsafe fn rdmsr(&mut self, _: u32) -> Result<u64, GeneralProtection> {
            Err(GeneralProtection::NoSuchRegister)
        }
        unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
            self.0.push((address, value));
            Ok(())
        }
    }

    impl CounterBus for Trace {
        type Fault = GeneralProtection;
        fn rdpmc(&mut self, selector: u32) -> Result<u64, GeneralProtection> {
            Ok(0xFFFF_FF00_0000_0000 | u64::from(selector))
        }
    }

    impl TimeBus for Trace {
        type Fault = GeneralProtection;
        fn rdtsc(&mut self) -> Result<u64, GeneralProtection> {
            Ok(7)
        }
        fn rdtscp(&mut self) -> Result<(u64, u32), GeneralProtection> {
            Ok((7, 0))
        }
    }

    const INSTRUCTIONS: PerfEvtSel0 = PerfEvtSel0::from_bits(0x0041_00C0);
    const BRANCHES: PerfEvtSel0 = PerfEvtSel0::from_bits(0x0041_00C4);

    fn written(writes: &[(Counter, PerfEvtSel0)]) -> Vec<(u32, u64)> {
        let mut hw = P6FamilyCounters::new(Trace::default());
        writes.iter().for_each(|(counter, select)| hw.write_select(*counter, *select).unwrap());
        core::mem::take(&mut hw.bus_mut().0)
    }

    #[test]
    fn each_counter_is_enabled_by_itself() {
        let off = PerfEvtSel0::DISABLED;
        let (zero, one) = (Counter::Counter0, Counter::Counter1);
        assert_eq!(written(&[(zero, INSTRUCTIONS), (zero, off)]), [(0x186, 0x0041_00C0), (0x186, 0)]);
        let alone = [(0x187, 0x0001_00C4), (0x186, 0x0040_002E), (0x187, 0), (0x186, 0)];
        assert_eq!(written(&[(one, BRANCHES), (one, off)]), alone);
        let both = [(0x186, 0x0041_00C0), (0x187, 0x0001_00C4), (0x186, 0x0040_002E), (0x187, 0), (0x186, 0)];
        assert_eq!(written(&[(zero, INSTRUCTIONS), (one, BRANCHES), (zero, off), (one, off)]), both);
        let first = [(0x186, 0x0041_00C0), (0x187, 0x0001_00C4), (0x187, 0)];
        assert_eq!(written(&[(zero, INSTRUCTIONS), (one, BRANCHES), (one, off)]), first, "counter 0 counts on");
    }

    #[test]
    fn periods_are_those_of_32_bits() {
        let mut hw = P6FamilyCounters::new(Trace::default());
        assert_eq!(hw.preset(1000), Ok(0xFF_FFFF_FC18));
        assert_eq!(hw.preset(1 << 31), Ok(0xFF_8000_0000));
        assert_eq!(hw.preset((1 << 31) + 1).unwrap_err().rule, Rule::AtMost(1 << 31));
        assert!(hw.preset(0).is_err() && hw.preset(1 << 32).is_err());
        assert_eq!((hw.width().bits(), hw.read(Counter::Counter1), hw.tsc()), (40, Ok(1), Ok(7)));
        hw.write_counter(Counter::Counter1, 0xFF_FFFF_FC18).unwrap();
        assert_eq!(hw.bus_mut().0, [(0xC2, 0xFFFF_FC18)]);
    }
}
