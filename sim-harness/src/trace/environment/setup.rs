//! What determines a run besides the trace and the unit.

use lwp_model::trace::{Config, Linear};
use lwp_regs::trace::{DebugCtl, DsFormat, PebsFormat};
use miette::Diagnostic;
use thiserror::Error;

/// Where trace messages go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sink {
    /// There are none.
    Nowhere,
    /// To the system bus.
    Bus,
    /// To the BTS buffer.
    #[default]
    Memory,
}

/// Whose branches are traced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Levels {
    /// Those above privilege level 0.
    #[default]
    User,
    /// Those at privilege level 0.
    Kernel,
    /// All.
    All,
}

/// The BTS buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Records that it holds.
    pub records: u64,
    /// Records after which it interrupts.
    pub threshold: u64,
    /// It is circular, and does not interrupt.
    pub circular: bool,
    /// Records whose pages are present, if not all are: the others page-fault.
    pub present: Option<u64>,
}

impl Default for Buffer {
    fn default() -> Self {
        Self { records: 256, threshold: 192, circular: false, present: None }
    }
}

/// The event of the precise counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Event {
    /// An instruction retires.
    #[default]
    Instructions,
    /// A branch is taken.
    Branches,
}

/// A precise counter, and its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// What it counts.
    pub event: Event,
    /// Events from one overflow to the next.
    pub period: u64,
    /// Records that the buffer holds; it interrupts when half of them are there.
    pub records: u64,
}

/// Everything that determines a run besides the trace and the unit itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Instructions that retire in one cycle at most.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
    /// Where trace messages go.
    pub sink: Sink,
    /// Whether the LBR stack records.
    pub lbr: bool,
    /// Whose branches are traced.
    pub levels: Levels,
    /// The BTS buffer.
    pub buffer: Buffer,
    /// A precise counter.
    pub pebs: Option<Sampling>,
    /// Cycles from a memory request to its grant, and from the grant to the response; cycles that a message waits for the bus.
    pub latency: u64,
}

/// Why a run cannot go on.
#[derive(Clone, Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum TraceFailure {
    /// The unit refuses an access of the operating system.
    #[error("{what} {number:#x} in cycle {cycle} is not done: {result}")]
    #[diagnostic(
        code(branch_records::not_done),
        help("the unit breaks its contract: compare it with `--engine lockstep`")
    )]
    NotDone {
        /// RDMSR or WRMSR.
        what: &'static str,
        /// The register.
        number: u32,
        /// Its cycle.
        cycle: u64,
        /// The answer.
        result: &'static str,
    },
    /// The index of a buffer is not at a record.
    #[error("the index of the buffer at {base:#x} is {index:#x} in cycle {cycle}, which is not at a record")]
    #[diagnostic(
        code(branch_records::index),
        help("the unit breaks its contract: compare it with `--engine lockstep`")
    )]
    Index {
        /// Base of the buffer.
        base: u64,
        /// Its index.
        index: u64,
        /// The cycle.
        cycle: u64,
    },
}

/// What follows of a setup for the straps of the unit: formats, sizes, the contents of IA32_DEBUGCTL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) format: DsFormat,
    pub(super) pebs_format: PebsFormat,
    /// IA32_DEBUGCTL while the program runs.
    pub(super) debugctl: DebugCtl,
    /// The program is in 64-bit mode.
    pub(super) long: bool,
}

impl Setup {
    pub(super) fn plan(&self, straps: &Config) -> Plan {
        let long = straps.linear != Linear::Bits32;
        let format = if straps.dtes64 || long { DsFormat::Bits64 } else { DsFormat::Bits32 };
        let pebs_format = [PebsFormat::Registers, PebsFormat::Loads, PebsFormat::Transactions, PebsFormat::Timed];
        let traced = self.sink != Sink::Nowhere && straps.ds;
        let stored = self.sink == Sink::Memory;
        let debugctl = DebugCtl::new()
            .with_lbr(self.lbr)
            .with_tr(traced)
            .with_bts(traced && stored)
            .with_btint(traced && stored && !self.buffer.circular)
            .with_bts_off_os(traced && straps.ds_cpl && self.levels == Levels::User)
            .with_bts_off_usr(traced && straps.ds_cpl && self.levels == Levels::Kernel)
            .with_freeze_lbrs_on_pmi(straps.pmi_freeze && self.lbr);
        Plan { format, pebs_format: pebs_format[usize::from(straps.pebs_format & 3)], debugctl, long }
    }
}
