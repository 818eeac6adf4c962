//! Units of all sizes behind one trait.

use crate::abi::{LwpInputs, LwpOutputs};
use crate::failure::Failure;
use lwp_model::{Moore, Unit};

/// Inputs as a caller hands them in: as fields, and the same as bytes.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub fields: &'a LwpInputs,
    pub bytes: &'a [u8; size_of::<LwpInputs>()],
}

/// Inputs of a model that can be made from a caller's.
pub(crate) trait FromGiven {
    /// Refuses fields that are out of range.
    fn check(given: Given<'_>) -> Result<(), Failure>;
    /// The inputs of fields that were not refused. Apart from the check: within a `Result` they would be copied.
    fn from_fields(fields: &LwpInputs) -> Self;
}

/// A unit of some sizes, whatever they are. `Send`: handles may move between threads.
pub(crate) trait AnyUnit: Send {
    /// Fills the words of the straps.
    fn straps(&self, row: &mut [u32]);
    /// Words of an inputs row.
    fn input_words(&self) -> usize;
    fn reset(&mut self);
    fn step(&mut self, given: Given<'_>) -> Result<(), Failure>;
    /// `row` has `input_words`.
    fn step_words(&mut self, row: &[u32]);
    /// `row` has `input_words`.
    fn pack(&self, given: Given<'_>, row: &mut [u32]) -> Result<(), Failure>;
    fn outputs(&self) -> LwpOutputs;
    /// Fills a row of outputs and registers.
    fn row(&self, row: &mut [u32]);
}

impl<U> AnyUnit for U
where
    U: Unit<Inputs: FromGiven>,
    LwpOutputs: for<'a> From<&'a U::Outputs>,
{
    fn straps(&self, row: &mut [u32]) {
        U::pack_straps(self.config(), row);
    }

    fn input_words(&self) -> usize {
        U::INPUT_WORDS
    }

    fn reset(&mut self) {
        Unit::reset(self);
    }

    fn step(&mut self, given: Given<'_>) -> Result<(), Failure> {
        U::Inputs::check(given)?;
        Moore::step(self, &U::Inputs::from_fields(given.fields));
        Ok(())
    }

    fn step_words(&mut self, row: &[u32]) {
        match U::unpack_inputs(row) {
            (inputs, true) => Moore::step(self, &inputs),
            (_, false) => Unit::reset(self),
        }
    }

    fn pack(&self, given: Given<'_>, row: &mut [u32]) -> Result<(), Failure> {
        U::Inputs::check(given)?;
        U::pack_inputs(&U::Inputs::from_fields(given.fields), true, row);
        Ok(())
    }

    fn outputs(&self) -> LwpOutputs {
        LwpOutputs::from(&Moore::outputs(self))
    }

    fn row(&self, row: &mut [u32]) {
        U::pack_expected(self.state(), self.config(), row);
    }
}
