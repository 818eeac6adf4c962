//! Overflow handlers and context switches: freeze, save, and thaw last.

use super::{Counter, Pmc0, PmcBus, Pmd};

/// What a handler or a context switch has to save before monitoring goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Snapshot {
    /// Which counters had overflowed.
    pub overflow: Pmc0,
    /// The counts of PMD\[4\] to PMD\[7\].
    pub counts: [Pmd; 4],
}

impl Snapshot {
    /// The count of one counter.
    #[must_use]
    #[inline]
    pub const fn count(&self, counter: Counter) -> Pmd {
        self.counts[counter.index() as usize - 4]
    }
}

/// Monitoring is frozen, and counters and overflow state have not been saved yet.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unsaved {
    overflow: Pmc0,
}

/// Monitoring is frozen, and counters and overflow state have been saved.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Saved {
    snapshot: Snapshot,
}

/// A processor whose monitoring is frozen, so that its handler does not count itself.
///
/// The states keep the order: freeze, save, do what is to be done, and clear `fr` as the last step. Before it has been
/// saved, nothing can be thawed or loaded.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, chapter "Performance
/// Monitoring", on event qualification: "Performance Monitor Freeze".
#[derive(Debug)]
#[must_use = "monitoring stays frozen until `thaw`"]
pub struct Frozen<B, S> {
    bus: B,
    state: S,
}

impl<B: PmcBus> Frozen<B, Unsaved> {
    /// Freezes monitoring, unless an overflow has done so.
    ///
    /// Without an overflow before, one that happens between reading PMC\[0\] and writing it loses its overflow bit; who
    /// cannot have that clears PSR.up and PSR.pp first. [`RunningMonitors`](super::RunningMonitors) finds it by the count.
    ///
    /// # Errors
    ///
    /// The bus and the fault that an access raised; nothing has been changed then.
    pub fn freeze(mut bus: B) -> Result<Self, (B, B::Fault)> {
        let frozen = Pmc0::PMC.read(&mut bus).and_then(|pmc0| {
            if !pmc0.fr() {
                Pmc0::PMC.write(&mut bus, pmc0.with_fr(true))?;
            }
            Ok(pmc0)
        });
        match frozen {
            Ok(overflow) => Ok(Self { bus, state: Unsaved { overflow } }),
            Err(fault) => Err((bus, fault)),
        }
    }

    /// Saves counters and overflow state.
    ///
    /// # Errors
    ///
    /// Itself, for another try, and the fault that an access raised.
    pub fn save(mut self) -> Result<Frozen<B, Saved>, (Self, B::Fault)> {
        let mut counts = [Pmd::new(); 4];
        for (count, counter) in counts.iter_mut().zip(Counter::ALL) {
            match counter.read(&mut self.bus) {
                Ok(value) => *count = value,
                Err(fault) => return Err((self, fault)),
            }
        }
        let snapshot = Snapshot { overflow: self.state.overflow, counts };
        Ok(Frozen { bus: self.bus, state: Saved { snapshot } })
    }
}

impl<B: PmcBus> Frozen<B, Saved> {
    /// What was saved.
    #[inline]
    pub const fn snapshot(&self) -> &Snapshot {
        &self.state.snapshot
    }

    /// The bus, to configure monitors while nothing is counted. Whoever writes PMC\[0\] through it thaws too early;
    /// [`check_handler`](super::check_handler) finds that.
    #[inline]
    pub const fn bus(&mut self) -> &mut B {
        &mut self.bus
    }

    /// Gives a counter a new count: that of another process, or one that overflows after so many events.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the counter keeps its count then.
    pub fn load(&mut self, counter: Counter, count: Pmd) -> Result<(), B::Fault> {
        counter.write(&mut self.bus, count)
    }

    /// Clears overflow state and `fr`: the last step, after which events count again.
    ///
    /// # Errors
    ///
    /// Itself, for another try, and the fault that the access raised.
    pub fn thaw(mut self) -> Result<B, (Self, B::Fault)> {
        match Pmc0::PMC.write(&mut self.bus, Pmc0::RUNNING) {
            Ok(()) => Ok(self.bus),
            Err(fault) => Err((self, fault)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::itanium::recorder::Recorder;
    use crate::itanium::{PmcAccess, check_handler};
    use core::num::NonZeroU32;

    fn overflowed() -> Recorder {
        let mut bus = Recorder::default();
        bus.pmc.insert(0, 0x21);
        bus.pmd.extend([(4, 40), (5, 0), (6, 60), (7, 70)]);
        bus
    }

    // ITA-19: an overflow handler: frozen by the overflow, saves, loads, clears fr last
    #[test]
    fn an_overflow_handler() {
        let mut bus = overflowed();
        let mut frozen = Frozen::freeze(&mut bus).unwrap().save().unwrap();
        assert!(frozen.snapshot().overflow.overflowed(Counter::Five));
        assert_eq!(Counter::ALL.map(|counter| frozen.snapshot().count(counter).count()), [40, 0, 60, 70]);
        frozen.load(Counter::Five, Pmd::overflow_after(NonZeroU32::new(16).unwrap())).unwrap();
        frozen.thaw().unwrap();
        let trace = [
            PmcAccess::ReadPmc(0),
            PmcAccess::ReadPmd(4),
            PmcAccess::ReadPmd(5),
            PmcAccess::ReadPmd(6),
            PmcAccess::ReadPmd(7),
            PmcAccess::WritePmd(5, 0xFFFF_FFFF_FFFF_FFF0),
            PmcAccess::WritePmc(0, 0),
        ];
        assert_eq!(bus.trace, trace);
        assert_eq!(check_handler(&bus.trace, true), Ok(()));
    }

    // ITA-19: a context switch: freezes itself, and keeps overflow bits that are set
    #[test]
    fn a_context_switch() {
        let mut bus = overflowed();
        bus.pmc.insert(0, 0x20);
        Frozen::freeze(&mut bus).unwrap().save().unwrap().thaw().unwrap();
        assert_eq!(bus.trace[..2], [PmcAccess::ReadPmc(0), PmcAccess::WritePmc(0, 0x21)]);
        assert_eq!(check_handler(&bus.trace, false), Ok(()));
    }

    #[test]
    fn a_fault_gives_everything_back() {
        for step in 0..6 {
            let mut bus = Recorder { broken: Some(step), ..overflowed() };
            let thawed = match Frozen::freeze(&mut bus) {
                Err((bus, _)) => Frozen::freeze(bus).unwrap().save().unwrap().thaw(),
                Ok(frozen) => match frozen.save() {
                    Err((frozen, _)) => frozen.save().unwrap().thaw(),
                    Ok(frozen) => frozen.thaw(),
                },
            };
            if let Err((frozen, _)) = thawed {
                assert_eq!(step, 5, "only the last step can still fault");
                frozen.thaw().unwrap();
            }
            assert_eq!(bus.pmc[&0], 0);
        }
    }
}
