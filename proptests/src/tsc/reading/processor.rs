//! The values that software has written to the registers of one logical processor.

use lwp_model::tsc::Config;
use lwp_regs::tsc::TscWrite;

/// A logical processor as software sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Processor {
    /// The value of `IA32_TSC_ADJUST`, which is counter - time, for each order of a write and the tick of its own
    /// cycle. It exists also where software cannot read it.
    pub(super) adjust: [u64; 2],
    /// The value of `IA32_TSC_AUX`.
    pub(super) aux: u32,
    /// Whether the counter or `IA32_TSC_ADJUST` was written.
    pub(super) written: bool,
}

impl Processor {
    /// Returns the counter at this time, for each order.
    pub(super) fn counter(&self, time: u64) -> [u64; 2] {
        self.adjust.map(|adjust| time.wrapping_add(adjust))
    }

    /// Writes the counter by WRMSR; `time` is before and after the cycle of the write. The counter becomes `value`. The
    /// write adds the same amount to the counter and to `IA32_TSC_ADJUST` (TSC-21), so that their difference is still
    /// the time.
    pub(super) fn write_counter(&mut self, straps: &Config, value: u64, time: [u64; 2]) {
        // TSC-12: "only the low 32 bits". The chapter of the ports defines that the others become 0; the documents
        // leave it open.
        let value = match straps.write_width {
            TscWrite::All => value,
            TscWrite::Low32 => value & 0xFFFF_FFFF,
        };
        self.adjust = time.map(|time| value.wrapping_sub(time));
        self.written = true;
    }

    /// Writes `IA32_TSC_ADJUST` by WRMSR. The write adds the same amount to the register and to the counter (TSC-22).
    /// The register takes all 64 bits on every processor: the documents restrict the width of writes for the counter
    /// only.
    pub(super) fn write_adjust(&mut self, value: u64) {
        self.adjust = [value; 2];
        self.written = true;
    }
}
