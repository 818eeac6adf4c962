//! What a run is made of besides its trace.

use super::consumer::Drain;
use lwp_regs::lwp::{LwpcbImage, lwpcb_bytes};

/// How memory answers the unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryTiming {
    /// Cycles from grant to response, drawn from this range (both included). 0 counts as 1.
    pub latency: (u32, u32),
    /// Probability that a standing request is not granted in a cycle.
    pub stall: f64,
    /// Probability that an access page-faults.
    pub fault: f64,
    /// Seed of these draws.
    pub seed: u64,
}

impl Default for MemoryTiming {
    /// Four cycles, no stalls, no faults.
    fn default() -> Self {
        Self { latency: (4, 4), stall: 0.0, fault: 0.0, seed: 1 }
    }
}

/// Everything that determines a run besides the trace and the unit itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Linear address of the control block, as LLWPCB gets it in rAX.
    pub lwpcb: u64,
    /// The block as software has prepared it. Nothing in it is checked.
    pub image: LwpcbImage,
    /// Event slots of the unit.
    pub slots: usize,
    /// Value of the WRMSR to LWPMSR0.
    pub msr0: u64,
    /// Who drains the ring buffer, and when.
    pub drain: Drain,
    /// How memory answers.
    pub memory: MemoryTiming,
    /// Instructions that retire in one cycle at most, from 1 to the number of lanes.
    pub lanes: usize,
    /// Cycles from one group of retiring instructions to the next, at least 1.
    pub cpi: u64,
    /// Bits of a reported latency; longer ones saturate at 2^bits - 16.
    pub latency_bits: u32,
}

impl Setup {
    /// Bytes of the control block.
    #[must_use]
    pub const fn lwpcb_bytes(&self) -> usize {
        lwpcb_bytes(self.slots)
    }

    /// Where the ring buffer is, as the unit understands its block: the low 5 bits of the address are ignored.
    #[must_use]
    pub const fn buffer(&self) -> u64 {
        self.image.base & !31
    }
}
