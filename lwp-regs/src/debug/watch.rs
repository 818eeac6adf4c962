//! Watching a variable: what it was and what it has become.

use super::{Breakpoint, Length, Slot};
use crate::access::DebugBus;

/// A watched place in memory, with the value it last had.
///
/// A write breakpoint is hit after the write, when the old value is gone. So it is saved first, and only what has been
/// saved yields a [`breakpoint`](Self::breakpoint) to arm:
///
/// ```
/// use lwp_regs::debug::{BreakpointLimits, BreakpointSet, Change, DebugCaps, DebugRegisterFile, Length, Slot, WriteWatch};
///
/// # let mut bus = DebugRegisterFile::new(DebugCaps::INTEL_64);
/// let mut memory = 7u32;
/// let mut watch = WriteWatch::save(0x1000, Length::Four, |_address, _length| memory);
///
/// let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
/// let set = BreakpointSet::new().with(Slot::Dr0, watch.breakpoint(), &limits)?;
/// // SAFETY: there is a #DB handler.
/// unsafe { set.arm(&mut bus) }.unwrap();
///
/// memory = 8; // #DB; in its handler:
/// let change = watch.report(&mut bus, Slot::Dr0, |_address, _length| memory).unwrap();
/// assert_eq!(change, Some(Change { address: 0x1000, old: 7, new: 8 }));
/// # Ok::<(), lwp_regs::Refused>(())
/// ```
///
/// Memory is read by the caller's function, which knows how: by pointer, through page tables, of another process. Writes
/// by other processors and devices hit no breakpoint of this one; they show as part of the next change.
///
/// Source: Intel SDM volume 3B, "Data Memory and I/O Breakpoint Exception Conditions".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WriteWatch<V> {
    address: u64,
    length: Length,
    value: V,
}

/// A write that hit a breakpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change<V> {
    /// The linear address that the debug register holds.
    pub address: u64,
    /// The value that was saved.
    pub old: V,
    /// The value that is there now; the same one if that was written.
    pub new: V,
}

impl<V: Copy> WriteWatch<V> {
    /// Saves the value at `address`, of `length` bytes, by `memory`. To be done before the breakpoint is armed.
    pub fn save(address: u64, length: Length, memory: impl FnOnce(u64, Length) -> V) -> Self {
        Self { address, length, value: memory(address, length) }
    }

    /// The breakpoint to arm.
    #[must_use]
    #[inline]
    pub const fn breakpoint(&self) -> Breakpoint {
        Breakpoint::write(self.address, self.length)
    }

    /// What the write that hit the breakpoint in `slot` has done. The place is found by the address in the debug
    /// register; `None` if that is not the one that was saved. The new value is the old one of the next report.
    ///
    /// # Errors
    ///
    /// The fault that the access to the debug register raised.
    pub fn report<B: DebugBus>(
        &mut self,
        bus: &mut B,
        slot: Slot,
        memory: impl FnOnce(u64, Length) -> V,
    ) -> Result<Option<Change<V>>, B::Fault> {
        let address = slot.register().read(bus)?.address();
        if address != self.address {
            return Ok(None);
        }
        let new = memory(address, self.length);
        let old = core::mem::replace(&mut self.value, new);
        Ok(Some(Change { address, old, new }))
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
