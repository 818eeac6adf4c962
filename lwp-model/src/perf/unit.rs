//! The unit: one cycle after the other.

use super::config::{Config, ConfigError};
use super::filter::Seen;
use super::flat::{self, ExpectedRow, InputRow, StrapRow};
use super::inputs::Inputs;
use super::lines::Lines;
use super::outputs::Outputs;
use super::processor::Registers;
use super::request::{self, Asking, Write};
use super::select::Selection;
use super::state::{Answer, State};
use crate::flat::{Field, Values};
use crate::{Moore, Unit};

/// The performance counters of a core with `LP` logical processors, each with `GENERAL` general and `FIXED` fixed counters and
/// `LANES` retire lanes.
///
/// Sizes outside the contract (1, 2, 4, 8; 1 to 8; 0 to 3; 1, 2, 4, 8) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perf<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    straps: Config,
    state: State<LP, GENERAL, FIXED>,
    /// The event selects, decoded.
    selections: [[Selection; GENERAL]; LP],
    fixed_selections: [Selection; FIXED],
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Perf<LP, GENERAL, FIXED, LANES> {
    const SIZES: () = {
        assert!(matches!(LP, 1 | 2 | 4 | 8), "logical processors: 1, 2, 4 or 8");
        assert!(GENERAL >= 1 && GENERAL <= 8, "general counters: 1 to 8");
        assert!(FIXED <= 3, "fixed counters: 0 to 3");
        assert!(matches!(LANES, 1 | 2 | 4 | 8), "retire lanes: 1, 2, 4 or 8");
    };

    /// The unit as it comes out of reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        () = Self::SIZES;
        straps.validate(GENERAL, FIXED)?;
        let fixed_selections = core::array::from_fn(|index| Selection::fixed(index, &straps));
        let selections = [[Selection::NOTHING; GENERAL]; LP];
        Ok(Self { straps, state: State::default(), selections, fixed_selections })
    }

    /// Every register, as it is in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State<LP, GENERAL, FIXED> {
        &self.state
    }

    /// The outputs of the present cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs<LP, GENERAL, FIXED> {
        Outputs::of(&self.state)
    }

    /// The straps.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.straps
    }

    /// Back to the state after reset.
    pub fn reset(&mut self) {
        self.state = State::default();
        self.selections = [[Selection::NOTHING; GENERAL]; LP];
    }

    /// One cycle: the inputs are seen, and every register changes once.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs<LP, LANES>) {
        let levels = inputs.lp.each_ref().map(|lp| lp.op_mode.level(lp.cpl));
        let (answer, write) = self.request(inputs, &levels);
        let asking = usize::from(inputs.reg.lp) % LP;
        let fits_now = if inputs.bus_tick { matches!(inputs.core_ratio, 4 | 6) } else { self.state.ratio_fits };
        let lines = core::array::from_fn(|lp| Lines::of(&inputs.lp[lp], &inputs.lanes[lp]));
        let seen = Seen { core_clock: inputs.core_clock, bus_tick: inputs.bus_tick, fits_now, levels, lines };
        for (own, lp) in inputs.lp.iter().enumerate() {
            let mut registers = Registers {
                general: &mut self.state.general[own],
                fixed: &mut self.state.fixed[own],
                processor: &mut self.state.lp[own],
                selections: &mut self.selections[own],
                fixed_selections: &self.fixed_selections,
            };
            let write = write.as_ref().filter(|_| own == asking);
            let apic = Some(&inputs.apic).filter(|apic| apic.write && own == usize::from(apic.lp) % LP);
            registers.step(own, lp, &seen, write, apic, &self.straps);
        }
        self.state.ratio_fits = fits_now;
        self.state.answer = answer;
    }

    /// The answer to the request of the cycle, and what it writes.
    #[inline]
    fn request(&self, inputs: &Inputs<LP, LANES>, levels: &[u8; LP]) -> (Answer, Option<Write>) {
        if !inputs.reg.valid {
            return (Answer::default(), None);
        }
        let lp = usize::from(inputs.reg.lp) % LP;
        let asking = Asking {
            level: levels[lp],
            pce: inputs.lp[lp].pce,
            general: &self.state.general[lp],
            fixed: &self.state.fixed[lp],
            processor: &self.state.lp[lp],
        };
        Answer::to(request::decide(&inputs.reg, &asking, &self.straps), &asking, &self.straps)
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Moore
    for Perf<LP, GENERAL, FIXED, LANES>
{
    type Inputs = Inputs<LP, LANES>;
    type Outputs = Outputs<LP, GENERAL, FIXED>;

    #[inline]
    fn outputs(&self) -> Self::Outputs {
        self.outputs()
    }

    #[inline]
    fn step(&mut self, inputs: &Self::Inputs) {
        self.step(inputs);
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Unit
    for Perf<LP, GENERAL, FIXED, LANES>
{
    const NAME: &'static str = "perf";
    type Config = Config;
    type State = State<LP, GENERAL, FIXED>;
    type Error = ConfigError;

    const INPUT_FIELDS: &'static [Field] = InputRow::<LP, LANES>::FIELDS;
    const OUTPUT_FIELDS: &'static [Field] = ExpectedRow::<LP, GENERAL, FIXED>::FIELDS;
    const STRAP_FIELDS: &'static [Field] = StrapRow::FIELDS;

    fn new(straps: Config) -> Result<Self, ConfigError> {
        Self::new(straps)
    }

    fn reset(&mut self) {
        self.reset();
    }

    /// The event selects are decoded again.
    fn resume(&mut self, row: &[u32]) {
        self.state = flat::unpack_shown(row).1;
        for (selections, counters) in self.selections.iter_mut().zip(&self.state.general) {
            for (index, (selection, general)) in selections.iter_mut().zip(counters).enumerate() {
                *selection = Selection::of(general, index, &self.straps);
            }
        }
    }

    fn state(&self) -> &Self::State {
        self.state()
    }

    fn config(&self) -> &Config {
        self.config()
    }

    #[inline]
    fn pack_inputs(inputs: &Self::Inputs, rst_n: bool, row: &mut [u32]) {
        InputRow::<LP, LANES>::pack(&rst_n, inputs, row);
    }

    #[inline]
    fn read_inputs(row: &[u32], inputs: &mut Self::Inputs) -> bool {
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
        straps.validate(GENERAL, FIXED)
    }

    fn culprits(error: &ConfigError) -> &'static [&'static str] {
        error.straps()
    }

    #[inline]
    fn pack_expected(state: &Self::State, _straps: &Config, row: &mut [u32]) {
        ExpectedRow::<LP, GENERAL, FIXED>::pack(&Outputs::of(state), state, row);
    }

    fn unpack_outputs(row: &[u32]) -> Self::Outputs {
        flat::unpack_shown::<LP, GENERAL, FIXED>(row).0
    }
}
