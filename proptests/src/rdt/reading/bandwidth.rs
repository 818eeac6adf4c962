//! Lines that memory transferred, for each RMID.

use super::plain::{Straps, Transfer};
use super::registers::ones;
use std::collections::HashMap;

/// Lines that memory transferred since reset: RMID, and whether of local memory alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Bandwidth(HashMap<(u64, bool), u64>);

impl Bandwidth {
    /// Counts a transfer that memory takes.
    // RDTM-03, RDT-05: both directions, or reads alone.
    pub(super) fn count(&mut self, straps: &Straps, transfer: &Transfer, local: bool) {
        if transfer.write && !straps.write_backs {
            return;
        }
        *self.0.entry((transfer.rmid, false)).or_default() += 1;
        *self.0.entry((transfer.rmid, true)).or_default() += u64::from(local);
    }

    /// Returns the lines since reset.
    pub(super) fn lines(&self, rmid: u64, local: bool) -> u64 {
        self.0.get(&(rmid, local)).copied().unwrap_or(0)
    }

    /// Returns what software reads: units of lines, modulo the width.
    pub(super) fn value(&self, straps: &Straps, rmid: u64, local: bool) -> u64 {
        ((straps.start + self.lines(rmid, local)) >> straps.scale) & ones(straps.width)
    }
}
