//! Units of all sizes behind one trait.

use crate::abi::{LwpInputs, LwpOutputs};
use crate::failure::Failure;
use crate::inputs::inputs;
use crate::limits::check_inputs;
use crate::outputs::Row;
use lwp_model::lwp::Lwp;
use lwp_model::lwp::flat::{OUT_WORDS, STRAP_WORDS, in_words, pack_expected, pack_inputs, pack_straps, unpack_inputs};

/// Inputs as a caller hands them in: as fields, and the same as bytes.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub fields: &'a LwpInputs,
    pub bytes: &'a [u8; size_of::<LwpInputs>()],
}

/// A unit of some sizes. `Send`: handles may move between threads.
pub(crate) trait Unit: Send {
    fn straps(&self) -> [u32; STRAP_WORDS];
    /// Words of an inputs row.
    fn input_words(&self) -> usize;
    fn reset(&mut self);
    fn step(&mut self, given: Given<'_>) -> Result<(), Failure>;
    /// `row` has `input_words`.
    fn step_words(&mut self, row: &[u32]);
    /// `row` has `input_words`.
    fn pack(&self, given: Given<'_>, row: &mut [u32]) -> Result<(), Failure>;
    fn outputs(&self) -> LwpOutputs;
    fn row(&self) -> Row;
}

impl<const W: usize, const S: usize, const LAT: u32> Unit for Lwp<W, S, LAT> {
    fn straps(&self) -> [u32; STRAP_WORDS] {
        pack_straps(self.config())
    }

    fn input_words(&self) -> usize {
        in_words(W)
    }

    fn reset(&mut self) {
        Lwp::reset(self);
    }

    fn step(&mut self, given: Given<'_>) -> Result<(), Failure> {
        check_inputs::<W>(given.bytes)?;
        Lwp::step(self, &inputs(given.fields));
        Ok(())
    }

    fn step_words(&mut self, row: &[u32]) {
        match unpack_inputs(row) {
            (inputs, true) => Lwp::step(self, &inputs),
            (_, false) => Lwp::reset(self),
        }
    }

    fn pack(&self, given: Given<'_>, row: &mut [u32]) -> Result<(), Failure> {
        check_inputs::<W>(given.bytes)?;
        pack_inputs(&inputs::<W>(given.fields), true, row);
        Ok(())
    }

    fn outputs(&self) -> LwpOutputs {
        LwpOutputs::from(&Lwp::outputs(self))
    }

    fn row(&self) -> Row {
        let mut row = [0; OUT_WORDS];
        pack_expected(self.state(), self.config(), &mut row);
        row
    }
}
