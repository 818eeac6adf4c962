//! Event selects and the control register of the fixed counters: what a cycle does to the counters.

use super::counter::{Filter, Step};
use super::event::{Clock, FIXED, Selected, level, selected};
use lwp_model::Choice;
use lwp_model::perf::{Config, Inputs, InvZero, Sel1En};

const USR: u64 = 1 << 16;
const OS: u64 = 1 << 17;
const EDGE: u64 = 1 << 18;
const PIN: u64 = 1 << 19;
const INT: u64 = 1 << 20;
const ANY_THREAD: u64 = 1 << 21;
const ENABLE: u64 = 1 << 22;
const INVERT: u64 = 1 << 23;

/// The version of architectural performance monitoring, 0 for a P6.
pub(super) fn version(straps: &Config) -> u8 {
    straps.personality.code()
}

/// Returns the bits of an event select that are reserved: a write of one of them faults or drops it.
pub(super) fn reserved(straps: &Config, counter: usize) -> u64 {
    let above = !0xFFFF_FFFF;
    let any = if straps.any_thread { 0 } else { ANY_THREAD };
    let enable = if version(straps) == 0 && counter == 1 { ENABLE } else { 0 };
    above | any | enable
}

/// Returns whether a write of a reserved bit must fault (the strap says so) or must not; otherwise the documents do not tell.
pub(super) fn must_fault(straps: &Config, counter: usize, value: u64) -> Option<bool> {
    if value & reserved(straps, counter) != ENABLE {
        return None;
    }
    Some(straps.sel1_en == Sel1En::Fault)
}

/// Returns whether a counter asks for an interrupt when it overflows.
pub(super) const fn interrupts(select: u64) -> bool {
    select & INT != 0
}

/// Returns whether the pin of a counter shows increments.
pub(super) const fn shows_events(select: u64) -> bool {
    select & PIN != 0
}

/// Returns whether the event is one of the two whose pin depends on the ratio of the clocks (P6-52).
pub(super) fn by_ratio(straps: &Config, select: u64) -> bool {
    version(straps) == 0 && matches!(select & 0xFF, 0x7A | 0x7B)
}

/// Returns what a cycle does to a general counter. `on` is the counter's bit of `IA32_PERF_GLOBAL_CTRL`, where that exists.
pub(super) fn general<const LP: usize, const LANES: usize>(
    straps: &Config,
    selects: &[u64],
    counter: usize,
    on: bool,
    (inputs, lp): (&Inputs<LP, LANES>, usize),
) -> Step {
    let select = selects[counter];
    // P6-26: EN of the first select enables both. APM-29: EN of each its own.
    let enable = if version(straps) == 0 { selects[0] } else { select };
    if enable & ENABLE == 0 || !on || inputs.lp[lp].freeze {
        return Step::Off;
    }
    let levels = [select & OS != 0, select & USR != 0];
    let seen = seen(levels, select & ANY_THREAD != 0, (inputs, lp));
    let filter = Filter {
        level: !seen.is_empty(),
        edge: select & EDGE != 0,
        invert: select & INVERT != 0,
        invert_zero: straps.inv_zero == InvZero::Obeyed,
        mask: (select >> 24) as u8,
    };
    let what = selected(straps, counter, select as u8, (select >> 8) as u8);
    match what {
        Selected::Open if !filter.level => Step::Off,
        Selected::Open => Step::Open,
        // An encoding that is not listed has no occurrences, of which there are always fewer than the mask.
        Selected::Nothing if filter.invert && filter.mask > 0 && filter.level => Step::Open,
        _ => count(what, filter, inputs, &seen),
    }
}

/// Returns what a cycle does to a fixed counter, of which `control` is the field of `IA32_FIXED_CTR_CTRL`.
pub(super) fn fixed<const LP: usize, const LANES: usize>(
    control: u64,
    counter: usize,
    on: bool,
    (inputs, lp): (&Inputs<LP, LANES>, usize),
) -> Step {
    if control & 3 == 0 || !on || inputs.lp[lp].freeze {
        return Step::Off;
    }
    let seen = seen([control & 1 != 0, control & 2 != 0], control & 4 != 0, (inputs, lp));
    count(FIXED[counter], Filter { level: !seen.is_empty(), ..Filter::default() }, inputs, &seen)
}

/// Returns the logical processors whose events a counter of `lp` counts in this cycle: `lp`, or with AnyThread all of the core. Of these,
/// only those at a privilege level that is counted, which are level 0 and the levels above it in `levels`.
// SDM 3B, 18.2.3: "counting the associated event conditions (including matching the thread's CPL with the OS/USR setting of
// IA32_PERFEVTSELx) occurring across all logical processors sharing a processor core".
fn seen<const LP: usize, const LANES: usize>(
    levels: [bool; 2],
    any_thread: bool,
    (inputs, lp): (&Inputs<LP, LANES>, usize),
) -> Vec<usize> {
    let counted = |at: &usize| levels[usize::from(level(inputs, *at) > 0)];
    (0..LP).filter(|at| any_thread || *at == lp).filter(counted).collect()
}

/// Returns what a cycle does to a counter that counts the events of the logical processors `seen`.
fn count<const LP: usize, const LANES: usize>(
    what: Selected,
    filter: Filter,
    inputs: &Inputs<LP, LANES>,
    seen: &[usize],
) -> Step {
    let clock = match what.clock() {
        Clock::Core => inputs.core_clock,
        Clock::Bus => inputs.bus_tick,
    };
    if !clock {
        return Step::Idle;
    }
    Step::Count(what.occurrences(inputs, seen), filter)
}
