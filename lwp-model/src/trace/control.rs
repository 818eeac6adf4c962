//! Stage control: IA32_DEBUGCTL.

use super::state::Control;
use lwp_regs::trace::DebugCtl;

impl Control {
    /// IA32_DEBUGCTL.
    #[inline]
    pub(super) const fn debugctl(&self) -> DebugCtl {
        DebugCtl::from_bits(self.debugctl as u64)
    }
}
