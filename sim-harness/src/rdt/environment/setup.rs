//! Everything that determines a run besides its programs and the unit itself.

use super::memory::MemoryTiming;
use lwp_model::rdt::Config;

/// RMID and class of service of a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assigned {
    /// RMID.
    pub rmid: u8,
    /// Class of service.
    pub class: u8,
}

/// WRMSR of the operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Logical processor that executes it.
    pub lp: u8,
    /// Number of the register.
    pub number: u32,
    /// Value.
    pub value: u64,
    /// RMID and class that it gives to the logical processor, if it does.
    pub assigns: Option<Assigned>,
}

/// What happens at a certain time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// So many ways of the L3 cache shall have power.
    L3Power(u8),
    /// So many ways of the L2 cache shall have power.
    L2Power(u8),
    /// The processor enters system management mode, and leaves it after so many cycles. No program runs in between.
    Smi(u64),
    /// Monitoring data are not available for so many cycles.
    Unavailable(u64),
    /// The operating system writes registers: masks and delays of a class, or RMID and class of a logical processor.
    Writes(Vec<Write>),
}

/// Everything that determines a run besides its programs and the unit itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Straps of the unit.
    pub straps: Config,
    /// Writes of the operating system before the first access.
    pub writes: Vec<Write>,
    /// Memory.
    pub memory: MemoryTiming,
    /// What happens, and in which cycle, in the order of the cycles.
    pub events: Vec<(u64, Happening)>,
    /// RMIDs that the operating system reads, each with the class that it has at first.
    pub rmids: Vec<Assigned>,
    /// Cycles from one reading of all counters to the next, each the period of a timer.
    pub samples: Vec<u64>,
    /// Sets through which the probe's window steps.
    pub sets: u16,
}
