//! Everything that determines a run besides the program and the unit itself.

use lwp_model::itanium::COUNTERS;

/// A register that the operating system writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Register file and index, as a request has them.
    pub number: u32,
    /// Value.
    pub value: u64,
}

/// Everything that determines a run besides the program and the unit itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Instructions that retire in a cycle at most.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
    /// Cycles from one period of the core's clock to the next; at least 1.
    pub core_clock: u64,
    /// Writes before the program begins, in this order. The last thaws the monitors.
    pub writes: Vec<Write>,
    /// What PMD\[4\] to PMD\[7\] are set to at the beginning and at each overflow that freezes.
    pub start: [u32; COUNTERS],
    /// PSR of the program: the bits of monitoring.
    pub psr: u64,
    /// Instructions from one interruption by the timer to the next; 0: there is no timer.
    pub timer: u64,
}

impl Default for Setup {
    fn default() -> Self {
        let (writes, start) = (Vec::new(), [0; COUNTERS]);
        Self { lanes: 1, spacing: 1, core_clock: 1, writes, start, psr: 0, timer: 0 }
    }
}
