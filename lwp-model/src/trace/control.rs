//! Stage control: IA32_DEBUGCTL.

use super::now::Now;
use super::request::Write;
use super::state::Control;
use crate::retire::IntKind;
use lwp_regs::trace::DebugCtl;

impl Control {
    /// IA32_DEBUGCTL.
    #[inline]
    pub(super) const fn debugctl(&self) -> DebugCtl {
        DebugCtl::from_bits(self.debugctl as u64)
    }

    /// A cycle. `pmi` is whether a performance interrupt was asked for, by the counters or by the debug store.
    #[inline]
    pub(super) fn step(&mut self, now: &Now, write: Option<&Write>, pmi: bool) {
        let mut value = now.debugctl;
        if let Some(Write::DebugCtl(written)) = write {
            (value, self.lbr_frozen) = (*written, false);
        }
        if pmi && now.debugctl.freeze_lbrs_on_pmi() {
            (value, self.lbr_frozen) = (value.with_lbr(false), true);
            self.smm_debugctl = DebugCtl::from_bits(self.smm_debugctl.into()).with_lbr(false).into_bits() as u16;
        }
        if let Some(kind) = now.int {
            value = self.interrupted(value, kind, now.debug);
        }
        self.debugctl = value.into_bits() as u16;
    }

    /// What an interruption makes of the value.
    #[inline]
    fn interrupted(&mut self, value: DebugCtl, kind: IntKind, debug: bool) -> DebugCtl {
        match kind {
            _ if debug => value.after_debug_exception(),
            IntKind::Smi if value.freeze_while_smm() => {
                (self.smm_frozen, self.smm_debugctl) = (true, value.into_bits() as u16);
                value.in_smm()
            }
            IntKind::Rsm if self.smm_frozen => {
                let copy = DebugCtl::from_bits(self.smm_debugctl.into());
                (self.smm_frozen, self.smm_debugctl) = (false, 0);
                copy
            }
            _ => value,
        }
    }
}
