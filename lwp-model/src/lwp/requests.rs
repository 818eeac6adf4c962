//! Requests to the core: page-fault trap and threshold interrupt.

use super::state::{InterruptRegs, MemCmd, PageFaultRegs, PortRegs};

impl PageFaultRegs {
    /// Takes the core's acknowledgement. A request that rises in the same cycle stands.
    pub(super) fn acknowledge(&mut self, ack: bool) {
        self.valid &= !ack;
    }

    /// Requests the trap, or the fault, for the access that has just failed. A probe asks for a right to write.
    pub(super) fn request(&mut self, port: &PortRegs, abort: bool) {
        self.valid = true;
        self.write = port.cmd != MemCmd::Read;
        self.abort = abort;
        self.addr = port.first_byte();
    }
}

impl InterruptRegs {
    /// Takes the core's acknowledgement. A request that rises in the same cycle stands.
    pub(super) fn acknowledge(&mut self, ack: bool) {
        self.valid &= !ack;
    }

    /// A delayed interrupt comes closer; it rises only while interrupts are enabled.
    pub(super) fn count_down(&mut self, enabled: bool) {
        if self.count != 0 {
            self.count -= 1;
            self.valid |= self.count == 0 && enabled;
        }
    }

    /// The threshold was met. A crossing while a delayed interrupt is under way merges with it.
    pub(super) fn request(&mut self, delay: u8) {
        if delay == 0 {
            self.valid = true;
        } else if self.count == 0 {
            self.count = delay;
        }
    }
}
