//! A session that ends with the work that is profiled, however that ends.
#![allow(unsafe_code)] // starting makes the processor write memory

use super::{Failed, Profiler, Stopped};
use crate::lwp::session::{Idle, SessionError, SessionFailed};
use crate::lwp::{EventRecord, LwpInstructions, Session};
use core::fmt;

/// Stops the session when it is dropped, for the way out by which nothing is returned: a panic of the work.
struct Guard<'a, I: LwpInstructions>(Option<Profiler<'a, I>>);

impl<I: LwpInstructions> Drop for Guard<'_, I> {
    fn drop(&mut self) {
        if let Some(profiler) = self.0.take() {
            // Nobody is left to tell; a second attempt is all that can be done about a fault.
            if let Err(Failed { state, .. }) = profiler.stop(drop) {
                let _ = state.stop(drop);
            }
        }
    }
}

/// What [`Profiler::run`] gives when the session has ended as it should.
#[derive(Debug)]
pub struct Profiled<'a, I, T> {
    /// What the work returned.
    pub value: T,
    /// The session, stopped, with what the last drain said.
    pub stopped: Stopped<'a, I>,
}

/// Why [`Profiler::run`] has failed. Only [`StillActive`](Self::StillActive) leaves a session behind.
#[must_use = "it may hold a session that is still active"]
#[non_exhaustive]
pub enum RunError<'a, I: LwpInstructions, T, E> {
    /// The session has not been started; the work has not been done.
    NotStarted(SessionFailed<Session<I, Idle<'a>>, SessionError<I::Fault>>),
    /// The work failed; the session has been stopped.
    Work {
        /// The error of the work.
        error: E,
        /// The session, stopped.
        stopped: Stopped<'a, I>,
    },
    /// LLWPCB faulted when the session was to be stopped, so hardware still uses the block: repeat
    /// [`stop`](Profiler::stop) on `failed.state`.
    StillActive {
        /// What the work returned, or its error.
        work: Result<T, E>,
        /// The session, which goes on, and the fault.
        failed: Failed<Profiler<'a, I>, I::Fault>,
    },
}

impl<'a, I: LwpInstructions> Profiler<'a, I> {
    /// Starts the session, does `work` and stops the session, whether `work` returns a value, returns an error or panics.
    /// `sink` takes the records, those of the end included.
    ///
    /// # Safety
    ///
    /// As for [`Session::start`]. That the session is paused before block and buffer are given up is seen to here, unless
    /// [`RunError::StillActive`] is returned or LLWPCB faults twice after a panic.
    ///
    /// # Errors
    ///
    /// [`RunError`], with the error of the work and that of the end.
    pub unsafe fn run<T, E, S: FnMut(EventRecord)>(
        idle: Session<I, Idle<'a>>,
        mut sink: S,
        work: impl FnOnce(&mut Self, &mut S) -> Result<T, E>,
    ) -> Result<Profiled<'a, I, T>, RunError<'a, I, T, E>> {
        // SAFETY: passed on to the caller as it is.
        let mut guard = Guard(Some(unsafe { Self::start(idle) }.map_err(RunError::NotStarted)?));
        let work = match &mut guard.0 {
            Some(profiler) => work(profiler, &mut sink),
            None => unreachable!("the guard has just been made"),
        };
        let Some(profiler) = guard.0.take() else { unreachable!("only this function takes it") };
        match (profiler.stop(sink), work) {
            (Ok(stopped), Ok(value)) => Ok(Profiled { value, stopped }),
            (Ok(stopped), Err(error)) => Err(RunError::Work { error, stopped }),
            (Err(failed), work) => Err(RunError::StillActive { work, failed }),
        }
    }
}

impl<I: LwpInstructions, T, E: fmt::Debug> fmt::Debug for RunError<'_, I, T, E>
where
    I::Fault: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(failed) => f.debug_tuple("NotStarted").field(&failed.error).finish(),
            Self::Work { error, .. } => f.debug_struct("Work").field("error", error).finish_non_exhaustive(),
            Self::StillActive { work, failed } => {
                let mut active = f.debug_struct("StillActive");
                active.field("work", &work.as_ref().err()).field("fault", &failed.error).finish_non_exhaustive()
            }
        }
    }
}

impl<I: LwpInstructions, T, E: fmt::Debug> fmt::Display for RunError<'_, I, T, E>
where
    I::Fault: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(failed) => failed.error.fmt(f),
            Self::Work { error, .. } => {
                write!(f, "the profiled work failed with {error:?}; the session has been stopped")
            }
            Self::StillActive { failed, .. } => {
                write!(f, "LLWPCB raised {:?} and the session is still active; stop it again", failed.error)
            }
        }
    }
}
