//! What threshold, inversion and edge detection make of the events of a cycle, and what a counter of any width makes of it.

use crate::layout::mask;

/// What INV does while CMASK is 0.
///
/// Source: the text on architectural performance monitoring: "Note if counter-mask is programmed to zero, INV flag is
/// ignored." The P6 text does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum InvertedZero {
    /// Nothing.
    #[default]
    Ignored,
    /// The comparison "fewer than 0" is made. It never holds, so that nothing counts.
    Obeyed,
}

/// What a counter counts of the events of a cycle.
///
/// Source: Intel SDM volume 3, "PerfEvtSel0 and PerfEvtSel1 MSRs": the fields E, INV and CMASK; volume 3B, "Architectural
/// Performance Monitoring Version 1", for the same fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Condition {
    /// Events that a cycle must have at least; 0: each event counts.
    pub threshold: u8,
    /// A cycle must have fewer instead.
    pub inverted: bool,
    /// What that means without a threshold.
    pub inverted_zero: InvertedZero,
    /// Counts how often the condition comes to hold.
    pub edges: bool,
}

impl Condition {
    /// Whether the condition holds in a cycle with `events` events.
    #[must_use]
    #[inline]
    pub const fn holds(self, events: u32) -> bool {
        match self.threshold {
            0 if self.counts_nothing() => false,
            0 => events > 0,
            threshold => (events >= threshold as u32) != self.inverted,
        }
    }

    /// What a cycle with `events` events is worth without edge detection.
    #[must_use]
    #[inline]
    pub const fn amount(self, events: u32) -> u32 {
        match self.threshold {
            0 if self.counts_nothing() => 0,
            0 => events,
            _ => self.holds(events) as u32,
        }
    }

    /// By how much the counter grows in a cycle that counts and has `events` events. `held` says whether the condition
    /// held in the cycle before, as far as the counter has looked: filter and clock included.
    #[must_use]
    #[inline]
    pub const fn increment(self, held: bool, events: u32) -> u32 {
        if self.edges { (self.holds(events) && !held) as u32 } else { self.amount(events) }
    }

    #[inline]
    const fn counts_nothing(self) -> bool {
        self.inverted && matches!(self.inverted_zero, InvertedZero::Obeyed)
    }
}

/// A counter of `width` bits after `by` more events, and whether it has overflowed: gone from all ones to 0. A width above
/// 64 is taken for 64.
///
/// Source: Intel SDM volume 3, "PerfCtr0 and PerfCtr1 MSRs" and "Performance Counter Overflow": a counter counts up and
/// overflows past its width.
#[must_use]
#[inline]
pub const fn advanced(count: u64, width: u8, by: u32) -> (u64, bool) {
    if width >= u64::BITS as u8 {
        return count.overflowing_add(by as u64);
    }
    let sum = (count & mask(width as usize)) + by as u64;
    (sum & mask(width as usize), sum >> width != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: Condition =
        Condition { threshold: 0, inverted: false, inverted_zero: InvertedZero::Ignored, edges: false };

    // widths that no counter has are not a panic
    #[test]
    fn widths_that_no_counter_has() {
        assert_eq!(advanced(0, 0, 3), (0, true));
        assert_eq!(advanced(u64::MAX - 1, 63, 1), (mask(63), false));
        assert_eq!(advanced(u64::MAX - 1, 64, 1), (u64::MAX, false));
        for width in [64, 65, 255] {
            assert_eq!(advanced(u64::MAX, width, 2), (1, true));
        }
    }

    // P6-28, P6-30, P6-31, APM-31, APM-34, APM-35: at least, fewer than, and each event
    #[test]
    fn the_comparison() {
        for threshold in 0..=255 {
            for inverted in [false, true] {
                let condition = Condition { threshold, inverted, ..EACH };
                for events in 0..=260 {
                    let expected = match (threshold, inverted) {
                        (0, _) => events,
                        (_, false) => u32::from(events >= u32::from(threshold)),
                        (_, true) => u32::from(events < u32::from(threshold)),
                    };
                    assert_eq!(condition.amount(events), expected);
                    assert_eq!(condition.holds(events), expected != 0);
                    assert_eq!(condition.increment(true, events), expected, "without edges nothing is remembered");
                }
            }
        }
    }

    // P6-31, APM-32: INV with CMASK 0
    #[test]
    fn inversion_without_a_threshold() {
        let inverted = Condition { inverted: true, ..EACH };
        assert_eq!([0, 1, 5].map(|events| inverted.amount(events)), [0, 1, 5]);
        let obeyed = Condition { inverted_zero: InvertedZero::Obeyed, ..inverted };
        assert_eq!([0, 1, 5].map(|events| (obeyed.amount(events), obeyed.holds(events))), [(0, false); 3]);
        let straight = Condition { inverted: false, ..obeyed };
        assert_eq!([0, 1, 5].map(|events| straight.amount(events)), [0, 1, 5], "without INV it does not matter");
        let threshold = Condition { threshold: 2, ..obeyed };
        assert_eq!([0, 1, 2].map(|events| threshold.amount(events)), [1, 1, 0], "nor with a threshold");
    }

    // P6-17, P6-18, APM-23, APM-24: a condition that comes to hold counts once
    #[test]
    fn edges() {
        let edges = Condition { edges: true, threshold: 2, ..EACH };
        assert_eq!(edges.increment(false, 1), 0);
        assert_eq!(edges.increment(false, 7), 1);
        assert_eq!(edges.increment(true, 7), 0, "back-to-back assertions are one");
        assert_eq!(Condition { inverted: true, ..edges }.increment(false, 0), 1);
    }

    // P6-01, APM-13: a carry out of the width
    #[test]
    fn a_counter_of_any_width() {
        for width in 32..=48 {
            let most = mask(usize::from(width));
            assert_eq!(advanced(most, width, 0), (most, false));
            assert_eq!(advanced(most, width, 1), (0, true));
            assert_eq!(advanced(most - 2, width, 480), (477, true));
            assert_eq!(advanced(0, width, 480), (480, false));
        }
    }
}
