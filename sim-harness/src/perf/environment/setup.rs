//! Everything that determines a run besides the trace and the unit itself.

use crate::core::{Ask, Timed, When};
use lwp_model::perf::Config;

/// A counter of a logical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// General counter.
    General(u8),
    /// Fixed counter.
    Fixed(u8),
}

/// Programming of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Logical processor.
    pub lp: u8,
    /// Counter.
    pub which: Which,
    /// Event select of a general counter; of a fixed one, its field of IA32_FIXED_CTR_CTRL.
    pub select: u32,
    /// Events from one overflow to the next; `None` if it counts from 0 without an interrupt.
    pub period: Option<u32>,
}

/// The local APIC's entry for performance interrupts, and how long the core takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Value of the entry of each logical processor.
    pub entry: u32,
    /// Cycles from the request to the core's acknowledgement, if no instruction is shown in part.
    pub latency: u64,
    /// Cycles that the handler spends at CPL 0 in addition to those of its register writes.
    pub handler: u64,
}

impl Default for Interrupt {
    /// Vector 40H after 20 cycles; the handler takes 8.
    fn default() -> Self {
        Self { entry: 0x40, latency: 20, handler: 8 }
    }
}

/// Register requests of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// When the request is made.
    pub when: When,
    /// Logical processor that asks.
    pub lp: u8,
    /// What it asks.
    pub ask: Ask,
}

impl Timed for Request {
    fn when(&self) -> When {
        self.when
    }
}

/// Everything that determines a run besides the trace and the unit itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Instructions that retire in one cycle at most.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
    /// Straps of the unit.
    pub straps: Config,
    /// Cycles from one tick of the bus clock to the next, the first in cycle 0; 0: it stands still.
    pub bus_period: u64,
    /// Ratio of core clock to bus clock, in halves.
    pub core_ratio: u8,
    /// Counters that are programmed before the first instruction.
    pub counters: Vec<Counter>,
    /// Performance interrupts.
    pub interrupt: Interrupt,
    /// IA32_DEBUGCTL.FREEZE_PERFMON_ON_PMI.
    pub freeze_on_pmi: bool,
    /// IA32_DEBUGCTL.FREEZE_WHILE_SMM.
    pub freeze_while_smm: bool,
    /// CR4.PCE.
    pub pce: bool,
    /// What software asks while the program runs.
    pub requests: Vec<Request>,
    /// Seed of the distances between requests.
    pub seed: u64,
}
