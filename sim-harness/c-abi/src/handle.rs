//! What callers hold: a model behind an opaque pointer.

use crate::abi::ABI_VERSION;
use crate::abi::RowKind;
use crate::builds::{Build, Made};
use crate::failure::Failure;
use crate::pointer::check;
use crate::recorder::Recorder;
use crate::unit::AnyUnit;
use std::fmt;

/// `lwp_model_t`: one unit and all its registers. C callers see a pointer to it and nothing of its inside.
#[repr(C)]
pub struct Model {
    /// The first word of every model, and of nothing else that is likely to be handed in.
    magic: u64,
    /// A call is changing the model. If it still says so in the next call, that one panicked.
    busy: bool,
    unit: Box<dyn AnyUnit>,
    build: &'static Build,
    recorder: Option<Recorder>,
}

/// "LWPmodel" in ASCII.
const MAGIC: u64 = u64::from_be_bytes(*b"LWPmodel");

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("busy", &self.busy).finish_non_exhaustive()
    }
}

impl Model {
    /// Hands a unit over to the caller.
    pub(crate) fn leak((unit, build): Made) -> *mut Self {
        Box::into_raw(Box::new(Self { magic: MAGIC, busy: false, unit, build, recorder: None }))
    }

    /// Takes it back and drops it.
    ///
    /// # Safety
    ///
    /// As [`shared`], and the caller does not use the model any more.
    pub(crate) unsafe fn free(model: *mut Self) -> Result<(), Failure> {
        // SAFETY: the caller promises it.
        unsafe { check_model(model) }?;
        // SAFETY: it came from `leak`, and the magic number says that it has not been freed.
        let mut model = unsafe { Box::from_raw(model) };
        // A model freed twice is noticed, unless its memory has been given to somebody else.
        model.magic = 0;
        std::hint::black_box(&mut *model);
        drop(model);
        Ok(())
    }
}

/// The unit of a model that is only read.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point to 8 readable bytes; if these are the magic number, then to a
/// model of `leak` that nobody changes meanwhile.
pub(crate) unsafe fn shared<'a>(model: *const Model) -> Result<&'a dyn AnyUnit, Failure> {
    // SAFETY: the caller promises it.
    unsafe { check_model(model) }?;
    // SAFETY: it is a model, and nobody changes it.
    let model = unsafe { &*model };
    usable(model)?;
    Ok(&*model.unit)
}

/// A model, its build, and what was recorded of it.
///
/// # Safety
///
/// As [`shared`].
pub(crate) unsafe fn recorded<'a>(
    model: *const Model,
) -> Result<(&'a dyn AnyUnit, &'static Build, Option<&'a Recorder>), Failure> {
    // SAFETY: the caller promises it.
    unsafe { check_model(model) }?;
    // SAFETY: it is a model, and nobody changes it.
    let model = unsafe { &*model };
    usable(model)?;
    Ok((&*model.unit, model.build, model.recorder.as_ref()))
}

/// Begins to record a model in its reset state.
///
/// # Safety
///
/// As [`step`].
pub(crate) unsafe fn record(model: *mut Model) -> Result<(), Failure> {
    // SAFETY: the caller promises it.
    let model = unsafe { exclusive(model) }?;
    let row = |unit: &dyn AnyUnit| {
        let mut row = vec![0; unit.words(RowKind::Shown)];
        unit.row(&mut row);
        row
    };
    if row(&*model.unit) != row(&*model.unit.fresh()) {
        let text = "a register of the model has changed since reset: record a new model, or one that was reset";
        return Err(Failure::Capsule(text.to_owned()));
    }
    model.recorder = Some(Recorder::new(model.unit.words(RowKind::Inputs)));
    Ok(())
}

/// A cycle: `pack` fills the row of its inputs, which is asked for if the model is recorded, and `work` changes the unit.
///
/// # Safety
///
/// As [`shared`], and nobody else uses the model meanwhile.
pub(crate) unsafe fn step(
    model: *mut Model,
    pack: impl FnOnce(&dyn AnyUnit, &mut [u32]) -> Result<(), Failure>,
    work: impl FnOnce(&mut dyn AnyUnit) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // SAFETY: the caller promises it.
    let model = unsafe { exclusive(model) }?;
    model.busy = true;
    let result = model.step(pack, work);
    model.busy = false;
    result
}

impl Model {
    fn step(
        &mut self,
        pack: impl FnOnce(&dyn AnyUnit, &mut [u32]) -> Result<(), Failure>,
        work: impl FnOnce(&mut dyn AnyUnit) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(recorder) = &mut self.recorder {
            pack(&*self.unit, recorder.row())?;
        }
        work(&mut *self.unit)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.push();
        }
        Ok(())
    }
}

/// A model that nobody else uses.
///
/// # Safety
///
/// As [`step`].
unsafe fn exclusive<'a>(model: *mut Model) -> Result<&'a mut Model, Failure> {
    // SAFETY: the caller promises it.
    unsafe { check_model(model) }?;
    // SAFETY: it is a model, and nobody else uses it.
    let model = unsafe { &mut *model };
    usable(model)?;
    Ok(model)
}

fn usable(model: &Model) -> Result<(), Failure> {
    if model.busy {
        Err(Failure::Internal("an earlier call failed, and this model is of no use".into()))
    } else {
        Ok(())
    }
}

unsafe fn check_model(model: *const Model) -> Result<(), Failure> {
    check(model, "model")?;
    // SAFETY: not null, aligned, and the caller promises that this word is readable.
    let magic = unsafe { (*model).magic };
    if magic == MAGIC { Ok(()) } else { Err(Failure::Handle) }
}

/// Gives the caller a model, or null.
///
/// # Safety
///
/// A `model` that is neither null nor misaligned must point to room for a pointer.
pub(crate) unsafe fn hand_out(
    model: *mut *mut Model,
    abi_version: u32,
    make: impl FnOnce() -> Result<Made, Failure>,
) -> Result<(), Failure> {
    check(model, "model")?;
    // SAFETY: not null, aligned, and the caller promises the rest.
    unsafe { model.write(std::ptr::null_mut()) };
    if abi_version != ABI_VERSION {
        return Err(Failure::Version { given: abi_version });
    }
    let unit = make()?;
    // SAFETY: as above.
    unsafe { model.write(Model::leak(unit)) };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builds::BUILDS;
    use crate::guard::guard;

    #[test]
    fn a_model_that_panicked_refuses_everything_but_free() {
        let model = Model::leak(BUILDS[0].made(None).unwrap());
        // SAFETY: a model of `leak`.
        assert_eq!(guard("f", || unsafe { step(model, |_, _| Ok(()), |_| panic!("a bug")) }), 10);
        // SAFETY: as above.
        assert_eq!(guard("f", || unsafe { step(model, |_, _| Ok(()), |_| Ok(())) }), 10);
        // SAFETY: as above.
        assert_eq!(guard("f", || unsafe { shared(model) }.map(|_| ())), 10);
        // SAFETY: as above, and it is not used any more.
        assert_eq!(guard("f", || unsafe { Model::free(model) }), 0);
    }
}
