//! Stage entry: the access that a logical processor waits for.

use super::config::Config;
use super::inputs::LpInputs;
use super::state::{Lp, Stage};

impl Lp {
    /// Takes a request: RMID and class are those of this cycle.
    #[inline]
    pub(super) const fn accept(&mut self, request: &LpInputs, straps: &Config) {
        self.stage = if straps.l2 { Stage::L2 } else { Stage::L3 };
        self.write = request.req_write;
        self.code = request.req_code && !request.req_write;
        self.line = request.req_addr >> straps.line;
        (self.access_rmid, self.access_cos) = (self.rmid, self.cos);
    }

    /// Lets a cycle pass: results are shown for one, and data settle.
    #[inline]
    pub(super) const fn pass(&mut self) {
        (self.done, self.l2_hit, self.l3_hit) = (false, false, false);
        self.settle = self.settle.saturating_sub(1);
    }
}
