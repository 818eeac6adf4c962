//! One cycle as the rules of the contract see it: inputs, and the registers before the edge that ends it.

use crate::lwp::input_fields::{LANES, unpack_any};
use crate::lwp::unflat::{unpack_state, unpack_straps};
use crate::report;
use lwp_model::lwp::{Config, Inputs, Outputs, State};

/// Inputs and registers of a cycle.
#[derive(Debug)]
pub(super) struct Moment {
    pub(super) cycle: u64,
    pub(super) inputs: Inputs<LANES>,
    pub(super) state: State,
    pub(super) straps: Config,
}

impl Moment {
    /// `None` if the straps are none.
    pub(super) fn of(now: &report::Moment<'_>) -> Option<Self> {
        let straps = unpack_straps(now.straps).ok()?;
        Some(Self { cycle: now.cycle, inputs: unpack_any(now.inputs).0, state: unpack_state(now.shown), straps })
    }

    /// Whether lanes are accepted and looked at.
    pub(super) fn counting(&self) -> bool {
        let stalled = Outputs::of(&self.state, &self.straps).stall;
        self.inputs.mode.ring3() && self.state.session.active && !stalled
    }

    /// The port's answer is here, and somebody waits for it.
    pub(super) fn answered(&self) -> bool {
        let port = &self.state.port;
        port.wait && !port.drop && self.inputs.mem.rvalid
    }

    /// That answer is a page fault.
    pub(super) fn faulted(&self) -> bool {
        self.answered() && self.inputs.mem.err
    }

    /// The numbers of the lanes with an instruction.
    pub(super) fn valid_lanes(&self) -> Vec<usize> {
        self.inputs.lanes.iter().enumerate().filter_map(|(at, lane)| lane.valid.then_some(at)).collect()
    }
}
