//! The rules of the ports that a core and a memory keep, as far as inputs and outputs alone show them.
//!
//! Source: "Ports" and "Memory port" in the unit's chapters of the book.

use lwp_model::lwp::{AddressPolicy, Config, CtlState, Inputs, Mode, Outputs, State, StoreTiming};

/// A referee beside the unit.
#[derive(Clone, Debug)]
pub struct Rules {
    sync: bool,
    replay: bool,
    mode: Option<Mode>,
    /// An access was granted and is not answered.
    awaited: bool,
    /// An operation was accepted and is not answered.
    operating: bool,
    /// A load was tagged and has not come again.
    tagged: bool,
    /// The page-fault request stood in the cycle before, too, and was not taken.
    trapped: bool,
}

impl Rules {
    /// At reset.
    #[must_use]
    pub fn new(straps: &Config) -> Self {
        let sync = straps.store_timing == StoreTiming::Sync;
        let replay = straps.address_policy == AddressPolicy::Replay;
        Self { sync, replay, mode: None, awaited: false, operating: false, tagged: false, trapped: false }
    }

    /// In a state of a run: what is in flight, as the registers tell it. The mode of the cycle before is not known, and a page-fault request
    /// may have come in this very cycle; then the core waits a cycle longer than it had to.
    #[must_use]
    pub fn resume(straps: &Config, state: &State) -> Self {
        Self {
            awaited: state.port.wait || state.port.drop,
            operating: state.ctl.st != CtlState::Idle && !state.ctl.init,
            tagged: state.tag.valid,
            trapped: state.pf.valid,
            ..Self::new(straps)
        }
    }

    /// One cycle outside reset: what the unit is given while it shows `out`.
    ///
    /// # Errors
    /// The first rule that the inputs break. All cycles are to be shown all the same.
    pub fn check<const W: usize>(&mut self, inputs: &Inputs<W>, out: &Outputs) -> Result<(), &'static str> {
        self.tagged |= out.flush_req;
        let broken = self.broken(inputs, out);
        self.remember(inputs, out);
        broken.map_or(Ok(()), Err)
    }

    fn broken<const W: usize>(&self, inputs: &Inputs<W>, out: &Outputs) -> Option<&'static str> {
        let retires = retires(inputs);
        let before = self.mode.unwrap_or(inputs.mode);
        let leaves = before.ring3() && !inputs.mode.ring3();
        let again = inputs.buffer.replay_abort || tags(inputs);
        let rules = [
            (inputs.mem.rvalid && !self.awaited, "the memory answers what was not granted"),
            (retires && out.stall, "an instruction retires while the unit stalls"),
            (retires && before != inputs.mode, "an instruction retires in the first cycle of another mode"),
            (retires && self.trapped, "an instruction retires before a page-fault trap is taken"),
            (leaves && out.drain, "the core leaves ring 3 while the unit drains"),
            (inputs.pf_ack && !out.pf_valid, "the core takes a page fault that is not requested"),
            (inputs.pf_ack && self.operating, "the core takes a page fault while an operation is under way"),
            (inputs.irq_ack && !out.irq, "the core takes an interrupt that is not requested"),
            (retires && inputs.ctl.valid && self.sync, "an operation comes with a group that may be cut"),
            (self.replay && again && !self.tagged, "a load that was not tagged comes again"),
        ];
        rules.iter().find(|(broken, _)| *broken).map(|&(_, rule)| rule)
    }

    fn remember<const W: usize>(&mut self, inputs: &Inputs<W>, out: &Outputs) {
        self.mode = Some(inputs.mode);
        self.awaited = self.awaited && !inputs.mem.rvalid || out.mem_req && inputs.mem.gnt;
        self.operating = self.operating && !out.rsp_valid || inputs.ctl.valid && !out.stall;
        self.tagged &= !(inputs.buffer.replay_abort || tags(inputs) && !out.stall);
        self.trapped = out.pf_valid && !inputs.pf_ack;
    }

    /// One cycle in reset. What the memory granted before it may still answer: it need not be reset with the unit.
    pub fn reset<const W: usize>(&mut self, inputs: &Inputs<W>) {
        let awaited = self.awaited && !inputs.mem.rvalid;
        *self = Self { mode: None, awaited, operating: false, tagged: false, trapped: false, ..*self };
    }

    /// The mode of the cycle before.
    pub(super) fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// An access was granted and is not answered.
    pub(super) fn awaited(&self) -> bool {
        self.awaited
    }

    /// An operation is under way.
    pub(super) fn operating(&self) -> bool {
        self.operating
    }

    /// A load was tagged and has not come again; `out` is of the present cycle.
    pub(super) fn tagged(&self, out: &Outputs) -> bool {
        self.tagged || out.flush_req
    }

    /// The page-fault request has stood since the cycle before.
    pub(super) fn trapped(&self) -> bool {
        self.trapped
    }
}

/// A lane is looked at and not empty.
pub(super) fn retires<const W: usize>(inputs: &Inputs<W>) -> bool {
    if inputs.partial { inputs.lanes[0].valid } else { inputs.lanes.iter().any(|lane| lane.valid) }
}

fn tags<const W: usize>(inputs: &Inputs<W>) -> bool {
    inputs.lanes.iter().any(|lane| lane.valid && lane.loads.iter().any(|load| load.tagged))
}
