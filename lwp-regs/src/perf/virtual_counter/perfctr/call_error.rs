//! Why a call fails.

use core::fmt;

/// Why a call fails. `F` is the fault of an access to the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum CallError<F> {
    /// The driver has not been initialised, or this part of it is left out by its options.
    NoDevice,
    /// The task does not exist.
    NoSuchTask,
    /// The caller has not attached to the task, or the task has not been stopped.
    NotAttached,
    /// The task has counters already.
    Exists,
    /// All objects of the pool are in use.
    NoMemory,
    /// The file has no counters: its task had none when it was opened.
    NoCounters,
    /// The counters have been unlinked from their task, or the task has ended.
    Unlinked,
    /// There is no call with this number.
    UnknownCommand,
    /// Nothing has overflowed since the last call.
    NothingOverflowed,
    /// The global mode is active already.
    Busy,
    /// There is no processor with this number.
    NoSuchCpu,
    /// Two controls are for one processor.
    CpuTwice,
    /// Memory of the user cannot be read or written.
    BadAddress,
    /// The consistency checks have found a switch that contradicts the one before.
    Inconsistent,
    /// An access to the counters failed.
    Fault(F),
}

impl<F> CallError<F> {
    /// The error as Linux numbers it on x86, which a system call returns negated.
    #[must_use]
    pub const fn errno(&self) -> i32 {
        match self {
            Self::NotAttached | Self::NothingOverflowed => 1, // EPERM
            Self::NoSuchTask | Self::Unlinked => 3,           // ESRCH
            Self::Inconsistent | Self::Fault(_) => 5,         // EIO
            Self::NoMemory => 12,                             // ENOMEM
            Self::BadAddress => 14,                           // EFAULT
            Self::Busy => 16,                                 // EBUSY
            Self::Exists => 17,                               // EEXIST
            Self::NoDevice => 19,                             // ENODEV
            Self::NoCounters | Self::UnknownCommand | Self::NoSuchCpu | Self::CpuTwice => 22, // EINVAL
        }
    }
}

impl<F: fmt::Display> fmt::Display for CallError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoDevice => {
                "the driver of the counters is not there; initialise it, with this part among its options"
            }
            Self::NoSuchTask => "no such task",
            Self::NotAttached => "not allowed for a task to which the caller has not attached, or that runs",
            Self::Exists => "the task has counters already; open them without creating",
            Self::NoMemory => "all objects are in use; release or unlink others first",
            Self::NoCounters => "the task had no counters when the file was opened; open it again, and create them",
            Self::Unlinked => "the counters belong to no task any more",
            Self::UnknownCommand => "no call has this number",
            Self::NothingOverflowed => "no counter has overflowed since the last call",
            Self::Busy => "the global mode is active already; stop it first",
            Self::NoSuchCpu => "no processor has this number",
            Self::CpuTwice => "two controls are for one processor; give each processor one",
            Self::BadAddress => "memory of the user cannot be accessed",
            Self::Inconsistent => "this switch contradicts the one before",
            Self::Fault(fault) => return write!(f, "an access to the counters failed: {fault}"),
        })
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for CallError<F> {}
