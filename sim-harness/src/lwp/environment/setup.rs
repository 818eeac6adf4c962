//! What a run is made of besides its trace.

use super::consumer::Drain;
use crate::core::MemoryTiming;
use lwp_model::lwp::{Config, Misaligned};
use lwp_regs::lwp::{LwpcbAddr, LwpcbImage, lwpcb_bytes};

/// How the program's session begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The program executes LLWPCB in ring 3.
    #[default]
    Llwpcb,
    /// The operating system writes LWPMSR1 at CPL 0; the unit reads the block on the way into ring 3.
    LwpMsr1,
}

/// Everything that determines a run besides the trace and the unit itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Linear address of the control block, as LLWPCB gets it in rAX, or WRMSR of LWPMSR1.
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
    /// The unit's straps, of which many have a side that is the core's.
    pub straps: Config,
    /// How the session begins.
    pub start: Start,
    /// Cycles from one thread switch to the next, at least 1; `None`: the program is never switched out.
    pub switch_every: Option<u64>,
    /// Probability that the replay of a tagged load is aborted.
    pub replay_abort: f64,
}

impl Setup {
    /// Bytes of the control block.
    #[must_use]
    pub const fn lwpcb_bytes(&self) -> usize {
        lwpcb_bytes(self.slots)
    }

    /// Where the block is: hardware that ignores the low 4 bits of its address finds it there too.
    #[must_use]
    pub const fn block(&self) -> u64 {
        match self.straps.misaligned {
            Misaligned::Fault => self.lwpcb,
            Misaligned::Truncate => self.lwpcb & !(LwpcbAddr::ALIGN - 1),
        }
    }

    /// Greatest latency that can be reported.
    pub(super) const fn latency_limit(&self) -> u32 {
        ((1_u64 << self.latency_bits) - 16) as u32
    }

    /// Where the ring buffer is, as the unit understands its block: the low 5 bits of the address are ignored.
    #[must_use]
    pub const fn buffer(&self) -> u64 {
        self.image.base & !31
    }
}

#[cfg(test)]
impl Setup {
    /// A block that is nowhere looked at, one instruction a cycle, and the default straps.
    pub(super) fn for_tests() -> Self {
        Self {
            lwpcb: 0x1000,
            image: LwpcbImage::zeroed(),
            slots: 8,
            msr0: 1,
            drain: Drain::Never,
            memory: MemoryTiming::default(),
            lanes: 1,
            cpi: 1,
            latency_bits: 31,
            straps: Config::default(),
            start: Start::default(),
            switch_every: None,
            replay_abort: 0.0,
        }
    }
}
