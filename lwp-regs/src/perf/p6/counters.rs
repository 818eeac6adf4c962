//! Starting, stopping, clearing and reading the counters.

use super::{Counter, NoSuchCounter, PerfCtr, PerfEvtSel0, PerfEvtSel1, Setup, rdpmc};
use crate::access::{CounterBus, GeneralProtection, MsrBus};
use core::fmt;

/// The two counters of the processor that it runs on, reached by RDMSR and WRMSR; for privilege level 0.
///
/// They belong to the processor, not to a thread: they count whatever runs on it. Every method is safe to call in any
/// state; on a fault those accesses have happened that come before it.
///
/// Source: Intel SDM volume 3, "Starting and Stopping the Performance-Monitoring Counters".
#[derive(Debug)]
pub struct P6Counters<B> {
    bus: B,
}

impl<B: MsrBus> P6Counters<B> {
    /// The counters behind `bus`.
    #[must_use]
    #[inline]
    pub const fn new(bus: B) -> Self {
        Self { bus }
    }

    /// The bus.
    pub fn into_bus(self) -> B {
        self.bus
    }

    /// Sets both counters up and starts them at the same time: stops them, loads the initial counts, writes PerfEvtSel1
    /// and then PerfEvtSel0 with EN. Counting begins after that last write.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. If it was the first access, nothing has changed, and counters that were running
    /// count on; else nothing counts.
    pub fn start(&mut self, setup: &Setup) -> Result<(), B::Fault> {
        // First of all, since PerfEvtSel0 holds the enable bit of both.
        PerfEvtSel0::MSR.write_unchecked(&mut self.bus, PerfEvtSel0::NOTHING)?;
        for (counter, initial) in Counter::ALL.into_iter().zip(setup.initial) {
            self.load(counter, initial)?;
        }
        PerfEvtSel1::MSR.write_unchecked(&mut self.bus, setup.select1)?;
        PerfEvtSel0::MSR.write_unchecked(&mut self.bus, setup.select0.with_enable(true))
    }

    /// Stops both counters by clearing EN; [`resume`](Self::resume) goes on from where they are.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; the counters count on then.
    pub fn pause(&mut self) -> Result<(), B::Fault> {
        PerfEvtSel0::MSR.update_unchecked(&mut self.bus, |select| select.with_enable(false))
    }

    /// Sets EN again after [`pause`](Self::pause).
    ///
    /// # Errors
    ///
    /// The fault that an access raised; the counters stay stopped then.
    pub fn resume(&mut self) -> Result<(), B::Fault> {
        PerfEvtSel0::MSR.update_unchecked(&mut self.bus, |select| select.with_enable(true))
    }

    /// Stops both counters by clearing all bits of PerfEvtSel0, which holds EN, and PerfEvtSel1. The counts stay.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn stop(&mut self) -> Result<(), B::Fault> {
        PerfEvtSel0::MSR.write_unchecked(&mut self.bus, PerfEvtSel0::new())?;
        PerfEvtSel1::MSR.write_unchecked(&mut self.bus, PerfEvtSel1::new())
    }

    /// Stops counter 1 alone by clearing PerfEvtSel1. Counter 0 cannot be stopped alone: its register holds EN.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn stop_counter1(&mut self) -> Result<(), B::Fault> {
        PerfEvtSel1::MSR.write_unchecked(&mut self.bus, PerfEvtSel1::NOTHING)
    }

    /// What `counter` holds, by RDMSR.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn read(&mut self, counter: Counter) -> Result<PerfCtr, B::Fault> {
        PerfCtr::msr(counter).read(&mut self.bus)
    }

    /// Loads `counter`. Of the 40 bits, 32 are written; see [`PerfCtr::written`] for what then stands there, and
    /// [`PerfCtr::loadable`] for counts that stay as they are.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn load(&mut self, counter: Counter, count: PerfCtr) -> Result<(), B::Fault> {
        // EDX is ignored; written as 0, so that the value is legal whatever checks it on its way.
        PerfCtr::msr(counter).write_unchecked(&mut self.bus, PerfCtr::from_bits(count.into_bits() & 0xFFFF_FFFF))
    }

    /// Writes 0 to `counter`: ECX is the number of PerfCtr0 plus its index, EDX:EAX are 0.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn pmc_clear(&mut self, counter: Counter) -> Result<(), B::Fault> {
        self.load(counter, PerfCtr::new())
    }

    /// Clears counter number `counter` and writes `select` to its PerfEvtSel, with EDX 0: the raw call that a driver gives
    /// to others. While counter 0 is set up so and `select` has no EN, counter 1 stops as well.
    ///
    /// # Errors
    ///
    /// [`SetCounterError::NoSuchCounter`] and [`SetCounterError::WouldFault`], before anything is accessed; else the fault
    /// of an access.
    pub fn set_counter(&mut self, counter: u32, select: u32) -> Result<(), SetCounterError<B::Fault>> {
        let counter = Counter::try_from(counter).map_err(SetCounterError::NoSuchCounter)?;
        match counter {
            Counter::Counter0 => {
                let select = PerfEvtSel0::check_write(PerfEvtSel0::new(), u64::from(select), &())
                    .map_err(SetCounterError::WouldFault)?;
                self.pmc_clear(counter).map_err(SetCounterError::Bus)?;
                PerfEvtSel0::MSR.write_unchecked(&mut self.bus, select).map_err(SetCounterError::Bus)
            }
            Counter::Counter1 => {
                let select = PerfEvtSel1::check_write(PerfEvtSel1::new(), u64::from(select), &())
                    .map_err(SetCounterError::WouldFault)?;
                self.pmc_clear(counter).map_err(SetCounterError::Bus)?;
                PerfEvtSel1::MSR.write_unchecked(&mut self.bus, select).map_err(SetCounterError::Bus)
            }
        }
    }

    /// Counts while `work` runs: starts the counters, lets it run, and reads them with RDPMC; they are left counting.
    ///
    /// The counts are those of the processor in that time: starting `work`, the system below it, interrupts and, if the
    /// thread can be preempted, everything else that ran. For a number of its own a thread needs a virtual counter.
    ///
    /// # Errors
    ///
    /// [`CountError`]; `work` has not run if it is [`CountError::Start`].
    pub fn count<C: CounterBus, R>(
        &mut self,
        setup: &Setup,
        counters: &mut C,
        work: impl FnOnce() -> R,
    ) -> Result<Counted<R>, CountError<B::Fault, C::Fault>> {
        self.start(setup).map_err(CountError::Start)?;
        let result = work();
        let mut counts = [0; 2];
        for (counter, count) in Counter::ALL.into_iter().zip(&mut counts) {
            let end = rdpmc(counters, counter).map_err(CountError::Read)?;
            let initial = PerfCtr::written(setup.initial[counter.index() as usize].into_bits());
            *count = PerfCtr::from_bits(end).since(initial);
        }
        Ok(Counted { result, counts })
    }
}

/// What [`P6Counters::count`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counted<R> {
    /// What the work returned.
    pub result: R,
    /// What counter 0 and counter 1 have counted since the start.
    pub counts: [u64; 2],
}

/// Why [`P6Counters::set_counter`] does nothing, or not all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SetCounterError<F> {
    /// There are the counters 0 and 1 only. Nothing was accessed.
    NoSuchCounter(NoSuchCounter),
    /// The value has a reserved bit. Nothing was accessed.
    WouldFault(GeneralProtection),
    /// An access failed.
    Bus(F),
}

impl<F: fmt::Display> fmt::Display for SetCounterError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchCounter(error) => error.fmt(f),
            Self::WouldFault(fault) => write!(f, "writing this would raise {fault}"),
            Self::Bus(fault) => write!(f, "setting the counter up failed: {fault}"),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for SetCounterError<F> {}

/// Why [`P6Counters::count`] gives no counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CountError<M, C> {
    /// The counters could not be started.
    Start(M),
    /// The counters could not be read; for instance CR4.PCE is 0 and this is user mode.
    Read(C),
}

impl<M: fmt::Display, C: fmt::Display> fmt::Display for CountError<M, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(fault) => write!(f, "the counters could not be started: {fault}"),
            Self::Read(fault) => write!(f, "the counters could not be read: {fault}; is RDPMC allowed here?"),
        }
    }
}

impl<M: fmt::Debug + fmt::Display, C: fmt::Debug + fmt::Display> core::error::Error for CountError<M, C> {}

#[cfg(test)]
mod tests {
    use super::super::test_bus::{Access::*, Failed, TestBus};
    use super::super::{EventSelect, P6Model, Run, SamplePeriod, event};
    use super::*;
    use crate::refused::Rule;

    fn setup() -> Setup {
        let [instructions, cycles] = [&event::INST_RETIRED, &event::CPU_CLK_UNHALTED].map(EventSelect::new);
        Run::pair(instructions, cycles).unwrap().setup(P6Model::PentiumIII).unwrap()
    }

    // P6-39, P6-25: PerfEvtSel1 before PerfEvtSel0, whose EN comes last
    #[test]
    fn starting() {
        let mut counters = P6Counters::new(TestBus::default());
        counters.start(&setup()).unwrap();
        assert_eq!(
            counters.into_bus().trace,
            [
                Wrmsr(0x186, 0x0000_002E),
                Wrmsr(0xC1, 0),
                Wrmsr(0xC2, 0),
                Wrmsr(0x187, 0x0003_0079),
                Wrmsr(0x186, 0x0043_00C0),
            ]
        );
    }

    // P6-38: the negative count goes out as 32 bits
    #[test]
    fn starting_before_an_overflow() {
        let period = SamplePeriod::new(1000).unwrap();
        let mut counters = P6Counters::new(TestBus::default());
        counters.start(&setup().starting_at(Counter::Counter1, PerfCtr::preset(period))).unwrap();
        assert_eq!(counters.into_bus().trace[1..3], [Wrmsr(0xC1, 0), Wrmsr(0xC2, 0xFFFF_FC18)]);
    }

    // P6-41: by clearing EN, or by clearing all bits of both
    #[test]
    fn stopping() {
        let mut counters = P6Counters::new(TestBus::with([(0x186, 0x0043_00C0), (0x187, 0x0003_0079)]));
        counters.pause().unwrap();
        assert_eq!(counters.bus.register(0x186), 0x0003_00C0);
        counters.resume().unwrap();
        assert_eq!(counters.bus.register(0x186), 0x0043_00C0);
        counters.bus.trace.clear();
        counters.stop().unwrap();
        assert_eq!(counters.into_bus().trace, [Wrmsr(0x186, 0), Wrmsr(0x187, 0)]);
    }

    // P6-42: PerfEvtSel1 only, PerfEvtSel0 is not touched
    #[test]
    fn stopping_counter_1_alone() {
        let mut counters = P6Counters::new(TestBus::with([(0x186, 0x0043_00C0), (0x187, 0x0003_0079)]));
        counters.stop_counter1().unwrap();
        assert_eq!(counters.into_bus().trace, [Wrmsr(0x187, 0)]);
    }

    // VPC-63: WRMSR with ECX = C1h + n and EDX:EAX = 0
    #[test]
    fn clearing() {
        let mut counters = P6Counters::new(TestBus::default());
        counters.pmc_clear(Counter::Counter0).unwrap();
        counters.pmc_clear(Counter::Counter1).unwrap();
        assert_eq!(counters.into_bus().trace, [Wrmsr(0xC1, 0), Wrmsr(0xC2, 0)]);
    }

    // VPC-64: the counter is cleared, then the selection written; other numbers are refused
    #[test]
    fn set_counter() {
        let mut counters = P6Counters::new(TestBus::default());
        counters.set_counter(0, 0x0043_00C0).unwrap();
        counters.set_counter(1, 0x0003_0079).unwrap();
        assert_eq!(counters.set_counter(2, 0), Err(SetCounterError::NoSuchCounter(NoSuchCounter(2))));
        let reserved = GeneralProtection::refused("PerfEvtSel1", 0x0040_0000, Rule::MustBeZero);
        assert_eq!(counters.set_counter(1, 0x0043_0079), Err(SetCounterError::WouldFault(reserved)));
        let trace = [Wrmsr(0xC1, 0), Wrmsr(0x186, 0x0043_00C0), Wrmsr(0xC2, 0), Wrmsr(0x187, 0x0003_0079)];
        assert_eq!(counters.into_bus().trace, trace);
    }

    // P6-33: what stands in a counter is its count
    #[test]
    fn reading() {
        let mut counters = P6Counters::new(TestBus::with([(0xC1, 0xFF_FFFF_FC18), (0xC2, 42)]));
        assert_eq!(counters.read(Counter::Counter0).unwrap().count(), 0xFF_FFFF_FC18);
        assert_eq!(counters.read(Counter::Counter1).unwrap().count(), 42);
    }

    #[test]
    fn a_fault_ends_the_start_with_the_counters_stopped() {
        for fails in 0..5 {
            let mut counters = P6Counters::new(TestBus::failing_after(fails));
            assert_eq!(counters.start(&setup()), Err(Failed));
            let bus = counters.into_bus();
            assert_eq!(bus.trace.len(), fails);
            assert_eq!(bus.register(0x186) & 0x0040_0000, 0);
        }
    }

    #[test]
    fn a_start_that_faults_at_once_stops_nothing() {
        for fails in 0..5 {
            let mut counters = P6Counters::new(TestBus::failing_after(5 + fails));
            counters.start(&setup()).unwrap();
            assert_eq!(counters.start(&setup()), Err(Failed));
            let counting = counters.into_bus().register(0x186) & 0x0040_0000 != 0;
            assert_eq!(counting, fails == 0, "access {fails}");
        }
    }

    // MET-11: what fork or exec return when they fail is the result, next to the counts so far
    #[test]
    fn work_that_fails_says_so() {
        let mut pmcs = TestBus::with([(0xC1, 20), (0xC2, 30)]);
        for failure in ["fork failed", "exec failed"] {
            let work = || Err::<(), _>(failure);
            let counted = P6Counters::new(TestBus::default()).count(&setup(), &mut pmcs, work).unwrap();
            assert_eq!((counted.result, counted.counts), (Err(failure), [20, 30]));
        }
    }

    #[test]
    fn a_failed_start_does_not_run_the_work() {
        let mut counters = P6Counters::new(TestBus::failing_after(0));
        let work = || panic!("must not run");
        assert_eq!(
            counters.count(&setup(), &mut TestBus::default(), work),
            Err(CountError::<_, Failed>::Start(Failed))
        );
    }
}
