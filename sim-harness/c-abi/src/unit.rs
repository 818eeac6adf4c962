//! Units of all kinds and sizes behind one trait: rows of words.

use crate::abi::RowKind;
use crate::failure::Failure;
use lwp_model::flat::{Field, StrapsError};
use lwp_model::{Moore, Unit};
use std::any::Any;

/// A unit of some sizes, whatever they are. `Send`: handles may move between threads.
///
/// A unit that has structs of named fields, too, is a type of that unit's folder, which its own functions ask for (`Any`).
pub(crate) trait AnyUnit: Any + Send {
    /// Name of the unit.
    fn name(&self) -> &'static str;
    /// The fields of its rows of this kind.
    fn fields(&self, kind: RowKind) -> &'static [Field];
    /// Words of its rows of this kind.
    fn words(&self, kind: RowKind) -> usize;
    /// Fills the words of the straps.
    fn straps(&self, row: &mut [u32]);
    fn reset(&mut self);
    /// `row` has as many words as rows of inputs have.
    fn step_words(&mut self, row: &[u32]);
    /// Fills a row of outputs and registers.
    fn row(&self, row: &mut [u32]);
    /// The same at reset.
    fn fresh(&self) -> Box<dyn AnyUnit>;
}

impl<U: Unit + 'static> AnyUnit for U {
    fn name(&self) -> &'static str {
        U::NAME
    }

    fn fields(&self, kind: RowKind) -> &'static [Field] {
        match kind {
            RowKind::Straps => U::STRAP_FIELDS,
            RowKind::Inputs => U::INPUT_FIELDS,
            RowKind::Shown => U::OUTPUT_FIELDS,
        }
    }

    fn words(&self, kind: RowKind) -> usize {
        match kind {
            RowKind::Straps => U::STRAP_WORDS,
            RowKind::Inputs => U::INPUT_WORDS,
            RowKind::Shown => U::OUTPUT_WORDS,
        }
    }

    fn straps(&self, row: &mut [u32]) {
        U::pack_straps(self.config(), row);
    }

    fn reset(&mut self) {
        Unit::reset(self);
    }

    fn step_words(&mut self, row: &[u32]) {
        match U::unpack_inputs(row) {
            (inputs, true) => Moore::step(self, &inputs),
            (_, false) => Unit::reset(self),
        }
    }

    fn row(&self, row: &mut [u32]) {
        U::pack_expected(self.state(), self.config(), row);
    }

    fn fresh(&self) -> Box<dyn AnyUnit> {
        let mut unit = self.clone();
        Unit::reset(&mut unit);
        Box::new(unit)
    }
}

/// The model of these straps, or of the default ones.
pub(crate) fn model<U: Unit>(straps: Option<&[u32]>) -> Result<U, Failure> {
    let straps = straps.map_or_else(|| Ok(U::Config::default()), U::unpack_straps).map_err(|error| match error {
        StrapsError::Length(given) => Failure::Size { what: "straps", unit: "words", given, wanted: U::STRAP_WORDS },
        other => Failure::Straps(other.to_string()),
    })?;
    U::new(straps).map_err(|error| Failure::Straps(error.to_string()))
}

/// The same in a box, whatever it is.
pub(crate) fn make<U: Unit + 'static>(straps: Option<&[u32]>) -> Result<Box<dyn AnyUnit>, Failure> {
    Ok(Box::new(model::<U>(straps)?))
}
