//! What the match rule of `debug` says about a step.

use super::machine::{Step, Stop};
use lwp_regs::debug::{Access, BreakpointSet, Slots};

/// Where `step` stops with these breakpoints, if its instruction ends at `end`: an instruction breakpoint stops before an
/// instruction, a data breakpoint after it, and INT3, the next instruction, in any case.
///
/// With `next`, the processor reports an instruction breakpoint on the next instruction together with the data breakpoint that
/// stops before it ("One #DB may report more than one condition"); without, it reports that one when it comes to execute it.
///
/// A repeated instruction is stopped after the iteration that hits, or if the processor does several at once, up to
/// `late` iterations after it.
pub(crate) fn predict(set: &BreakpointSet, step: &Step, end: u64, late: u64, next: bool) -> Stop {
    let start = step.instruction.address();
    let before = set.hit_by(Access::Fetch { address: start });
    if !before.is_empty() {
        return Stop { rip: start, hits: before, rcx: step.rcx };
    }
    let repeated = step.instruction.is_repeated();
    let (after, rcx) = if repeated { iterations(set, step, late) } else { (accessed(set, step, 0), step.rcx) };
    if !after.is_empty() {
        // Until its last iteration is done, a repeated instruction is the next one as well.
        let rip = if repeated && rcx != 0 { start } else { end };
        let together = if next { set.hit_by(Access::Fetch { address: rip }) } else { Slots::empty() };
        return Stop { rip, hits: after | together, rcx };
    }
    let next = set.hit_by(Access::Fetch { address: end });
    Stop { rip: if next.is_empty() { end + 1 } else { end }, hits: next, rcx }
}

/// What the iterations hit up to `late` after the first that hits anything, and how many are left then.
fn iterations(set: &BreakpointSet, step: &Step, late: u64) -> (Slots, u64) {
    let Some(first) = (0..step.rcx).find(|&done| !accessed(set, step, done).is_empty()) else {
        return (Slots::empty(), 0);
    };
    let done = step.rcx.min(first + 1 + late);
    let hits = (0..done).fold(Slots::empty(), |hits, iteration| hits | accessed(set, step, iteration));
    (hits, step.rcx - done)
}

/// What the accesses hit when both addresses are `offset` further.
fn accessed(set: &BreakpointSet, step: &Step, offset: u64) -> Slots {
    let accesses = step.instruction.accesses(step.rdi + offset, step.rsi + offset);
    accesses.into_iter().fold(Slots::empty(), |hits, access| hits | set.hit_by(access))
}
