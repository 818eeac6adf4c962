//! What can be monitored.

use bitflags::bitflags;

/// A monitoring event, as IA32_QM_EVTSEL selects it.
///
/// Source: Intel SDM volume 3B, "Monitoring Resource Selection and Reporting Infrastructure", table of the event codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MonitoringEvent {
    /// Code 1: how much of the L3 cache is occupied.
    L3Occupancy,
    /// Code 2: bytes moved between the L3 cache and the next level, all together (MBM total).
    L3TotalBandwidth,
    /// Code 3: those of them that went to the memory of the own package (MBM local).
    L3LocalBandwidth,
    /// A code without a meaning here; 0 is one.
    Unknown(u8),
}

impl MonitoringEvent {
    /// The event with this code.
    #[must_use]
    #[inline]
    pub const fn from_id(id: u8) -> Self {
        match id {
            1 => Self::L3Occupancy,
            2 => Self::L3TotalBandwidth,
            3 => Self::L3LocalBandwidth,
            id => Self::Unknown(id),
        }
    }

    /// The code of the event.
    #[must_use]
    #[inline]
    pub const fn id(self) -> u8 {
        match self {
            Self::L3Occupancy => 1,
            Self::L3TotalBandwidth => 2,
            Self::L3LocalBandwidth => 3,
            Self::Unknown(id) => id,
        }
    }

    /// The event as a set; empty for a code that CPUID has no bit for (0, and above 32).
    #[must_use]
    #[inline]
    pub const fn flag(self) -> MonitoringEvents {
        match self.id() {
            id @ 1..=32 => MonitoringEvents::from_bits_retain(1 << (id - 1)),
            _ => MonitoringEvents::empty(),
        }
    }
}

bitflags! {
    /// A set of monitoring events, in the layout of CPUID 0FH subleaf 1 EDX: bit n is the event with code n + 1.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Resource Type and Capability Enumeration".
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct MonitoringEvents: u32 {
        /// Bit 0: [`MonitoringEvent::L3Occupancy`].
        const L3_OCCUPANCY = 1 << 0;
        /// Bit 1: [`MonitoringEvent::L3TotalBandwidth`].
        const L3_TOTAL_BANDWIDTH = 1 << 1;
        /// Bit 2: [`MonitoringEvent::L3LocalBandwidth`].
        const L3_LOCAL_BANDWIDTH = 1 << 2;
    }
}

set_format!(MonitoringEvents);

impl MonitoringEvents {
    /// Whether `event` is in the set. False for a code that CPUID has no bit for.
    #[must_use]
    #[inline]
    pub const fn has(self, event: MonitoringEvent) -> bool {
        self.intersects(event.flag())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // RDTM-23: the codes, from the manual
    #[test]
    fn codes_and_bits() {
        let events = [
            (1, MonitoringEvent::L3Occupancy, 0x1),
            (2, MonitoringEvent::L3TotalBandwidth, 0x2),
            (3, MonitoringEvent::L3LocalBandwidth, 0x4),
            (32, MonitoringEvent::Unknown(32), 0x8000_0000),
            (0, MonitoringEvent::Unknown(0), 0),
            (33, MonitoringEvent::Unknown(33), 0),
        ];
        for (id, event, flag) in events {
            assert_eq!(MonitoringEvent::from_id(id), event);
            assert_eq!(event.flag().bits(), flag);
        }
        for id in 0..=255 {
            assert_eq!(MonitoringEvent::from_id(id).id(), id);
        }
    }

    #[test]
    fn an_event_without_a_bit_is_in_no_set() {
        assert!(!MonitoringEvents::from_bits_retain(u32::MAX).has(MonitoringEvent::Unknown(0)));
        assert!(MonitoringEvents::from_bits_retain(4).has(MonitoringEvent::L3LocalBandwidth));
        assert!(!MonitoringEvents::from_bits_retain(4).has(MonitoringEvent::L3TotalBandwidth));
    }
}
