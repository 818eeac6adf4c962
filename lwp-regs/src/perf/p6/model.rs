//! Which processor of the family: events differ between them.

use crate::access::Cpuid;
use bitflags::bitflags;
use core::fmt;

/// A processor of the P6 family, as far as its events are concerned.
///
/// The Pentium is not one: its counters are controlled by CESR, MSR 11h, and count other events. Nor is the Pentium 4.
///
/// Source: Intel SDM volume 3, "Performance Monitoring (P6 Family Processor)"; models: Linux `arch/x86/events/intel/p6.c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum P6Model {
    /// Pentium Pro. Up to stepping 8, RDPMC is not to be given to user mode (its erratum 26, as Linux has it).
    PentiumPro,
    /// Pentium II, Pentium II Xeon and the Celeron with their core.
    PentiumII,
    /// Pentium III, Pentium III Xeon and the Celeron with their core.
    PentiumIII,
    /// Pentium M. Some of its events have unit masks of their own ([`pentium_m`](super::event::pentium_m)); its further
    /// events are not in the table.
    PentiumM,
}

impl P6Model {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::PentiumPro, Self::PentiumII, Self::PentiumIII, Self::PentiumM];

    /// The processor with this signature, which is EAX of CPUID leaf 1; `None` if it is not of the P6 family or of a
    /// model that this table does not know.
    #[must_use]
    #[inline]
    pub const fn from_signature(eax: u32) -> Option<Self> {
        // Extended family and model and the family, then the model. Type and stepping do not matter.
        match (eax & 0x0FFF_0F00, eax >> 4 & 0xF) {
            (0x600, 1) => Some(Self::PentiumPro),
            (0x600, 3 | 5 | 6) => Some(Self::PentiumII),
            (0x600, 7 | 8 | 10 | 11) => Some(Self::PentiumIII),
            (0x600, 9 | 13) => Some(Self::PentiumM),
            _ => None,
        }
    }

    /// The processor that `cpu` is, if it is one of Intel's P6 family.
    #[must_use]
    pub fn detect(cpu: &impl Cpuid) -> Option<Self> {
        if cpu.vendor() != *b"GenuineIntel" {
            return None;
        }
        Self::from_signature(cpu.leaf(1, 0)?[0])
    }

    /// The set of this processor alone.
    #[must_use]
    #[inline]
    pub const fn only(self) -> P6Models {
        match self {
            Self::PentiumPro => P6Models::PENTIUM_PRO,
            Self::PentiumII => P6Models::PENTIUM_II,
            Self::PentiumIII => P6Models::PENTIUM_III,
            Self::PentiumM => P6Models::PENTIUM_M,
        }
    }
}

impl fmt::Display for P6Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PentiumPro => "Pentium Pro",
            Self::PentiumII => "Pentium II",
            Self::PentiumIII => "Pentium III",
            Self::PentiumM => "Pentium M",
        })
    }
}

bitflags! {
    /// Processors of the P6 family that have an event.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct P6Models: u8 {
        /// Pentium Pro.
        const PENTIUM_PRO = 1;
        /// Pentium II, with Xeon and Celeron.
        const PENTIUM_II = 2;
        /// Pentium III, with Xeon and Celeron.
        const PENTIUM_III = 4;
        /// Pentium M.
        const PENTIUM_M = 8;
    }
}

set_format!(P6Models);

impl P6Models {
    /// The events that came with MMX: everything but the Pentium Pro.
    pub const FROM_PENTIUM_II: Self = Self::PENTIUM_II.union(Self::FROM_PENTIUM_III);
    /// The events that came with SSE.
    pub const FROM_PENTIUM_III: Self = Self::PENTIUM_III.union(Self::PENTIUM_M);

    /// All but the Pentium M, on which the event has other unit masks.
    pub const BEFORE_PENTIUM_M: Self = Self::all().difference(Self::PENTIUM_M);

    /// Whether `model` is among them.
    #[must_use]
    #[inline]
    pub const fn has(self, model: P6Model) -> bool {
        self.contains(model.only())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // P6-02, P6-09: which processors are of the family and so have the registers
    #[test]
    fn signatures() {
        let model = P6Model::from_signature;
        assert_eq!(model(0x0000_0619), Some(P6Model::PentiumPro));
        assert_eq!(model(0x0000_0634), Some(P6Model::PentiumII), "Klamath");
        assert_eq!(model(0x0000_1632), Some(P6Model::PentiumII), "the OverDrive type does not matter");
        assert_eq!(model(0x0000_0652), Some(P6Model::PentiumII), "Deschutes");
        assert_eq!(model(0x0000_0665), Some(P6Model::PentiumII), "Celeron, Mendocino");
        assert_eq!(model(0x0000_0673), Some(P6Model::PentiumIII), "Katmai");
        assert_eq!(model(0x0000_0686), Some(P6Model::PentiumIII), "Coppermine");
        assert_eq!(model(0x0000_06B1), Some(P6Model::PentiumIII), "Tualatin");
        assert_eq!(model(0x0000_0695), Some(P6Model::PentiumM), "Banias");
        assert_eq!(model(0x0000_06D6), Some(P6Model::PentiumM), "Dothan");
        assert_eq!(model(0x0000_0543), None, "Pentium MMX");
        assert_eq!(model(0x0000_0F29), None, "Pentium 4");
        assert_eq!(model(0x0000_06E8), None, "Yonah has architectural counters");
        assert_eq!(model(0x0001_0676), None, "Penryn: extended model 1");
    }

    #[test]
    fn detection_asks_for_the_vendor() {
        let cpu = |vendor: [u8; 12]| {
            move |leaf: u32, _: u32| {
                let word = |i: usize| u32::from_le_bytes([vendor[i], vendor[i + 1], vendor[i + 2], vendor[i + 3]]);
                match leaf {
                    0 => [1, word(0), word(8), word(4)],
                    _ => [0x0673, 0, 0, 0],
                }
            }
        };
        assert_eq!(P6Model::detect(&cpu(*b"GenuineIntel")), Some(P6Model::PentiumIII));
        assert_eq!(P6Model::detect(&cpu(*b"AuthenticAMD")), None, "a K7 has family 6 as well");
    }
}
