//! A step that was not taken.

use core::fmt;

/// A step that was not taken: what it was called on, as it was before, and why.
#[must_use = "it holds what the step was called on"]
pub struct Failed<S, E> {
    /// What the step was called on: repeat it, or take another one.
    pub state: S,
    /// What was wrong.
    pub error: E,
}

impl<S, E: fmt::Debug> fmt::Debug for Failed<S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failed").field("error", &self.error).finish_non_exhaustive()
    }
}
