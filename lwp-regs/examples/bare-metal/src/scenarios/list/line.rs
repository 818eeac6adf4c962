//! The lines of a report.

use core::fmt;

/// The saved instruction pointer of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// In the program, as the distance from its beginning.
    Code(u64),
    /// The first instruction of the handler of a vector.
    Entry(u8),
    /// Elsewhere in the kernel.
    Kernel,
}

/// A line of the report of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// #DB, with DR6 and DR7 as its handler finds them.
    Debug { at: At, rf: bool, tf: bool, dr6: u64, dr7: u64 },
    /// Another exception, or an interrupt.
    Other { vector: u8, at: At, rf: bool, tf: bool },
    /// The end of the program, with DR6 and DR7.
    End { dr6: u64, dr7: u64 },
    /// The lines of a scenario are used up.
    Limit,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(offset) => write!(f, "+{offset}"),
            Self::Entry(vector) => write!(f, "entry {vector}"),
            Self::Kernel => f.write_str("kernel"),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Debug { at, rf, tf, dr6, dr7 } => {
                let [rf, tf] = [rf, tf].map(u8::from);
                write!(f, "#1 {at} rf={rf} tf={tf} dr6={dr6:08x} dr7={dr7:08x}")
            }
            Self::Other { vector, at, rf, tf } => {
                let [rf, tf] = [rf, tf].map(u8::from);
                write!(f, "#{vector} {at} rf={rf} tf={tf}")
            }
            Self::End { dr6, dr7 } => write!(f, "end dr6={dr6:08x} dr7={dr7:08x}"),
            Self::Limit => f.write_str("limit"),
        }
    }
}
