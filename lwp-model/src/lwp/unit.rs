//! The unit: one cycle after the other.

use super::config::{Config, ConfigError};
use super::control;
use super::decode;
use super::inputs::Inputs;
use super::lfsr::Lfsr;
use super::outputs::{self, Outputs};
use super::port::PortCycle;
use super::replay;
use super::report;
use super::reset;
use super::state::{CtlState, MemCmd, PortRegs, Requests, State, StoreState};
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

/// What the registers said when the cycle began, for stages that run after others have changed some of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) ring3: bool,
    pub(super) stall: bool,
    pub(super) counting: bool,
    pub(super) store_st: StoreState,
    pub(super) ctl_st: CtlState,
    pub(super) active: bool,
    pub(super) pf_valid: bool,
    pub(super) requests: Requests,
    /// No record is on its way.
    pub(super) no_record: bool,
    /// MissedEvents in memory has to be brought up to date.
    pub(super) owed: bool,
    /// Index of the event whose counter is being reloaded in this cycle.
    pub(super) resetting: Option<usize>,
}

impl<const W: usize, const S: usize, const LAT: u32> Lwp<W, S, LAT> {
    const SIZES: () = {
        assert!(matches!(W, 1 | 2 | 4 | 8), "retire lanes: 1, 2, 4 or 8");
        assert!(S >= 1 && S <= 26, "event slots: 1 to 26");
        assert!(LAT >= 10 && LAT <= 31, "latency bits: 10 to 31");
    };

    /// The unit as it comes out of reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        () = Self::SIZES;
        straps.validate()?;
        Ok(Self { straps, caps: straps.caps(S as u8, LAT as u8), state: State::default() })
    }

    /// Every register, as it stands in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The outputs of the present cycle.
    #[must_use]
    pub const fn outputs(&self) -> Outputs {
        Outputs::of(&self.state, &self.straps)
    }

    /// The straps.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.straps
    }

    /// What CPUID 8000_001C reports besides the enabled features.
    #[must_use]
    pub const fn caps(&self) -> &LwpCaps {
        &self.caps
    }

    /// Back to the state after reset.
    pub fn reset(&mut self) {
        self.state = State::default();
    }

    /// One cycle: the inputs are seen, and every register changes once.
    pub fn step(&mut self, inputs: &Inputs<W>) {
        let now = Now::of(&self.state, inputs, &self.straps);
        let tag = replay::ready(&self.state, inputs, &self.straps);
        let state = &mut self.state;
        state.requests.acknowledge(inputs.pf_ack, inputs.irq_ack);
        state.requests.count_down(state.session.msr0.interrupt());
        let port = state.port.advance(&inputs.mem);
        state.retire.cut_valid = false;
        state.retire.flush_req = false;
        state.undo.valid &= now.store_st != StoreState::Idle || !now.no_record || now.owed;
        if now.counting {
            self.retire(&now, inputs);
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
                if report::crosses(&self.state.session) {
                    self.state.requests.interrupt(self.straps.irq_delay);
                }
                self.state.store_st = StoreState::Reset;
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

    /// Outside ring 3 only what is kept, or can no longer be stopped, remains of the records.
    fn leave(&mut self, now: &Now) {
        let state = &mut self.state;
        if !now.ring3 && now.active {
            let finishing = matches!(state.store_st, StoreState::Head | StoreState::Report | StoreState::Reset);
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

    /// The random word of this cycle.
    pub(super) const fn random(&self, entropy: u32, lfsr: Lfsr) -> u32 {
        match self.straps.entropy {
            Entropy::Lfsr => lfsr.value(),
            Entropy::Port => entropy,
        }
    }

    /// Reset: the stored event starts again.
    fn reload(&mut self, entropy: u32) {
        let lfsr = self.lfsr().advanced();
        let random = self.random(entropy, lfsr);
        let state = &mut self.state;
        state.lfsr = lfsr.value();
        if let Some(event) = state.events.get_mut(usize::from(state.records[0].event).wrapping_sub(1)) {
            event.counter = reset::reload(event.interval, state.session.random, random);
        }
        state.dequeue();
        state.store_st = StoreState::Idle;
    }
}

impl Now {
    fn of<const W: usize>(state: &State, inputs: &Inputs<W>, straps: &Config) -> Self {
        let ring3 = inputs.mode.ring3();
        let stall = outputs::stall(state, straps);
        let resetting = state.store_st == StoreState::Reset;
        Self {
            ring3,
            stall,
            counting: ring3 && state.session.active && !stall,
            store_st: state.store_st,
            ctl_st: state.ctl.st,
            active: state.session.active,
            pf_valid: state.requests.pf_valid,
            requests: state.requests,
            no_record: state.no_record(),
            owed: outputs::owed(state, straps),
            resetting: resetting.then(|| usize::from(state.records[0].event).wrapping_sub(1)),
        }
    }

    /// Nothing of the session is on its way to memory, or nothing that could get there.
    pub(super) const fn settled(&self, port: &PortCycle) -> bool {
        matches!(self.store_st, StoreState::Idle)
            && port.idle
            && (!self.ring3 || self.pf_valid || !self.active || self.no_record && !self.owed)
    }
}

impl Requests {
    /// Takes the core's acknowledgements. A request that rises in the same cycle stands.
    fn acknowledge(&mut self, pf: bool, irq: bool) {
        self.pf_valid &= !pf;
        self.irq &= !irq;
    }

    /// A delayed interrupt comes closer; it rises only while interrupts are enabled.
    fn count_down(&mut self, enabled: bool) {
        if self.irq_count != 0 {
            self.irq_count -= 1;
            self.irq |= self.irq_count == 0 && enabled;
        }
    }

    /// The threshold was met. A crossing while a delayed interrupt is under way merges with it.
    fn interrupt(&mut self, delay: u8) {
        if delay == 0 {
            self.irq = true;
        } else if self.irq_count == 0 {
            self.irq_count = delay;
        }
    }

    /// Requests the trap, or the fault, for the access that has just failed. A probe asks for a right to write.
    pub(super) fn page_fault(&mut self, port: &PortRegs, abort: bool) {
        self.pf_valid = true;
        self.pf_write = port.cmd != MemCmd::Read;
        self.pf_abort = abort;
        self.pf_addr = port.first_byte();
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
        session.flags = FlagsWord::new().with_bre(true).with_dme(true);
        session.active = true;
        unit.state.records[0].event = 2;
        unit.state.undo.valid = true;
        unit.state.store_st = StoreState::Write;
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
