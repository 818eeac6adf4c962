//! The events that a counter can select, and what of an occurrence their unit masks count.

use super::EventClass;
use core::fmt;

/// An event of the processor that belongs to one of the kinds that qualification tells apart.
///
/// The processor has more; their codes are left to [`UnknownEvent`].
///
/// ```
/// use lwp_regs::itanium::{Event, EventClass};
///
/// assert_eq!(Event::try_from(0x66)?, Event::L1dReadMissesRetired);
/// assert_eq!(Event::Ia64InstRetired.class(2), Some(EventClass::TaggedByPmc9));
/// # Ok::<(), lwp_regs::itanium::UnknownEvent>(())
/// ```
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "Event Qualification", names
/// IA64_TAGGED_INSTRS_RETIRED; codes of the L4Ka::Pistachio kernel, `perf_events.cc`; names of libpfm,
/// `itanium_events.h`. The code of BRANCH_TAKEN_SLOT is not confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Event {
    /// IA64_INST_RETIRED with unit mask 0; IA64_TAGGED_INSTRS_RETIRED with unit mask 3 for PMC\[8\] and 2 for PMC\[9\].
    Ia64InstRetired = 0x08,
    /// BRANCH_TAKEN_SLOT. Bits 2:0 of the unit mask: branches taken in this slot; bit 3: branches that are not taken.
    BranchTakenSlot = 0x0D,
    /// CPU_CYCLES.
    CpuCycles = 0x12,
    /// IA32_INST_RETIRED.
    Ia32InstRetired = 0x15,
    /// PREDICATE_SQUASHED_RETIRED: instructions whose qualifying predicate is 0.
    PredicateSquashedRetired = 0x31,
    /// DTC_MISSES: misses of the first-level data TLB.
    DtcMisses = 0x60,
    /// DTLB_MISSES: misses of the second-level data TLB.
    DtlbMisses = 0x61,
    /// DATA_REFERENCES_RETIRED: loads and stores.
    DataReferencesRetired = 0x63,
    /// L1D_READS_RETIRED: reads of the L1 data cache.
    L1dReadsRetired = 0x64,
    /// L1D_READ_MISSES_RETIRED: those that miss.
    L1dReadMissesRetired = 0x66,
    /// L2_DATA_REFERENCES. Bit 0 of the unit mask: reads; bit 1: writes.
    L2DataReferences = 0x69,
    /// L2_MISSES.
    L2Misses = 0x6A,
    /// LOADS_RETIRED.
    LoadsRetired = 0x6C,
    /// STORES_RETIRED.
    StoresRetired = 0x6D,
}

/// A code of `es` that is none of an [`Event`]: that of another event of the processor, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UnknownEvent(pub u8);

impl fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#04x} is no event of which the qualification is known", self.0)
    }
}

impl core::error::Error for UnknownEvent {}

impl TryFrom<u8> for Event {
    type Error = UnknownEvent;

    #[inline]
    fn try_from(es: u8) -> Result<Self, UnknownEvent> {
        Self::from_es(es).ok_or(UnknownEvent(es))
    }
}

impl Event {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 14] = [
        Self::Ia64InstRetired,
        Self::BranchTakenSlot,
        Self::CpuCycles,
        Self::Ia32InstRetired,
        Self::PredicateSquashedRetired,
        Self::DtcMisses,
        Self::DtlbMisses,
        Self::DataReferencesRetired,
        Self::L1dReadsRetired,
        Self::L1dReadMissesRetired,
        Self::L2DataReferences,
        Self::L2Misses,
        Self::LoadsRetired,
        Self::StoresRetired,
    ];

    /// The event with this code.
    #[must_use]
    #[inline]
    pub const fn from_es(es: u8) -> Option<Self> {
        Some(match es {
            0x08 => Self::Ia64InstRetired,
            0x0D => Self::BranchTakenSlot,
            0x12 => Self::CpuCycles,
            0x15 => Self::Ia32InstRetired,
            0x31 => Self::PredicateSquashedRetired,
            0x60 => Self::DtcMisses,
            0x61 => Self::DtlbMisses,
            0x63 => Self::DataReferencesRetired,
            0x64 => Self::L1dReadsRetired,
            0x66 => Self::L1dReadMissesRetired,
            0x69 => Self::L2DataReferences,
            0x6A => Self::L2Misses,
            0x6C => Self::LoadsRetired,
            0x6D => Self::StoresRetired,
            _ => return None,
        })
    }

    /// Its code, for `es`.
    #[must_use]
    #[inline]
    pub const fn es(self) -> u8 {
        self as u8
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ia64InstRetired => "IA64_INST_RETIRED",
            Self::BranchTakenSlot => "BRANCH_TAKEN_SLOT",
            Self::CpuCycles => "CPU_CYCLES",
            Self::Ia32InstRetired => "IA32_INST_RETIRED",
            Self::PredicateSquashedRetired => "PREDICATE_SQUASHED_RETIRED",
            Self::DtcMisses => "DTC_MISSES",
            Self::DtlbMisses => "DTLB_MISSES",
            Self::DataReferencesRetired => "DATA_REFERENCES_RETIRED",
            Self::L1dReadsRetired => "L1D_READS_RETIRED",
            Self::L1dReadMissesRetired => "L1D_READ_MISSES_RETIRED",
            Self::L2DataReferences => "L2_DATA_REFERENCES",
            Self::L2Misses => "L2_MISSES",
            Self::LoadsRetired => "LOADS_RETIRED",
            Self::StoresRetired => "STORES_RETIRED",
        }
    }

    /// Which tags qualify the event with this unit mask; `None` if it counts nothing with it. Events without a unit
    /// mask ignore it.
    #[must_use]
    #[inline]
    pub const fn class(self, umask: u8) -> Option<EventClass> {
        Some(match self {
            Self::Ia64InstRetired => match umask {
                0 => EventClass::Pipeline,
                2 => EventClass::TaggedByPmc9,
                3 => EventClass::TaggedByPmc8,
                _ => return None,
            },
            Self::BranchTakenSlot if umask & 0b1111 == 0 => return None,
            Self::L2DataReferences if umask & 0b11 == 0 => return None,
            Self::BranchTakenSlot | Self::PredicateSquashedRetired => EventClass::Pipeline,
            Self::CpuCycles | Self::Ia32InstRetired => EventClass::Untagged,
            _ => EventClass::Memory,
        })
    }

    /// The slots whose branch BRANCH_TAKEN_SLOT counts with this unit mask, of a bundle of which these slots have a
    /// branch and these a branch that was taken: bit s is slot s. A slot that is `taken` counts as taken, whether or not
    /// it is a `branch`.
    #[must_use]
    #[inline]
    pub const fn branches(umask: u8, branch: u8, taken: u8) -> u8 {
        let not_taken = if umask & 1 << 3 == 0 { 0 } else { branch & !taken };
        (taken & umask | not_taken) & 0b111
    }

    /// How often L2_DATA_REFERENCES counts an access with this unit mask.
    #[must_use]
    #[inline]
    pub const fn l2_references(umask: u8, read: bool, write: bool) -> u8 {
        (read && umask & 1 != 0) as u8 + (write && umask & 2 != 0) as u8
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn codes() {
        let codes = [0x08, 0x0D, 0x12, 0x15, 0x31, 0x60, 0x61, 0x63, 0x64, 0x66, 0x69, 0x6A, 0x6C, 0x6D];
        assert_eq!(Event::ALL.map(Event::es), codes);
        for es in 0..=u8::MAX {
            match Event::try_from(es) {
                Ok(event) => assert!(codes.contains(&es) && event.es() == es),
                Err(unknown) => assert!(!codes.contains(&es) && unknown == UnknownEvent(es)),
            }
        }
        assert_eq!(UnknownEvent(0x10).to_string(), "0x10 is no event of which the qualification is known");
        assert_eq!(Event::L2Misses.name(), "L2_MISSES");
    }

    // cycles and IA-32 instructions have no tags, memory events two, the others Tag(PMC[8])
    #[test]
    fn classes() {
        for event in Event::ALL {
            let class = match event.es() {
                0x12 | 0x15 => EventClass::Untagged,
                0x60.. => EventClass::Memory,
                _ => EventClass::Pipeline,
            };
            let by_umask = [0, 1, 2, 3, 4, 8].map(|umask| event.class(umask));
            let expected = match event.es() {
                0x08 => [Some(class), None, Some(EventClass::TaggedByPmc9), Some(EventClass::TaggedByPmc8), None, None],
                0x0D => [None, Some(class), Some(class), Some(class), Some(class), Some(class)],
                0x69 => [None, Some(class), Some(class), Some(class), None, None],
                _ => [Some(class); 6],
            };
            assert_eq!(by_umask, expected, "{event:?}");
        }
    }

    #[test]
    fn branches() {
        assert_eq!(Event::branches(0b0111, 0b111, 0b100), 0b100);
        assert_eq!(Event::branches(0b0011, 0b111, 0b100), 0);
        assert_eq!(Event::branches(0b1000, 0b111, 0b100), 0b011);
        assert_eq!(Event::branches(0b1111, 0b001, 0b100), 0b101, "taken alone decides about taken");
        assert_eq!(Event::branches(0b0000, 0b111, 0b111), 0);
        assert_eq!(Event::branches(0b1111, 0xFF, 0x0F), 0b111, "there are three slots");
    }

    #[test]
    fn l2_references() {
        let count = |umask| {
            [(false, false), (true, false), (false, true), (true, true)]
                .map(|(read, write)| Event::l2_references(umask, read, write))
        };
        assert_eq!([count(0), count(1), count(2), count(3)], [[0; 4], [0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 1, 2]]);
    }
}
