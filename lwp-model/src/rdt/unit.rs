//! The unit: takes the steps of each cycle.

use super::config::{Config, Sizes};
use super::config_error::ConfigError;
use super::flat::{self, ExpectedRow, InputRow, StrapRow};
use super::inputs::Inputs;
use super::line::{L2Line, L3Line, Word};
use super::memory::{Port, Words};
use super::outputs::Outputs;
use super::pace::Pace;
use super::request;
use super::state::{Stage, State, Step};
use super::steps::Steps;
use crate::flat::{Field, Values};
use crate::{Moore, Unit};
use lwp_regs::rdt::RdtCaps;

/// The shared cache of `LPS` logical processors, with so many sets and ways of the L3 and L2 caches, RMIDs and classes built.
///
/// Sizes outside the contract do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rdt<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> {
    straps: Config,
    caps: RdtCaps,
    state: State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
    l3: Words<L3Line, L3_SETS, L3_WAYS>,
    l2: Words<L2Line, L2_SETS, L2_WAYS>,
}

impl<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Rdt<LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
{
    const SIZES: Sizes = {
        assert!(matches!(LPS, 1 | 2 | 4 | 8), "logical processors: 1, 2, 4 or 8");
        assert!(L3_SETS.is_power_of_two() && L3_SETS >= 2 && L3_SETS <= 4096, "L3 sets: 2 to 4096");
        assert!(L2_SETS.is_power_of_two() && L2_SETS >= 2 && L2_SETS <= 1024, "L2 sets: 2 to 1024");
        assert!(L3_WAYS >= 2 && L3_WAYS <= 16 && L2_WAYS >= 2 && L2_WAYS <= 8, "ways: 2 to 16, 2 to 8");
        assert!(RMIDS >= 2 && RMIDS <= 32 && CLASSES >= 2 && CLASSES <= 16, "RMIDs: 2 to 32, classes: 2 to 16");
        Sizes { l3_sets: L3_SETS, l3_ways: L3_WAYS, l2_sets: L2_SETS, l2_ways: L2_WAYS, rmids: RMIDS, classes: CLASSES }
    };

    /// Returns a unit in the state after reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        straps.validate(&Self::SIZES)?;
        let (l3, l2) = ([Word::default(); L3_SETS], [Word::default(); L2_SETS]);
        Ok(Self { straps, caps: straps.caps(), state: State::default(), l3, l2 })
    }

    /// Returns every register in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES> {
        &self.state
    }

    /// Returns the words of the L3 memory.
    #[must_use]
    pub const fn l3_words(&self) -> &[Word<L3Line, L3_WAYS>; L3_SETS] {
        &self.l3
    }

    /// Returns the words of the L2 memory.
    #[must_use]
    pub const fn l2_words(&self) -> &[Word<L2Line, L2_WAYS>; L2_SETS] {
        &self.l2
    }

    /// Returns the outputs of the present cycle.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs<LPS> {
        Outputs::of(&self.state, &self.straps)
    }

    /// Returns the straps.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.straps
    }

    /// Returns to the state after reset. The memories keep their words, which are written before they are read.
    pub fn reset(&mut self) {
        self.state = State::default();
    }

    /// Steps one cycle: takes the inputs, and changes every register once.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs<LPS>) {
        let Self { straps, caps, state, l3, l2 } = self;
        let clear = state.job.step == Step::Clear;
        let (answer, write) = request::answer(state, inputs, straps, caps);
        let paces = Pace::all(&state.lp, &state.class, straps);
        let mut accepted = [false; LPS];
        for ((accepted, lp), request) in accepted.iter_mut().zip(&mut state.lp).zip(&inputs.lp) {
            *accepted = request.req_valid && lp.stage == Stage::None && !clear;
            lp.pass();
        }
        let chosen = Steps {
            straps,
            caps,
            mem: &inputs.mem,
            wanted: &inputs.power,
            paces: &paces,
            cdp: state.cdp,
            lp: &mut state.lp,
            class: &mut state.class,
            rmid: &mut state.rmid,
            job: &mut state.job,
            power: &mut state.power,
            l3: Port::new(&mut state.l3, l3),
            l2: Port::new(&mut state.l2, l2),
        }
        .step();
        for (index, lp) in state.lp.iter_mut().enumerate() {
            lp.credit = paces[index].earn(lp.credit, chosen == Some(index));
            if accepted[index] {
                lp.accept(&inputs.lp[index], straps);
            }
        }
        state.answer = answer;
        if let Some(write) = write {
            write.apply(state, straps);
        }
        self.show(inputs.show);
    }

    /// Keeps what the probe shows: it is copied if the set is another one, or was written.
    #[inline]
    fn show(&mut self, index: u16) {
        let Self { state, l3, l2, .. } = self;
        if state.job.step == Step::Clear {
            state.show.index = index;
            return;
        }
        // The port of a memory is at the last set in the cycle in which clear is left, so all is copied then.
        let other = state.show.index != index;
        let (l3_set, l2_set) = (usize::from(index) % L3_SETS, usize::from(index) % L2_SETS);
        if other || state.l3.written {
            state.show.l3 = l3[l3_set];
        }
        if other || state.l2.written {
            state.show.l2 = l2[l2_set];
        }
        state.show.index = index;
    }
}

impl<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Moore for Rdt<LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
{
    type Inputs = Inputs<LPS>;
    type Outputs = Outputs<LPS>;

    #[inline]
    fn outputs(&self) -> Outputs<LPS> {
        self.outputs()
    }

    #[inline]
    fn step(&mut self, inputs: &Inputs<LPS>) {
        self.step(inputs);
    }
}

impl<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Unit for Rdt<LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
{
    const NAME: &'static str = "rdt";
    const CHECKPOINTS: bool = false;
    type Config = Config;
    type State = State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>;
    type Error = ConfigError;

    const INPUT_FIELDS: &'static [Field] = InputRow::<LPS>::FIELDS;
    const OUTPUT_FIELDS: &'static [Field] = ExpectedRow::<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>::FIELDS;
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

    fn state(&self) -> &Self::State {
        self.state()
    }

    fn config(&self) -> &Config {
        self.config()
    }

    #[inline]
    fn pack_inputs(inputs: &Inputs<LPS>, rst_n: bool, row: &mut [u32]) {
        InputRow::<LPS>::pack(&rst_n, inputs, row);
    }

    #[inline]
    fn read_inputs(row: &[u32], inputs: &mut Inputs<LPS>) -> bool {
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
        straps.validate(&Self::SIZES)
    }

    fn culprits(error: &ConfigError) -> &'static [&'static str] {
        error.straps()
    }

    #[inline]
    fn pack_expected(state: &Self::State, straps: &Config, row: &mut [u32]) {
        ExpectedRow::<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>::pack(&Outputs::of(state, straps), state, row);
    }

    fn unpack_outputs(row: &[u32]) -> Outputs<LPS> {
        flat::unpack_shown::<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>(row).0
    }
}
