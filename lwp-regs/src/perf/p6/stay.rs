//! How long a condition lasts: duration and edges together.

use super::EventSelect;
use crate::perf::metrics::{MetricError, ratio};

/// The time that the processor spent in a state: how long in all, and how often it entered.
///
/// One counter counts the cycles of a condition, the other, by edge detection, how often it begins. A stay that follows
/// the one before without a cycle between them is not told apart from it, so `entries` may be low and the average high.
///
/// ```
/// use lwp_regs::perf::p6::{EventSelect, P6Model, Run, Stay, event};
///
/// // How long do interrupts wait until they are served?
/// let [duration, entries] = Stay::events(EventSelect::new(&event::CYCLES_INT_PENDING_AND_MASKED));
/// let run = Run::pair(duration, entries).unwrap().setup(P6Model::PentiumII)?;
/// assert_eq!(run.select0.into_bits(), 0x0003_00C7);
/// assert_eq!(run.select1.into_bits(), 0x0007_00C7);
///
/// let waiting = Stay { cycles: 3_000, entries: 60 };
/// assert_eq!(waiting.average(), Ok(50.0));
/// assert_eq!(waiting.fraction(1_000_000), Ok(0.003));
/// # Ok::<(), lwp_regs::Refused>(())
/// ```
///
/// Source: Intel SDM volume 3, "PerfEvtSel0 and PerfEvtSel1 MSRs", E (edge detect) flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stay {
    /// Cycles in the state, counted without edge detection.
    pub cycles: u64,
    /// How often the state was entered, counted with edge detection.
    pub entries: u64,
}

impl Stay {
    /// What to count for `condition`, an event of cycles: its duration and its edges.
    #[inline]
    pub const fn events(condition: EventSelect) -> [EventSelect; 2] {
        [condition, condition.edge()]
    }

    /// Mean length of a stay: cycles in the state per entry.
    ///
    /// # Errors
    ///
    /// [`MetricError::DivisionByZero`] if the state was never entered.
    pub fn average(&self) -> Result<f64, MetricError> {
        ratio(self.cycles, self.entries, "entries")
    }

    /// The part of the `total` cycles that was spent in the state, 0 to 1.
    ///
    /// # Errors
    ///
    /// [`MetricError::DivisionByZero`] if `total` is 0.
    pub fn fraction(&self, total: u64) -> Result<f64, MetricError> {
        ratio(self.cycles, total, "cycles")
    }
}

#[cfg(test)]
mod tests {
    use super::super::event;
    use super::*;

    // P6-19: average = duration / edges, fraction = duration / time
    #[test]
    fn duration_and_edges() {
        let stay = Stay { cycles: 900, entries: 4 };
        assert_eq!(stay.average(), Ok(225.0));
        assert_eq!(stay.fraction(3600), Ok(0.25));
        assert_eq!(Stay { cycles: 0, entries: 0 }.average(), Err(MetricError::DivisionByZero("entries")));
        assert_eq!(stay.fraction(0), Err(MetricError::DivisionByZero("cycles")));
    }

    // P6-19: the two selections differ in E alone
    #[test]
    fn the_same_condition_twice() {
        let [duration, entries] = Stay::events(EventSelect::new(&event::IFU_MEM_STALL));
        assert_eq!(entries, duration.edge());
        assert_ne!(entries, duration);
    }
}
