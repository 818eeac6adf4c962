//! A session that hardware does not use.

use super::{Active, Session, SessionError, SessionFailed};
use crate::lwp::{
    ActiveLwpcb, BufferView, LwpCaps, LwpInstructions, Lwpcb, LwpcbAddr, LwpcbError, LwpcbImage, LwpcbMemory,
    RingError, RingReader,
};
use core::ops::Range;

/// Hardware does not use the block: it can be changed.
#[derive(Debug)]
pub struct Idle<'a> {
    view: ActiveLwpcb<'a>,
    buffer: BufferView<'a>,
    caps: LwpCaps,
}

impl<'a> Idle<'a> {
    #[inline]
    pub(super) const fn new(view: ActiveLwpcb<'a>, buffer: BufferView<'a>, caps: LwpCaps) -> Self {
        Self { view, buffer, caps }
    }
}

/// What [`Session::start`] gives.
type Started<'a, I> = (Session<I, Active<'a>>, RingReader<'a>);
/// What it gives when it fails.
type NotStarted<'a, I> = SessionFailed<Session<I, Idle<'a>>, SessionError<<I as LwpInstructions>::Fault>>;

impl<'a, I: LwpInstructions> Session<I, Idle<'a>> {
    /// Puts `block` into `memory`. `buffer` is the one that the block was built with; `lwp` are the instructions of
    /// the thread that is to be profiled, which is this one.
    pub fn new(lwp: I, block: &Lwpcb, memory: &'a mut LwpcbMemory, buffer: BufferView<'a>) -> Self {
        Self::of(lwp, Idle::new(memory.load(block), buffer, *block.caps()))
    }

    /// The block as it is in memory: as it was given, or as the last session left it.
    ///
    /// # Errors
    ///
    /// [`LwpcbError`] if the last session has damaged it; [`replace`](Self::replace) it then.
    pub fn block(&self) -> Result<Lwpcb, LwpcbError> {
        Lwpcb::new(self.state.view.image(), &self.state.caps)
    }

    /// Changes the block.
    ///
    /// # Errors
    ///
    /// As for [`block`](Self::block), and what `change` returns; the block is as before then.
    pub fn edit(&mut self, change: impl FnOnce(&mut Lwpcb) -> Result<(), LwpcbError>) -> Result<(), LwpcbError> {
        let mut block = self.block()?;
        change(&mut block)?;
        self.replace(&block)
    }

    /// Puts another block in its place.
    ///
    /// # Errors
    ///
    /// [`LwpcbError`] if it was made for another kind of processor, which has more slots; the block is as before then.
    pub fn replace(&mut self, block: &Lwpcb) -> Result<(), LwpcbError> {
        let block = Lwpcb::new(*block.image(), &self.state.caps)?;
        // SAFETY: in this state hardware does not use the block.
        unsafe { self.state.view.rewrite(block.image()) };
        Ok(())
    }

    /// The memory that hardware will use, as linear addresses: the block and the buffer. An implementation that cannot
    /// take page faults wants both pinned; any runs without faults then.
    #[must_use]
    pub fn regions(&self) -> [Range<u64>; 2] {
        let region = |start: u64, bytes: u64| start..start + bytes;
        let Idle { view, buffer, caps } = &self.state;
        [region(view.address().get(), u64::from(caps.lwpcb_size)), region(buffer.address(), u64::from(buffer.size()))]
    }

    /// Starts: LLWPCB with the address of the block. What was active before on this thread is flushed and replaced,
    /// see [`replaced`](Session::replaced).
    ///
    /// In ring 3 hardware loads the block at once, outside it later; [`flags`](crate::lwp::LwpcbWatch::flags) then say
    /// what it counts. They stay 0 if none of the events is implemented and enabled.
    ///
    /// # Safety
    ///
    /// Block and buffer stay mapped, writable by ring 3, in normal write-back memory and in place until the session has
    /// been paused. It must not be dropped while it is active. The block that was active before, if any, is still there.
    ///
    /// # Errors
    ///
    /// [`SessionError`], with the session back; nothing has been started then.
    pub unsafe fn start(mut self) -> Result<Started<'a, I>, NotStarted<'a, I>> {
        let (image, tail) = match self.ready() {
            Ok(ready) => ready,
            Err(error) => return Err(SessionFailed { session: self, error }),
        };
        // Flags that the last session left would look as if this one counted already.
        // SAFETY: in this state hardware does not use the block.
        unsafe { self.state.view.rewrite(&LwpcbImage { flags: 0, ..image }) };
        // SAFETY: the caller vouches for the memory.
        match unsafe { self.lwp.llwpcb(self.state.view.address().get()) } {
            Ok(old) => {
                let Idle { view, buffer, caps } = self.state;
                let active = Active::new(view.watch(), caps, LwpcbAddr::new(old).ok());
                Ok((Session::of(self.lwp, active), RingReader::from_checked(view, buffer, tail)))
            }
            Err(fault) => Err(SessionFailed { session: self, error: SessionError::Fault(fault) }),
        }
    }

    /// The block to start with and its tail, if it keeps the rules and is that of the buffer.
    fn ready(&self) -> Result<(LwpcbImage, u32), SessionError<I::Fault>> {
        let Idle { view, buffer, caps } = &self.state;
        let image = *self.block().map_err(SessionError::Block)?.image();
        if image.base != buffer.address() {
            let error = RingError::Base { base: buffer.address(), expected: image.base };
            return Err(SessionError::Ring(error));
        }
        let tail = RingReader::check(caps, view, buffer).map_err(SessionError::Ring)?;
        Ok((image, tail))
    }
}
