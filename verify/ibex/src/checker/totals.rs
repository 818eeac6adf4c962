//! What a run comes to.

/// The totals of a run.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Cycles since reset.
    pub cycles: u64,
    /// Processor time of the simulation, in nanoseconds.
    pub nanoseconds: u64,
    /// Instructions that retired.
    pub instructions: u64,
    /// Those that retired where instructions count: in user mode.
    pub user_instructions: u64,
    /// Those of them that retired while the session was active.
    pub counted: u64,
    /// Those of them that retired between the instruction of a record and the end of that record.
    pub unrecorded: u64,
    /// The most of them for one record.
    pub longest: u64,
    /// Records of each event.
    pub records: [u64; 3],
    /// Event and address of each record.
    pub record_pcs: Vec<(usize, u32)>,
    /// Records that the kernel took.
    pub drained: u64,
    /// Records that the unit discarded because user mode was left.
    pub discarded: u64,
    /// Records that found the ring full.
    pub missed: u32,
    /// Crossings of the threshold.
    pub crossings: u64,
    /// Interrupts that the core took.
    pub interrupts: u64,
    /// Flushes: at each SLWPCB of the program, and at the end of the session.
    pub flushes: u64,
    /// Counters that the unit wrote at a flush, compared with the checker's.
    pub counters_compared: u64,
    /// What the program printed.
    pub text: String,
    /// Exit code of the program.
    pub exit: Option<u32>,
    /// Differences.
    pub differences: u64,
    /// The first of them.
    pub texts: Vec<String>,
}

impl Totals {
    /// Returns the number of records of all events.
    #[must_use]
    pub fn all_records(&self) -> u64 {
        self.records.iter().sum()
    }

    /// Returns the instructions that no record could show, for each record.
    #[must_use]
    pub fn unrecorded_per_record(&self) -> f64 {
        self.unrecorded as f64 / (self.all_records() + u64::from(self.missed) + self.discarded).max(1) as f64
    }
}
