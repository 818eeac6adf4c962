//! State at the beginning of the cycle, for stages that run after other stages have changed registers.

use super::config::Config;
use super::event;
use super::inputs::Inputs;
use super::outputs;
use super::port::PortCycle;
use super::state::{CtlState, InterruptRegs, State, StoreState};

/// State at the beginning of the cycle.
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
    /// Whether the record queue is empty.
    pub(super) no_record: bool,
    /// Whether MissedEvents in memory must be updated.
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

    /// Whether no store of the session is in progress or can start.
    pub(super) const fn settled(&self, port: &PortCycle) -> bool {
        matches!(self.store_st, StoreState::Idle)
            && port.idle
            && (!self.ring3 || self.pf_valid || !self.active || self.no_record && !self.owed)
    }
}
