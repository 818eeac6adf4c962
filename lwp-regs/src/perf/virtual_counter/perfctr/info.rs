//! What the driver is built with, and what it reports.

use crate::perf::virtual_counter::CounterHardware;

/// Which parts of the driver there are: the options of the kernel's configuration. Without `CONFIG_PERFCTR` a system has
/// no [`Perfctr`](super::Perfctr).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Options {
    /// `CONFIG_PERFCTR_VIRTUAL`: counters of a task.
    pub virtual_counters: bool,
    /// `CONFIG_PERFCTR_GLOBAL`: counters of each processor, sampled by a timer.
    pub global: bool,
    /// `CONFIG_PERFCTR_DEBUG`: a switch that contradicts the one before is an error.
    pub checks: bool,
    /// `CONFIG_PERFCTR_INIT_TESTS`: the initialisation tries the counters out.
    pub init_tests: bool,
}

impl Options {
    /// Everything.
    pub const ALL: Self = Self { virtual_counters: true, global: true, checks: true, init_tests: true };
}

/// What `PERFCTR_INFO` reports of the counters of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Info {
    /// Number of counters.
    pub counters: u8,
    /// Their width in bits.
    pub width: u8,
    /// Whether an overflow interrupts.
    pub interrupts: bool,
    /// Number of processors.
    pub cpus: usize,
}

impl Info {
    /// What is reported of `hw`, with so many counters, on each of `cpus` processors.
    #[must_use]
    pub fn of<H: CounterHardware>(hw: &H, counters: u8, cpus: usize) -> Self {
        Self { counters, width: hw.width().bits(), interrupts: H::INTERRUPTS, cpus }
    }
}

/// The entry of `/proc/<pid>` by which a task's counters are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProcEntry {
    /// Its name.
    pub name: &'static str,
    /// Its permissions. The documents name a constant and not its value; here the owner alone may read.
    pub mode: u16,
}

impl ProcEntry {
    /// The entry.
    pub const PERFCTR: Self = Self { name: "perfctr", mode: 0o400 };
}
