//! The T flag of a task, and the task that handles #DB.

use crate::refused::{Refused, Rule};
use bitfield_struct::bitfield;

/// The double word at offset 100 of a 32-bit task-state segment: the debug trap flag and the base of the I/O map.
///
/// Source: Intel SDM volume 3A, "Task-State Segment (TSS)".
#[bitfield(u32, defmt = cfg(feature = "defmt"))]
pub struct TssTrapWord {
    /// T: switching to the task raises #DB, with DR6.BT, before its first instruction.
    #[inline]
    pub t: bool,
    #[bits(15)]
    __: u16,
    /// Offset of the I/O permission map in the segment.
    #[inline]
    pub io_map_base: u16,
}

layout_fields!(
    /// Fields of [`TssTrapWord`] for `tock-registers`.
    TssTrapWord: u32, Preserve, tss_fields {
        /// Bit 0.
        T = T_BITS @ T_OFFSET;
        /// Bits 31:16.
        IO_MAP_BASE = IO_MAP_BASE_BITS @ IO_MAP_BASE_OFFSET;
    }
);

impl TssTrapWord {
    /// Its offset in the segment, in bytes.
    pub const OFFSET: usize = 100;
}

/// A descriptor of the interrupt table, 32-bit format, as far as it tells a task gate from the others.
///
/// Source: Intel SDM volume 3A, "IDT Descriptors".
#[bitfield(u64, defmt = cfg(feature = "defmt"))]
pub struct GateDescriptor {
    #[bits(16)]
    __: u16,
    /// Selector of the code segment, or of the TSS of a task gate.
    #[inline]
    pub selector: u16,
    #[bits(8)]
    __: u8,
    /// Type, the S bit included: 0_0101 is a task gate.
    #[inline]
    #[bits(5)]
    pub gate_type: u8,
    /// The level from which INT n may use the gate.
    #[inline]
    #[bits(2)]
    pub dpl: u8,
    /// The gate is there.
    #[inline]
    pub present: bool,
    #[bits(16)]
    __: u16,
}

layout_fields!(
    /// Fields of [`GateDescriptor`] for `tock-registers`.
    GateDescriptor: u64, Preserve, gate_fields {
        /// Bits 31:16.
        SELECTOR = SELECTOR_BITS @ SELECTOR_OFFSET;
        /// Bits 44:40.
        GATE_TYPE = GATE_TYPE_BITS @ GATE_TYPE_OFFSET;
        /// Bits 46:45.
        DPL = DPL_BITS @ DPL_OFFSET;
        /// Bit 47.
        PRESENT = PRESENT_BITS @ PRESENT_OFFSET;
    }
);

impl GateDescriptor {
    const TASK_GATE: u8 = 0b0_0101;

    /// Whether exceptions of its vector switch to a task.
    #[must_use]
    pub const fn is_task_gate(self) -> bool {
        self.present() && self.gate_type() == Self::TASK_GATE
    }

    /// Whether this gate may stand at vector 1, #DB, if `task` is the word of the TSS that it names.
    ///
    /// Switching to a task whose T flag is set raises #DB; if that switches to the same task, it never ends. Only task
    /// gates look at `task`.
    ///
    /// Source: Intel SDM volume 3B, "Task-Switch Exception Condition".
    ///
    /// # Errors
    ///
    /// [`Refused`] for a task gate to a task with the T flag.
    pub const fn check_debug_gate(self, task: TssTrapWord) -> Result<(), Refused> {
        if self.is_task_gate() && task.t() {
            return Err(Refused::new("TSS.T", 1, Rule::Forbidden("the task that handles #DB cannot trap into itself")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DBG-75: a task gate at vector 1 with T in its task loops, and is refused
    #[test]
    fn the_task_of_the_handler_has_no_t_flag() {
        let task_gate = GateDescriptor::from_bits(0x0000_8500_0028_0000);
        let interrupt_gate = GateDescriptor::from_bits(0x0010_8E00_0008_2000);
        let absent = GateDescriptor::from_bits(0x0000_0500_0028_0000);
        let (t, no_t) = (TssTrapWord::from_bits(0x0068_0001), TssTrapWord::from_bits(0x0068_0000));
        let refused = task_gate.check_debug_gate(t).unwrap_err();
        assert_eq!((refused.register, refused.bits), ("TSS.T", 1));
        assert_eq!(task_gate.check_debug_gate(no_t), Ok(()));
        assert_eq!(interrupt_gate.check_debug_gate(t), Ok(()));
        assert_eq!(absent.check_debug_gate(t), Ok(()));
    }

    #[test]
    fn positions() {
        assert_eq!(TssTrapWord::new().with_t(true).with_io_map_base(0x68).into_bits(), 0x0068_0001);
        let gate = GateDescriptor::from_bits(0x0000_E500_0028_0000);
        assert!(gate.is_task_gate());
        assert_eq!((gate.selector(), gate.dpl()), (0x28, 3));
    }
}
