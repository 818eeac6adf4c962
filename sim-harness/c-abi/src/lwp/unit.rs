//! LWP of any size with its structs of named fields.

use super::abi::{LwpInputs, LwpOutputs};
use crate::abi::RowKind;
use crate::failure::Failure;
use crate::unit::{AnyUnit, model};
use lwp_model::flat::Field;
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

/// A model with structs.
pub(crate) trait Typed: AnyUnit {
    fn step(&mut self, given: Given<'_>) -> Result<(), Failure>;
    /// `row` has as many words as rows of inputs have.
    fn pack(&self, given: Given<'_>, row: &mut [u32]) -> Result<(), Failure>;
    fn outputs(&self) -> LwpOutputs;
    /// The same, at reset.
    fn fresh_typed(&self) -> Box<dyn Typed>;
}

impl<U> Typed for U
where
    U: Unit<Inputs: FromGiven> + 'static,
    LwpOutputs: for<'a> From<&'a U::Outputs>,
{
    fn step(&mut self, given: Given<'_>) -> Result<(), Failure> {
        U::Inputs::check(given)?;
        Moore::step(self, &U::Inputs::from_fields(given.fields));
        Ok(())
    }

    fn pack(&self, given: Given<'_>, row: &mut [u32]) -> Result<(), Failure> {
        U::Inputs::check(given)?;
        U::pack_inputs(&U::Inputs::from_fields(given.fields), true, row);
        Ok(())
    }

    fn outputs(&self) -> LwpOutputs {
        LwpOutputs::from(&Moore::outputs(self))
    }

    fn fresh_typed(&self) -> Box<dyn Typed> {
        let mut unit = self.clone();
        Unit::reset(&mut unit);
        Box::new(unit)
    }
}

/// A model with structs, of one type whatever its sizes: what a handle of this unit holds.
pub(crate) struct Structs(pub Box<dyn Typed>);

impl AnyUnit for Structs {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn fields(&self, kind: RowKind) -> &'static [Field] {
        self.0.fields(kind)
    }

    fn words(&self, kind: RowKind) -> usize {
        self.0.words(kind)
    }

    fn straps(&self, row: &mut [u32]) {
        self.0.straps(row);
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn step_words(&mut self, row: &[u32]) {
        self.0.step_words(row);
    }

    fn row(&self, row: &mut [u32]) {
        self.0.row(row);
    }

    fn fresh(&self) -> Box<dyn AnyUnit> {
        Box::new(Self(self.0.fresh_typed()))
    }
}

/// A model with structs, with the straps of these words or the default ones.
pub(crate) fn make<U>(straps: Option<&[u32]>) -> Result<Box<dyn AnyUnit>, Failure>
where
    U: Unit<Inputs: FromGiven> + 'static,
    LwpOutputs: for<'a> From<&'a U::Outputs>,
{
    Ok(Box::new(Structs(Box::new(model::<U>(straps)?))))
}
