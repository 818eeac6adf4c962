//! The hardware's port for saving and restoring.

/// The way to the state that hardware holds for a session: one word of 8 bytes at a time.
///
/// | words | content | type |
/// |---|---|---|
/// | 0..=7 | the state of a thread's session | [`LwpVolatileState`](super::LwpVolatileState) |
/// | 8, 9 | what belongs to the core: LWPMSR0, the interrupt, the random generator | [`SmmLwpArea`](super::SmmLwpArea) |
///
/// # Protocol
///
/// *Saving* reads words in any order, touches no memory and changes nothing.
///
/// *Restoring* writes words from the highest down to word 0: 7 to 0 for a thread, 9 to 0 after a loss of power, where
/// LWPMSR0 in word 8 has to allow LWP before a pointer is accepted. The first of them ends, without a memory access,
/// whatever session hardware still had; word 0 comes last, since the pointer in it is what starts. Restoring touches no
/// memory either: what the words do not hold is loaded from the block in ring 3, at once if the processor is there,
/// else as soon as it enters.
///
/// If a word cannot be restored, the session has not been started. Restore all words again, or write 0 to word 0.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Saving state at thread context switches" and "Notes on
/// restoring LWP state". The words and their order are this project's.
pub trait LwpContextPort {
    /// What a failing access yields; [`Infallible`](core::convert::Infallible) where none fails.
    type Fault;

    /// Reads word `index` of the state that hardware holds.
    ///
    /// # Safety
    ///
    /// The port exists on this processor and may be used here, and no instruction is counted between the reads that
    /// together make one state.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    unsafe fn save_word(&mut self, index: u8) -> Result<u64, Self::Fault>;

    /// Writes word `index`.
    ///
    /// # Safety
    ///
    /// As for [`save_word`](Self::save_word). A word 0 other than 0 makes hardware use a control block and its buffer
    /// from the next ring-3 instruction on, as [`LwpMsr1::write`](crate::lwp::LwpMsr1::write) does: they belong to the
    /// thread that runs then.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the word is as before then.
    unsafe fn restore_word(&mut self, index: u8, value: u64) -> Result<(), Self::Fault>;
}

impl<P: LwpContextPort + ?Sized> LwpContextPort for &mut P {
    type Fault = P::Fault;

    unsafe fn save_word(&mut self, index: u8) -> Result<u64, Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (**self).save_word(index) }
    }

    unsafe fn restore_word(&mut self, index: u8, value: u64) -> Result<(), Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (**self).restore_word(index, value) }
    }
}

/// Reads words 0 to `N` - 1.
///
/// # Safety
///
/// As for [`LwpContextPort::save_word`].
pub(super) unsafe fn save_words<P: LwpContextPort, const N: usize>(port: &mut P) -> Result<[u64; N], P::Fault> {
    let mut words = [0; N];
    for (index, word) in (0..).zip(&mut words) {
        // SAFETY: the caller vouches for all words.
        *word = unsafe { port.save_word(index) }?;
    }
    Ok(words)
}

/// Writes the words, the last one first.
///
/// # Safety
///
/// As for [`LwpContextPort::restore_word`].
pub(super) unsafe fn restore_words<P: LwpContextPort>(port: &mut P, words: &[u64]) -> Result<(), P::Fault> {
    for (index, word) in words.iter().enumerate().rev() {
        // SAFETY: the caller vouches for all words.
        unsafe { port.restore_word(index as u8, *word) }?;
    }
    Ok(())
}
