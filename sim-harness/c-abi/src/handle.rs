//! What callers hold: a model behind an opaque pointer.

use crate::abi::ABI_VERSION;
use crate::failure::Failure;
use crate::pointer::check;
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
    pub(crate) fn leak(unit: Box<dyn AnyUnit>) -> *mut Self {
        Box::into_raw(Box::new(Self { magic: MAGIC, busy: false, unit }))
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

/// Changes a model.
///
/// # Safety
///
/// As [`shared`], and nobody else uses the model meanwhile.
pub(crate) unsafe fn change(
    model: *mut Model,
    work: impl FnOnce(&mut dyn AnyUnit) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // SAFETY: the caller promises it.
    unsafe { check_model(model) }?;
    // SAFETY: it is a model, and nobody else uses it.
    let model = unsafe { &mut *model };
    usable(model)?;
    model.busy = true;
    let result = work(&mut *model.unit);
    model.busy = false;
    result
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
    make: impl FnOnce() -> Result<Box<dyn AnyUnit>, Failure>,
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
        let model = Model::leak((BUILDS[0].make)(None).unwrap());
        // SAFETY: a model of `leak`.
        assert_eq!(guard("f", || unsafe { change(model, |_| panic!("a bug")) }), 10);
        // SAFETY: as above.
        assert_eq!(guard("f", || unsafe { change(model, |_| Ok(())) }), 10);
        // SAFETY: as above.
        assert_eq!(guard("f", || unsafe { shared(model) }.map(|_| ())), 10);
        // SAFETY: as above, and it is not used any more.
        assert_eq!(guard("f", || unsafe { Model::free(model) }), 0);
    }
}
