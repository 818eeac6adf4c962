//! Event identifiers.

use super::Features;
use core::fmt;
use core::num::NonZeroU8;

/// Identifier of an event, 1 to 255; 0 is not an event and cannot be expressed.
///
/// The same number selects an event in a slot of the control block (6 bits there), names the bit of the event in the
/// Flags word and in LWPMSR0 (up to 29), and tells the type of an event record (8 bits).
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", Table 1; the widths differ between
/// the places, and this type takes the widest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EventId(NonZeroU8);

impl EventId {
    /// Instructions retired, EventId 1.
    pub const INSTRUCTIONS_RETIRED: Self = Self::known(1);
    /// Branches retired, EventId 2.
    pub const BRANCHES_RETIRED: Self = Self::known(2);
    /// DCache misses, EventId 3.
    pub const DCACHE_MISSES: Self = Self::known(3);
    /// The events of version 1, in the order of their numbers.
    pub const V1: [Self; 3] = [Self::INSTRUCTIONS_RETIRED, Self::BRANCHES_RETIRED, Self::DCACHE_MISSES];
    /// Largest identifier that has a bit of its own in Flags and LWPMSR0; larger ones belong to CPUID 8000_001D.
    pub const MAX_FLAG: u8 = 29;
    /// Largest identifier that a slot can select (6 bits).
    pub const MAX_SLOT: u8 = 63;

    #[inline]
    const fn known(id: u8) -> Self {
        match Self::new(id) {
            Some(id) => id,
            None => panic!("0 is not an event"),
        }
    }

    /// The event with number `id`, or `None` for 0.
    #[must_use]
    #[inline]
    pub const fn new(id: u8) -> Option<Self> {
        match NonZeroU8::new(id) {
            Some(id) => Some(Self(id)),
            None => None,
        }
    }

    /// The number, 1 to 255.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u8 {
        self.0.get()
    }

    /// Number of the event's bit in the Flags word, LWPMSR0 and CPUID 8000_001C EAX, for identifiers up to 29.
    #[must_use]
    #[inline]
    pub const fn flag_bit(self) -> Option<u32> {
        if self.get() <= Self::MAX_FLAG { Some(self.get() as u32) } else { None }
    }

    /// The feature that allows the event, for the events of version 1.
    #[must_use]
    #[inline]
    pub const fn feature(self) -> Option<Features> {
        match self.flag_bit() {
            Some(bit) => match Features::EVENTS.bits() & (1 << bit) {
                0 => None,
                bits => Some(Features::from_bits_retain(bits)),
            },
            None => None,
        }
    }

    /// The 6-bit encoding in a slot word.
    ///
    /// # Errors
    ///
    /// [`EventIdError::NotSelectable`] for identifiers above 63, which no slot can hold.
    #[inline]
    pub const fn slot_bits(self) -> Result<u8, EventIdError> {
        if self.get() <= Self::MAX_SLOT { Ok(self.get()) } else { Err(EventIdError::NotSelectable(self.get())) }
    }
}

impl TryFrom<u8> for EventId {
    type Error = EventIdError;

    fn try_from(id: u8) -> Result<Self, EventIdError> {
        Self::new(id).ok_or(EventIdError::Zero)
    }
}

impl From<EventId> for u8 {
    fn from(id: EventId) -> Self {
        id.get()
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::INSTRUCTIONS_RETIRED => f.write_str("instructions retired"),
            Self::BRANCHES_RETIRED => f.write_str("branches retired"),
            Self::DCACHE_MISSES => f.write_str("DCache misses"),
            other => write!(f, "event {}", other.get()),
        }
    }
}

/// Why a number is not usable as an event identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum EventIdError {
    /// 0 means "no event".
    Zero,
    /// The identifier does not fit the 6 bits of a slot.
    NotSelectable(u8),
}

impl fmt::Display for EventIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("0 is not an event identifier; use 1 to 255"),
            Self::NotSelectable(id) => {
                write!(f, "event {id} does not fit a slot; only 1 to 63 can be selected")
            }
        }
    }
}

impl core::error::Error for EventIdError {}

#[cfg(test)]
mod tests {
    use super::{EventId, EventIdError};
    use crate::lwp::{Features, FlagsWord};

    // LWP-REC-01, LWP-REC-11
    #[test]
    fn zero_is_invalid_and_1_to_255_are_not() {
        assert_eq!(EventId::new(0), None);
        assert_eq!(EventId::try_from(0), Err(EventIdError::Zero));
        for id in 1..=255 {
            assert_eq!(EventId::try_from(id).map(EventId::get), Ok(id));
        }
    }

    // LWP-REC-12, LWP-REC-13, LWP-REC-14
    #[test]
    fn numbers_of_version_1() {
        assert_eq!(EventId::INSTRUCTIONS_RETIRED.get(), 1);
        assert_eq!(EventId::BRANCHES_RETIRED.get(), 2);
        assert_eq!(EventId::DCACHE_MISSES.get(), 3);
    }

    // LWP-LLW-15: the bit has the event's number. LWP-CPU-03: bit 30 is not an event
    #[test]
    fn flag_bits_end_at_29() {
        for id in 1..=29 {
            assert_eq!(EventId::new(id).unwrap().flag_bit(), Some(u32::from(id)));
        }
        for (event, flags) in EventId::V1.into_iter().zip([0x3, 0x5, 0x9]) {
            let features = event.feature().unwrap();
            assert_eq!(FlagsWord::reporting(features).into_bits(), flags, "EN and 1 << EventId");
        }
        assert_eq!(EventId::new(29).unwrap().flag_bit(), Some(29));
        assert_eq!(EventId::new(30).unwrap().flag_bit(), None);
        assert_eq!(EventId::new(255).unwrap().flag_bit(), None);
    }

    // LWP-LCB-40: 6 bits in the slot
    #[test]
    fn slots_hold_1_to_63() {
        assert_eq!(EventId::new(63).unwrap().slot_bits(), Ok(63));
        assert_eq!(EventId::new(64).unwrap().slot_bits(), Err(EventIdError::NotSelectable(64)));
    }

    #[test]
    fn features_of_events() {
        assert_eq!(EventId::INSTRUCTIONS_RETIRED.feature(), Some(Features::IRE));
        assert_eq!(EventId::BRANCHES_RETIRED.feature(), Some(Features::BRE));
        assert_eq!(EventId::DCACHE_MISSES.feature(), Some(Features::DME));
        assert_eq!(EventId::new(4).unwrap().feature(), None);
        assert_eq!(EventId::new(31).unwrap().feature(), None);
    }
}
