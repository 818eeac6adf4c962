//! What a system keeps for a thread that does not run.

use super::{ContextError, LwpVolatileState};
use crate::lwp::LwpMsr1;

/// The state of a thread that does not run, saved through the port.
///
/// There is one of it: it cannot be copied, and restoring it takes it away, so that a state that the thread has long
/// left behind is not restored a second time. When the thread ends, [`discard`](Self::discard) it.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Saving state at thread context switches".
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the thread's session is lost unless this is restored; if it has ended, say `discard`"]
pub struct SavedContext(LwpVolatileState);

impl SavedContext {
    /// That of a thread that does not profile; every thread begins with it.
    #[inline]
    pub const fn inactive() -> Self {
        Self(LwpVolatileState::INACTIVE)
    }

    #[inline]
    pub(super) const fn new(state: LwpVolatileState) -> Self {
        Self(state)
    }

    /// What was saved.
    #[must_use]
    #[inline]
    pub const fn state(&self) -> &LwpVolatileState {
        &self.0
    }

    /// As plain data, for instance for the image of a guest that migrates. The way back is `try_from`, which checks.
    #[must_use]
    #[inline]
    pub const fn into_state(self) -> LwpVolatileState {
        self.0
    }

    /// Forgets the state: the thread has ended.
    #[inline]
    pub const fn discard(self) {
        // Nothing is left to be done: hardware holds nothing of this thread.
    }
}

impl TryFrom<LwpVolatileState> for SavedContext {
    type Error = ContextError;

    fn try_from(state: LwpVolatileState) -> Result<Self, ContextError> {
        state.check()?;
        Ok(Self(state))
    }
}

/// The control block of a thread that does not run, whose hardware state has been written to that block.
///
/// There is one of it, as of [`SavedContext`].
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Security": "the LWPCB pointer for each process must be saved
/// and restored as part of the process context".
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the thread's session is lost unless this is restored; if it has ended, say `discard`"]
pub struct SavedPointer(LwpMsr1);

impl SavedPointer {
    /// That of a thread that does not profile; every thread begins with it.
    #[inline]
    pub const fn inactive() -> Self {
        Self(LwpMsr1::INACTIVE)
    }

    #[inline]
    pub(super) const fn new(pointer: LwpMsr1) -> Self {
        Self(pointer)
    }

    /// The value of LWPMSR1.
    #[must_use]
    #[inline]
    pub const fn pointer(&self) -> LwpMsr1 {
        self.0
    }

    /// Forgets the pointer: the thread has ended.
    #[inline]
    pub const fn discard(self) {
        // Nothing is left to be done: hardware has been inactive since this was saved.
    }
}
