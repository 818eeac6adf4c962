//! The choices that the documents leave open, and that a unit makes once and for all.

use super::select::version;
use lwp_model::perf::Config;

/// A way to make the choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choices {
    /// `IA32_PERF_GLOBAL_CTRL` after reset.
    pub reset: ResetControl,
    /// RSM restores the enable bits that the SMI found, instead of setting all of them.
    pub rsm_restores: bool,
    /// RSM obeys FREEZE_WHILE_SMM of its own cycle, instead of that of the SMI.
    pub rsm_reads_bit: bool,
    /// The counters freeze a cycle after the one in which the interrupt is asked for.
    pub freeze_late: bool,
    /// A write of `IA32_PERF_GLOBAL_CTRL` wins against a freeze, an SMI or RSM in its cycle.
    pub write_wins: bool,
    /// A freeze by an interrupt wins against RSM in its cycle.
    pub freeze_wins: bool,
    /// Without `IA32_PERF_GLOBAL_CTRL`, the freezes stop the counters all the same, until the bit is cleared or RSM.
    pub freeze_without_control: bool,
    /// The entry of the local APIC masks itself when the interrupt is taken, instead of when it is asked for.
    pub mask_at_ack: bool,
    /// The interrupt is requested a cycle after the one in which `pmi` can be seen first.
    pub irq_late: bool,
}

/// The value of `IA32_PERF_GLOBAL_CTRL` after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResetControl {
    /// 0.
    Zero,
    /// The general counters are enabled.
    General,
    /// All counters are enabled.
    All,
}

/// Returns all ways to make the choices that matter with these straps.
pub(super) fn all(straps: &Config) -> Vec<Choices> {
    let control = version(straps) >= 2;
    let resets = [ResetControl::Zero, ResetControl::General, ResetControl::All];
    let ways = resets
        .into_iter()
        .take(if control { 3 } else { 1 })
        .flat_map(|reset| (0..=255_u8).map(move |bits| (reset, bits)));
    let mut all: Vec<Choices> = ways
        .map(|(reset, bits)| {
            let bit = |at: u8, matters: bool| matters && bits >> at & 1 == 1;
            Choices {
                reset,
                rsm_restores: bit(0, control),
                rsm_reads_bit: bit(1, control),
                freeze_late: bit(2, true),
                write_wins: bit(3, control),
                freeze_wins: bit(7, control),
                freeze_without_control: bit(4, !control),
                mask_at_ack: bit(5, straps.mask_on_delivery),
                irq_late: bit(6, true),
            }
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
