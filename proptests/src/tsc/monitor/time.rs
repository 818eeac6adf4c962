//! Time is the same for all processors, and advances only with the time base.

use super::{Step, ensure};
use lwp_model::tsc::DeepSleep;
use lwp_regs::tsc::{TimeBase, TimeStampCounter, TscAdjust, TscWrite};

/// The most that time adds to a counter in a cycle: the largest ratio, and 1 of the fraction.
const MOST: u64 = 1 << 16;

pub(super) fn check(step: &Step<'_>) -> Result<(), String> {
    let added: Vec<u64> = (0..step.now.processors.len()).map(|lp| time_adds(step, lp)).collect();
    let ticks = added[0];
    // TSC-18: a difference that a write makes stays the same.
    ensure!(added.iter().all(|more| *more == ticks), "time adds {added:?} to the processors");
    ensure!(ticks <= MOST, "time adds {ticks:#x}");
    let pins = &step.inputs.processor;
    let tick = match step.straps.rate.time_base() {
        TimeBase::Crystal => pins.crystal_tick,
        TimeBase::BusClock => pins.bus_tick,
    };
    let stopped = pins.dpslp && step.straps.deep_sleep == DeepSleep::Stop;
    if !tick || stopped || !step.straps.present {
        // TSC-05
        ensure!(ticks == 0 && step.next.fraction == step.now.fraction, "{ticks} ticks without one of the time base");
    }
    Ok(())
}

/// Returns the change of a processor's counter, without the effect of a write.
fn time_adds(step: &Step<'_>, lp: usize) -> u64 {
    let (now, next, wdata) = (&step.now.processors[lp], &step.next.processors[lp], step.inputs.reg.wdata);
    let number = step.written().filter(|_| step.asked() == lp);
    let before = match number {
        Some(TimeStampCounter::ADDRESS) if step.straps.write_width == TscWrite::All => wdata,
        Some(TimeStampCounter::ADDRESS) => wdata & 0xFFFF_FFFF,
        Some(TscAdjust::ADDRESS) => now.counter.wrapping_add(wdata.wrapping_sub(now.adjust)),
        _ => now.counter,
    };
    next.counter.wrapping_sub(before)
}
