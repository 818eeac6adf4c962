//! Requests to the core: page-fault trap and threshold interrupt.

use super::state::{MemCmd, PortRegs, Requests};

impl Requests {
    /// Takes the core's acknowledgements. A request that rises in the same cycle stands.
    pub(super) fn acknowledge(&mut self, pf: bool, irq: bool) {
        self.pf_valid &= !pf;
        self.irq &= !irq;
    }

    /// A delayed interrupt comes closer; it rises only while interrupts are enabled.
    pub(super) fn count_down(&mut self, enabled: bool) {
        if self.irq_count != 0 {
            self.irq_count -= 1;
            self.irq |= self.irq_count == 0 && enabled;
        }
    }

    /// The threshold was met. A crossing while a delayed interrupt is under way merges with it.
    pub(super) fn interrupt(&mut self, delay: u8) {
        if delay == 0 {
            self.irq = true;
        } else if self.irq_count == 0 {
            self.irq_count = delay;
        }
    }

    /// Requests the trap, or the fault, for the access that has just failed. A probe asks for a right to write.
    pub(super) fn page_fault(&mut self, port: &PortRegs, abort: bool) {
        self.pf_valid = true;
        self.pf_write = port.cmd != MemCmd::Read;
        self.pf_abort = abort;
        self.pf_addr = port.first_byte();
    }
}
