//! Numbers of a run.

/// What happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Cycles since reset.
    pub cycles: u64,
    /// Instructions that retired.
    pub instructions: u64,
    /// Those of them that retired in ring 3, outside SMM.
    pub ring3_instructions: u64,
    /// Threshold interrupts taken.
    pub interrupts: u64,
    /// Page faults taken: traps of stores, and LLWPCB or SLWPCB that faulted.
    pub page_faults: u64,
    /// Thread switches: the context was saved and restored.
    pub switches: u64,
}
