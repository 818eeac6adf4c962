//! PMC\[0\], the interrupt and the pins: what an overflow sets, and what alone clears it.

use super::{Checked, Step, ensure};

pub(super) fn check<const BUNDLES: usize, const ENTRIES: usize>(
    step: &Step<'_, BUNDLES, ENTRIES>,
    checked: &mut Checked,
) -> Result<(), String> {
    let (now, next) = (&step.now.freeze, &step.next.freeze);
    let written = step.written();
    let pmc0 = written == Some((0, 0));
    let wdata = step.inputs.reg.wdata;
    let (base_fr, base) = if pmc0 { (wdata & 1 != 0, (wdata >> 4 & 0xF) as u8) } else { (now.fr, now.overflow) };
    // Whether monitoring freezes and an interrupt is requested; `None` if it depends on an overflow that a write hides.
    let (mut noted, mut raised) = (Some(false), Some(false));
    for c in 0..4 {
        let (old, new) = (&step.now.counter[c], &step.next.counter[c]);
        let hidden = written == Some((1, 4 + c as u32));
        let over = match (hidden, old.ev) {
            (false, _) => Some(new.count < old.count),
            (true, true) => Some(new.pin),
            (true, false) => None,
        };
        ensure!(
            over.is_none_or(|over| new.pin == (over && old.ev)),
            "the pin of counter {c} without an overflow, or not with it"
        );
        ensure!(old.ev || !new.pin, "a pin of counter {c} without ev");
        // ITA-18: the cycle behind an overflow counts nothing.
        ensure!(!(now.fr && over == Some(true)), "counter {c} overflows while monitoring is frozen");
        let over = if now.fr { Some(false) } else { over };
        let notes = old.oi || step.straps.freeze_always;
        let (bit, before) = (next.overflow >> c & 1 != 0, base >> c & 1 != 0);
        // Both fall only by a write.
        ensure!(bit || !before, "the overflow bit of counter {c} falls");
        ensure!(bit == before || (notes && over != Some(false)), "the overflow bit of counter {c} rises");
        // ITA-17
        ensure!(bit || !notes || over != Some(true), "an overflow of counter {c} is not noted");
        let certain = if bit && !before { Some(true) } else { over.or(if bit { None } else { Some(false) }) };
        noted = either(noted, if notes { certain } else { Some(false) });
        raised = either(raised, if old.oi { certain } else { Some(false) });
    }
    ensure!(next.fr || !base_fr, "PMC[0].fr falls");
    // ITA-17
    ensure!(noted.is_none_or(|noted| next.fr == (base_fr || noted)), "PMC[0].fr is {}, noted: {noted:?}", next.fr);
    checked.frozen += u64::from(noted == Some(true));
    let waits = now.irq && !step.inputs.irq_ack;
    ensure!(next.irq || !waits, "an interrupt that is not acknowledged is withdrawn");
    ensure!(raised.is_none_or(|raised| next.irq == (waits || raised)), "irq is {}, raised: {raised:?}", next.irq);
    // An interrupt says that PMC[0] has the reason.
    ensure!(now.irq || !next.irq || (next.fr && next.overflow != 0), "irq rises without fr and an overflow bit");
    Ok(())
}

/// Whether one of two holds, as far as it is known.
fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}
