//! The unit: steps all stages in each cycle.

use super::config::{Config, ConfigError};
use super::control;
use super::decode;
use super::event;
use super::inputs::Inputs;
use super::lfsr::Lfsr;
use super::now::Now;
use super::outputs::Outputs;
use super::port::PortCycle;
use super::replay;
use super::report;
use super::reset;
use super::state::{CtlState, State, StoreState};
use super::store;
use super::straps::{Entropy, LeavePolicy};
use lwp_regs::lwp::LwpCaps;

/// The Lightweight Profiling unit with `W` retire lanes, `S` event slots and latencies of `LAT` bits.
///
/// Sizes outside the contract (W 1 to 8, S 1 to 26, LAT 10 to 31) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lwp<const W: usize, const S: usize, const LAT: u32> {
    pub(super) straps: Config,
    caps: LwpCaps,
    pub(super) state: State,
}

impl<const W: usize, const S: usize, const LAT: u32> Lwp<W, S, LAT> {
    const SIZES: () = {
        assert!(matches!(W, 1 | 2 | 4 | 8), "retire lanes: 1, 2, 4 or 8");
        assert!(S >= 1 && S <= 26, "event slots: 1 to 26");
        assert!(LAT >= 10 && LAT <= 31, "latency bits: 10 to 31");
    };

    /// Returns a unit in the state after reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        () = Self::SIZES;
        straps.validate()?;
        Ok(Self { straps, caps: straps.caps(S as u8, LAT as u8), state: State::default() })
    }

    /// Returns every register in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the outputs of the present cycle.
    #[must_use]
    pub const fn outputs(&self) -> Outputs {
        Outputs::of(&self.state, &self.straps)
    }

    /// Returns the straps.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.straps
    }

    /// Returns what CPUID 8000_001C reports in addition to the enabled features.
    #[must_use]
    pub const fn caps(&self) -> &LwpCaps {
        &self.caps
    }

    /// Returns to the state after reset.
    pub fn reset(&mut self) {
        self.state = State::default();
    }

    /// Steps one cycle: takes the inputs, and changes every register once.
    pub fn step(&mut self, inputs: &Inputs<W>) {
        let now = Now::of(&self.state, inputs, &self.straps);
        let tag = replay::ready(&self.state, inputs, &self.straps);
        let state = &mut self.state;
        state.pf.acknowledge(inputs.pf_ack);
        state.irq.acknowledge(inputs.irq_ack);
        state.irq.count_down(state.session.msr0.interrupt());
        let port = state.port.advance(&inputs.mem);
        state.retire.cut_valid = false;
        state.retire.flush_req = false;
        state.undo.valid &= now.store_st != StoreState::Idle || !now.no_record || now.owed;
        if now.counting {
            self.collect(&now, inputs);
        }
        self.settle(&now, inputs);
        let filled = self.state.mab.step::<LAT>(&inputs.buffer, &self.straps);
        let undoable = self.state.undo.valid;
        self.store(&now, &port, inputs.entropy);
        let undone = undoable && !self.state.undo.valid;
        if tag && !undone {
            replay::tag::<LAT>(&mut self.state, &inputs.buffer, filled, &self.straps);
        }
        self.control(&now, &port, inputs);
        self.leave(&now);
        self.state.retire.was_ring3 = now.ring3;
    }

    fn store(&mut self, now: &Now, port: &PortCycle, entropy: u32) {
        match now.store_st {
            StoreState::Idle => store::start(&mut self.state, now, &self.straps),
            StoreState::Report => {
                if report::crosses(&self.state) {
                    self.state.irq.request(self.straps.irq_delay, &now.irq);
                }
                self.state.store.st = StoreState::Reset;
            }
            StoreState::Reset => self.reload(entropy),
            _ => store::step(&mut self.state, now, port, &self.straps),
        }
    }

    fn control(&mut self, now: &Now, port: &PortCycle, inputs: &Inputs<W>) {
        let state = &mut self.state;
        if now.ctl_st != CtlState::Idle {
            control::step::<LAT>(state, now, port, S as u8, &self.straps);
        } else if inputs.ctl.valid && !now.stall {
            state.ctl = decode::accept(&inputs.ctl, inputs.mode, state, &self.straps, &self.caps);
        } else if state.session.init_pending && now.ring3 && !now.pf_valid {
            control::start_init(state);
        }
    }

    /// Discards records outside ring 3, except those that are kept, or whose store can no longer be withdrawn.
    fn leave(&mut self, now: &Now) {
        let state = &mut self.state;
        if !now.ring3 && now.active {
            let finishing = matches!(state.store.st, StoreState::Head | StoreState::Report | StoreState::Reset);
            if finishing || state.pending || self.straps.leave_policy == LeavePolicy::Hold {
                state.forget_waiting();
            } else {
                state.forget();
            }
        }
        state.pending &= state.records[0].event != 0;
    }

    pub(super) fn lfsr(&self) -> Lfsr {
        Lfsr::from_register(self.state.lfsr, self.straps.lfsr_seed)
    }

    /// Returns the random word of this cycle.
    pub(super) const fn random(&self, entropy: u32, lfsr: Lfsr) -> u32 {
        match self.straps.entropy {
            Entropy::Lfsr => lfsr.value(),
            Entropy::Port => entropy,
        }
    }

    /// Reloads the counter of the event whose record has been stored.
    fn reload(&mut self, entropy: u32) {
        let lfsr = self.lfsr().advanced();
        let random = self.random(entropy, lfsr);
        let state = &mut self.state;
        state.lfsr = lfsr.value();
        if let Some(event) = event::index(state.records[0].event).map(|index| &mut state.events[index]) {
            event.counter = reset::reload(event.interval, state.block.random, random);
        }
        state.dequeue();
        state.store.st = StoreState::Idle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::{AddressPolicy, FaultPolicy, Memory, Mode, StoreTiming};
    use lwp_regs::lwp::{FlagsWord, LwpMsr0};

    /// A session whose branch record is being written, and whose DCache-miss counter is at zero.
    fn storing() -> Lwp<1, 8, 31> {
        let (address_policy, fault_policy) = (AddressPolicy::Replay, FaultPolicy::Fault);
        let straps = Config { address_policy, fault_policy, store_timing: StoreTiming::Sync, ..Config::default() };
        let mut unit = Lwp::new(straps).unwrap();
        let session = &mut unit.state.session;
        session.msr0 = LwpMsr0::new().with_enabled(true).with_bre(true).with_dme(true);
        session.active = true;
        unit.state.block.flags = FlagsWord::new().with_bre(true).with_dme(true);
        unit.state.records[0].event = 2;
        unit.state.undo.valid = true;
        unit.state.store.st = StoreState::Write;
        unit.state.port.wait = true;
        unit
    }

    // The load whose data returns while the store undoes an instruction is not tagged: it will be executed again, or not at all.
    #[test]
    fn no_tag_outlives_an_undone_instruction() {
        for err in [false, true] {
            let mut unit = storing();
            let mut inputs = Inputs::<1> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
            inputs.mem = Memory { rvalid: true, err, ..Memory::default() };
            inputs.buffer.fill_valid = true;
            unit.step(&inputs);
            assert_eq!((unit.state.undo.valid, unit.state.tag.valid), (!err, !err));
        }
    }
}
