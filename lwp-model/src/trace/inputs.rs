//! Inputs of one cycle.

use crate::retire::{Branch, Interruption, MemAnswer, Mode, RegRequest, Retired, Transaction};

/// What a retire lane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The instruction that retires.
    pub retired: Retired,
    /// Its transfer of control.
    pub branch: Branch,
    /// Its transaction.
    pub transaction: Transaction,
}

/// Counters whose events are precise, and the processor's registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Precise {
    /// Counters that overflowed, 4 bits: bit n is counter n.
    pub overflow: u8,
    /// Counters whose event occurred at an instruction of this cycle's group, 4 bits: bit n is counter n.
    pub event: u8,
    /// The processor's register that the output `state_index` names.
    pub state_value: u64,
}

/// Inputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<const LANES: usize> {
    /// The lanes show no branch.
    pub partial: bool,
    /// The retire lanes, in program order.
    pub lanes: [Lane; LANES],
    /// Privilege and operating mode.
    pub mode: Mode,
    /// Base of CS.
    pub cs_base: u64,
    /// Base of CS behind the far branch or the interruption of this cycle.
    pub far_base: u64,
    /// Whether the processor is in 64-bit mode behind such a transfer.
    pub far_long: bool,
    /// An interruption.
    pub int: Interruption,
    /// A period of the core's clock begins in this cycle.
    pub core_clock: bool,
    /// A performance interrupt was asked for.
    pub pmi: bool,
    /// Precise events.
    pub pebs: Precise,
    /// The system bus takes the message.
    pub btm_ready: bool,
    /// What memory answers.
    pub mem: MemAnswer,
    /// A register request.
    pub reg: RegRequest,
}

impl<const LANES: usize> Default for Inputs<LANES> {
    fn default() -> Self {
        Self {
            partial: false,
            lanes: [Lane::default(); LANES],
            mode: Mode::default(),
            cs_base: 0,
            far_base: 0,
            far_long: false,
            int: Interruption::default(),
            core_clock: false,
            pmi: false,
            pebs: Precise::default(),
            btm_ready: false,
            mem: MemAnswer::default(),
            reg: RegRequest::default(),
        }
    }
}
