//! A session that ends with the work that is profiled, however that ends.
#![allow(unsafe_code)] // starting makes the processor write memory

#[cfg(target_has_atomic = "8")]
use super::Doorbell;
use super::{Failed, Profiler, Stopped};
use crate::lwp::session::{Active, Idle, SessionError, SessionFailed};
use crate::lwp::{EventRecord, LwpInstructions, RingError, RingReader, Session};
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

/// The profiler that [`Profiler::run`] lends to the work. The work cannot keep it and cannot exchange it for another, so the
/// session that is stopped at the end is the one that was started.
///
/// Its methods are those of [`Profiler`].
#[derive(Debug)]
pub struct ScopedProfiler<'p, 'a, I>(&'p mut Profiler<'a, I>);

impl<'a, I: LwpInstructions> ScopedProfiler<'_, 'a, I> {
    /// [`Profiler::drain`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn drain(&mut self, sink: impl FnMut(EventRecord)) -> Result<u64, RingError> {
        self.0.drain(sink)
    }

    /// [`Profiler::answer`].
    ///
    /// # Errors
    ///
    /// As there.
    #[cfg(target_has_atomic = "8")]
    pub fn answer(&mut self, bell: &Doorbell, sink: impl FnMut(EventRecord)) -> Result<u64, RingError> {
        self.0.answer(bell, sink)
    }

    /// [`Profiler::poll`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll(&mut self, sink: impl FnMut(EventRecord)) -> Result<u64, RingError> {
        self.0.poll(sink)
    }

    /// [`Profiler::drain_all`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn drain_all(&mut self, sink: impl FnMut(EventRecord)) -> Result<u64, SessionError<I::Fault>> {
        self.0.drain_all(sink)
    }

    /// [`Profiler::sync`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn sync(&mut self) -> Result<bool, I::Fault> {
        self.0.sync()
    }

    /// [`Profiler::session`].
    #[inline]
    pub const fn session(&self) -> &Session<I, Active<'a>> {
        self.0.session()
    }

    /// [`Profiler::reader`].
    #[must_use]
    #[inline]
    pub const fn reader(&self) -> &RingReader<'a> {
        self.0.reader()
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
    /// LLWPCB faulted when the session was to be stopped, so hardware may still use the block: repeat
    /// [`stop`](Profiler::stop) on `failed.state`.
    StillActive {
        /// What the work returned, or its error.
        work: Result<T, E>,
        /// The session, and the fault.
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
        work: impl FnOnce(&mut ScopedProfiler<'_, 'a, I>, &mut S) -> Result<T, E>,
    ) -> Result<Profiled<'a, I, T>, RunError<'a, I, T, E>> {
        // SAFETY: passed on to the caller as it is.
        let mut guard = Guard(Some(unsafe { Self::start(idle) }.map_err(RunError::NotStarted)?));
        let work = match &mut guard.0 {
            Some(profiler) => work(&mut ScopedProfiler(profiler), &mut sink),
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
