//! Counts of what was checked.

use core::ops::AddAssign;

/// The number of times each thing was checked, so that a test can require that all of them were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Instructions that retired in ring 3 while the state was known.
    pub instructions: u64,
    /// Records of which every bit, the position and the instruction followed from what was seen before.
    pub exact: u64,
    /// Records that were one of several possible ones.
    pub bounded: u64,
    /// Operations with their results and accesses.
    pub operations: u64,
    /// Operations that were refused with #UD or #GP.
    pub refused: u64,
    /// Operations that met a page fault.
    pub faulted: u64,
    /// Operations that wrote the state of a session to its block.
    pub flushes: u64,
    /// Sessions that began in ring 3 after their pointer was loaded outside, or after a restore.
    pub deferred: u64,
    /// Page faults of stores and deferred loads.
    pub traps: u64,
    /// Instructions that were undone.
    pub undone: u64,
    /// Pending records that were stored before anything else retired.
    pub resumed: u64,
    /// Threshold interrupts.
    pub interrupts: u64,
    /// Updates of MissedEvents.
    pub missed: u64,
    /// Words of a context that were saved and compared.
    pub saved: u64,
    /// Words of a context that were restored.
    pub restored: u64,
    /// Loads that were tagged and replayed.
    pub replays: u64,
    /// Times the state was lost: the core broke a rule of the ports, or did something for which the text defines no
    /// meaning.
    pub lost: u64,
    /// The reason of the last loss.
    pub why_lost: Option<&'static str>,
    /// The largest number of possible states.
    pub widest: u64,
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.exact += other.exact;
        self.bounded += other.bounded;
        self.operations += other.operations;
        self.refused += other.refused;
        self.faulted += other.faulted;
        self.flushes += other.flushes;
        self.deferred += other.deferred;
        self.traps += other.traps;
        self.undone += other.undone;
        self.resumed += other.resumed;
        self.interrupts += other.interrupts;
        self.missed += other.missed;
        self.saved += other.saved;
        self.restored += other.restored;
        self.replays += other.replays;
        self.lost += other.lost;
        self.why_lost = other.why_lost.or(self.why_lost);
        self.widest = self.widest.max(other.widest);
    }
}
