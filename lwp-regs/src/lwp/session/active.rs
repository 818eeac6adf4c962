//! A session that hardware uses.

use super::{Paused, Session, SessionFailed};
use crate::lwp::{LwpCaps, LwpInstructions, LwpcbAddr, LwpcbWatch};

/// Hardware uses the block: nothing of it can be changed.
#[derive(Debug)]
pub struct Active<'a> {
    watch: LwpcbWatch<'a>,
    caps: LwpCaps,
    replaced: Option<LwpcbAddr>,
    displaced: Option<LwpcbAddr>,
}

impl<'a> Active<'a> {
    #[inline]
    pub(super) const fn new(watch: LwpcbWatch<'a>, caps: LwpCaps, replaced: Option<LwpcbAddr>) -> Self {
        Self { watch, caps, replaced, displaced: None }
    }
}

/// What [`Session::pause`] gives when it fails.
type NotPaused<'a, I> = SessionFailed<Session<I, Active<'a>>, <I as LwpInstructions>::Fault>;

impl<'a, I: LwpInstructions> Session<I, Active<'a>> {
    /// What hardware has written to the block so far: as of its last flush.
    #[must_use]
    #[inline]
    pub const fn watch(&self) -> &LwpcbWatch<'a> {
        &self.state.watch
    }

    /// The block that was active on this thread when this session was started or resumed: hardware has flushed it and
    /// left it.
    #[must_use]
    #[inline]
    pub const fn replaced(&self) -> Option<LwpcbAddr> {
        self.state.replaced
    }

    /// The other block that a failed [`pause`](Self::pause) has taken from hardware and could not put back.
    #[must_use]
    #[inline]
    pub const fn displaced(&self) -> Option<LwpcbAddr> {
        self.state.displaced
    }

    /// Makes hardware write its counters and its head to the block: SLWPCB. [`watch`](Self::watch) and the reader see
    /// them then. The session goes on.
    ///
    /// `true` if this block is the active one. `false` if not, and nothing has been written to it: hardware refused it
    /// because no event in it is implemented and enabled, the system has disabled LWP, or another block was loaded past
    /// this session.
    ///
    /// # Errors
    ///
    /// What the instruction raises; nothing has been changed then.
    pub fn sync(&mut self) -> Result<bool, I::Fault> {
        // SAFETY: who started the session has vouched for the block until it is paused.
        let active = unsafe { self.lwp.slwpcb() }?;
        Ok(active == self.state.watch.address().get())
    }

    /// Stops for a while: LLWPCB with 0. Hardware flushes counters and head to the block.
    ///
    /// If another block was loaded past this session, that one is put back.
    ///
    /// # Errors
    ///
    /// What the instruction raises, with the session back. If LLWPCB with 0 has faulted, nothing has changed. If the other
    /// block could not be put back, hardware uses no block, and [`displaced`](Self::displaced) has its address. A repeated
    /// call does not put it back, since its session may have ended meanwhile; that session goes on after a pause and a
    /// [`resume`](Session::resume) of its own.
    pub fn pause(mut self) -> Result<Session<I, Paused<'a>>, NotPaused<'a, I>> {
        let own = self.state.watch.address();
        // SAFETY: who started the session has vouched for the block until now; no new one is named.
        let returned = match unsafe { self.lwp.llwpcb(0) } {
            Ok(returned) => LwpcbAddr::new(returned).ok(),
            Err(error) => return Err(SessionFailed { session: self, error }),
        };
        if let Some(other) = returned.filter(|other| *other != own) {
            // SAFETY: it was active until this moment, so whoever started it vouches for it.
            if let Err(error) = unsafe { self.lwp.llwpcb(other.get()) } {
                self.state.displaced = Some(other);
                return Err(SessionFailed { session: self, error });
            }
        }
        let Active { watch, caps, displaced, .. } = self.state;
        Ok(Session::of(self.lwp, Paused::new(watch, caps, returned, displaced)))
    }
}
