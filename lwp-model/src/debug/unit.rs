//! The unit: takes the steps of each cycle.

use super::arbiter::{self, Delivered, Raised};
use super::compare::Comparator;
use super::config::{Config, ConfigError};
use super::flags;
use super::flat::{self, ExpectedRow, InputRow, StrapRow};
use super::inputs::Inputs;
use super::lanes::{self, Running};
use super::outputs::Outputs;
use super::request;
use super::state::{AskRegs, Cut, DbClass, Flags, Frame, Held, Request, State};
use crate::flat::{Field, Values};
use crate::{Moore, Unit};

/// The debug unit of a logical processor that retires `LANES` instructions a cycle, of each of which `ACCESSES` accesses are compared.
///
/// Sizes outside the contract (1, 2, 4, 8 lanes; 1, 2 accesses) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugUnit<const LANES: usize, const ACCESSES: usize> {
    straps: Config,
    state: State,
}

/// What a cycle is, by its inputs and the pending request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Delivery,
    Waiting,
    Partial,
    Group,
    Ask,
    Idle,
}

impl Case {
    #[inline]
    fn of<const LANES: usize>(request: &Request, inputs: &Inputs<LANES>) -> Self {
        if inputs.int.valid || request.db_valid && inputs.db_ack {
            Self::Delivery
        } else if request.db_valid {
            Self::Waiting
        } else if inputs.partial {
            Self::Partial
        } else if inputs.lanes.iter().any(|lane| lane.retired.valid) {
            Self::Group
        } else if inputs.ask.valid {
            Self::Ask
        } else {
            Self::Idle
        }
    }
}

impl<const LANES: usize, const ACCESSES: usize> DebugUnit<LANES, ACCESSES> {
    const SIZES: () =
        assert!(matches!(LANES, 1 | 2 | 4 | 8) && matches!(ACCESSES, 1 | 2), "lanes: 1, 2, 4, 8; accesses: 1, 2");

    /// Returns a unit in the state after reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        () = Self::SIZES;
        straps.validate()?;
        Ok(Self { straps, state: State::default() })
    }

    /// Returns every register in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the outputs of the present cycle.
    #[must_use]
    pub const fn outputs(&self) -> Outputs {
        Outputs::of(&self.state)
    }

    /// Returns the straps.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.straps
    }

    /// Returns to the state after reset.
    pub fn reset(&mut self) {
        self.state = State::default();
    }

    /// Steps one cycle: takes the inputs, and changes every register once.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs<LANES>) {
        let now = self.state;
        let comparator = Comparator::new(&now.registers, inputs, &self.straps);
        let outcome = request::outcome(&now.registers, inputs, &self.straps, !now.request.db_valid);
        let next = &mut self.state;
        (next.cut, next.ask, next.frame) = (Cut::default(), AskRegs::default(), Frame::default());
        let raised = match Case::of(&now.request, inputs) {
            Case::Delivery => deliver(next, &now, inputs, &self.straps, &comparator),
            Case::Partial => {
                next.partial(inputs, &comparator, ACCESSES);
                None
            }
            Case::Group => next.group(inputs, &self.straps, &comparator, ACCESSES),
            Case::Ask => next.ask(inputs, &self.straps, &comparator),
            Case::Waiting | Case::Idle => None,
        };
        let in_tx = self.straps.rtm && inputs.ask.in_tx;
        let detected = outcome.detected.then_some(Raised { bd: true, in_tx, ..Raised::of(DbClass::Fault) });
        if let Some(raised) = raised.or(detected) {
            let advanced = self.straps.rtm && now.registers.dr7.rtm && inputs.rtm_debug;
            next.request = raised.request(advanced);
        }
        next.answer = outcome.answer;
        if let Some(write) = outcome.write {
            next.registers.write(write);
        }
    }
}

impl State {
    /// A group of lanes.
    #[inline]
    fn group<const LANES: usize>(
        &mut self,
        inputs: &Inputs<LANES>,
        straps: &Config,
        comparator: &Comparator,
        accesses: usize,
    ) -> Option<Raised> {
        let from = Running { flags: self.flags, held: self.held, switched: false };
        let (behind, cut, raised) = lanes::group(from, inputs, straps, comparator, accesses);
        (self.flags, self.held, self.cut) = (behind.flags, behind.held, cut);
        if behind.switched {
            self.registers.switch_task();
        }
        raised
    }

    /// A partial cycle.
    #[inline]
    fn partial<const LANES: usize>(&mut self, inputs: &Inputs<LANES>, comparator: &Comparator, accesses: usize) {
        if let Some(lane) = inputs.lanes.first().filter(|lane| lane.retired.valid) {
            self.held = self.held.or(lanes::data(comparator, lane, accesses));
        }
    }

    /// A question.
    #[inline]
    fn ask<const LANES: usize>(
        &mut self,
        inputs: &Inputs<LANES>,
        straps: &Config,
        comparator: &Comparator,
    ) -> Option<Raised> {
        self.ask.ask_done = true;
        let Flags { rf, in_rep, .. } = self.flags;
        let unchecked = rf || in_rep || self.flags.skips(straps);
        let fetch = if unchecked { Held::default() } else { comparator.fetch(inputs.ask.ip) };
        let stop = !fetch.hit.is_empty();
        self.flags.passed = !stop;
        if !stop {
            return None;
        }
        self.held = Held::default();
        Some(Raised { b: fetch.all(), in_tx: straps.rtm && inputs.ask.in_tx, ..Raised::of(DbClass::Fault) })
    }
}

/// A delivery. `next` is what `now` becomes.
#[inline]
fn deliver<const LANES: usize>(
    next: &mut State,
    now: &State,
    inputs: &Inputs<LANES>,
    straps: &Config,
    comparator: &Comparator,
) -> Option<Raised> {
    let State { registers, flags, request, .. } = now;
    let delivered = Delivered::new(request, inputs);
    next.request = Request::default();
    if delivered.own {
        next.registers.dr6 = arbiter::written(registers, *flags, request, inputs, straps, comparator);
        next.registers.dr7.gd = false;
    }
    next.frame = flags::frame(delivered, *flags, request, inputs, straps);
    next.flags = flags::after(delivered, registers, inputs);
    next.held = Held::default();
    if delivered.gate_task {
        next.registers.switch_task();
    }
    if delivered.smi {
        next.registers.enter_smm(flags.rf || flags.sets_rf(straps));
    }
    if delivered.rsm {
        next.registers.leave_smm();
    }
    (delivered.gate_task && inputs.int.t).then_some(Raised { bt: true, ..Raised::of(DbClass::Trap) })
}

impl<const LANES: usize, const ACCESSES: usize> Moore for DebugUnit<LANES, ACCESSES> {
    type Inputs = Inputs<LANES>;
    type Outputs = Outputs;

    #[inline]
    fn outputs(&self) -> Outputs {
        self.outputs()
    }

    #[inline]
    fn step(&mut self, inputs: &Inputs<LANES>) {
        self.step(inputs);
    }
}

impl<const LANES: usize, const ACCESSES: usize> Unit for DebugUnit<LANES, ACCESSES> {
    const NAME: &'static str = "debug";
    type Config = Config;
    type State = State;
    type Error = ConfigError;

    const INPUT_FIELDS: &'static [Field] = InputRow::<LANES>::FIELDS;
    const OUTPUT_FIELDS: &'static [Field] = ExpectedRow::FIELDS;
    const STRAP_FIELDS: &'static [Field] = StrapRow::FIELDS;

    fn new(straps: Config) -> Result<Self, ConfigError> {
        Self::new(straps)
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn resume(&mut self, row: &[u32]) {
        self.state = flat::unpack_shown(row).1;
    }

    fn state(&self) -> &State {
        self.state()
    }

    fn config(&self) -> &Config {
        self.config()
    }

    #[inline]
    fn pack_inputs(inputs: &Inputs<LANES>, rst_n: bool, row: &mut [u32]) {
        InputRow::<LANES>::pack(&rst_n, inputs, row);
    }

    #[inline]
    fn read_inputs(row: &[u32], inputs: &mut Inputs<LANES>) -> bool {
        flat::read_inputs(row, inputs)
    }

    fn pack_straps(straps: &Config, row: &mut [u32]) {
        StrapRow::pack(straps, row);
    }

    fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
        flat::read_straps(row)
    }

    fn strap_values(visit: &mut dyn FnMut(Values)) {
        StrapRow::values(&Config::default(), visit);
    }

    fn validate(straps: &Config) -> Result<(), ConfigError> {
        straps.validate()
    }

    fn culprits(error: &ConfigError) -> &'static [&'static str] {
        error.straps()
    }

    #[inline]
    fn pack_expected(state: &State, _straps: &Config, row: &mut [u32]) {
        ExpectedRow::pack(&Outputs::of(state), state, row);
    }

    fn unpack_outputs(row: &[u32]) -> Outputs {
        flat::unpack_shown(row).0
    }
}
