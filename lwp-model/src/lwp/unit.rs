//! The unit: one cycle after the other.

use super::config::{Config, ConfigError};
use super::control;
use super::count::{MISSES, Occurrences, expires};
use super::decode;
use super::gather;
use super::inputs::{Inputs, Lane, Load};
use super::lfsr::Lfsr;
use super::outputs::Outputs;
use super::report;
use super::reset;
use super::state::{Candidate, CtlState, MemCmd, NUM_EVENTS, PortRegs, Requests, State, StoreState};
use super::store;
use lwp_regs::lwp::LwpCaps;

/// The Lightweight Profiling unit with `W` retire lanes, `S` event slots and latencies of `LAT` bits.
///
/// Sizes outside the contract (W 1 to 8, S 1 to 26, LAT 10 to 31) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lwp<const W: usize, const S: usize, const LAT: u32> {
    straps: Config,
    caps: LwpCaps,
    state: State,
}

/// What the registers said when the cycle began, for stages that run after others have changed some of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) ring3: bool,
    pub(super) counting: bool,
    pub(super) store_st: StoreState,
    pub(super) store_busy: bool,
    pub(super) ctl_st: CtlState,
    pub(super) active: bool,
    pf_valid: bool,
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
        Outputs::of(&self.state)
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
        let now = Now::of(&self.state, inputs);
        let state = &mut self.state;
        state.requests.acknowledge(inputs.pf_ack, inputs.irq_ack);
        let port = state.port.advance(&inputs.mem);
        if now.counting {
            self.retire(&now, inputs);
        }
        self.settle_candidate(&now, inputs);
        let state = &mut self.state;
        match now.store_st {
            StoreState::Idle => {}
            StoreState::Report => {
                state.requests.irq |= report::crosses(&state.session);
                state.store_st = StoreState::Reset;
            }
            StoreState::Reset => self.reload(),
            _ => store::step(state, &now, &port, self.straps.core_id),
        }
        let state = &mut self.state;
        if now.ctl_st != CtlState::Idle {
            control::step(state, &now, &port, S as u8, &self.straps);
        } else if inputs.ctl.valid {
            state.ctl = decode::accept(&inputs.ctl, inputs.mode, &state.session, &self.straps, &self.caps);
        } else if state.session.init_pending && now.ring3 && !now.pf_valid {
            control::start_init(state);
        }
    }

    /// Count and gather: lane after lane, in program order.
    fn retire(&mut self, now: &Now, inputs: &Inputs<W>) {
        let live = self.live(now);
        if self.count_quietly(live, inputs) {
            return;
        }
        let mut may_gather = !inputs.partial && !now.store_busy && !now.pf_valid;
        let lanes = if inputs.partial { &inputs.lanes[..1] } else { &inputs.lanes[..] };
        for (number, lane) in lanes.iter().enumerate().filter(|(_, lane)| lane.valid) {
            let found = Occurrences::of::<LAT>(lane, inputs.partial, self.state.session.filter, &self.straps);
            let candidate = number == 0 && !inputs.partial && self.state.candidate.valid && lane.counts;
            let misses_left = self.state.events[MISSES].counter;
            let expired = self.count(live, &found, candidate);
            if inputs.partial {
                if expired[MISSES] && !self.state.candidate.valid {
                    self.state.candidate = reported(found.expiring_load(lane, misses_left));
                }
            } else if may_gather && let Some(event) = self.lowest_slot(expired) {
                let load =
                    if candidate { self.state.candidate } else { reported(found.expiring_load(lane, misses_left)) };
                self.gather(event, lane, &load, inputs);
                may_gather = false;
            }
        }
    }

    /// Counts all lanes at once if no event can expire in this cycle, which is so in nearly every cycle; else does nothing.
    /// Worth 8 % of a four-lane cycle (`make bench`, model alone).
    fn count_quietly(&mut self, live: [bool; NUM_EVENTS], inputs: &Inputs<W>) -> bool {
        if inputs.partial || self.state.candidate.valid {
            return false;
        }
        let mut total = [0; NUM_EVENTS];
        for lane in inputs.lanes.iter().filter(|lane| lane.valid) {
            let found = Occurrences::of::<LAT>(lane, false, self.state.session.filter, &self.straps);
            for (total, number) in total.iter_mut().zip(found.number) {
                *total += number;
            }
        }
        let events = &mut self.state.events;
        let quiet = (0..NUM_EVENTS).all(|index| !live[index] || total[index] < events[index].counter);
        if quiet {
            for index in 0..NUM_EVENTS {
                events[index].counter -= if live[index] { total[index] } else { 0 };
            }
        }
        quiet
    }

    /// The events that count in this cycle; the one whose counter is being reloaded does not.
    fn live(&self, now: &Now) -> [bool; NUM_EVENTS] {
        let resetting = self.resetting(now);
        core::array::from_fn(|index| self.state.session.live(index) && resetting != Some(index))
    }

    /// Decrements the counters; says which live events expire in this lane.
    fn count(&mut self, live: [bool; NUM_EVENTS], found: &Occurrences, candidate: bool) -> [bool; NUM_EVENTS] {
        let mut expired = [false; NUM_EVENTS];
        for index in 0..NUM_EVENTS {
            if live[index] {
                let number = found.number[index];
                let counter = &mut self.state.events[index].counter;
                expired[index] = expires(number, *counter) || (index == MISSES && candidate);
                *counter = counter.saturating_sub(number);
            }
        }
        expired
    }

    /// The event whose counter is being reloaded in this cycle.
    fn resetting(&self, now: &Now) -> Option<usize> {
        (now.store_st == StoreState::Reset).then(|| usize::from(self.state.record.event).wrapping_sub(1))
    }

    /// The candidate belongs to one instruction of a ring-3 session and goes with it.
    fn settle_candidate(&mut self, now: &Now, inputs: &Inputs<W>) {
        let retired = now.ctl_st == CtlState::Idle && !inputs.partial && inputs.lanes[0].valid;
        if !now.ring3 || !now.active || retired || self.resetting(now) == Some(MISSES) {
            self.state.candidate.valid = false;
        }
    }

    fn lowest_slot(&self, expired: [bool; NUM_EVENTS]) -> Option<usize> {
        (0..NUM_EVENTS).filter(|&index| expired[index]).min_by_key(|&index| self.state.events[index].slot)
    }

    fn gather(&mut self, event: usize, lane: &Lane, load: &Candidate, inputs: &Inputs<W>) {
        self.state.record = gather::record(event, lane, load, inputs.mode, &self.straps);
        self.state.store_st = StoreState::Write;
        self.state.store_beat = 0;
    }

    /// Reset: the stored event starts again.
    fn reload(&mut self) {
        let state = &mut self.state;
        let lfsr = Lfsr::from_register(state.lfsr, self.straps.lfsr_seed).advanced();
        state.lfsr = lfsr.value();
        if let Some(event) = state.events.get_mut(usize::from(state.record.event).wrapping_sub(1)) {
            event.counter = reset::reload(event.interval, state.session.random, lfsr);
        }
        state.store_st = StoreState::Idle;
    }
}

impl Now {
    fn of<const W: usize>(state: &State, inputs: &Inputs<W>) -> Self {
        let ring3 = inputs.mode.ring3();
        Self {
            ring3,
            counting: ring3 && state.session.active && state.ctl.st == CtlState::Idle,
            store_st: state.store_st,
            store_busy: state.store_st != StoreState::Idle,
            ctl_st: state.ctl.st,
            active: state.session.active,
            pf_valid: state.requests.pf_valid,
        }
    }
}

/// A load as the record will report it. Without a load there is nothing to report.
fn reported(load: Option<&Load>) -> Candidate {
    load.map_or_else(Candidate::default, |load| Candidate {
        valid: true,
        addr_valid: load.addr_valid,
        source: load.source,
        latency: load.latency,
        addr: load.addr,
    })
}

impl Requests {
    /// Takes the core's acknowledgements. A request that rises in the same cycle stands.
    fn acknowledge(&mut self, pf: bool, irq: bool) {
        self.pf_valid &= !pf;
        self.irq &= !irq;
    }

    /// Requests the trap for the access that has just failed. A probe asks for a right to write.
    pub(super) fn page_fault(&mut self, port: &PortRegs) {
        self.pf_valid = true;
        self.pf_write = port.cmd != MemCmd::Read;
        self.pf_addr = port.first_byte();
    }
}
