//! The unit: takes the steps of each cycle.

use super::config::{Config, ConfigError};
use super::flat::{self, ExpectedRow, InputRow, StrapRow};
use super::inputs::Inputs;
use super::outputs::Outputs;
use super::request;
use super::state::State;
use crate::flat::{Field, Values};
use crate::{Moore, Unit};
use lwp_regs::tsc::{RateStep, TscFeatures};

/// The time-stamp counter of a processor with `LP` logical processors.
///
/// Sizes outside the contract (1, 2, 4, 8) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tsc<const LP: usize> {
    straps: Config,
    features: TscFeatures,
    /// Ticks of the counter per tick of the crystal.
    art: RateStep,
    state: State<LP>,
}

impl<const LP: usize> Tsc<LP> {
    const SIZES: () = assert!(matches!(LP, 1 | 2 | 4 | 8), "logical processors: 1, 2, 4 or 8");

    /// Returns a unit in the state after reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        () = Self::SIZES;
        straps.validate()?;
        let art = straps.art().map_err(ConfigError::Art)?;
        Ok(Self { straps, features: straps.features(), art, state: State::default() })
    }

    /// Returns every register in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State<LP> {
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
    pub fn step(&mut self, inputs: &Inputs) {
        let State { rate, processors, answer } = &mut self.state;
        let asking = usize::from(inputs.reg.lp) % LP;
        let (now, write) = request::answer(inputs, self.features, &processors[asking]);
        let (ticks, next) = rate.next(&inputs.processor, &self.straps, self.art);
        for (index, processor) in processors.iter_mut().enumerate() {
            *processor = processor.next(write.filter(|_| index == asking), ticks, &self.straps);
        }
        *answer = now;
        *rate = next;
    }
}

impl<const LP: usize> Moore for Tsc<LP> {
    type Inputs = Inputs;
    type Outputs = Outputs;

    #[inline]
    fn outputs(&self) -> Outputs {
        self.outputs()
    }

    #[inline]
    fn step(&mut self, inputs: &Inputs) {
        self.step(inputs);
    }
}

impl<const LP: usize> Unit for Tsc<LP> {
    const NAME: &'static str = "tsc";
    type Config = Config;
    type State = State<LP>;
    type Error = ConfigError;

    const INPUT_FIELDS: &'static [Field] = InputRow::FIELDS;
    const OUTPUT_FIELDS: &'static [Field] = ExpectedRow::<LP>::FIELDS;
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

    fn state(&self) -> &State<LP> {
        self.state()
    }

    fn config(&self) -> &Config {
        self.config()
    }

    #[inline]
    fn pack_inputs(inputs: &Inputs, rst_n: bool, row: &mut [u32]) {
        InputRow::pack(&rst_n, inputs, row);
    }

    #[inline]
    fn read_inputs(row: &[u32], inputs: &mut Inputs) -> bool {
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
    fn pack_expected(state: &State<LP>, _straps: &Config, row: &mut [u32]) {
        ExpectedRow::<LP>::pack(&Outputs::of(state), state, row);
    }

    fn unpack_outputs(row: &[u32]) -> Outputs {
        flat::unpack_shown::<LP>(row).0
    }
}
