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

/// The registers of a cell, and what it goes by in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) counter: u64,
    /// Bits of the counter.
    pub(super) width: u8,
    pub(super) held: bool,
    pub(super) enable: bool,
    /// Its clock ticks.
    pub(super) sample: bool,
}

/// One cycle of a cell. Operators, not branches, since what it counts changes from cycle to cycle.
#[inline]
pub(super) fn count(cell: Cell, asked: &Asked, Passed { fits, n }: Passed) -> Counted {
    let Cell { counter, width, held, enable, sample } = cell;
    let holds = asked.comparison.holds(n);
    let counts = enable & sample & fits;
    let add = asked.comparison.increment(holds, held, n) * u32::from(counts);
    let (counter, over) = advanced(counter, width, add);
    let held = enable & if sample { fits & holds } else { held };
    Counted { counter, grew: add != 0, over, held }
}
