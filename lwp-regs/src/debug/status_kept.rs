//! What a debug exception leaves in DR6 of earlier ones.

use super::Dr6;

/// Bits of DR6 that a debug exception leaves of earlier ones, until software clears them.
///
/// Source: Intel SDM volume 3B, "Debug Status Register (DR6)": "Certain debug exceptions may clear bits 0-3. The remaining
/// contents of the DR6 register are never cleared by the processor."
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum StatusKept {
    /// BLD, BD, BS and BT stay; B0 to B3 are those of the last exception.
    #[default]
    AllButBreakpoints = 0,
    /// Everything is of the last exception.
    Nothing = 1,
    /// B0 to B3 stay as well.
    All = 2,
}

impl Dr6 {
    /// The register after a debug exception with the conditions `new`. RTM belongs to the last exception, whatever is kept.
    #[must_use]
    #[inline]
    pub const fn after_exception(self, new: Self, kept: StatusKept) -> Self {
        let breakpoints = match kept {
            StatusKept::All => self.conditions().union(new.conditions()),
            StatusKept::AllButBreakpoints | StatusKept::Nothing => new.conditions(),
        };
        let others = match kept {
            StatusKept::Nothing => new,
            StatusKept::AllButBreakpoints | StatusKept::All => new
                .with_bd(self.bd() || new.bd())
                .with_bs(self.bs() || new.bs())
                .with_bt(self.bt() || new.bt())
                .with_bus_lock(self.bus_lock() || new.bus_lock()),
        };
        others.with_conditions(breakpoints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DBG-11, by hand: B0, BS and BLD of before; B1, BD and RTM of now
    #[test]
    fn three_choices() {
        let (old, new) = (Dr6::from_bits(0xFFFF_47F1), Dr6::from_bits(0xFFFE_2FF2));
        for (kept, after) in [
            (StatusKept::AllButBreakpoints, 0xFFFE_67F2),
            (StatusKept::Nothing, 0xFFFE_2FF2),
            (StatusKept::All, 0xFFFE_67F3),
        ] {
            assert_eq!(old.after_exception(new, kept).into_bits(), after, "{kept:?}");
        }
    }

    // DBG-82: every exception but a rollback's sets RTM
    #[test]
    fn rtm_is_of_the_last_exception() {
        let rollback = Dr6::RESET.with_in_transaction(true);
        for kept in [StatusKept::AllButBreakpoints, StatusKept::Nothing, StatusKept::All] {
            assert_eq!(rollback.after_exception(Dr6::RESET, kept), Dr6::RESET, "{kept:?}");
            assert_eq!(Dr6::RESET.after_exception(rollback, kept), rollback, "{kept:?}");
        }
    }
}
