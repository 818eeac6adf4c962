//! What a logical processor has: registers that software wrote, and counters.

use super::choices::{Choices, ResetControl};
use super::counter::Counter;
use super::delivery::Delivery;
use super::pin::Pin;
use lwp_model::perf::Config;

/// A logical processor.
#[derive(Clone, Debug)]
pub(super) struct Processor {
    /// The event selects.
    pub(super) selects: Vec<u64>,
    /// The general counters.
    pub(super) counters: Vec<Counter>,
    /// The fixed counters.
    pub(super) fixed: Vec<Counter>,
    /// `IA32_FIXED_CTR_CTRL`.
    pub(super) fixed_control: u64,
    /// `IA32_PERF_GLOBAL_CTRL`.
    pub(super) control: u64,
    /// The value of `IA32_PERF_GLOBAL_CTRL` that an SMI found.
    pub(super) saved: Option<u64>,
    /// Whether an interrupt stops counters that have no `IA32_PERF_GLOBAL_CTRL`.
    pub(super) frozen: bool,
    /// Whether an SMI stops counters that have no `IA32_PERF_GLOBAL_CTRL`.
    pub(super) stopped: bool,
    /// `IA32_PERF_GLOBAL_STATUS`, as far as it is known.
    pub(super) status: u64,
    /// The bits of `IA32_PERF_GLOBAL_STATUS` that are not known.
    pub(super) status_open: u64,
    /// The pins of the general counters.
    pub(super) pins: Vec<Pin>,
    /// The local APIC's entry and the interrupt.
    pub(super) delivery: Delivery,
    /// Whether a performance interrupt was asked for in the last cycle.
    pub(super) asked: bool,
}

/// Returns the bits of the counters in `IA32_PERF_GLOBAL_CTRL`.
pub(super) fn enables(straps: &Config) -> u64 {
    ((1 << straps.counters) - 1) | ((1 << straps.fixed) - 1) << 32
}

impl Processor {
    /// Returns the processor after reset. The documents give no values; a register has one, and 0 is the only one that they name,
    /// but for the mask of the entry and `IA32_PERF_GLOBAL_CTRL`.
    pub(super) fn new(straps: &Config, choices: &Choices) -> Self {
        Self {
            selects: vec![0; straps.counters.into()],
            counters: vec![Counter::new(straps.width); straps.counters.into()],
            fixed: vec![Counter::new(straps.fixed_width); straps.fixed.into()],
            fixed_control: 0,
            control: match choices.reset {
                ResetControl::Zero => 0,
                ResetControl::General => enables(straps) & 0xFFFF_FFFF,
                ResetControl::All => enables(straps),
            },
            saved: None,
            frozen: false,
            stopped: false,
            status: 0,
            status_open: 0,
            pins: vec![Pin::default(); straps.counters.into()],
            delivery: Delivery::default(),
            asked: false,
        }
    }
}
