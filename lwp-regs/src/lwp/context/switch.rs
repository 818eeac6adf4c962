//! Switching between threads, guests or processes: by the port.

use super::{LwpContextPort, LwpVolatileState, SavedContext};
use core::fmt;
use core::marker::PhantomData;

/// Hardware holds the state of the thread that runs, or is inactive: ring 3 may be entered.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Running {}

/// The state has been saved through the port, and hardware still holds it, pointer included: ring 3 must not be entered.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leaving {}

/// A core's LWP hardware in the course of a context switch.
///
/// A kernel keeps one per core, of the type `ContextSwitch<B>`, that is with a thread `Running`. Saving turns it into
/// another type, and only restoring or giving up turns it back: a switch that forgets to restore has nothing to put
/// back in its place, and does not compile. `B` reaches the hardware; it is moved in so that there is no way past it.
///
/// There are two paths. A system uses one of them throughout: what one has saved, the other cannot restore.
///
/// - **By the port** ([`save`](Self::save), [`restore`](ContextSwitch::restore)). Needs hardware with a save port.
///   Touches no memory, so it works with interrupts off, in any address space, while the block is paged out.
/// - **By the pointer** ([`save_pointer`](Self::save_pointer), [`restore_pointer`](ContextSwitch::restore_pointer)).
///   Needs LWPMSR1 only. Hardware writes the state to the block, which may page-fault in the kernel.
///
/// ```
/// use lwp_regs::lwp::context::{ContextSwitch, LwpContextPort, SavedContext};
///
/// struct Thread { lwp: SavedContext }
///
/// /// Leaves `from`, enters `to`. `None` if the port faulted: LWP is then in an unknown state.
/// fn switch<P: LwpContextPort>(
///     core: ContextSwitch<P>,
///     from: &mut Thread,
///     to: &mut Thread,
/// ) -> Option<ContextSwitch<P>> {
///     // SAFETY: the port is there, ring 3 is not entered meanwhile, and `to` runs next.
///     unsafe {
///         let (saved, core) = core.save().ok()?;
///         from.lwp = saved;
///         core.restore(core::mem::replace(&mut to.lwp, SavedContext::inactive())).ok()
///     }
/// }
/// ```
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Saving state at thread context switches" and "Security".
#[must_use = "ring 3 must not be entered before hardware holds the state of the thread that runs"]
pub struct ContextSwitch<B, S = Running> {
    pub(super) bus: B,
    state: PhantomData<S>,
}

/// A step of a switch that faulted. Nothing is lost: `switch` is in the state before the step, and `context` is what
/// was to be restored.
#[derive(Debug)]
#[must_use = "it holds the hardware and the context that was to be restored"]
pub struct SwitchError<S, C, F> {
    /// The hardware, as before the step: repeat the step or take another one.
    pub switch: S,
    /// What was to be restored; `()` when saving.
    pub context: C,
    /// What the access reported.
    pub fault: F,
}

impl<B> ContextSwitch<B> {
    /// The hardware of a core behind `bus`, when it is inactive or holds the state of the thread that runs: as after
    /// reset.
    #[inline]
    pub const fn new(bus: B) -> Self {
        Self { bus, state: PhantomData }
    }

    /// The way to the hardware, given back.
    #[must_use]
    pub fn into_bus(self) -> B {
        self.bus
    }
}

impl<B, S> ContextSwitch<B, S> {
    /// The same hardware in another state.
    pub(super) fn into_next<T>(self) -> ContextSwitch<B, T> {
        ContextSwitch { bus: self.bus, state: PhantomData }
    }

    /// What a step returns that has faulted.
    pub(super) fn failed<C, F>(self, context: C, fault: F) -> SwitchError<Self, C, F> {
        SwitchError { switch: self, context, fault }
    }
}

impl<B, S> fmt::Debug for ContextSwitch<B, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextSwitch").finish_non_exhaustive()
    }
}

/// What [`ContextSwitch::save`] gives: what to keep for the thread, and the hardware that waits for the next.
type Saved<P> = (SavedContext, ContextSwitch<P, Leaving>);

impl<P: LwpContextPort> ContextSwitch<P> {
    /// Saves the state of the thread that leaves. No memory is touched; the control block may be paged out.
    ///
    /// # Safety
    ///
    /// As for [`LwpContextPort::save_word`]; ring 3 is not entered before this core's hardware is `Running` again.
    ///
    /// # Errors
    ///
    /// What the port reports.
    pub unsafe fn save(mut self) -> Result<Saved<P>, SwitchError<Self, (), P::Fault>> {
        // SAFETY: the caller vouches for the port.
        match unsafe { LwpVolatileState::save(&mut self.bus) } {
            Ok(state) => Ok((SavedContext::new(state), self.into_next())),
            Err(fault) => Err(self.failed((), fault)),
        }
    }
}

impl<P: LwpContextPort> ContextSwitch<P, Leaving> {
    /// Gives hardware the state of the thread that comes.
    ///
    /// # Safety
    ///
    /// As for [`LwpVolatileState::restore`]: `context` is that of the thread that enters ring 3 next, in whose address
    /// space its block and buffer are.
    ///
    /// # Errors
    ///
    /// What the port reports; the session of `context` has not been started.
    pub unsafe fn restore(
        mut self,
        context: SavedContext,
    ) -> Result<ContextSwitch<P>, SwitchError<Self, SavedContext, P::Fault>> {
        // SAFETY: the caller vouches for port and context.
        match unsafe { context.state().restore(&mut self.bus) } {
            Ok(()) => Ok(self.into_next()),
            Err(fault) => Err(self.failed(context, fault)),
        }
    }

    /// Makes hardware inactive: for a thread that does not profile, or when a restore failed.
    ///
    /// # Safety
    ///
    /// As for [`LwpContextPort::save_word`].
    ///
    /// # Errors
    ///
    /// What the port reports.
    pub unsafe fn leave_inactive(mut self) -> Result<ContextSwitch<P>, SwitchError<Self, (), P::Fault>> {
        // SAFETY: the caller vouches for the port; no block is named.
        match unsafe { LwpVolatileState::INACTIVE.restore(&mut self.bus) } {
            Ok(()) => Ok(self.into_next()),
            Err(fault) => Err(self.failed((), fault)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::context::ContextError;
    use crate::lwp::context::stub::Core;

    /// The state of a thread whose block is at `block`: head 0x20, counter of event 1 `counter`.
    fn words(block: u64, counter: u64) -> [u64; 8] {
        [block, 0x0000_0001_0000_0020, counter, 0, 0, 0, 0, 0]
    }

    fn context(words: [u64; 8]) -> SavedContext {
        LwpVolatileState::from_words(words).try_into().unwrap()
    }

    // LWP-SEC-03, LWP-SEC-04, LWP-CTX-07, LWP-SVM-01
    #[test]
    fn hardware_holds_the_state_of_the_thread_that_runs() {
        let core = ContextSwitch::new(Core::with_words(words(0x1000, 7)));
        let b = context(words(0x2000, 9));
        // SAFETY: the port is a variable; no hardware is behind it.
        let (a, core) = unsafe { core.save() }.unwrap();
        assert_eq!(a.state().to_words(), words(0x1000, 7));
        // SAFETY: as above.
        let core = unsafe { core.restore(b) }.unwrap();
        assert_eq!(core.bus.words[..8], words(0x2000, 9));
        // SAFETY: as above.
        let (b, core) = unsafe { core.save() }.unwrap();
        // SAFETY: as above.
        let core = unsafe { core.restore(a) }.unwrap();
        assert_eq!(core.into_bus().words[..8], words(0x1000, 7));
        assert_eq!(b.into_state().to_words(), words(0x2000, 9));
    }

    // LWP-SEC-03, LWP-SEC-04: nothing of one thread is left for one that does not profile
    #[test]
    fn leaving_inactive_clears_every_word() {
        let core = ContextSwitch::new(Core::with_words(words(0x1000, 7)));
        // SAFETY: the port is a variable; no hardware is behind it.
        let (saved, core) = unsafe { core.save() }.unwrap();
        saved.discard();
        // SAFETY: as above.
        let core = unsafe { core.leave_inactive() }.unwrap();
        assert_eq!(core.into_bus().words[..8], [0; 8]);
    }

    // LWP-SVM-03, LWP-SVM-04: a hypervisor may skip this, since it changes nothing
    #[test]
    fn back_to_the_same_guest_nothing_has_changed() {
        let core = ContextSwitch::new(Core::with_words(words(0x1000, 7)));
        // SAFETY: the port is a variable; no hardware is behind it.
        let (guest, core) = unsafe { core.save() }.unwrap();
        assert_eq!(core.bus.words[..8], words(0x1000, 7), "saving alone changes nothing either");
        // SAFETY: as above.
        let core = unsafe { core.restore(guest) }.unwrap();
        assert_eq!(core.bus.words[..8], words(0x1000, 7));
    }

    #[test]
    fn a_step_that_faults_gives_everything_back() {
        let mut bus = Core::with_words(words(0x1000, 7));
        bus.broken = Some(3);
        // SAFETY: the port is a variable; no hardware is behind it.
        let mut failed = unsafe { ContextSwitch::new(bus).save() }.unwrap_err();
        failed.switch.bus.broken = None;
        // SAFETY: as above.
        let (a, mut core) = unsafe { failed.switch.save() }.unwrap();
        core.bus.broken = Some(0);
        // SAFETY: as above.
        let mut failed = unsafe { core.restore(a) }.unwrap_err();
        assert_eq!(failed.context.state().to_words(), words(0x1000, 7));
        // SAFETY: as above.
        failed = unsafe { failed.switch.restore(failed.context) }.unwrap_err();
        failed.switch.bus.broken = None;
        // SAFETY: as above.
        let core = unsafe { failed.switch.restore(failed.context) }.unwrap();
        assert_eq!(core.bus.words[..8], words(0x1000, 7));
    }

    #[test]
    fn a_state_from_elsewhere_is_checked() {
        let refused = SavedContext::try_from(LwpVolatileState { lwpcb: 0x1001, ..LwpVolatileState::INACTIVE });
        assert_eq!(refused, Err(ContextError::PointerMisaligned(0x1001)));
        assert_eq!(SavedContext::inactive().state(), &LwpVolatileState::INACTIVE);
    }
}
