//! The architectural events, as data.

use super::PerfmonEax;
use crate::layout::mask;
use bitflags::bitflags;

/// An event that has the same code on every processor that has it at all.
///
/// Source: Intel SDM volume 3B, "Pre-defined Architectural Performance Events"; bits: volume 2A, "CPUID - CPU
/// Identification", leaf 0AH; [`Slots`](Self::Slots): KVM, `INTEL_ARCH_TOPDOWN_SLOTS` (A4H, 01H), which its tests tie to EBX\[7\]
/// and to fixed-function counter 3 (`X86_PMU_FEATURE_TOPDOWN_SLOTS`, `X86_PMU_FEATURE_TOPDOWN_SLOTS_FIXED`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum ArchitecturalEvent {
    /// Cycles of the core while it is not halted; their rate changes with the core's clock.
    CoreCycles = 0,
    /// Instructions retired.
    Instructions = 1,
    /// Cycles of a clock of constant rate while the core is not halted.
    ReferenceCycles = 2,
    /// References to the last-level cache, speculative ones included.
    LlcReferences = 3,
    /// Misses of the last-level cache, speculative ones included.
    LlcMisses = 4,
    /// Branch instructions retired.
    Branches = 5,
    /// Branch instructions retired that had been mispredicted.
    BranchMisses = 6,
    /// Slots of the pipeline in which an operation could be issued. Ice Lake was the first to report it.
    Slots = 7,
}

impl ArchitecturalEvent {
    /// All of them, in the order of their bits in EBX.
    pub const ALL: [Self; 8] = [
        Self::CoreCycles,
        Self::Instructions,
        Self::ReferenceCycles,
        Self::LlcReferences,
        Self::LlcMisses,
        Self::Branches,
        Self::BranchMisses,
        Self::Slots,
    ];

    /// Event select and unit mask.
    #[must_use]
    #[inline]
    pub const fn code(self) -> (u8, u8) {
        match self {
            Self::CoreCycles => (0x3C, 0x00),
            Self::Instructions => (0xC0, 0x00),
            Self::ReferenceCycles => (0x3C, 0x01),
            Self::LlcReferences => (0x2E, 0x4F),
            Self::LlcMisses => (0x2E, 0x41),
            Self::Branches => (0xC4, 0x00),
            Self::BranchMisses => (0xC5, 0x00),
            Self::Slots => (0xA4, 0x01),
        }
    }

    /// The number of its bit in EBX of leaf 0AH.
    #[must_use]
    #[inline]
    pub const fn bit(self) -> u8 {
        self as u8
    }

    /// Name in the manual.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CoreCycles => "UnHalted Core Cycles",
            Self::Instructions => "Instruction Retired",
            Self::ReferenceCycles => "UnHalted Reference Cycles",
            Self::LlcReferences => "LLC Reference",
            Self::LlcMisses => "LLC Misses",
            Self::Branches => "Branch Instruction Retired",
            Self::BranchMisses => "Branch Misses Retired",
            Self::Slots => "Topdown Slots",
        }
    }

    /// The event with this code, if it is an architectural one.
    #[must_use]
    pub fn from_code(event: u8, umask: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == (event, umask))
    }

    /// The events whose name has `text` in it, upper and lower case being the same.
    pub fn search(text: &str) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |event| {
            let name = event.name().as_bytes();
            text.is_empty() || name.windows(text.len()).any(|part| part.eq_ignore_ascii_case(text.as_bytes()))
        })
    }
}

bitflags! {
    /// The architectural events that a processor has. Bits of events that came later are kept.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct AvailableEvents: u32 {
        /// [`ArchitecturalEvent::CoreCycles`].
        const CORE_CYCLES = 1;
        /// [`ArchitecturalEvent::Instructions`].
        const INSTRUCTIONS = 1 << 1;
        /// [`ArchitecturalEvent::ReferenceCycles`].
        const REFERENCE_CYCLES = 1 << 2;
        /// [`ArchitecturalEvent::LlcReferences`].
        const LLC_REFERENCES = 1 << 3;
        /// [`ArchitecturalEvent::LlcMisses`].
        const LLC_MISSES = 1 << 4;
        /// [`ArchitecturalEvent::Branches`].
        const BRANCHES = 1 << 5;
        /// [`ArchitecturalEvent::BranchMisses`].
        const BRANCH_MISSES = 1 << 6;
        /// [`ArchitecturalEvent::Slots`].
        const SLOTS = 1 << 7;
    }
}

set_format!(AvailableEvents);

impl AvailableEvents {
    /// What EBX of leaf 0AH says: an event is available if its bit is 0 *and* EAX says that EBX has the bit. EAX is
    /// needed first.
    #[must_use]
    #[inline]
    pub const fn from_cpuid(eax: PerfmonEax, ebx: u32) -> Self {
        Self::from_bits_retain(!ebx & mask(eax.events_length() as usize) as u32)
    }

    /// Whether the event can be counted.
    #[must_use]
    #[inline]
    pub const fn has(self, event: ArchitecturalEvent) -> bool {
        self.bits() >> event.bit() & 1 != 0
    }

    /// How many events can be counted, those included that came later.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u32 {
        self.bits().count_ones()
    }

    /// The available events that this crate knows.
    pub fn events(self) -> impl Iterator<Item = ArchitecturalEvent> {
        ArchitecturalEvent::ALL.into_iter().filter(move |event| self.has(*event))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use ArchitecturalEvent::*;
    use std::vec::Vec;

    // APM-18, APM-20: the seven events with their codes and bits. KVM: [INTEL_ARCH_TOPDOWN_SLOTS] = { 0xa4, 0x01 }
    #[test]
    fn codes() {
        let table: Vec<_> = ArchitecturalEvent::ALL.into_iter().map(|event| (event.bit(), event.code())).collect();
        let expected = [
            (0, (0x3C, 0x00)),
            (1, (0xC0, 0x00)),
            (2, (0x3C, 0x01)),
            (3, (0x2E, 0x4F)),
            (4, (0x2E, 0x41)),
            (5, (0xC4, 0x00)),
            (6, (0xC5, 0x00)),
            (7, (0xA4, 0x01)),
        ];
        assert_eq!(table, expected);
        assert_eq!(ArchitecturalEvent::from_code(0x2E, 0x41), Some(LlcMisses));
        assert_eq!(ArchitecturalEvent::from_code(0x2E, 0x42), None);
        assert_eq!(ArchitecturalEvent::from_code(0xA4, 0x01), Some(Slots));
        assert_eq!(ArchitecturalEvent::from_code(0xA4, 0x02), None, "TOPDOWN_BE_BOUND");
    }

    // APM-19: a 1 in EBX means that the event is not available, and so does a bit that EAX says is not there
    #[test]
    fn a_1_means_not_available() {
        let available = |length, ebx| AvailableEvents::from_cpuid(PerfmonEax::new().with_events_length(length), ebx);
        assert_eq!(available(8, 0), AvailableEvents::all());
        assert_eq!(available(8, 0xFF), AvailableEvents::empty());
        assert_eq!(available(8, 0x40), AvailableEvents::all() - AvailableEvents::BRANCH_MISSES);
        assert_eq!(available(8, 0x80), AvailableEvents::all() - AvailableEvents::SLOTS);
        assert_eq!(available(7, 0), AvailableEvents::all() - AvailableEvents::SLOTS, "EAX ends before the bit");
        assert_eq!(available(2, 0), AvailableEvents::CORE_CYCLES | AvailableEvents::INSTRUCTIONS);
        assert_eq!(available(0, 0), AvailableEvents::empty());
        let later = available(9, 0);
        assert_eq!((later.bits(), later.count(), later.events().count()), (0x1FF, 9, 8));
        assert_eq!(available(255, 0).bits(), u32::MAX, "a nonsensical length is no panic");
    }

    #[test]
    fn search() {
        let found = |text| ArchitecturalEvent::search(text).collect::<Vec<_>>();
        assert_eq!(found("llc"), [LlcReferences, LlcMisses]);
        assert_eq!(found("MISSES"), [LlcMisses, BranchMisses]);
        assert_eq!(found("tlb"), []);
        assert_eq!(found("slots"), [Slots]);
        assert_eq!(found("").len(), 8);
    }
}
