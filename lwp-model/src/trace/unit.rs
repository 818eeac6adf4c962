//! The unit: takes the steps of each cycle.

use super::collect::Transfers;
use super::config::{Config, ConfigError};
use super::flat::{self, ExpectedRow, InputRow, StrapRow};
use super::inputs::Inputs;
use super::now::Now;
use super::outputs::Outputs;
use super::request;
use super::state::State;
use super::store::{Ended, Sources};
use crate::flat::{Field, Values};
use crate::{Moore, Unit};

/// The branch records of a logical processor that retires `LANES` instructions a cycle, with `ENTRIES` entries of the LBR stack built.
///
/// Sizes outside the contract (1, 2, 4, 8 lanes; 4, 8, 16, 32 entries) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceUnit<const LANES: usize, const ENTRIES: usize> {
    straps: Config,
    state: State<ENTRIES>,
}

impl<const LANES: usize, const ENTRIES: usize> TraceUnit<LANES, ENTRIES> {
    const SIZES: () = {
        assert!(matches!(LANES, 1 | 2 | 4 | 8), "lanes: 1, 2, 4 or 8");
        assert!(matches!(ENTRIES, 4 | 8 | 16 | 32), "entries: 4, 8, 16 or 32");
    };

    /// Returns a unit in the state after reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        () = Self::SIZES;
        straps.validate(ENTRIES)?;
        Ok(Self { straps, state: State::default() })
    }

    /// Returns every register in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State<ENTRIES> {
        &self.state
    }

    /// Returns the outputs of the present cycle.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs::of(&self.state, LANES)
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
        let Self { straps, state } = self;
        let now = Now::of(state, inputs, straps);
        let transfers = Transfers::of(&now, inputs, straps);
        let (answer, write) = request::step(state, &now, inputs, straps);
        let State { control, lbr, queue, store, port, pebs, notice, reload, .. } = state;
        let pmi = inputs.pmi || notice.ds_pmi;
        let sources = Sources { control, queue, pebs, straps, mem: &inputs.mem, state_value: inputs.pebs.state_value };
        let outcome = store.step(port, &sources);
        let ended = match outcome.ended {
            Ended::Precise(counter) => counter,
            Ended::Nothing | Ended::Branch => 0,
        };
        lbr.step(&now, transfers.as_slice(), inputs, straps);
        queue.step(&now, transfers.as_slice(), straps, inputs.btm_ready, outcome.ended == Ended::Branch);
        pebs.step(&now, inputs, control.pebs_enable, write.as_ref(), ended);
        control.step(&now, write.as_ref(), pmi);
        (*notice, *reload, state.answer) = (outcome.notice, outcome.reload, answer);
        if let Some(write) = write {
            write.apply(&mut state.control, &mut state.lbr);
        }
    }
}

impl<const LANES: usize, const ENTRIES: usize> Moore for TraceUnit<LANES, ENTRIES> {
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

impl<const LANES: usize, const ENTRIES: usize> Unit for TraceUnit<LANES, ENTRIES> {
    const NAME: &'static str = "trace";
    type Config = Config;
    type State = State<ENTRIES>;
    type Error = ConfigError;

    const INPUT_FIELDS: &'static [Field] = InputRow::<LANES>::FIELDS;
    const OUTPUT_FIELDS: &'static [Field] = ExpectedRow::<LANES, ENTRIES>::FIELDS;
    const STRAP_FIELDS: &'static [Field] = StrapRow::FIELDS;

    fn new(straps: Config) -> Result<Self, ConfigError> {
        Self::new(straps)
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn resume(&mut self, row: &[u32]) {
        self.state = flat::unpack_shown::<LANES, ENTRIES>(row).1;
    }

    fn state(&self) -> &State<ENTRIES> {
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
        straps.validate(ENTRIES)
    }

    fn culprits(error: &ConfigError) -> &'static [&'static str] {
        error.straps()
    }

    #[inline]
    fn pack_expected(state: &State<ENTRIES>, _straps: &Config, row: &mut [u32]) {
        ExpectedRow::<LANES, ENTRIES>::pack(&Outputs::of(state, LANES), state, row);
    }

    fn unpack_outputs(row: &[u32]) -> Outputs {
        flat::unpack_shown::<LANES, ENTRIES>(row).0
    }
}
