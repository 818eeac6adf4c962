//! What the unit sees in one cycle.

use super::events::Events;
use crate::retire::{BranchKind, IntKind, OpMode, RegRequest};

/// What a retire lane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// An instruction retires here. The other fields are valid with it.
    pub valid: bool,
    /// It contributes to the retired-instruction count.
    pub counts: bool,
    /// What kind of transfer of control it is.
    pub branch_kind: BranchKind,
    /// The transfer was taken.
    pub branch_taken: bool,
    /// The outcome of the prediction is known.
    pub branch_pred_valid: bool,
    /// The prediction was correct.
    pub branch_pred_ok: bool,
}

/// What is shown of a logical processor, but for its lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lp {
    /// No instruction retires.
    pub partial: bool,
    /// Current privilege level, 0 to 3.
    pub cpl: u8,
    /// Operating mode.
    pub op_mode: OpMode,
    /// An interruption is delivered.
    pub int_valid: bool,
    /// Its kind. Valid with `int_valid`.
    pub int_kind: IntKind,
    /// Halted by HLT.
    pub halted: bool,
    /// CR4.PCE.
    pub pce: bool,
    /// No counter of this logical processor counts in this cycle.
    pub freeze: bool,
    /// FREEZE_PERFMON_ON_PMI of IA32_DEBUGCTL.
    pub freeze_on_pmi: bool,
    /// FREEZE_WHILE_SMM of IA32_DEBUGCTL.
    pub freeze_while_smm: bool,
    /// A buffer of the debug store asks for a performance interrupt.
    pub ds_pmi: bool,
    /// The interrupt is taken.
    pub irq_ack: bool,
    /// The event bus.
    pub events: Events,
}

/// A write of the local APIC's entry in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Apic {
    /// The entry is written. The other fields are valid with it.
    pub write: bool,
    /// Logical processor whose entry it is, 3 bits.
    pub lp: u8,
    /// The value.
    pub wdata: u32,
}

/// Inputs of one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<const LP: usize, const LANES: usize> {
    /// A period of the bus clock begins in this cycle.
    pub bus_tick: bool,
    /// Ratio of core clock to bus clock, in halves. Valid with `bus_tick`.
    pub core_ratio: u8,
    /// A period of the core's clock begins in this cycle.
    pub core_clock: bool,
    /// The retire lanes of each logical processor.
    pub lanes: [[Lane; LANES]; LP],
    /// The logical processors.
    pub lp: [Lp; LP],
    /// A register request.
    pub reg: RegRequest,
    /// A write of the local APIC's entry in memory.
    pub apic: Apic,
}

impl<const LP: usize, const LANES: usize> Default for Inputs<LP, LANES> {
    fn default() -> Self {
        Self {
            bus_tick: false,
            core_ratio: 0,
            core_clock: false,
            lanes: [[Lane::default(); LANES]; LP],
            lp: [Lp::default(); LP],
            reg: RegRequest::default(),
            apic: Apic::default(),
        }
    }
}
