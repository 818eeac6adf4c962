//! A session that hardware does not use for the time being.

use super::{Active, Idle, Session, SessionFailed, WrongReader};
use crate::lwp::{LwpCaps, LwpInstructions, LwpcbAddr, LwpcbWatch, RingReader};

/// Hardware does not use the block, but its place in the buffer and its counters are kept for going on.
#[derive(Debug)]
pub struct Paused<'a> {
    watch: LwpcbWatch<'a>,
    caps: LwpCaps,
    returned: Option<LwpcbAddr>,
    displaced: Option<LwpcbAddr>,
}

impl<'a> Paused<'a> {
    #[inline]
    pub(super) const fn new(
        watch: LwpcbWatch<'a>,
        caps: LwpCaps,
        returned: Option<LwpcbAddr>,
        displaced: Option<LwpcbAddr>,
    ) -> Self {
        Self { watch, caps, returned, displaced }
    }
}

/// What [`Session::resume`] gives when it fails.
type NotResumed<'a, I> = SessionFailed<Session<I, Paused<'a>>, <I as LwpInstructions>::Fault>;
/// What [`Session::finish`] gives when it fails.
type NotFinished<'a, I> = WrongReader<'a, Session<I, Paused<'a>>>;

impl<'a, I: LwpInstructions> Session<I, Paused<'a>> {
    /// What hardware has written to the block.
    #[must_use]
    #[inline]
    pub const fn watch(&self) -> &LwpcbWatch<'a> {
        &self.state.watch
    }

    /// What LLWPCB returned when the session was paused: its own block; nothing, if hardware was inactive; or another
    /// block, which was put back.
    #[must_use]
    #[inline]
    pub const fn returned(&self) -> Option<LwpcbAddr> {
        self.state.returned
    }

    /// The other block that an earlier, failed pause of this session has taken from hardware and could not put back. Its
    /// session goes on after a pause and a [`resume`](Self::resume) of its own.
    #[must_use]
    #[inline]
    pub const fn displaced(&self) -> Option<LwpcbAddr> {
        self.state.displaced
    }

    /// Goes on where the session was paused: LLWPCB with the address that the other one returned, which is that of its
    /// block. Hardware loads head and counters from there.
    ///
    /// # Safety
    ///
    /// As for [`start`](Session::start).
    ///
    /// # Errors
    ///
    /// What the instruction raises, with the session back; it is still paused then.
    pub unsafe fn resume(mut self) -> Result<Session<I, Active<'a>>, NotResumed<'a, I>> {
        // SAFETY: the caller vouches for the memory.
        match unsafe { self.lwp.llwpcb(self.state.watch.address().get()) } {
            Ok(old) => {
                let Paused { watch, caps, .. } = self.state;
                Ok(Session::of(self.lwp, Active::new(watch, caps, LwpcbAddr::new(old).ok())))
            }
            Err(error) => Err(SessionFailed { session: self, error }),
        }
    }

    /// Ends the session: it can be changed and started anew, with the records that are still in the buffer. Takes back
    /// the reader that the start gave.
    ///
    /// # Errors
    ///
    /// [`WrongReader`] if it is the reader of another session.
    pub fn finish(self, reader: RingReader<'a>) -> Result<Session<I, Idle<'a>>, NotFinished<'a, I>> {
        if reader.block().address() != self.state.watch.address() {
            return Err(WrongReader { session: self, reader });
        }
        Ok(self.finish_own(reader))
    }

    /// The same, where it is known whose reader it is: hardware would still use the block of another one.
    pub(in crate::lwp) fn finish_own(self, reader: RingReader<'a>) -> Session<I, Idle<'a>> {
        debug_assert_eq!(reader.block().address(), self.state.watch.address(), "the reader of another session");
        let (view, buffer) = reader.into_parts();
        Session::of(self.lwp, Idle::new(view, buffer, self.state.caps))
    }
}
