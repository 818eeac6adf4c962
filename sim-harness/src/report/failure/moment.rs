//! One cycle as the rules of the contract see it: inputs, and the registers before the edge that ends it.

use crate::lwp::input_fields::{COMMON, LANE, lanes_of};
use crate::lwp::unflat::unpack_state;
use lwp_model::lwp::{Config, Outputs, State};

/// Inputs and registers of a cycle.
#[derive(Debug)]
pub(super) struct Moment<'a> {
    pub(super) cycle: u64,
    pub(super) inputs: InputRow<'a>,
    pub(super) state: State,
    pub(super) straps: &'a Config,
}

impl<'a> Moment<'a> {
    pub(super) fn new(cycle: u64, inputs: &'a [u32], registers: &[u32], straps: &'a Config) -> Self {
        Self { cycle, inputs: InputRow(inputs), state: unpack_state(registers), straps }
    }

    /// Whether lanes are accepted and looked at.
    pub(super) fn counting(&self) -> bool {
        let stalled = Outputs::of(&self.state, self.straps).stall;
        self.inputs.ring3() && self.state.session.active && !stalled
    }

    /// The port's answer is here, and somebody waits for it.
    pub(super) fn answered(&self) -> bool {
        let port = &self.state.port;
        port.wait && !port.drop && self.inputs.bit(14)
    }

    /// That answer is a page fault.
    pub(super) fn faulted(&self) -> bool {
        self.answered() && self.inputs.bit(15)
    }
}

/// A row of inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputRow<'a>(pub(super) &'a [u32]);

impl<'a> InputRow<'a> {
    /// A bit of the first word.
    pub(super) fn bit(self, index: u32) -> bool {
        self.0[0] >> index & 1 == 1
    }

    pub(super) fn cpl(self) -> u32 {
        self.0[0] >> 2 & 3
    }

    pub(super) fn ring3(self) -> bool {
        self.cpl() == 3 && !self.bit(1)
    }

    /// The lanes, oldest instruction first.
    pub(super) fn lanes(self) -> impl Iterator<Item = &'a [u32]> {
        let lanes = if lanes_of(self.0.len()).is_some() { &self.0[COMMON..] } else { &[] };
        lanes.chunks_exact(LANE)
    }

    /// The numbers of the lanes with an instruction.
    pub(super) fn valid_lanes(self) -> Vec<usize> {
        let valid = |(at, lane): (usize, &[u32])| (lane[0] & 1 == 1).then_some(at);
        self.lanes().enumerate().filter_map(valid).collect()
    }
}
