//! The flags image on the stack: TF and RF.

use crate::refused::{Refused, Rule};

layout! {
    /// The image of EFLAGS that an exception pushes and that IRET loads, as far as debugging changes it: TF, RF, and VM,
    /// which tells what CS means. All other bits stay as they are.
    ///
    /// While RF is 1 the processor ignores instruction breakpoints, and nothing else. It clears RF when it begins to
    /// execute an instruction, after the check for breakpoints, so RF lasts for one instruction. What it pushes as RF is
    /// 1 for every fault but an instruction breakpoint's, so that the faulting instruction does not hit again when it is
    /// repeated; for an instruction breakpoint it pushes what RF was, which is 0, and the handler has to set it.
    ///
    /// Source: Intel SDM volume 3B, "Instruction-Breakpoint Exception Condition" and "Single-Step Exception Condition";
    /// volume 3A, "System Flags and Fields in the EFLAGS Register".
    #[doc(alias = "RFLAGS")]
    pub struct Eflags: u64, Preserve {
        #[bits(8)]
        __: u8,
        /// TF: a single-step trap follows each instruction. The processor clears it on entry to every handler, but not in
        /// the image.
        #[inline]
        pub tf: bool,
        #[bits(7)]
        __: u8,
        /// RF: the next instruction does not hit an instruction breakpoint.
        #[inline]
        pub rf: bool,
        /// VM: virtual-8086 mode, in which CS is not a selector and the privilege level is 3.
        #[inline]
        pub vm: bool,
        #[bits(46)]
        __: u64,
    }
}

impl Eflags {
    /// The image with which an instruction is executed although there is an instruction breakpoint at it, once. The
    /// breakpoint stays on, and is hit when execution comes to it again.
    #[must_use]
    #[inline]
    pub const fn past_breakpoint(self) -> Self {
        self.with_rf(true)
    }

    /// The image with which the handler of any fault returns. Processors push RF as 1 for a fault; on the Pentium, if
    /// the instruction also had a breakpoint, a second, spurious #DB may follow all the same, unless each fault
    /// handler sets RF itself.
    ///
    /// Source: Intel SDM volume 3B, "Instruction-Breakpoint Exception Condition".
    #[must_use]
    #[inline]
    pub const fn after_fault(self) -> Self {
        self.with_rf(true)
    }

    /// Whether a handler of a fault may return with this image on every processor; see
    /// [`after_fault`](Self::after_fault).
    ///
    /// # Errors
    ///
    /// [`Refused`] when RF is 0.
    #[inline]
    pub const fn check_after_fault(self) -> Result<(), Refused> {
        if self.rf() { Ok(()) } else { Err(Refused::new("EFLAGS", 1 << Self::RF_OFFSET, Rule::MustBeOne)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Eflags;
    use crate::refused::{Refused, Rule};

    #[test]
    fn positions() {
        assert_eq!(Eflags::from_bits(0x0202).with_tf(true).into_bits(), 0x0302);
        assert_eq!(Eflags::from_bits(0x0202).with_rf(true).into_bits(), 0x1_0202);
        assert_eq!(Eflags::from_bits(0x0202).with_vm(true).into_bits(), 0x2_0202);
    }

    // DBG-48: the handler sets RF in the image and nothing else
    #[test]
    fn past_a_breakpoint() {
        assert_eq!(Eflags::from_bits(0x0246).past_breakpoint().into_bits(), 0x1_0246);
        assert_eq!(Eflags::from_bits(u64::MAX).past_breakpoint().into_bits(), u64::MAX);
    }

    // DBG-51: every fault handler sets RF; an image without it is found
    #[test]
    fn fault_handlers_set_rf() {
        let image = Eflags::from_bits(0x0246);
        assert_eq!(image.check_after_fault(), Err(Refused::new("EFLAGS", 0x1_0000, Rule::MustBeOne)));
        assert_eq!(image.after_fault().into_bits(), 0x1_0246);
        assert_eq!(image.after_fault().check_after_fault(), Ok(()));
    }
}
