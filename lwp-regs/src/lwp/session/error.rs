//! What can go wrong with a session.

use crate::lwp::{LwpcbError, RingError, RingReader};
use core::fmt;

/// Why a session has not been started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionError<F> {
    /// The block in memory breaks a rule.
    Block(LwpcbError),
    /// Block and buffer do not belong together.
    Ring(RingError),
    /// The instruction faulted.
    Fault(F),
}

impl<F: fmt::Debug> fmt::Display for SessionError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(error) => error.fmt(f),
            Self::Ring(error) => error.fmt(f),
            Self::Fault(fault) => write!(f, "LLWPCB or SLWPCB raised {fault:?}; is LWP enabled and the block mapped?"),
        }
    }
}

impl<F: fmt::Debug> core::error::Error for SessionError<F> {}

/// A step that was not taken: the session as it was before, and why.
#[derive(Debug)]
#[must_use = "it holds the session"]
pub struct SessionFailed<S, E> {
    /// The session, in the state before the step.
    pub session: S,
    /// What was wrong.
    pub error: E,
}

/// The reader given back is not that of the session; both are as before.
#[derive(Debug)]
#[must_use = "it holds the session"]
pub struct WrongReader<'a, S> {
    /// The session.
    pub session: S,
    /// The reader, which is another session's.
    pub reader: RingReader<'a>,
}
