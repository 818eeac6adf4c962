//! Everything that determines a run besides the program and the unit itself, and what is read at its end.

use lwp_model::itanium::{COUNTERS, RegRequest};

/// Everything that determines a run besides the program and the unit itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Requests of firmware in front of the program, at privilege level 0.
    pub requests: Vec<RegRequest>,
    /// Instructions above level 0 from one interrupt of the timer to the next; 0: there is no timer. Its vector is that of cr.itv, or EFH.
    pub timer: u64,
    /// Instructions after which the program is taken for endless.
    pub limit: u64,
}

/// What is read at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Cycles since reset.
    pub cycles: u64,
    /// Instructions of the program that have retired.
    pub instructions: u64,
    /// The run was stopped.
    pub stopped: bool,
    /// PMC\[0\].
    pub pmc0: u64,
    /// PMD\[4\] to PMD\[7\].
    pub counts: [u64; COUNTERS],
}
