//! The effects of writes, and the registers that only a write changes.

use super::view::{Registers, Shown};
use super::{Step, ensure};
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux, TscWrite};

/// Checks TSC-03 and TSC-20: after reset every register is 0.
pub(super) fn after_reset(shown: &Shown) -> Result<(), String> {
    let zero = Registers { counter: 0, adjust: 0, aux: 0 };
    ensure!(shown.processors.iter().all(|processor| *processor == zero), "a register is not 0 after reset");
    ensure!(shown.fraction == 0 && !shown.answered, "a fraction or an answer after reset");
    Ok(())
}

pub(super) fn check(step: &Step<'_>) -> Result<(), String> {
    let written = step.written().map(|number| (step.asked(), number));
    for (lp, (now, next)) in step.now.processors.iter().zip(&step.next.processors).enumerate() {
        let number = written.filter(|(asked, _)| *asked == lp).map(|(_, number)| number);
        one(step, now, next, number).map_err(|text| format!("logical processor {lp}: {text}"))?;
    }
    Ok(())
}

/// Checks one processor, of which this register is written.
fn one(step: &Step<'_>, now: &Registers, next: &Registers, number: Option<u32>) -> Result<(), String> {
    let wdata = step.inputs.reg.wdata;
    // TSC-14: the signature is what was written.
    let aux = if number == Some(TscAux::ADDRESS) { wdata } else { now.aux };
    ensure!(next.aux == aux, "AUX is {:#x}, not {aux:#x}", next.aux);
    ensure!(next.aux >> 32 == 0, "AUX has 32 bits: {:#x}", next.aux);
    let added = match number {
        // TSC-12, TSC-17: all 64 bits or the low 32.
        Some(TimeStampCounter::ADDRESS) => {
            let value = if step.straps.write_width == TscWrite::All { wdata } else { wdata & 0xFFFF_FFFF };
            value.wrapping_sub(now.counter)
        }
        Some(TscAdjust::ADDRESS) => wdata.wrapping_sub(now.adjust),
        // TSC-23: time does not change ADJUST.
        _ => 0,
    };
    // TSC-21, TSC-22: what a write adds to one is added to the other.
    let adjust = if step.straps.adjust { now.adjust.wrapping_add(added) } else { 0 };
    ensure!(next.adjust == adjust, "ADJUST is {:#x}, not {adjust:#x}", next.adjust);
    Ok(())
}
