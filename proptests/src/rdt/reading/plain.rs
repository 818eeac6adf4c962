//! Straps, inputs and outputs in plain numbers.

/// Logical processors of the largest unit.
pub(super) const MOST: usize = 8;
/// Index of the L3 cache where there is one value for each cache.
pub(super) const L3: usize = 0;
/// Index of the L2 cache.
pub(super) const L2: usize = 1;

/// Straps of one cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Level {
    /// Sets in use; 0 if the cache does not exist.
    pub(super) sets: u64,
    /// Ways in use; 0 if the cache does not exist.
    pub(super) ways: u32,
    /// Masks exist.
    pub(super) masks: bool,
    /// A mask for data and one for code can be told apart.
    pub(super) cdp: bool,
    /// Highest class that has a mask.
    pub(super) highest: u64,
}

/// Straps of memory bandwidth allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delays {
    /// Highest class that has a delay.
    pub(super) highest: u64,
    /// Largest delay value.
    pub(super) most: u64,
    /// Delay values are percent, otherwise cycles.
    pub(super) linear: bool,
    /// The largest delay of all logical processors delays each of them.
    pub(super) core: bool,
    /// Cycles of a request without the delay.
    pub(super) period: u64,
}

/// All straps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Straps {
    /// Logical processors.
    pub(super) processors: usize,
    /// Bits of an address within a line.
    pub(super) line: u32,
    /// The caches, by [`L3`] and [`L2`].
    pub(super) levels: [Level; 2],
    /// Registers of AMD: RMIDs of 12 bits; masks in pieces or empty.
    pub(super) amd: bool,
    /// Masks of Intel may be in pieces.
    pub(super) sparse: bool,
    /// Events that are monitored: bit n - 1 is event n.
    pub(super) events: u64,
    /// Highest RMID.
    pub(super) max_rmid: u64,
    /// Highest RMID that is monitored.
    pub(super) monitored: u64,
    /// Bits of a bandwidth counter.
    pub(super) width: u32,
    /// A unit of `IA32_QM_CTR` is 2^`scale` lines.
    pub(super) scale: u32,
    /// Value of bandwidth counters after reset.
    pub(super) start: u64,
    /// Lines that are written to memory are counted as bandwidth.
    pub(super) write_backs: bool,
    /// One `IA32_QM_EVTSEL` for all logical processors.
    pub(super) package: bool,
    /// Cycles after a write of `IA32_QM_EVTSEL` without data.
    pub(super) settle: u64,
    /// Delays, if they exist.
    pub(super) delays: Option<Delays>,
}

impl Straps {
    /// Returns whether anything is monitored.
    pub(super) const fn monitoring(&self) -> bool {
        self.events != 0
    }

    /// Returns whether anything is allocated.
    pub(super) const fn allocation(&self) -> bool {
        self.levels[L3].masks || self.levels[L2].masks || self.delays.is_some()
    }
}

/// A request of a logical processor for a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) valid: bool,
    pub(super) write: bool,
    pub(super) code: bool,
    pub(super) addr: u64,
}

/// What is asked of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Read,
    Write(u64),
    Other,
}

/// A register request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) op: Op,
    pub(super) lp: usize,
    pub(super) number: u32,
    /// Privilege level.
    pub(super) level: u8,
}

/// Inputs of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct In {
    pub(super) lp: [Wanted; MOST],
    pub(super) gnt: bool,
    pub(super) local: bool,
    pub(super) rvalid: bool,
    /// Ways that shall have power, of each cache.
    pub(super) power: [u32; 2],
    pub(super) unavailable: bool,
    /// An SMI is delivered.
    pub(super) smi: bool,
    pub(super) ask: Option<Ask>,
}

/// What a logical processor is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) ready: bool,
    pub(super) done: bool,
    pub(super) l2_hit: bool,
    pub(super) l3_hit: bool,
}

/// A memory request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Transfer {
    pub(super) write: bool,
    pub(super) addr: u64,
    pub(super) rmid: u64,
    pub(super) cos: u64,
}

/// Outputs of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Out {
    pub(super) lp: [Told; MOST],
    pub(super) mem_req: bool,
    /// Fields of the memory request.
    pub(super) mem: Transfer,
    /// Ways that have power, of each cache.
    pub(super) on: [u32; 2],
    pub(super) walking: bool,
    pub(super) reg_done: bool,
    pub(super) reg_result: u8,
    pub(super) reg_rdata: u64,
}
