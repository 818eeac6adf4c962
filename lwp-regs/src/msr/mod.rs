//! Model-specific registers: a number tied to the type of what is in it.
//!
//! [`Msr`] is the handle; a unit offers one for each of its registers, as a constant or, for arrays, by an index that was
//! checked. The value types say by trait what may be done with them:
//!
//! | trait | gives |
//! |---|---|
//! | [`ReadableMsr`] | [`Msr::read`] |
//! | [`WritableMsr`] | [`Msr::write_unchecked`], which is safe and leaves it to the processor to refuse a value |
//! | both | [`Msr::update_unchecked`] |
//! | also [`CheckedMsr`] | [`Msr::write_checked`], [`Msr::update_checked`]: what the register would refuse is not written |
//! | [`CheckedMsr`] | what a WRMSR does: the new content, or the fault |
//!
//! A register that makes the processor write memory is no [`WritableMsr`]: its type has an `unsafe` write of its own.

mod handle;
mod numbers;
mod value;

pub use handle::Msr;
pub use numbers::{Family, MsrNumbers};
pub use value::{CheckedMsr, MsrValue, ReadableMsr, WritableMsr};
pub(crate) use value::{Sealed, msr_value};
