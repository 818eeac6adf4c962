//! Checking what a handler did, from a record of its accesses.

use super::{Counter, Pmc0};
use core::fmt;

/// An access to one of the register files, as a bus in a test or a trace records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PmcAccess {
    /// Reads `pmc[i]`.
    ReadPmc(u8),
    /// Writes `pmc[i]`.
    WritePmc(u8, u64),
    /// Reads `pmd[i]`.
    ReadPmd(u8),
    /// Writes `pmd[i]`.
    WritePmd(u8, u64),
}

/// A mistake of an overflow handler or a context switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum HandlerError {
    /// A counter or its configuration was accessed before monitoring was frozen: it counts the handler.
    NotFrozen(PmcAccess),
    /// PMC\[0\] was written before its overflow bits had been read.
    OverflowLost,
    /// PMD\[i\] was written before it had been read.
    CountLost(Counter),
    /// `fr` was cleared before PMD\[i\] had been saved.
    ThawedBeforeSaved(Counter),
    /// Something followed the clearing of `fr`, which is to be the last step.
    AfterThaw(PmcAccess),
    /// `fr` was never cleared.
    StillFrozen,
}

/// Whether a handler or a context switch that made these accesses kept to the rules: frozen before anything else, all
/// four counters and the overflow bits saved, `fr` cleared last. `frozen` tells whether an overflow had frozen
/// monitoring before it began.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, chapter "Performance
/// Monitoring", on event qualification: "Performance Monitor Freeze".
///
/// # Errors
///
/// [`HandlerError`]: the first mistake.
pub fn check_handler(trace: &[PmcAccess], frozen: bool) -> Result<(), HandlerError> {
    let mut check = Check { frozen, thawed: false, overflow_read: false, saved: [false; 4] };
    trace.iter().try_for_each(|access| check.step(*access))?;
    if check.thawed { Ok(()) } else { Err(HandlerError::StillFrozen) }
}

struct Check {
    frozen: bool,
    thawed: bool,
    overflow_read: bool,
    saved: [bool; 4],
}

impl Check {
    fn step(&mut self, access: PmcAccess) -> Result<(), HandlerError> {
        if self.thawed {
            return Err(HandlerError::AfterThaw(access));
        }
        match access {
            PmcAccess::ReadPmc(0) => self.overflow_read = true,
            PmcAccess::WritePmc(0, value) => return self.write_pmc0(Pmc0::from_bits(value)),
            _ if !self.frozen => return Err(HandlerError::NotFrozen(access)),
            PmcAccess::ReadPmd(index) => {
                if let Some(place) = Counter::ALL.iter().position(|counter| counter.index() == index) {
                    self.saved[place] = true;
                }
            }
            PmcAccess::WritePmd(index, _) => {
                if let Some(counter) = self.unsaved().find(|counter| counter.index() == index) {
                    return Err(HandlerError::CountLost(counter));
                }
            }
            PmcAccess::ReadPmc(_) | PmcAccess::WritePmc(..) => {}
        }
        Ok(())
    }

    fn write_pmc0(&mut self, value: Pmc0) -> Result<(), HandlerError> {
        if !self.overflow_read {
            return Err(HandlerError::OverflowLost);
        }
        if value.fr() {
            self.frozen = true;
            return Ok(());
        }
        if let Some(counter) = self.unsaved().next() {
            return Err(HandlerError::ThawedBeforeSaved(counter));
        }
        self.thawed = true;
        Ok(())
    }

    fn unsaved(&self) -> impl Iterator<Item = Counter> {
        Counter::ALL.into_iter().zip(self.saved).filter(|(_, saved)| !saved).map(|(counter, _)| counter)
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFrozen(access) => write!(f, "{access:?} counts itself: set PMC[0].fr before it"),
            Self::OverflowLost => f.write_str("the overflow bits are lost: read PMC[0] before writing it"),
            Self::CountLost(counter) => {
                write!(f, "the count of PMD[{0}] is lost: read PMD[{0}] before writing it", counter.index())
            }
            Self::ThawedBeforeSaved(counter) => {
                write!(f, "PMC[0].fr cleared too early: save PMD[{}] first", counter.index())
            }
            Self::AfterThaw(access) => write!(f, "{access:?} comes too late: clear PMC[0].fr as the last step"),
            Self::StillFrozen => f.write_str("nothing is counted any more: clear PMC[0].fr as the last step"),
        }
    }
}

impl core::error::Error for HandlerError {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::PmcAccess::{ReadPmc, ReadPmd, WritePmc, WritePmd};
    use super::*;
    use std::vec::Vec;

    /// A context switch as it should be.
    const GOOD: [PmcAccess; 9] = [
        ReadPmc(0),
        WritePmc(0, 1),
        ReadPmd(4),
        ReadPmd(5),
        ReadPmd(6),
        ReadPmd(7),
        WritePmc(4, 0x88),
        WritePmd(4, 0),
        WritePmc(0, 0),
    ];

    fn without(place: usize) -> Result<(), HandlerError> {
        let mut trace: Vec<PmcAccess> = GOOD.to_vec();
        trace.remove(place);
        check_handler(&trace, false)
    }

    // ITA-19: each of the steps is needed; a clear of fr before all is saved is flagged
    #[test]
    fn every_step_is_needed() {
        assert_eq!(check_handler(&GOOD, false), Ok(()));
        assert_eq!(without(0), Err(HandlerError::OverflowLost));
        assert_eq!(without(1), Err(HandlerError::NotFrozen(ReadPmd(4))));
        assert_eq!(without(2), Err(HandlerError::CountLost(Counter::Four)));
        assert_eq!(without(3), Err(HandlerError::ThawedBeforeSaved(Counter::Five)));
        assert_eq!(without(4), Err(HandlerError::ThawedBeforeSaved(Counter::Six)));
        assert_eq!(without(5), Err(HandlerError::ThawedBeforeSaved(Counter::Seven)));
        assert_eq!((without(6), without(7)), (Ok(()), Ok(())), "loading is not");
        assert_eq!(without(8), Err(HandlerError::StillFrozen));
    }

    // ITA-19: fr is cleared last
    #[test]
    fn nothing_follows_the_thaw() {
        let mut trace: Vec<PmcAccess> = GOOD.to_vec();
        trace.swap(7, 8);
        assert_eq!(check_handler(&trace, false), Err(HandlerError::AfterThaw(WritePmd(4, 0))));
    }

    #[test]
    fn an_overflow_has_frozen_already() {
        let mut trace: Vec<PmcAccess> = GOOD.to_vec();
        trace.remove(1);
        assert_eq!(check_handler(&trace, true), Ok(()));
    }
}
