//! IA32_FIXED_CTRx: a counter of one event.

use super::{ArchitecturalEvent, FixedIndex, PerfmonCaps};
use crate::access::GeneralProtection;
use crate::layout::mask;
use crate::msr::msr_value;
use crate::refused::Rule;

layout! {
    /// `IA32_FIXED_CTRx`: a fixed-function counter, [`PerfmonCaps::fixed_width`] bits wide. Version 2. Controlled by
    /// [`Ia32FixedCtrCtrl`](super::Ia32FixedCtrCtrl).
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 2".
    #[doc(alias = "0x309")]
    #[doc(alias = "IA32_FIXED_CTR0")]
    #[doc(alias = "IA32_FIXED_CTRx")]
    pub struct Ia32FixedCtr: u64, Fault {
        /// The count.
        #[inline]
        pub value: u64,
    }
}

msr_value!(Ia32FixedCtr, "IA32_FIXED_CTRx", read_write, caps = PerfmonCaps);

impl Ia32FixedCtr {
    /// Number of `IA32_FIXED_CTR0`; the others follow.
    pub const FIRST: u32 = 0x309;

    /// What a WRMSR of `new` makes of the counter. It takes the full width, unlike that of a general-purpose counter.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the bits beyond the width of the counter, which the manual says to write as 0.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        match new & !mask(caps.fixed_width as usize) {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_FIXED_CTRx", bits, Rule::MustBeZero)),
        }
    }
}

/// What a fixed-function counter counts.
///
/// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 2", table "Association of Fixed-Function
/// Performance Counters with Architectural Performance Events"; pseudo-events: Linux, `arch/x86/events/intel/core.c`
/// (`FIXED_EVENT_CONSTRAINT(0x0300, 2)`, "pseudo CPU_CLK_UNHALTED.REF"), and `perf_event.h` ("TOPDOWN.SLOTS:
/// event=0x00,umask=0x4 (pseudo-encoding)", `MSR_ARCH_PERFMON_FIXED_CTR3`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FixedEvent {
    /// Instructions retired (counter 0).
    Instructions,
    /// Cycles of the core while it is not halted (counter 1).
    CoreCycles,
    /// Cycles at the rate of the time-stamp counter while the core is not halted (counter 2). No general-purpose counter
    /// counts them: [`ArchitecturalEvent::ReferenceCycles`] counts a clock of another rate.
    ReferenceTscCycles,
    /// Slots of the pipeline in which an operation could be issued: TOPDOWN.SLOTS (counter 3).
    Slots,
}

impl FixedEvent {
    /// The architectural event that a general-purpose counter counts alike, if there is one.
    #[must_use]
    #[inline]
    pub const fn architectural(self) -> Option<ArchitecturalEvent> {
        match self {
            Self::Instructions => Some(ArchitecturalEvent::Instructions),
            Self::CoreCycles => Some(ArchitecturalEvent::CoreCycles),
            Self::Slots => Some(ArchitecturalEvent::Slots),
            Self::ReferenceTscCycles => None,
        }
    }

    /// Event code and unit mask by which software names the event in this counter: those of the architectural event, or a
    /// pseudo-event, 00H with mask 03H (cycles at the rate of the time-stamp counter) or 04H (slots), which no general-purpose
    /// counter takes.
    #[must_use]
    #[inline]
    pub const fn code(self) -> (u8, u8) {
        match (self, self.architectural()) {
            (Self::Slots, _) => (0x00, 0x04),
            (_, Some(event)) => event.code(),
            (_, None) => (0x00, 0x03),
        }
    }
}

impl FixedIndex {
    /// What the counter counts; `None` above counter 3, which differs from model to model.
    #[must_use]
    #[inline]
    pub const fn event(self) -> Option<FixedEvent> {
        match self.number() {
            0 => Some(FixedEvent::Instructions),
            1 => Some(FixedEvent::CoreCycles),
            2 => Some(FixedEvent::ReferenceTscCycles),
            3 => Some(FixedEvent::Slots),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{ICE_LAKE, SKYLAKE_SP, caps};

    #[test]
    fn what_they_count() {
        let event = |number| caps(ICE_LAKE).fixed(number).unwrap().event();
        assert_eq!(event(0), Some(FixedEvent::Instructions));
        assert_eq!(event(1), Some(FixedEvent::CoreCycles));
        assert_eq!(event(2), Some(FixedEvent::ReferenceTscCycles));
        assert_eq!(event(3), Some(FixedEvent::Slots));
        let codes = [0, 1, 2, 3].map(|number| event(number).unwrap().code());
        assert_eq!(codes, [(0xC0, 0x00), (0x3C, 0x00), (0x00, 0x03), (0x00, 0x04)]);
        // Linux: TOPDOWN_BAD_SPECULATION.ALL is fixed counter 4 "(Atom only)"
        assert_eq!(caps([0x0830_0805, 0, 0x7F, 0x8604]).fixed(4).unwrap().event(), None);
        assert_eq!(FixedEvent::ReferenceTscCycles.architectural(), None);
        assert_eq!(FixedEvent::Slots.architectural(), Some(ArchitecturalEvent::Slots));
        assert_ne!(ArchitecturalEvent::ReferenceCycles.code(), (0x00, 0x03));
    }

    #[test]
    fn a_write_takes_the_width() {
        let write = |new| Ia32FixedCtr::check_write(Ia32FixedCtr::new(), new, &caps(SKYLAKE_SP));
        assert_eq!(write(0xFFFF_8000_0000_FFFF & 0xFFFF_FFFF_FFFF).map(Ia32FixedCtr::into_bits), Ok(0x8000_0000_FFFF));
        let gp = GeneralProtection::refused("IA32_FIXED_CTRx", 0x8000 << 48, Rule::MustBeZero);
        assert_eq!(write(0x8000_0000_0000_0001), Err(gp));
    }
}
