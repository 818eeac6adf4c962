//! Step 6 of a cycle, cell: threshold, edge, increment, overflow.

use super::control::Asked;
use super::filter::Passed;
use lwp_regs::perf::advanced;

/// What a cell makes of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) counter: u64,
    /// The counter grew.
    pub(super) grew: bool,
    pub(super) over: bool,
    pub(super) held: bool,
}

/// One cycle of a cell. `passed` is `None` in a cycle without a tick of its clock.
#[inline]
pub(super) fn count(counter: u64, held: bool, asked: &Asked, passed: Option<Passed>) -> Counted {
    let idle = Counted { counter, grew: false, over: false, held: held && asked.enable };
    let Some(Passed { fits, n }) = passed.filter(|_| asked.enable) else { return idle };
    if !fits {
        return Counted { held: false, ..idle };
    }
    let add = asked.condition.increment(held, n);
    let (counter, over) = advanced(counter, asked.width, add);
    Counted { counter, grew: add != 0, over, held: asked.condition.holds(n) }
}
