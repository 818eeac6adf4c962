//! One register of the fake.

use crate::access::GeneralProtection;
use crate::msr::CheckedMsr;
use crate::refused::Rule;
use core::any::Any;

/// A register, and what becomes of an access to it.
#[derive(Clone, Debug)]
pub(super) struct Register<'a, F> {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) value: u64,
    pub(super) writes: Writes<'a>,
    /// The selector by which RDPMC reads it.
    pub(super) selector: Option<u32>,
    /// What each access to it raises.
    pub(super) fault: Option<F>,
}

/// What a write does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Writes<'a> {
    /// It takes any value.
    Any,
    /// It faults.
    Refused,
    /// The register's own rule decides, with the processor's capabilities.
    Checked { caps: &'a dyn Any, check: fn(&dyn Any, u64, u64) -> Result<u64, GeneralProtection> },
}

impl<'a> Writes<'a> {
    /// By the rule of `R`.
    pub(super) fn checked<R: CheckedMsr>(caps: &'a R::Caps) -> Self
    where
        R::Caps: Any + Sized,
    {
        Self::Checked { caps, check: check::<R> }
    }
}

/// [`CheckedMsr::check_write`] without types.
fn check<R: CheckedMsr>(caps: &dyn Any, old: u64, new: u64) -> Result<u64, GeneralProtection>
where
    R::Caps: Any + Sized,
{
    let caps = caps.downcast_ref().expect("`Writes::checked` stores both for the same register");
    R::check_write(R::from_register(old), new, caps).map(R::to_register)
}

impl<F> Register<'_, F> {
    pub(super) fn write(&mut self, new: u64) -> Result<(), GeneralProtection> {
        self.value = match self.writes {
            Writes::Any => new,
            Writes::Refused => return Err(GeneralProtection::refused(self.name, new, Rule::ReadOnly)),
            Writes::Checked { caps, check } => check(caps, self.value, new)?,
        };
        Ok(())
    }
}
