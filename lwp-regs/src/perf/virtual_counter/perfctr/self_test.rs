//! Tests of the hardware at initialisation.

use crate::perf::virtual_counter::CounterHardware;
use core::fmt;

/// What a counter does that the driver could not work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SelfTestError<F> {
    /// A count that was written was read back as another.
    Lost {
        /// What was written.
        written: u64,
        /// What was read.
        read: u64,
    },
    /// A stopped counter has changed.
    Moves {
        /// What it showed first.
        before: u64,
        /// And then.
        after: u64,
    },
    /// The time-stamp counter shows the same or less than before.
    TimeStands,
    /// An access failed.
    Fault(F),
}

impl<F: fmt::Display> fmt::Display for SelfTestError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost { written, read } => write!(f, "a counter that was set to {written:#x} shows {read:#x}"),
            Self::Moves { before, after } => write!(f, "a stopped counter went from {before:#x} to {after:#x}"),
            Self::TimeStands => f.write_str("the time-stamp counter does not advance"),
            Self::Fault(fault) => write!(f, "an access failed: {fault}"),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for SelfTestError<F> {}

/// Tries a counter out: it keeps what is written, its width included, and stands still while it is stopped. Time passes.
/// The counter is left stopped at 0.
///
/// # Errors
///
/// [`SelfTestError`].
pub fn self_test<H: CounterHardware>(hw: &mut H, counter: H::Counter) -> Result<(), SelfTestError<H::Fault>> {
    let start = hw.tsc().map_err(SelfTestError::Fault)?;
    hw.disable(counter).map_err(SelfTestError::Fault)?;
    // The last count of the width, one that a write of 32 bits can give as well, and 0.
    for written in [hw.width().max(), 0x1234_5678, 0] {
        hw.write_counter(counter, written).map_err(SelfTestError::Fault)?;
        let read = hw.read(counter).map_err(SelfTestError::Fault)?;
        if read != written {
            return Err(SelfTestError::Lost { written, read });
        }
        let after = hw.read(counter).map_err(SelfTestError::Fault)?;
        if after != read {
            return Err(SelfTestError::Moves { before: read, after });
        }
    }
    if hw.tsc().map_err(SelfTestError::Fault)? > start { Ok(()) } else { Err(SelfTestError::TimeStands) }
}
