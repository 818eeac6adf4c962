//! What stands in a model-specific register.

use crate::access::GeneralProtection;
use crate::layout::Layout;

/// The content of a model-specific register. [`register!`](crate::register) declares one.
pub trait MsrValue: Copy {
    /// Name of the register, as in the manual; of an array, with `x` or `n` for the index.
    const NAME: &'static str;
    /// Its layout as data.
    const LAYOUT: Layout;

    /// The content as it was read: all 64 bits are kept, whatever they mean.
    #[must_use]
    fn from_register(bits: u64) -> Self;

    /// The bits to write.
    #[must_use]
    fn to_register(self) -> u64;
}

/// A register that can be read, and reading it has no effect. Not write-only registers, nor those that take a 1 to clear
/// a bit of another register and read as 0: an update of one would write back what it has just read.
pub trait ReadableMsr: MsrValue {}

/// A register whose write, with any value, cannot make the processor write memory. At worst it faults.
pub trait WritableMsr: MsrValue {}

/// A register that says what a write does: what firmware may check before, and what a model does.
pub trait CheckedMsr: MsrValue {
    /// What the processor has, as far as it decides about this register.
    type Caps: ?Sized;

    /// What a WRMSR of `new` makes of the content `old`.
    ///
    /// # Errors
    ///
    /// The fault; the register keeps `old` then.
    fn check_write(old: Self, new: u64, caps: &Self::Caps) -> Result<Self, GeneralProtection>;
}

pub(crate) use crate::__msr_value as msr_value;
