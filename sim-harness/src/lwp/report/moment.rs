//! One cycle as the rules of the contract see it: the inputs, and the registers before the edge that ends the cycle.

use crate::lwp::input_fields::{LANES, unpack_any};
use crate::lwp::unflat::{unpack_state, unpack_straps};
use crate::report;
use lwp_model::lwp::{Config, Inputs, Outputs, State};

/// The inputs and registers of a cycle.
#[derive(Debug)]
pub(super) struct Moment {
    pub(super) cycle: u64,
    pub(super) inputs: Inputs<LANES>,
    pub(super) state: State,
    pub(super) straps: Config,
}

impl Moment {
    /// Unpacks a cycle of the report; returns `None` if its straps are invalid.
    pub(super) fn of(now: &report::Moment<'_>) -> Option<Self> {
        let straps = unpack_straps(now.straps).ok()?;
        Some(Self { cycle: now.cycle, inputs: unpack_any(now.inputs).0, state: unpack_state(now.shown), straps })
    }

    /// Whether the unit accepts and processes lanes in this cycle.
    pub(super) fn counting(&self) -> bool {
        let stalled = Outputs::of(&self.state, &self.straps).stall;
        self.inputs.mode.ring3() && self.state.session.active && !stalled
    }

    /// Whether a response to an access that has not been abandoned is valid in this cycle.
    pub(super) fn answered(&self) -> bool {
        let port = &self.state.port;
        port.wait && !port.drop && self.inputs.mem.rvalid
    }

    /// Whether that response is a page fault.
    pub(super) fn faulted(&self) -> bool {
        self.answered() && self.inputs.mem.err
    }

    /// Returns the numbers of the lanes that hold an instruction.
    pub(super) fn valid_lanes(&self) -> Vec<usize> {
        self.inputs.lanes.iter().enumerate().filter_map(|(at, lane)| lane.valid.then_some(at)).collect()
    }
}
