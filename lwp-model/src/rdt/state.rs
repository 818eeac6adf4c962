//! Every register of the unit.

use super::line::{L2Line, L3Line, Word};
use crate::choice::choice;
use crate::retire::RegResult;

/// What an access waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// There is no access.
    #[default]
    None,
    /// The L2 cache.
    L2,
    /// The L3 cache.
    L3,
}

choice!(Stage { None = "none", L2 = "L2", L3 = "L3" });

/// What is done with the access in progress, or with a change of power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Step {
    /// The memories are being written after reset.
    #[default]
    Clear,
    /// An access may be chosen.
    Idle,
    /// The L2 cache reads the line.
    L2Read,
    /// The L2 cache is looked up.
    L2Look,
    /// The L3 cache reads the line.
    L3Read,
    /// The L3 cache is looked up.
    L3Look,
    /// The L2 cache reads the line that leaves the L3 cache.
    InvRead,
    /// That line leaves the L2 cache.
    InvLook,
    /// That line is written to memory.
    WriteBack,
    /// That line leaves the L3 cache.
    Evict,
    /// Memory is asked for the line.
    MemRequest,
    /// The line is on its way.
    MemWait,
    /// The line is filled into the L3 cache.
    L3Fill,
    /// The L2 cache reads the set of the line.
    L2Fetch,
    /// The line is filled into the L2 cache.
    L2Fill,
    /// The L3 cache reads the line that left the L2 cache.
    MarkRead,
    /// That line is dirty in the L3 cache.
    Mark,
    /// The L2 cache reads the set that a walk has reached.
    L2WalkRead,
    /// The set is emptied beyond the ways with power.
    L2Walk,
    /// The L3 cache reads the set that a walk has reached.
    L3WalkRead,
    /// The set is emptied beyond the ways with power.
    L3Walk,
}

choice!(Step {
    Clear = "clear",
    Idle = "idle",
    L2Read = "l2_read",
    L2Look = "l2_look",
    L3Read = "l3_read",
    L3Look = "l3_look",
    InvRead = "inv_read",
    InvLook = "inv_look",
    WriteBack = "write_back",
    Evict = "evict",
    MemRequest = "mem_request",
    MemWait = "mem_wait",
    L3Fill = "l3_fill",
    L2Fetch = "l2_fetch",
    L2Fill = "l2_fill",
    MarkRead = "mark_read",
    Mark = "mark",
    L2WalkRead = "l2_walk_read",
    L2Walk = "l2_walk",
    L3WalkRead = "l3_walk_read",
    L3Walk = "l3_walk",
});

/// Code and data apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cdp {
    /// IA32_L3_QOS_CFG\[0\].
    pub l3: bool,
    /// IA32_L2_QOS_CFG\[0\].
    pub l2: bool,
}

/// Registers of a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lp {
    /// IA32_PQR_ASSOC, RMID.
    pub rmid: u8,
    /// IA32_PQR_ASSOC, class of service.
    pub cos: u8,
    /// IA32_QM_EVTSEL, event.
    pub event: u8,
    /// IA32_QM_EVTSEL, RMID.
    pub event_rmid: u16,
    /// Cycles until data are available.
    pub settle: u8,
    /// What the access waits for.
    pub stage: Stage,
    /// Whether the access writes.
    pub write: bool,
    /// Whether the access fetches code.
    pub code: bool,
    /// Line of the access.
    pub line: u64,
    /// RMID at the time of the request.
    pub access_rmid: u8,
    /// Class at the time of the request.
    pub access_cos: u8,
    /// What was earned towards the next request of the L3 cache.
    pub credit: u16,
    /// Whether the access is complete.
    pub done: bool,
    /// Whether it hit the L2 cache.
    pub l2_hit: bool,
    /// Whether it hit the L3 cache.
    pub l3_hit: bool,
}

/// Registers of a class of service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// IA32_L3_MASK_n.
    pub l3_mask: u16,
    /// IA32_L2_MASK_n.
    pub l2_mask: u8,
    /// IA32_L2_QoS_Ext_BW_Thrtl_n.
    pub delay: u16,
}

/// Counters of an RMID.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rmid {
    /// Valid lines of the L3 cache.
    pub occupancy: u32,
    /// Lines moved between the L3 cache and memory, modulo 2^62.
    pub total: u64,
    /// Lines moved between the L3 cache and memory of this package, modulo 2^62.
    pub local: u64,
}

/// The access or the change of power in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// What is done.
    pub step: Step,
    /// Logical processor that was chosen last.
    pub turn: u8,
    /// RMID of the access.
    pub rmid: u8,
    /// Class of the access.
    pub cos: u8,
    /// Whether the access writes.
    pub write: bool,
    /// Whether the access fetches code.
    pub code: bool,
    /// Line of the access.
    pub line: u64,
    /// Ways of the L3 cache that the access may fill.
    pub l3_allowed: u16,
    /// Ways of the L2 cache that the access may fill.
    pub l2_allowed: u8,
    /// Whether the access gets a way of the L3 cache.
    pub fills: bool,
    /// Whether the access hit the L3 cache.
    pub hit: bool,
    /// Way of the L3 cache: where the line goes, or that of the victim.
    pub way: u8,
    /// Line that leaves the L3 cache, or is written to it from the L2 cache.
    pub victim: u64,
    /// RMID of the line that leaves the L3 cache.
    pub victim_rmid: u8,
    /// Whether that line was written since it came.
    pub victim_dirty: bool,
    /// Whether the step belongs to a change of power.
    pub walk: bool,
    /// Set that a walk has reached.
    pub set: u16,
}

/// Ways that have power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerOn {
    /// Ways of the L3 cache.
    pub l3_on: u8,
    /// Ways of the L2 cache.
    pub l2_on: u8,
}

/// The port of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache<L, const WAYS: usize> {
    /// Set that the memory accessed last.
    pub index: u16,
    /// Whether the memory was written in the last cycle.
    pub written: bool,
    /// What was read or written last.
    pub word: Word<L, WAYS>,
}

/// The set of each memory that the probe shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show<const L3_WAYS: usize, const L2_WAYS: usize> {
    /// The set.
    pub index: u16,
    /// What the L3 memory holds there. Not a register.
    pub l3: Word<L3Line, L3_WAYS>,
    /// What the L2 memory holds there. Not a register.
    pub l2: Word<L2Line, L2_WAYS>,
}

/// The answer to a register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether the result of the last cycle's request is valid.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// Value of a RDMSR that is done; otherwise 0.
    pub reg_rdata: u64,
}

/// Every register of the unit, and what the probe shows of the memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const LPS: usize, const L3_WAYS: usize, const L2_WAYS: usize, const RMIDS: usize, const CLASSES: usize>
{
    /// Code and data apart.
    pub cdp: Cdp,
    /// The logical processors.
    pub lp: [Lp; LPS],
    /// The classes of service.
    pub class: [Class; CLASSES],
    /// The counters.
    pub rmid: [Rmid; RMIDS],
    /// The access or the change of power in progress.
    pub job: Job,
    /// Ways that have power.
    pub power: PowerOn,
    /// The port of the L3 memory.
    pub l3: Cache<L3Line, L3_WAYS>,
    /// The port of the L2 memory.
    pub l2: Cache<L2Line, L2_WAYS>,
    /// The set of each memory that the probe shows.
    pub show: Show<L3_WAYS, L2_WAYS>,
    /// The answer to a register request.
    pub answer: Answer,
}

impl<L: Copy + Default, const WAYS: usize> Default for Cache<L, WAYS> {
    fn default() -> Self {
        Self { index: 0, written: false, word: Word::default() }
    }
}

impl<const L3_WAYS: usize, const L2_WAYS: usize> Default for Show<L3_WAYS, L2_WAYS> {
    fn default() -> Self {
        Self { index: 0, l3: Word::default(), l2: Word::default() }
    }
}

impl<const LPS: usize, const L3_WAYS: usize, const L2_WAYS: usize, const RMIDS: usize, const CLASSES: usize> Default
    for State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>
{
    fn default() -> Self {
        Self {
            cdp: Cdp::default(),
            lp: [Lp::default(); LPS],
            class: [Class::default(); CLASSES],
            rmid: [Rmid::default(); RMIDS],
            job: Job::default(),
            power: PowerOn::default(),
            l3: Cache::default(),
            l2: Cache::default(),
            show: Show::default(),
            answer: Answer::default(),
        }
    }
}
