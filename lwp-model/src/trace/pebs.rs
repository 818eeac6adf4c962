//! Stage pebs: counters whose next event stores a record.

use super::inputs::Inputs;
use super::now::Now;
use super::request::Write;
use super::state::Pebs;

impl Pebs {
    /// A cycle. `enabled` is IA32_PEBS_ENABLE; `ended` has the counter whose record the store has done with.
    #[inline]
    pub(super) fn step<const LANES: usize>(
        &mut self,
        now: &Now,
        inputs: &Inputs<LANES>,
        enabled: u8,
        write: Option<&Write>,
        ended: u8,
    ) {
        let raised = self.armed | inputs.pebs.overflow & enabled;
        let shown = !now.stall && !inputs.int.valid && !inputs.partial;
        let fire = if shown { raised & inputs.pebs.event } else { 0 };
        self.armed = raised & !fire;
        if let Some(Write::PebsEnable(enable)) = write {
            self.armed &= enable.counters().get();
        }
        self.pending = self.pending & !ended | fire;
        if fire != 0 {
            self.pending_wide = now.wide;
        } else if self.pending == 0 {
            self.pending_wide = false;
        }
    }
}
