//! Switching between threads: by the pointer in LWPMSR1.

use super::{ContextSwitch, SavedPointer, SwitchError};
use crate::access::MsrBus;
use crate::lwp::{LwpMsr0, LwpMsr1, LwpcbAddr};

/// The state has been written to the block of the thread that left, and hardware is inactive.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LeavingByPointer {}

/// What [`ContextSwitch::save_pointer`] gives: what to keep for the thread, and the hardware that waits for the next.
type Saved<B> = (SavedPointer, ContextSwitch<B, LeavingByPointer>);

impl<B: MsrBus> ContextSwitch<B> {
    /// Saves the state of the thread that leaves to its control block, and makes hardware inactive.
    ///
    /// Reads LWPMSR1, which makes hardware write head, counters and owed MissedEvents to the block, and then writes 0
    /// to it. The second access is needed: if the pointer stayed, writing the next one would flush the old block once
    /// more, in whatever address space is current by then.
    ///
    /// Needs hardware that flushes outside ring 3; where it does not, head and counters are lost.
    ///
    /// # Safety
    ///
    /// As for [`LwpMsr1::read`]: the address space is still that of the thread that leaves. Ring 3 is not entered
    /// before this core's hardware is `Running` again. A session that the port restored has been in ring 3 since.
    ///
    /// # Errors
    ///
    /// What the bus reports, a page fault on the block above all. Serve it and repeat, or
    /// [`drop_session`](Self::drop_session).
    pub unsafe fn save_pointer(mut self) -> Result<Saved<B>, SwitchError<Self, (), B::Fault>> {
        // SAFETY: the caller vouches for the block.
        let address = match unsafe { LwpMsr1::read(&mut self.bus) } {
            Ok(address) => address,
            Err(fault) => return Err(self.failed((), fault)),
        };
        let Ok(block) = LwpcbAddr::new(address) else {
            // 0: nothing is active. Hardware has no misaligned pointer.
            return Ok((SavedPointer::inactive(), self.into_next()));
        };
        // SAFETY: as for the read; no block is named.
        match unsafe { LwpMsr1::INACTIVE.write(&mut self.bus) } {
            Ok(()) => Ok((SavedPointer::new(LwpMsr1::new(block)), self.into_next())),
            Err(fault) => Err(self.failed((), fault)),
        }
    }

    /// Ends the session of the thread that leaves without touching its block: for one that has unmapped it. What
    /// hardware held is lost.
    ///
    /// Clears Enabled in LWPMSR0, which drops the session, and writes `msr0`, the register's value, back.
    ///
    /// # Safety
    ///
    /// `msr0` is what LWPMSR0 holds. Ring 3 is not entered before this core's hardware is `Running` again.
    ///
    /// # Errors
    ///
    /// What the bus reports. If it was the second write, LWP is inactive and disabled.
    pub unsafe fn drop_session(
        mut self,
        msr0: LwpMsr0,
    ) -> Result<ContextSwitch<B, LeavingByPointer>, SwitchError<Self, (), B::Fault>> {
        for value in [msr0.with_enabled(false), msr0] {
            // SAFETY: LWPMSR0 touches no memory.
            if let Err(fault) = unsafe { self.bus.wrmsr(LwpMsr0::ADDRESS, value.into_bits()) } {
                return Err(self.failed((), fault));
            }
        }
        Ok(self.into_next())
    }
}

impl<B: MsrBus> ContextSwitch<B, LeavingByPointer> {
    /// Gives hardware the pointer of the thread that comes. Its block is read when ring 3 is entered.
    ///
    /// # Safety
    ///
    /// As for [`LwpMsr1::write`]: `context` is that of the thread that enters ring 3 next, in whose address space its
    /// block and buffer are.
    ///
    /// # Errors
    ///
    /// What the bus reports; hardware is still inactive.
    pub unsafe fn restore_pointer(
        mut self,
        context: SavedPointer,
    ) -> Result<ContextSwitch<B>, SwitchError<Self, SavedPointer, B::Fault>> {
        // SAFETY: the caller vouches for the block.
        match unsafe { context.pointer().write(&mut self.bus) } {
            Ok(()) => Ok(self.into_next()),
            Err(fault) => Err(self.failed(context, fault)),
        }
    }

    /// Leaves hardware inactive, as it is: for a thread that does not profile.
    pub fn leave_inactive(self) -> ContextSwitch<B> {
        self.into_next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::context::stub::{Access, Core, PageFault};

    /// A core that runs a thread with its block at 0x1000, in address space 1.
    fn running() -> ContextSwitch<Core> {
        let mut bus = Core { space: 1, ..Core::default() };
        bus.words[0] = 0x1000;
        ContextSwitch::new(bus)
    }

    // LWP-SEC-05: both threads find their own pointer again, and each block is written in its own address space only
    #[test]
    fn pointers_belong_to_their_threads() {
        // SAFETY: the registers are variables; no hardware is behind them.
        let (a, mut core) = unsafe { running().save_pointer() }.unwrap();
        assert_eq!(a.pointer().into_bits(), 0x1000);
        let wrmsr = |value| Access::Wrmsr(LwpMsr1::ADDRESS, value);
        assert!(core.bus.happened().eq([Access::Flush(0x1000, 1), Access::Flush(0x1000, 1), wrmsr(0)]));
        core.bus.space = 2;
        let b = SavedPointer::new(LwpMsr1::new(LwpcbAddr::new(0x2000).unwrap()));
        // SAFETY: as above.
        let mut core = unsafe { core.restore_pointer(b) }.unwrap();
        assert!(core.bus.happened().eq([wrmsr(0x2000)]), "nothing of thread A is written in the space of B");
        // SAFETY: as above.
        let (b, mut core) = unsafe { core.save_pointer() }.unwrap();
        core.bus.space = 1;
        // SAFETY: as above.
        let core = unsafe { core.restore_pointer(a) }.unwrap();
        assert_eq!(core.into_bus().words[0], 0x1000);
        assert_eq!(b.pointer().into_bits(), 0x2000);
    }

    // LWP-SEC-03, LWP-SEC-05
    #[test]
    fn a_thread_without_profiling_runs_with_hardware_inactive() {
        // SAFETY: the registers are variables; no hardware is behind them.
        let (a, core) = unsafe { running().save_pointer() }.unwrap();
        a.discard();
        let core = core.leave_inactive();
        assert_eq!(core.bus.words[0], 0);
        // SAFETY: as above.
        let (none, mut core) = unsafe { core.save_pointer() }.unwrap();
        assert_eq!(none, SavedPointer::inactive());
        core.bus.happened().for_each(drop);
        // SAFETY: as above.
        let mut core = unsafe { core.restore_pointer(none) }.unwrap();
        assert!(core.bus.happened().eq([Access::Wrmsr(LwpMsr1::ADDRESS, 0)]));
    }

    // LWP-SEC-05: without hardware support saving may page-fault in the kernel
    #[test]
    fn a_page_fault_is_served_and_the_step_repeated() {
        let mut core = running();
        core.bus.absent = true;
        // SAFETY: the registers are variables; no hardware is behind them.
        let mut failed = unsafe { core.save_pointer() }.unwrap_err();
        assert_eq!(failed.fault, PageFault(0x1000));
        failed.switch.bus.absent = false;
        // SAFETY: as above.
        let (saved, _) = unsafe { failed.switch.save_pointer() }.unwrap();
        assert_eq!(saved.pointer().into_bits(), 0x1000);
    }

    // LWP-SEC-03: a thread that unmaps its block does not hold up the kernel
    #[test]
    fn a_session_can_be_dropped_without_its_block() {
        let mut core = running();
        core.bus.absent = true;
        // SAFETY: the registers are variables; no hardware is behind them.
        let core = unsafe { core.drop_session(LwpMsr0::from_bits(0x8000_0003)) }.unwrap();
        let mut core = core.leave_inactive();
        assert_eq!(core.bus.words[0], 0);
        let wrmsr = |value| Access::Wrmsr(LwpMsr0::ADDRESS, value);
        assert!(core.bus.happened().eq([wrmsr(0x8000_0002), wrmsr(0x8000_0003)]));
    }
}
