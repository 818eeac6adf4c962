//! Counters have 26 bits, freeze at zero, and are reloaded by reset alone, one at a time.

use super::{Step, ensure};
use lwp_model::lwp::{CtlOp, CtlState, EventCounter, LOAD_PORTS, StoreState};

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let loading = step.now.ctl.st == CtlState::Load;
    let stored = (step.now.store.st == StoreState::Reset).then_some(usize::from(step.now.records[0].event));
    let restoring = step.now.ctl.st == CtlState::Wait && step.now.ctl.op == CtlOp::Restore;
    let undone = step.next_out.pf_abort && step.next_out.pf_valid && !step.out.pf_valid;
    let still = step.now.lfsr == step.next.lfsr;
    ensure!(stored.is_some() || restoring || still, "the LFSR moves without a reload");
    for (index, (now, next)) in step.now.events.iter().zip(&step.next.events).enumerate() {
        let event = index + 1;
        // LWP-CNT-08
        ensure!(next.counter < 1 << 26 && next.interval < 1 << 26, "event {event} has more than 26 bits");
        if loading || restoring {
            continue;
        }
        let reread = step.now.store.st == StoreState::Interval && usize::from(step.now.records[0].event) == event;
        ensure!(now.slot == next.slot, "event {event} changes its slot");
        ensure!(reread || now.interval == next.interval, "event {event} changes its interval");
        if undone {
            ensure!(next.counter == step.now.undo.counters[index], "event {event} is undone to {}", next.counter);
            continue;
        }
        if stored == Some(event) {
            reload(event, step, now, next)?;
        } else {
            // LWP-CNT-06, LWP-RST-03, LWP-RST-04: only its own reset reloads a counter.
            ensure!(next.counter <= now.counter, "event {event} counts up from {} to {}", now.counter, next.counter);
            let most = if event == 3 { (W * LOAD_PORTS) as u32 } else { W as u32 };
            ensure!(now.counter - next.counter <= most, "event {event} falls by {}", now.counter - next.counter);
            // LWP-CNT-10
            ensure!(next.counter == now.counter || live(step, index), "event {event} counts though it is off");
        }
    }
    Ok(())
}

fn reload<const W: usize>(
    event: usize,
    step: &Step<'_, W>,
    now: &EventCounter,
    next: &EventCounter,
) -> Result<(), String> {
    let mask = (1_u32 << step.now.block.random) - 1;
    ensure!(now.counter == 0, "event {event} is reloaded at {}", now.counter);
    // LWP-RST-05, LWP-RST-06: with no random bits the value is the interval.
    ensure!((next.counter ^ now.interval) & !mask == 0, "event {event} is reloaded with {:#x}", next.counter);
    ensure!(step.now.lfsr != step.next.lfsr, "a reload without a fresh random value");
    Ok(())
}

fn live<const W: usize>(step: &Step<'_, W>, index: usize) -> bool {
    let selected = step.now.block.flags.into_bits() & step.now.session.msr0.eax();
    step.now.session.active && step.ring3() && selected >> (index + 1) & 1 == 1
}
