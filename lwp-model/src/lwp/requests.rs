//! Requests to the core: page-fault trap and threshold interrupt.

use super::state::{InterruptRegs, MemCmd, PageFaultRegs, PortRegs};

impl PageFaultRegs {
    /// Takes the core's acknowledgement. A request that is made in the same cycle stays pending.
    pub(super) fn acknowledge(&mut self, ack: bool) {
        self.valid &= !ack;
    }

    /// Requests the trap, or the fault, for the access that has just failed. A write probe reports a write.
    pub(super) fn request(&mut self, port: &PortRegs, abort: bool) {
        self.valid = true;
        self.write = port.cmd != MemCmd::Read;
        self.abort = abort;
        self.addr = port.first_byte();
    }
}

impl InterruptRegs {
    /// Takes the core's acknowledgement. A request that is made in the same cycle stays pending.
    pub(super) fn acknowledge(&mut self, ack: bool) {
        self.valid &= !ack;
    }

    /// Counts down a delayed interrupt, and requests it at zero if interrupts are enabled.
    pub(super) fn count_down(&mut self, enabled: bool) {
        if self.count != 0 {
            self.count -= 1;
            self.valid |= self.count == 0 && enabled;
        }
    }

    /// Requests the interrupt `delay` cycles after a crossing. A crossing while an interrupt is delayed merges with it; `now` is the
    /// interrupt as the cycle began, in the last cycle of a delay as well.
    pub(super) fn request(&mut self, delay: u8, now: &Self) {
        if delay == 0 {
            self.valid = true;
        } else if now.count == 0 {
            self.count = delay;
        }
    }
}
