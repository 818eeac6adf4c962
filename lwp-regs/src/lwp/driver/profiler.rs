//! A thread's side: start, drain, stop.
#![allow(unsafe_code)] // starting makes the processor write memory

#[cfg(target_has_atomic = "8")]
use super::Doorbell;
use super::Failed;
use crate::lwp::session::{Active, Idle, SessionError, SessionFailed};
use crate::lwp::{EventRecord, LwpInstructions, RingError, RingReader, Session};
use core::fmt;

/// A session that runs, and the reader of its records.
///
/// Where another thread drains, take the two [apart](Self::into_parts).
#[must_use = "a session has to be stopped before its memory is released"]
pub struct Profiler<'a, I> {
    session: Session<I, Active<'a>>,
    reader: RingReader<'a>,
}

/// What [`Profiler::start`] gives when it fails.
type NotStarted<'a, I> = SessionFailed<Session<I, Idle<'a>>, SessionError<<I as LwpInstructions>::Fault>>;

impl<'a, I: LwpInstructions> Profiler<'a, I> {
    /// Starts the session.
    ///
    /// # Safety
    ///
    /// As for [`Session::start`].
    ///
    /// # Errors
    ///
    /// As for [`Session::start`], with the session back; nothing has been started. After a page fault bring the memory
    /// in that [`Session::regions`] names, and repeat.
    pub unsafe fn start(idle: Session<I, Idle<'a>>) -> Result<Self, NotStarted<'a, I>> {
        // SAFETY: passed on to the caller as it is.
        let (session, reader) = unsafe { idle.start() }?;
        Ok(Self { session, reader })
    }

    /// Takes the records that hardware has published, and goes on until fewer wait than the threshold: above it the
    /// interrupt does not come again. Returns how many.
    ///
    /// # Errors
    ///
    /// [`RingError`] if the block has been damaged: its head is no place in the buffer, or its size not that of the buffer.
    /// `sink` has seen what came before.
    pub fn drain(&mut self, mut sink: impl FnMut(EventRecord)) -> Result<u64, RingError> {
        let threshold = self.reader.block().threshold();
        let mut taken = 0;
        loop {
            taken += take_available(&mut self.reader, &mut sink)?;
            if threshold == 0 || !self.reader.should_drain(threshold)? {
                return Ok(taken);
            }
        }
    }

    /// For a thread that the threshold interrupt wakes: [drains](Self::drain) if the bell has been rung.
    ///
    /// # Errors
    ///
    /// As for [`drain`](Self::drain).
    #[cfg(target_has_atomic = "8")]
    pub fn answer(&mut self, bell: &Doorbell, sink: impl FnMut(EventRecord)) -> Result<u64, RingError> {
        if bell.answer() { self.drain(sink) } else { Ok(0) }
    }

    /// For a thread without the interrupt, now and then: [drains](Self::drain) if the threshold is met, or, where there
    /// is none, if anything waits.
    ///
    /// # Errors
    ///
    /// As for [`drain`](Self::drain).
    pub fn poll(&mut self, sink: impl FnMut(EventRecord)) -> Result<u64, RingError> {
        let threshold = self.reader.block().threshold();
        if self.reader.should_drain(threshold)? { self.drain(sink) } else { Ok(0) }
    }

    /// Makes hardware publish what it holds back, and [drains](Self::drain). The session goes on.
    ///
    /// # Errors
    ///
    /// [`SessionError::Fault`] if SLWPCB faults, [`SessionError::Ring`] as for [`drain`](Self::drain). The session goes
    /// on all the same.
    pub fn drain_all(&mut self, sink: impl FnMut(EventRecord)) -> Result<u64, SessionError<I::Fault>> {
        self.sync().map_err(SessionError::Fault)?;
        self.drain(sink).map_err(SessionError::Ring)
    }

    /// Stops the session and takes its last records.
    ///
    /// # Errors
    ///
    /// What LLWPCB raises, with the session back. It goes on, unless it was another block that could not be put back: see
    /// [`Session::pause`].
    pub fn stop(self, mut sink: impl FnMut(EventRecord)) -> Result<Stopped<'a, I>, Failed<Self, I::Fault>> {
        let Self { session, mut reader } = self;
        let paused = match session.pause() {
            Ok(paused) => paused,
            Err(SessionFailed { session, error }) => return Err(Failed { state: Self { session, reader }, error }),
        };
        let was_active = paused.returned() == Some(paused.watch().address());
        let taken = take_available(&mut reader, &mut sink);
        let missed = reader.missed_events();
        let idle = paused.finish_own(reader); // they began together
        Ok(Stopped { idle, taken, missed, was_active })
    }

    /// Makes hardware write its counters and its head to the block: [`Session::sync`].
    ///
    /// # Errors
    ///
    /// What SLWPCB raises; nothing has been changed then.
    pub fn sync(&mut self) -> Result<bool, I::Fault> {
        self.session.sync()
    }

    /// The session, for a look: [`watch`](Session::watch). It cannot be exchanged for another, whose reader this is not.
    #[inline]
    pub const fn session(&self) -> &Session<I, Active<'a>> {
        &self.session
    }

    /// The reader, for a look without taking.
    #[must_use]
    #[inline]
    pub const fn reader(&self) -> &RingReader<'a> {
        &self.reader
    }

    /// Session and reader by themselves. The reader may go to another thread.
    pub fn into_parts(self) -> (Session<I, Active<'a>>, RingReader<'a>) {
        (self.session, self.reader)
    }
}

/// Takes as many records as there are now. Unlike [`RingReader::drain`], it tells when the block does not take the new tail:
/// who goes on then would take the same record for ever.
fn take_available(reader: &mut RingReader<'_>, sink: &mut impl FnMut(EventRecord)) -> Result<u64, RingError> {
    let mut taken = 0;
    for _ in 0..reader.available()? {
        let Some(record) = reader.pop()? else { break };
        sink(record);
        taken += 1;
    }
    Ok(taken)
}

impl<I> fmt::Debug for Profiler<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profiler").field("session", &self.session).field("reader", &self.reader).finish()
    }
}

/// A session that has been stopped.
pub struct Stopped<'a, I> {
    /// The session: change its block, start it again.
    pub idle: Session<I, Idle<'a>>,
    /// How many records were still there and have been taken, or why they could not be: the block is damaged then, and
    /// has to be [replaced](Session::replace).
    pub taken: Result<u64, RingError>,
    /// How many events found the buffer full, as of the last time that MissedEvents was set to 0.
    pub missed: u64,
    /// Hardware was using the block until now. If not, it has refused it (nothing in it is implemented and enabled), the
    /// system has disabled LWP, or another block was loaded past this session.
    pub was_active: bool,
}

impl<I> fmt::Debug for Stopped<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { taken, missed, was_active, .. } = self;
        let mut stopped = f.debug_struct("Stopped");
        stopped.field("taken", taken).field("missed", missed).field("was_active", was_active).finish_non_exhaustive()
    }
}
