//! Single-stepping from branch to branch.

use super::{DebugCtl, UntracedDebugCtl};
use crate::access::MsrBus;

/// Steps a program from one taken branch to the next: with `IA32_DEBUGCTL.BTF` and EFLAGS.TF both 1, the single-step
/// #DB comes only after instructions that cause a branch.
///
/// A debug exception clears both, and the LBR flag as well, so the handler arms them again before each resumption.
///
/// Source: Intel SDM volume 3B, "Single-Stepping on Branches".
///
/// ```
/// use lwp_regs::access::MsrBus;
/// use lwp_regs::trace::BranchStep;
///
/// /// What a #DB handler does before IRET: `flags` is the image of RFLAGS on its stack.
/// fn resume<B: MsrBus>(msrs: &mut B, flags: &mut u64) -> Result<(), B::Fault> {
///     *flags = BranchStep::new().arm(msrs, *flags)?;
///     Ok(())
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BranchStep {
    record: bool,
}

impl BranchStep {
    /// TF, bit 8 of EFLAGS and RFLAGS: single-step.
    pub const TRAP_FLAG: u64 = 1 << 8;

    /// Steps without recording branches.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { record: false }
    }

    /// Steps, and sets the LBR flag each time, so that the LBR stack goes on as well.
    #[must_use]
    #[inline]
    pub const fn recording() -> Self {
        Self { record: true }
    }

    /// Sets BTF, to be called last before the program is resumed, and gives the flags to resume it with: `flags` with
    /// TF.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; the program must not be resumed with TF then, as it would step by instruction.
    pub fn arm<B: MsrBus>(self, bus: &mut B, flags: u64) -> Result<u64, B::Fault> {
        let set = UntracedDebugCtl::without_trace(DebugCtl::new().with_btf(true).with_lbr(self.record));
        DebugCtl::modify(bus, DebugCtl::new(), set)?;
        Ok(flags | Self::TRAP_FLAG)
    }

    /// Ends the stepping: gives the flags to resume the program with, `flags` without TF, and clears BTF, so that a
    /// later single-step is one by instruction. The LBR flag stays.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn disarm<B: MsrBus>(self, bus: &mut B, flags: u64) -> Result<u64, B::Fault> {
        DebugCtl::modify(bus, DebugCtl::new().with_btf(true), UntracedDebugCtl::OFF)?;
        Ok(flags & !Self::TRAP_FLAG)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::bus::{Access, Recorder};

    const DEBUGCTL: u32 = 0x1D9;

    /// Runs a program, in which `true` is a taken branch, until the next #DB; what a #DB clears is cleared then. Gives
    /// how many instructions were executed.
    fn run(bus: &mut Recorder, flags: u64, program: &[bool]) -> usize {
        let debugctl = DebugCtl::from_bits(bus.get(DEBUGCTL));
        let stops = |branch: &bool| flags & 0x100 != 0 && (!debugctl.btf() || *branch);
        let executed = program.iter().position(stops).map_or(program.len(), |last| last + 1);
        bus.set(DEBUGCTL, debugctl.with_btf(false).with_lbr(false).into_bits());
        executed
    }

    // DCTL-20: armed before each resumption, the program stops at each branch; armed once, the second step is by
    // instruction. The #DB is played by the test.
    #[test]
    fn stepping_goes_on_only_when_armed_again() {
        let program = [false, false, true, false, true, false];
        let mut bus = Recorder::new([(DEBUGCTL, 0)]);
        let flags = BranchStep::new().arm(&mut bus, 0x202).unwrap();
        assert_eq!(flags, 0x302);
        assert_eq!(run(&mut bus, flags, &program), 3);

        assert_eq!(run(&mut bus, flags, &program[3..]), 1, "BTF is gone: an instruction step");

        let flags = BranchStep::new().arm(&mut bus, 0x202).unwrap();
        assert_eq!(run(&mut bus, flags, &program[3..]), 2);
    }

    // DCTL-20: what a #DB left of the register stays
    #[test]
    fn arming_sets_btf_alone() {
        let mut bus = Recorder::new([(DEBUGCTL, 0x08C0)]);
        assert_eq!(BranchStep::new().arm(&mut bus, 0x46), Ok(0x146));
        assert_eq!(bus.log(), [Access::Read(DEBUGCTL), Access::Write(DEBUGCTL, 0x08C2)]);
        assert_eq!(BranchStep::recording().arm(&mut bus, 0x46), Ok(0x146));
        assert_eq!(bus.get(DEBUGCTL), 0x08C3);
        assert_eq!(BranchStep::recording().disarm(&mut bus, 0x146), Ok(0x46));
        assert_eq!(bus.get(DEBUGCTL), 0x08C1);
    }

    #[test]
    fn without_btf_there_are_no_flags_to_resume_with() {
        assert!(BranchStep::new().arm(&mut Recorder::new([]), 0).is_err());
    }
}
