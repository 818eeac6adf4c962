//! The unit: takes the steps of each cycle.

use super::config::Config;
use super::decoded::Decoded;
use super::flat::{self, ExpectedRow, InputRow, StrapRow};
use super::inputs::Inputs;
use super::monitor::Case;
use super::outputs::Outputs;
use super::request::{self, Register};
use super::select::Events;
use super::state::{Answer, COUNTERS, State};
use super::tags::{self, Sources};
use crate::flat::{Field, Values};
use crate::{Moore, Unit};
use core::convert::Infallible;
use lwp_regs::itanium::Pmc0;

/// The event qualification of a processor that fetches, issues and retires `BUNDLES` bundles a cycle, with the tags of `ENTRIES` bundles in
/// flight.
///
/// Sizes outside the contract (1, 2 bundles; 4, 8, 16 entries) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Itanium<const BUNDLES: usize, const ENTRIES: usize> {
    straps: Config,
    state: State,
    /// Follows from the registers and the straps.
    decoded: Decoded,
}

impl<const BUNDLES: usize, const ENTRIES: usize> Itanium<BUNDLES, ENTRIES> {
    const SIZES: () = {
        assert!(matches!(BUNDLES, 1 | 2), "bundles: 1 or 2");
        assert!(matches!(ENTRIES, 4 | 8 | 16), "entries: 4, 8 or 16");
    };

    /// Returns a unit in the state after reset.
    ///
    /// # Errors
    ///
    /// None: all straps are legal.
    #[must_use]
    pub fn new(straps: Config) -> Result<Self, Infallible> {
        () = Self::SIZES;
        Ok(Self::with_state(straps, State::default()))
    }

    fn with_state(straps: Config, state: State) -> Self {
        Self { straps, decoded: Decoded::of(&state, straps.ism_order), state }
    }

    /// Returns every register in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the outputs of the present cycle.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs::of(&self.state)
    }

    /// Returns the straps.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.straps
    }

    /// Returns to the state after reset.
    pub fn reset(&mut self) {
        *self = Self::with_state(self.straps, State::default());
    }

    /// Steps one cycle: takes the inputs, and changes every register once.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs<BUNDLES>) {
        let Self { straps, state, decoded } = self;
        let psr = state.status.psr(inputs.cpl, inputs.psr_is);
        let case = Case::of(psr, state.freeze.fr);
        let wanted = decoded.wanted(case);
        let events = wanted.any.then(|| Events::of::<BUNDLES, ENTRIES>(wanted, state, inputs, psr));
        state.ear = decoded.ear(case);
        state.answer = Answer::default();
        let mut written = None;
        if inputs.int_valid {
            state.status.interrupted(straps.up_on_interruption);
        } else if inputs.reg.valid {
            written = request::step(state, &inputs.reg, psr);
        }
        let mut over = [false; COUNTERS];
        for (c, (over, counter)) in over.iter_mut().zip(&mut state.counter).enumerate() {
            counter.pin = false;
            if let Some(events) = &events {
                *over = counter.step(c, decoded.counter[c].number(case, events));
            }
        }
        let pmc0 = (written == Some(Register::Pmc0)).then_some(Pmc0::from_bits(inputs.reg.wdata));
        state.freeze.step(&state.counter, over, straps.freeze_always, pmc0, inputs.irq_ack);
        let State { ibr, pmc13, tag, .. } = state;
        tags::step::<BUNDLES, ENTRIES>(tag, &Sources { matcher: &decoded.matcher, ibr, pmc13 }, inputs);
        if let Some(register) = written {
            register.write(inputs.reg.wdata, state, decoded);
        }
    }
}

impl<const BUNDLES: usize, const ENTRIES: usize> Moore for Itanium<BUNDLES, ENTRIES> {
    type Inputs = Inputs<BUNDLES>;
    type Outputs = Outputs;

    #[inline]
    fn outputs(&self) -> Outputs {
        self.outputs()
    }

    #[inline]
    fn step(&mut self, inputs: &Inputs<BUNDLES>) {
        self.step(inputs);
    }
}

impl<const BUNDLES: usize, const ENTRIES: usize> Unit for Itanium<BUNDLES, ENTRIES> {
    const NAME: &'static str = "itanium";
    type Config = Config;
    type State = State;
    type Error = Infallible;

    const INPUT_FIELDS: &'static [Field] = InputRow::<BUNDLES>::FIELDS;
    const OUTPUT_FIELDS: &'static [Field] = ExpectedRow::<ENTRIES>::FIELDS;
    const STRAP_FIELDS: &'static [Field] = StrapRow::FIELDS;

    fn new(straps: Config) -> Result<Self, Infallible> {
        Self::new(straps)
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn resume(&mut self, row: &[u32]) {
        *self = Self::with_state(self.straps, flat::unpack_shown::<ENTRIES>(row).1);
    }

    fn state(&self) -> &State {
        self.state()
    }

    fn config(&self) -> &Config {
        self.config()
    }

    #[inline]
    fn pack_inputs(inputs: &Inputs<BUNDLES>, rst_n: bool, row: &mut [u32]) {
        InputRow::<BUNDLES>::pack(&rst_n, inputs, row);
    }

    #[inline]
    fn read_inputs(row: &[u32], inputs: &mut Inputs<BUNDLES>) -> bool {
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

    fn validate(_straps: &Config) -> Result<(), Infallible> {
        Ok(())
    }

    fn culprits(error: &Infallible) -> &'static [&'static str] {
        match *error {}
    }

    #[inline]
    fn pack_expected(state: &State, _straps: &Config, row: &mut [u32]) {
        ExpectedRow::<ENTRIES>::pack(&Outputs::of(state), state, row);
    }

    fn unpack_outputs(row: &[u32]) -> Outputs {
        flat::unpack_shown::<ENTRIES>(row).0
    }
}
