//! The registers as they were when the cycle began, for stages that run after others have changed some of them.

use super::config::Config;
use super::event;
use super::inputs::Inputs;
use super::outputs;
use super::port::PortCycle;
use super::state::{CtlState, InterruptRegs, State, StoreState};

/// The registers as they were when the cycle began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) ring3: bool,
    pub(super) stall: bool,
    pub(super) counting: bool,
    pub(super) store_st: StoreState,
    pub(super) ctl_st: CtlState,
    pub(super) active: bool,
    pub(super) pf_valid: bool,
    pub(super) irq: InterruptRegs,
    /// No record is on its way.
    pub(super) no_record: bool,
    /// MissedEvents in memory has to be brought up to date.
    pub(super) owed: bool,
    /// Index of the event whose counter is being reloaded in this cycle.
    pub(super) resetting: Option<usize>,
}

impl Now {
    pub(super) fn of<const W: usize>(state: &State, inputs: &Inputs<W>, straps: &Config) -> Self {
        let ring3 = inputs.mode.ring3();
        let stall = outputs::stall(state, straps);
        let resetting = state.store.st == StoreState::Reset;
        Self {
            ring3,
            stall,
            counting: ring3 && state.session.active && !stall,
            store_st: state.store.st,
            ctl_st: state.ctl.st,
            active: state.session.active,
            pf_valid: state.pf.valid,
            irq: state.irq,
            no_record: state.no_record(),
            owed: outputs::owed(state, straps),
            resetting: if resetting { event::index(state.records[0].event) } else { None },
        }
    }

    /// Nothing of the session is on its way to memory, or nothing that could get there.
    pub(super) const fn settled(&self, port: &PortCycle) -> bool {
        matches!(self.store_st, StoreState::Idle)
            && port.idle
            && (!self.ring3 || self.pf_valid || !self.active || self.no_record && !self.owed)
    }
}
