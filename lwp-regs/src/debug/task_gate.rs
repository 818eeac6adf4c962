//! The T flag of a task, and the task that handles #DB.

use crate::delivery::{GateKind, GateWord};
use crate::refused::{Refused, Rule};

layout! {
    /// The double word at offset 100 of a 32-bit task-state segment: the debug trap flag and the base of the I/O map.
    ///
    /// Source: Intel SDM volume 3A, "Task-State Segment (TSS)".
    pub struct TssTrapWord: u32, Preserve {
        /// T: switching to the task raises #DB, with DR6.BT, before its first instruction.
        #[inline]
        pub t: bool,
        #[bits(15)]
        __: u16,
        /// Offset of the I/O permission map in the segment.
        #[inline]
        pub io_map_base: u16,
    }
}

impl TssTrapWord {
    /// Its offset in the segment, in bytes.
    pub const OFFSET: usize = 100;
}

/// Whether `gate` may stand at vector 1, #DB, if `task` is the word of the TSS that it names.
///
/// Switching to a task whose T flag is set raises #DB; if that switches to the same task, it never ends. Only task gates
/// look at `task`.
///
/// Source: Intel SDM volume 3B, "Task-Switch Exception Condition".
///
/// # Errors
///
/// [`Refused`] for a task gate to a task with the T flag.
#[inline]
pub const fn check_debug_gate(gate: GateWord, task: TssTrapWord) -> Result<(), Refused> {
    if gate.present() && matches!(gate.kind(), GateKind::Task) && task.t() {
        return Err(Refused::new("TSS.T", 1, Rule::Forbidden("the task that handles #DB cannot trap into itself")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // DBG-75: a task gate at vector 1 with T in its task loops, and is refused
    #[test]
    fn the_task_of_the_handler_has_no_t_flag() {
        let task_gate = GateWord::from_bits(0x0000_8500_0028_0000);
        let interrupt_gate = GateWord::from_bits(0x0010_8E00_0008_2000);
        let absent = GateWord::from_bits(0x0000_0500_0028_0000);
        let (t, no_t) = (TssTrapWord::from_bits(0x0068_0001), TssTrapWord::from_bits(0x0068_0000));
        let refused = check_debug_gate(task_gate, t).unwrap_err();
        assert_eq!((refused.register, refused.bits), ("TSS.T", 1));
        assert_eq!(check_debug_gate(task_gate, no_t), Ok(()));
        assert_eq!(check_debug_gate(interrupt_gate, t), Ok(()));
        assert_eq!(check_debug_gate(absent, t), Ok(()));
    }

    #[test]
    fn positions() {
        assert_eq!(TssTrapWord::new().with_t(true).with_io_map_base(0x68).into_bits(), 0x0068_0001);
    }
}
