//! What every unit is.

use crate::flat::{Field, StrapsError, words};
use core::fmt::Debug;

/// A Moore machine with one clock, as it is seen from its ports. In a cycle it sees its inputs, and every register of its
/// state changes once; its outputs are functions of the registers alone.
///
/// A model is one, and so is whatever takes its place: RTL, a script.
pub trait Moore {
    /// What the machine sees in a cycle.
    type Inputs: Clone + Debug + Default + PartialEq + Send + Sync;
    /// What the machine shows in a cycle.
    type Outputs: Clone + Debug + PartialEq + Send + Sync;

    /// The outputs of the present cycle.
    #[must_use]
    fn outputs(&self) -> Self::Outputs;

    /// One cycle: the inputs are seen, and every register changes once.
    fn step(&mut self, inputs: &Self::Inputs);
}

/// The model of a hardware unit: a [`Moore`] machine with straps, whose registers can all be seen.
///
/// Ports, straps and registers also travel as rows of words ([`flat`](crate::flat)): a list of fields, packing and unpacking.
pub trait Unit: Moore + Clone + Send {
    /// Name of the unit, which its folders carry.
    const NAME: &'static str;

    /// The straps: the choices that are constant after reset.
    type Config: Clone + Debug + Default + PartialEq + Send + Sync;
    /// Every register.
    type State: Clone + Debug + Default + PartialEq + Send + Sync;
    /// Why straps are refused.
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

    /// The unit as it comes out of reset.
    ///
    /// # Errors
    ///
    /// If the straps contradict one another.
    fn new(straps: Self::Config) -> Result<Self, Self::Error>;

    /// Back to the state after reset.
    fn reset(&mut self);

    /// Every register, as it is in the present cycle.
    #[must_use]
    fn state(&self) -> &Self::State;

    /// The straps.
    #[must_use]
    fn config(&self) -> &Self::Config;

    /// Fills a row of inputs; `rst_n` is the reset, active low.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`INPUT_WORDS`](Self::INPUT_WORDS) words.
    fn pack_inputs(inputs: &Self::Inputs, rst_n: bool, row: &mut [u32]);

    /// The inputs of a row, and its `rst_n`. Bits without a name are ignored.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`INPUT_WORDS`](Self::INPUT_WORDS) words.
    #[must_use]
    fn unpack_inputs(row: &[u32]) -> (Self::Inputs, bool);

    /// Fills the words of the straps.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`STRAP_WORDS`](Self::STRAP_WORDS) words.
    fn pack_straps(straps: &Self::Config, row: &mut [u32]);

    /// Reads the straps from their words.
    ///
    /// # Errors
    ///
    /// [`StrapsError`]: another number of words, a choice that does not exist, bits that have no name, or a combination that
    /// no hardware may have.
    fn unpack_straps(row: &[u32]) -> Result<Self::Config, StrapsError<Self::Error>>;

    /// Fills the row of outputs and registers that the hardware has to show when its registers hold `state`.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`OUTPUT_WORDS`](Self::OUTPUT_WORDS) words.
    fn pack_expected(state: &Self::State, straps: &Self::Config, row: &mut [u32]);

    /// The outputs in a row of outputs and registers that hardware has shown. A code that has no meaning reads as the value after
    /// reset.
    ///
    /// # Panics
    ///
    /// If `row` does not have [`OUTPUT_WORDS`](Self::OUTPUT_WORDS) words.
    #[must_use]
    fn unpack_outputs(row: &[u32]) -> Self::Outputs;
}
