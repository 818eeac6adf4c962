//! A thread's profiling session, from the block in memory to the last record.
//!
//! ```text
//!            start                    pause
//!   Idle ------------> Active <-----------------> Paused
//!    ^                            resume            |
//!    +----------------------------------------------+
//!                         finish
//! ```
//!
//! | state | hardware | can be done |
//! |---|---|---|
//! | [`Idle`] | does not use the block | change it, start |
//! | [`Active`] | uses the block | see its progress ([`sync`](Session::sync)), pause |
//! | [`Paused`] | does not use the block | resume, finish |
//!
//! While hardware uses a block there are no setters, since what is constant must not change during a session. Draining
//! is apart from it: [`start`](Session::start) gives a [`RingReader`](super::RingReader) too, which may go to a thread
//! that drains for many.
//!
//! A session must not be given up while it is active, so `?` has no place between start and pause. What runs within one
//! call is therefore given to [`Profiler::run`](super::driver::Profiler::run), which stops the session on every way out:
//!
//! ```
//! use lwp_regs::lwp::driver::{Profiler, RunError};
//! use lwp_regs::lwp::session::{Idle, SessionError};
//! use lwp_regs::lwp::{LwpInstructions, Session};
//!
//! type Failed<'a, I> = RunError<'a, I, (u32, u64), SessionError<<I as LwpInstructions>::Fault>>;
//!
//! /// Profiles `work`; returns the number of records and what was missed.
//! fn profile<'a, I: LwpInstructions>(idle: Session<I, Idle<'a>>, work: impl Fn()) -> Result<(u32, u64), Failed<'a, I>> {
//!     // SAFETY: block and buffer are user memory that outlives the session; who gets `StillActive` stops it.
//!     let profiled = unsafe {
//!         Profiler::run(idle, |_| (), |profiler, _| {
//!             work();
//!             profiler.sync().map_err(SessionError::Fault)?; // hardware may have deferred its head
//!             let reader = profiler.reader();
//!             Ok((reader.available().map_err(SessionError::Ring)?, reader.missed_events()))
//!         })
//!     }?;
//!     Ok(profiled.value)
//! }
//! ```
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Instructions" and "LWP Control Block".
#![allow(unsafe_code)] // starting makes the processor write memory

mod active;
mod error;
mod idle;
mod paused;

pub use active::Active;
pub use error::{SessionError, SessionFailed, WrongReader};
pub use idle::Idle;
pub use paused::Paused;

use core::fmt;
use core::marker::PhantomData;

/// The session of one thread, in the state `S`: [`Idle`], [`Active`] or [`Paused`].
///
/// It acts through the LLWPCB and SLWPCB of the thread that uses it, so it can neither be sent to another thread nor
/// be shared with one. Each thread has its own, with its own block and buffer.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Overview": "Each thread in a multi-threaded process must
/// configure LWP separately".
#[must_use = "an active session has to be paused before its memory is released"]
pub struct Session<I, S> {
    lwp: I,
    state: S,
    thread: PhantomData<*mut ()>,
}

impl<I, S> Session<I, S> {
    #[inline]
    const fn of(lwp: I, state: S) -> Self {
        Self { lwp, state, thread: PhantomData }
    }
}

impl<I, S: fmt::Debug> fmt::Debug for Session<I, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("state", &self.state).finish_non_exhaustive()
    }
}
