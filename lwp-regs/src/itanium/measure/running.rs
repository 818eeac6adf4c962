//! Counters that run: reading, overflow, context switch, stop.

use super::configuration::{Configuration, restore_pp, used};
use super::error::StartError;
use crate::itanium::{Counter, Dcr, Frozen, ItaniumBus, Pmc0, PmcBus, Pmd, Psr, Saved, Snapshot};

/// Events that were counted since the start, in 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counts([u64; 4]);

impl Counts {
    /// The events of a counter; 0 if it measures nothing.
    #[must_use]
    #[inline]
    pub const fn of(&self, counter: Counter) -> u64 {
        self.0[counter.index() as usize - 4]
    }
}

/// A configuration that has been started. The totals are exact as long as a counter is read, or interrupts, at least once in
/// 2^32 events.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the counters run until `stop`"]
pub struct RunningMonitors {
    configuration: Configuration,
    /// The counts when they were last looked at or loaded.
    seen: [u32; 4],
    totals: [u64; 4],
    /// DCR before the start, or before the last [`SuspendedMonitors::resume`].
    dcr: Dcr,
    /// Overflow bits of the counters that interrupt and whose count has fallen, until their overflow has been handled. Only
    /// an overflow lets such a count fall, and a freeze between whose read and write of PMC\[0\] it happens erases its bit.
    fallen: Pmc0,
}

/// A configuration that was taken from the processor, with its counts: the context of a process or of a processor that
/// sleeps.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SuspendedMonitors {
    running: RunningMonitors,
    overflow: Pmc0,
}

impl RunningMonitors {
    pub(super) const fn new(configuration: Configuration, seen: [u32; 4], totals: [u64; 4], dcr: Dcr) -> Self {
        Self { configuration, seen, totals, dcr, fallen: Pmc0::new() }
    }

    /// What was started.
    #[must_use]
    #[inline]
    pub const fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Gives the PSR of the process that runs its bits, as [`Configuration::psr`] has them; `chosen` tells whether the
    /// process is to be monitored. For other processes, change the PSR that was saved for them.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; the PSR keeps its content then.
    pub fn enter<B: ItaniumBus>(&self, bus: &mut B, chosen: bool) -> Result<(), B::Fault> {
        let psr = Psr::from_bits(bus.read_psr()?);
        bus.write_psr(self.configuration.psr(psr, chosen).into_bits())
    }

    fn observe(&mut self, counter: Counter, count: Pmd) {
        let c = usize::from(counter.index()) - 4;
        if let Some(of) = self.configuration.measurement(counter) {
            let fallen = u64::from(of.interrupts && count.count() < self.seen[c]) << counter.index();
            self.fallen = Pmc0::from_bits(self.fallen.into_bits() | fallen);
            self.totals[c] += u64::from(count.count().wrapping_sub(self.seen[c]));
            self.seen[c] = count.count();
        }
    }

    fn observe_all(&mut self, snapshot: &Snapshot) {
        Counter::ALL.into_iter().for_each(|counter| self.observe(counter, snapshot.count(counter)));
    }

    /// PMC\[0\] of a snapshot whose counts have been observed, with the overflow bits that are missing.
    fn overflow(&self, snapshot: &Snapshot) -> Pmc0 {
        Pmc0::from_bits(snapshot.overflow.into_bits() | self.fallen.into_bits())
    }

    /// The events so far. The counters run on, so they are not read at the same time; with PSR.sp or outside privilege
    /// level 0 a counter may read as 0 and must not be read here.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn read<B: PmcBus>(&mut self, bus: &mut B) -> Result<Counts, B::Fault> {
        for counter in Counter::ALL {
            let count = counter.read(bus)?;
            self.observe(counter, count);
        }
        Ok(Counts(self.totals))
    }

    /// Handles the interrupt of an overflow: freezes, saves, loads the counters that interrupted for their next
    /// interrupt, and thaws last. Returns PMC\[0\]: which counters overflowed. A counter that interrupts is found by its count
    /// if an overflow next to a freeze has no bit.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. Nothing is lost: the call can be repeated.
    pub fn handle_overflow<B: PmcBus>(&mut self, bus: &mut B) -> Result<Pmc0, B::Fault> {
        let mut frozen = freeze(bus)?;
        let snapshot = *frozen.snapshot();
        self.observe_all(&snapshot);
        let overflow = self.overflow(&snapshot);
        for (counter, of) in used(&self.configuration.measurements) {
            if of.interrupts && overflow.overflowed(counter) {
                frozen.load(counter, Pmd::of(of.initial))?;
                self.seen[usize::from(counter.index()) - 4] = of.initial;
            }
        }
        frozen.thaw().map_err(|(_, fault)| fault)?;
        self.fallen = Pmc0::new();
        Ok(overflow)
    }

    /// Freezes monitoring, takes the configuration and its counts from the processor, for another one to be started or
    /// resumed there, and gives DCR its `pp` back.
    ///
    /// # Errors
    ///
    /// Itself, for another try, and the fault that an access raised.
    pub fn suspend<B: ItaniumBus>(mut self, bus: &mut B) -> Result<SuspendedMonitors, (Self, B::Fault)> {
        let frozen = freeze(bus).map(|frozen| *frozen.snapshot());
        match frozen.and_then(|snapshot| restore_pp(bus, self.dcr).map(|()| snapshot)) {
            Ok(snapshot) => {
                self.observe_all(&snapshot);
                let overflow = self.overflow(&snapshot);
                self.fallen = Pmc0::new();
                Ok(SuspendedMonitors { running: self, overflow })
            }
            Err(fault) => Err((self, fault)),
        }
    }

    /// Freezes monitoring, counts what there is, selects nothing and removes every constraint. Monitoring stays frozen.
    /// The bits of the PSR of each process stay; without monitors they have no effect.
    ///
    /// # Errors
    ///
    /// Itself, for another try, and the fault that an access raised.
    pub fn stop<B: ItaniumBus>(mut self, bus: &mut B) -> Result<Counts, (Self, B::Fault)> {
        match freeze(bus) {
            Ok(frozen) => self.observe_all(frozen.snapshot()),
            Err(fault) => return Err((self, fault)),
        }
        match self.configuration.unload(bus, self.dcr) {
            Ok(()) => Ok(Counts(self.totals)),
            Err(fault) => Err((self, fault)),
        }
    }
}

fn freeze<B: PmcBus>(bus: &mut B) -> Result<Frozen<&mut B, Saved>, B::Fault> {
    let frozen = Frozen::freeze(bus).map_err(|(_, fault)| fault)?;
    frozen.save().map_err(|(_, fault)| fault)
}

impl SuspendedMonitors {
    /// The events so far.
    #[must_use]
    #[inline]
    pub const fn counts(&self) -> Counts {
        Counts(self.running.totals)
    }

    /// PMC\[0\] when it was suspended, with the bits that the freeze has erased: the counters whose overflow
    /// [`RunningMonitors::handle_overflow`] has not handled. Their interrupt may still come; nothing is left to be done for
    /// it.
    #[must_use]
    #[inline]
    pub const fn overflow(&self) -> Pmc0 {
        self.overflow
    }

    /// Writes every register as [`Configuration::start`] does, and counts on from the saved counts. A counter that had
    /// overflowed with an interrupt begins its next period.
    ///
    /// # Errors
    ///
    /// Itself, for another try, and why. Monitoring is frozen then, and DCR is as it was, unless writing it back faults, too.
    pub fn resume<B: ItaniumBus>(mut self, bus: &mut B) -> Result<RunningMonitors, (Self, StartError<B::Fault>)> {
        for (counter, of) in used(&self.running.configuration.measurements) {
            if of.interrupts && self.overflow.overflowed(counter) {
                self.running.seen[usize::from(counter.index()) - 4] = of.initial;
            }
        }
        match self.running.configuration.load(bus, self.running.seen) {
            Ok(dcr) => {
                self.running.dcr = dcr;
                Ok(self.running)
            }
            Err(error) => Err((self, error)),
        }
    }
}
