//! Step 7 of a cycle, global: enables, freeze, overflow status.

use super::config::Config;
use super::inputs::Lp;
use super::request::{Kind, Write};
use super::state::{Fixed, General, Processor};
use crate::retire::IntKind;
use lwp_regs::perf::architectural::{Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus};

/// What the enables of a logical processor become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Enables {
    Keep,
    /// As a write has them.
    These(u64),
    /// All that exist.
    All,
}

/// The registers behind the cells have counted: `overflow` is of this cycle. Versions 2 and 3 only.
#[inline]
pub(super) fn next<const GENERAL: usize, const FIXED: usize>(
    general: &mut [General; GENERAL],
    fixed: &mut [Fixed; FIXED],
    processor: &mut Processor,
    (lp, pmi): (&Lp, bool),
    write: &Write,
    straps: &Config,
) {
    if straps.version() < 2 {
        return;
    }
    // Most cycles: only overflows are noted. A request of the debug store is one of `pmi`.
    let written = matches!(write.register.kind, Kind::Control | Kind::ClearStatus);
    if !(lp.int_valid | pmi | written) {
        general.iter_mut().take(straps.counters.into()).for_each(|counter| counter.status |= counter.overflow);
        fixed.iter_mut().take(straps.fixed.into()).for_each(|counter| counter.status |= counter.overflow);
        return;
    }
    let interruption = |kind| lp.int_valid && lp.int_kind == kind;
    let freezes = interruption(IntKind::Smi) && lp.freeze_while_smm;
    let enables = if freezes || pmi && lp.freeze_on_pmi {
        Enables::These(0)
    } else if interruption(IntKind::Rsm) && processor.smm_frozen {
        Enables::All
    } else if let Some(control) = write.to(Kind::Control) {
        Enables::These(control)
    } else {
        Enables::Keep
    };
    let clear = Ia32PerfGlobalOvfCtrl::from_bits(write.to(Kind::ClearStatus).unwrap_or(0));
    let left = status(general, fixed, processor).cleared_by(clear);
    let on = |old, bit: usize| match enables {
        Enables::Keep => old,
        Enables::These(bits) => bits >> bit & 1 != 0,
        Enables::All => true,
    };
    for (bit, counter) in general.iter_mut().enumerate().take(straps.counters.into()) {
        counter.on = on(counter.on, bit);
        counter.status = left.into_bits() >> bit & 1 != 0 || counter.overflow;
    }
    for (bit, counter) in (32..).zip(fixed.iter_mut()).take(straps.fixed.into()) {
        counter.on = on(counter.on, bit);
        counter.status = left.into_bits() >> bit & 1 != 0 || counter.overflow;
    }
    processor.ds_status = left.ovf_ds_buffer() || lp.ds_pmi;
    if freezes {
        processor.smm_frozen = true;
    } else if interruption(IntKind::Rsm) {
        processor.smm_frozen = false;
    }
}

/// IA32_PERF_GLOBAL_STATUS.
pub(super) fn status(general: &[General], fixed: &[Fixed], processor: &Processor) -> Ia32PerfGlobalStatus {
    let general = general.iter().enumerate().map(|(c, counter)| u32::from(counter.status) << c);
    let fixed = fixed.iter().enumerate().map(|(k, counter)| u16::from(counter.status) << k);
    Ia32PerfGlobalStatus::new().with_pmc(general.sum()).with_fixed(fixed.sum()).with_ovf_ds_buffer(processor.ds_status)
}
