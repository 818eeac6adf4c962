//! The kind of session, and the privilege of the code that executes.

use crate::coverage::axis;
use lwp_model::lwp::{Mode, State};

axis! {
    /// The kind of session in the registers.
    SessionKind "session" {
        /// No session.
        None = "none",
        /// A pointer whose block is still to be loaded.
        InitPending = "to be loaded",
        /// A restored session whose block is still to be read.
        ReloadPending = "to be reloaded",
        /// A running session without a record in flight.
        Active = "running",
        /// A running session with a record in flight.
        Recording = "recording",
        /// A session whose record faulted and is to be stored before anything retires.
        Pending = "record pending",
    }
}

impl SessionKind {
    /// Returns the kind of session in these registers.
    #[must_use]
    pub fn of(state: &State) -> Self {
        let session = &state.session;
        match (session.active, session.init_pending) {
            (true, _) if state.pending => Self::Pending,
            (true, _) if state.records[0].event != 0 => Self::Recording,
            (true, _) => Self::Active,
            (false, true) if session.reload => Self::ReloadPending,
            (false, true) => Self::InitPending,
            (false, false) => Self::None,
        }
    }
}

axis! {
    /// The privilege of the code that executes.
    Privilege "privilege" {
        /// User code.
        Ring3 = "ring 3",
        /// Rings 1 and 2.
        Middle = "ring 1 or 2",
        /// The kernel.
        Ring0 = "ring 0",
        /// System management mode.
        Smm = "SMM",
    }
}

impl Privilege {
    pub(crate) const fn of(mode: Mode) -> Self {
        match mode.cpl {
            _ if mode.smm => Self::Smm,
            3 => Self::Ring3,
            0 => Self::Ring0,
            _ => Self::Middle,
        }
    }
}
