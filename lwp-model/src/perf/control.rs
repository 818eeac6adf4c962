//! Step 4 of a cycle, control: what the registers ask of a cell. From here on nothing knows the personality. It is worked out when the
//! registers are written.

use super::config::Config;
use super::select::Selection;
use super::state::{Fixed, General};
use lwp_regs::perf::{Condition, InvertedZero};

/// What a cell is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// What it looks at.
    pub(super) selection: Selection,
    /// The levels that count, a bit each.
    levels: u8,
    /// Those of all logical processors count.
    pub(super) any: bool,
    pub(super) comparison: Comparison,
    /// EN of a general counter. In P6 the one of event select 0 is for all counters.
    pub(super) enable: bool,
    /// An overflow asks for an interrupt.
    pub(super) interrupts: bool,
    /// The pin toggles with each increment.
    pub(super) pin_control: bool,
}

impl Asked {
    /// What a counter is asked for whose registers are 0.
    pub(super) const NOTHING: Self = Self {
        selection: Selection::NOTHING,
        levels: 0,
        any: false,
        comparison: Comparison::EACH,
        enable: false,
        interrupts: false,
        pin_control: false,
    };

    /// Of general counter `index`.
    pub(super) fn general(general: &General, index: usize, straps: &Config) -> Self {
        let select = general.fields();
        Self {
            selection: Selection::of(general, index, straps),
            levels: levels(select.os(), select.user()),
            any: select.any_thread(),
            comparison: Comparison::of(Condition { inverted_zero: straps.inverted_zero(), ..select.condition() }),
            enable: select.enable(),
            interrupts: select.interrupt(),
            pin_control: select.pin_control(),
        }
    }

    /// Of fixed counter `index`.
    pub(super) fn fixed(fixed: &Fixed, index: usize, straps: &Config) -> Self {
        Self {
            selection: Selection::fixed(index, straps),
            levels: levels(fixed.control.os(), fixed.control.user()),
            any: fixed.control.any_thread(),
            interrupts: fixed.control.interrupt(),
            ..Self::NOTHING
        }
    }

    /// Whether it counts something at some level.
    #[inline]
    pub(super) const fn counts(&self) -> bool {
        self.selection.something & (self.levels != 0)
    }

    /// Whether it counts a line that the unit makes.
    pub(super) const fn counts_made(&self) -> bool {
        self.counts() & self.selection.is_made()
    }

    /// Whether it counts at this level.
    #[inline]
    pub(super) const fn counts_at(&self, level: u8) -> bool {
        self.levels >> (level & 7) & 1 != 0
    }
}

const fn levels(os: bool, user: bool) -> u8 {
    os as u8 + user as u8 * 0b1110
}

/// A [`Condition`] as one comparison, whether it has a threshold or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    /// The condition holds from this number on. More than there can be if it never holds.
    least: u32,
    /// The condition holds below that number instead.
    inverted: bool,
    /// Each event counts.
    each: bool,
    /// Counts how often the condition comes to hold.
    edges: bool,
}

impl Comparison {
    /// Without a threshold.
    const EACH: Self = Self { least: 1, inverted: false, each: true, edges: false };

    const fn of(condition: Condition) -> Self {
        let Condition { threshold, inverted, inverted_zero, edges } = condition;
        match (threshold, inverted, inverted_zero) {
            (0, true, InvertedZero::Obeyed) => Self { least: u32::MAX, inverted: false, each: false, edges },
            (0, ..) => Self { edges, ..Self::EACH },
            (threshold, inverted, _) => Self { least: threshold as u32, inverted, each: false, edges },
        }
    }

    /// Whether the condition holds in a cycle with `n` events.
    #[inline]
    pub(super) const fn holds(&self, n: u32) -> bool {
        (n >= self.least) != self.inverted
    }

    /// By how much the counter grows in a cycle that counts and has `n` events, in which the condition `holds` or not; `held` is whether
    /// it held in the cycle before.
    #[inline]
    pub(super) const fn increment(&self, holds: bool, held: bool, n: u32) -> u32 {
        let once = holds & !(self.edges & held);
        if self.each & !self.edges { n } else { once as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::Comparison;
    use lwp_regs::perf::{Condition, InvertedZero};

    // The rule, with every number that eight logical processors can have.
    #[test]
    fn comparisons_are_the_rule() {
        for code in 0..=0x7FF {
            let inverted_zero = if code >> 8 & 1 == 1 { InvertedZero::Obeyed } else { InvertedZero::Ignored };
            let (threshold, inverted, edges) = (code as u8, code >> 9 & 1 == 1, code >> 10 & 1 == 1);
            let condition = Condition { threshold, inverted, inverted_zero, edges };
            let comparison = Comparison::of(condition);
            for n in 0..=480 {
                let holds = comparison.holds(n);
                assert_eq!(holds, condition.holds(n), "{condition:?} {n}");
                for held in [false, true] {
                    let increment = comparison.increment(holds, held, n);
                    assert_eq!(increment, condition.increment(held, n), "{condition:?} {held} {n}");
                }
            }
        }
    }
}
