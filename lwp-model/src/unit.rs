//! Traits of every unit.

use crate::flat::{Field, StrapsError, Values, words};
use core::fmt::Debug;

/// Moore machine with one clock, as seen from its ports. In each cycle it takes its inputs, and every register of its state changes
/// once. Its outputs are functions of the registers only.
///
/// Models implement it, and so do RTL and scripts in their place.
pub trait Moore {
    /// Inputs of a cycle.
    type Inputs: Clone + Debug + Default + PartialEq + Send + Sync;
    /// Outputs of a cycle.
    type Outputs: Clone + Debug + PartialEq + Send + Sync;

    /// Returns the outputs of the present cycle.
    #[must_use]
    fn outputs(&self) -> Self::Outputs;

    /// Steps one cycle: takes the inputs, and changes every register once.
    fn step(&mut self, inputs: &Self::Inputs);
}

/// Model of a hardware unit: a [`Moore`] machine with straps, whose registers are all visible.
///
/// Ports, straps and registers also travel as rows of words ([`flat`](crate::flat)): a list of fields, packing and unpacking.
pub trait Unit: Moore + Clone + Send {
    /// Name of the unit, which is also the name of its directories.
    const NAME: &'static str;
    /// Whether a row of outputs and registers is all that the unit holds: whether a run can begin with one. A unit with a memory holds more.
    const CHECKPOINTS: bool = true;

    /// Straps: choices that are constant after reset.
    type Config: Clone + Debug + Default + PartialEq + Send + Sync;
    /// Every register.
    type State: Clone + Debug + Default + PartialEq + Send + Sync;
    /// Error of straps that are illegal.
    type Error: core::error::Error + PartialEq + Send + Sync;

    /// Fields of an inputs row. The first one is `rst_n`, the reset, active low.
    const INPUT_FIELDS: &'static [Field];
    /// Fields of a row of outputs and registers. The names of registers begin with `state.`.
    const OUTPUT_FIELDS: &'static [Field];
    /// Fields of the straps.
    const STRAP_FIELDS: &'static [Field];
    /// Words of an inputs row.
    const INPUT_WORDS: usize = words(Self::INPUT_FIELDS);
    /// Words of a row of outputs and registers.
    const OUTPUT_WORDS: usize = words(Self::OUTPUT_FIELDS);
    /// Words of the straps.
    const STRAP_WORDS: usize = words(Self::STRAP_FIELDS);

    /// Returns a unit in the state after reset.
    ///
    /// # Errors
    ///
    /// If the straps contradict one another.
    fn new(straps: Self::Config) -> Result<Self, Self::Error>;

    /// Returns to the state after reset.
    fn reset(&mut self);

    /// Puts the registers into the state that a row of outputs and registers shows. A failure that shows late is replayed from a state
    /// that a run of the model had; nothing in a comparison calls it, so no state of the RTL comes here.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`OUTPUT_WORDS`](Self::OUTPUT_WORDS) words.
    fn resume(&mut self, row: &[u32]);

    /// Returns every register in the present cycle.
    #[must_use]
    fn state(&self) -> &Self::State;

    /// Returns the straps.
    #[must_use]
    fn config(&self) -> &Self::Config;

    /// Fills a row of inputs; `rst_n` is the reset, active low.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`INPUT_WORDS`](Self::INPUT_WORDS) words.
    fn pack_inputs(inputs: &Self::Inputs, rst_n: bool, row: &mut [u32]);

    /// Reads the inputs of a row into `inputs`, and returns its `rst_n`. Bits without a name are ignored. Every field of `inputs` is
    /// written; who keeps `inputs` from row to row saves a copy of it in each cycle.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`INPUT_WORDS`](Self::INPUT_WORDS) words.
    fn read_inputs(row: &[u32], inputs: &mut Self::Inputs) -> bool;

    /// Returns the inputs of a row, and its `rst_n`. Bits without a name are ignored.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`INPUT_WORDS`](Self::INPUT_WORDS) words.
    #[must_use]
    fn unpack_inputs(row: &[u32]) -> (Self::Inputs, bool) {
        let mut inputs = Self::Inputs::default();
        let rst_n = Self::read_inputs(row, &mut inputs);
        (inputs, rst_n)
    }

    /// Fills the words of the straps.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`STRAP_WORDS`](Self::STRAP_WORDS) words.
    fn pack_straps(straps: &Self::Config, row: &mut [u32]);

    /// Returns the straps that the words hold, legal or not. Bits without a name are ignored.
    ///
    /// # Errors
    ///
    /// Name of the first strap whose code is no choice.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`STRAP_WORDS`](Self::STRAP_WORDS) words.
    fn read_straps(row: &[u32]) -> Result<Self::Config, &'static str>;

    /// Passes the kind of values of each strap to `visit`, in the order of [`STRAP_FIELDS`](Self::STRAP_FIELDS).
    fn strap_values(visit: &mut dyn FnMut(Values));

    /// Checks the combination of straps.
    ///
    /// # Errors
    ///
    /// If hardware of these sizes may not have them.
    fn validate(straps: &Self::Config) -> Result<(), Self::Error>;

    /// Returns the names of the straps that an error is about, the likeliest mistake first. None if it is about all of them.
    fn culprits(error: &Self::Error) -> &'static [&'static str];

    /// Returns the straps that the words hold.
    ///
    /// # Errors
    ///
    /// [`StrapsError`] if there are more or fewer words, a choice does not exist, a bit without a name is set, or the combination is illegal.
    fn unpack_straps(row: &[u32]) -> Result<Self::Config, StrapsError<Self::Error>> {
        if row.len() != Self::STRAP_WORDS {
            return Err(StrapsError::Length(row.len()));
        }
        let straps = Self::read_straps(row).map_err(StrapsError::NoSuchChoice)?;
        Self::validate(&straps).map_err(StrapsError::Illegal)?;
        let named = |word| Self::STRAP_FIELDS.iter().map(|field| field.mask_in(word)).sum::<u32>();
        let unnamed = row.iter().enumerate().any(|(word, bits)| bits & !named(word) != 0);
        if unnamed { Err(StrapsError::Unnamed) } else { Ok(straps) }
    }

    /// Fills the row of outputs and registers that the hardware must show when its registers hold `state`.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`OUTPUT_WORDS`](Self::OUTPUT_WORDS) words.
    fn pack_expected(state: &Self::State, straps: &Self::Config, row: &mut [u32]);

    /// Returns the outputs in a row of outputs and registers that hardware has shown. A code that has no meaning reads as the value
    /// after reset.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`OUTPUT_WORDS`](Self::OUTPUT_WORDS) words.
    #[must_use]
    fn unpack_outputs(row: &[u32]) -> Self::Outputs;
}
