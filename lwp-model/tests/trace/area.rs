//! A debug-store area in memory, as software describes it.

use super::bench::*;
use lwp_model::trace::Config;

/// Address of the management area.
pub(super) const AREA: u64 = 0xFFFF_8880_0000_3000;
/// Address of the BTS buffer in the 64-bit format.
pub(super) const BUFFER: u64 = 0xFFFF_8880_0001_0000;
/// The same in the 32-bit format.
pub(super) const BUFFER32: u64 = 0x0001_0000;
/// The area of a processor without 64-bit mode.
pub(super) const AREA32: u64 = 0x3000;

/// A buffer: base, index, absolute maximum, interrupt threshold.
pub(super) type Fields = [u64; 4];

/// A processor whose debug store has the 32-bit format outside IA-32e mode.
pub(super) fn without_dtes64() -> Config {
    Config { dtes64: false, ..Config::default() }
}

impl<const LANES: usize, const ENTRIES: usize> Bench<LANES, ENTRIES> {
    /// Writes the description of the BTS or the PEBS buffer.
    pub(super) fn describe(&mut self, area: u64, wide: bool, pebs: bool, fields: Fields) {
        let bytes = if wide { 8 } else { 4 };
        for (number, value) in (0..).zip(fields) {
            self.memory.set_field(area + bytes * (4 * u64::from(pebs) + number), wide, value);
        }
    }

    /// The index as it is in memory.
    pub(super) fn index(&self, area: u64, wide: bool, pebs: bool) -> u64 {
        let bytes = if wide { 8 } else { 4 };
        self.memory.field(area + bytes * (4 * u64::from(pebs) + 1), wide)
    }

    /// In the 64-bit format, a BTS buffer of so many records, with the threshold behind some, and tracing to it.
    pub(super) fn tracing(straps: Config, debugctl: u64, records: u64, threshold: u64) -> Self {
        let mut bench = Self::new(straps);
        let fields = [BUFFER, BUFFER, BUFFER + 24 * records, BUFFER + 24 * threshold];
        bench.describe(AREA, true, false, fields);
        bench.write(DS_AREA, AREA);
        bench.write(DEBUGCTL, debugctl);
        bench
    }

    /// A branch, and the rest: how the counts of stored, lost and `ds_pmi` have changed.
    pub(super) fn store(&mut self, from: u64, to: u64) -> [usize; 3] {
        let before = [self.seen.stored, self.seen.lost, self.seen.ds_pmi];
        self.jump(from, to);
        self.rest();
        self.idle();
        let after = [self.seen.stored, self.seen.lost, self.seen.ds_pmi];
        core::array::from_fn(|count| after[count] - before[count])
    }
}

pub(super) const STORED: [usize; 3] = [1, 0, 0];
pub(super) const LOST: [usize; 3] = [0, 1, 0];
pub(super) const DUE: [usize; 3] = [1, 0, 1];
