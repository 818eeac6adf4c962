//! Words that are not straps.

use core::fmt;

/// Words that are not the straps of any unit; `E` says which combinations are illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StrapsError<E> {
    /// Not as many words as the straps have, but so many.
    Length(usize),
    /// This field holds the code of no choice.
    NoSuchChoice(&'static str),
    /// No hardware may have these straps.
    Illegal(E),
    /// Bits that the table does not name are set.
    Unnamed,
}

impl<E: fmt::Display> fmt::Display for StrapsError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(words) => write!(f, "{words} words of straps"),
            Self::NoSuchChoice(name) => write!(f, "{name} has no such choice"),
            Self::Illegal(error) => error.fmt(f),
            Self::Unnamed => f.write_str("bits without a name are set"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for StrapsError<E> {}
