//! What the unit mask of an event selects.

use bitflags::bitflags;

/// The unit masks that an event has. All others are reserved and give undefined counts.
///
/// Source: Intel SDM volume 3, "Performance Monitoring Events for P6 Family Processors", table and its notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum UnitMask {
    /// This one value; the event has no kinds.
    Fixed(u8),
    /// Any set of the states of a cache line, [`Mesi`]. The empty set counts nothing.
    Mesi,
    /// Any set of states, [`Mesi`], and which lines: [`Prefetched`]. Pentium M.
    MesiAndPrefetch,
    /// Whose transactions count on the external bus: a [`BusAgent`].
    Agent,
    /// Own transactions only, 00h. Nothing says what 20h (any agent) would count.
    OwnOnly,
    /// One of these kinds. Sums of them are not in the table.
    OneOf(&'static [MaskChoice]),
}

/// A kind of an event and its unit mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MaskChoice {
    /// Short name of the kind.
    pub name: &'static str,
    /// The unit mask.
    pub mask: u8,
}

/// Abbreviates tables of kinds.
#[inline]
const fn kind(name: &'static str, mask: u8) -> MaskChoice {
    MaskChoice { name, mask }
}

bitflags! {
    /// States of a cache line, for the events of the L2 cache that tell them apart.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct Mesi: u8 {
        /// Invalid.
        const I = 1;
        /// Shared.
        const S = 2;
        /// Exclusive.
        const E = 4;
        /// Modified.
        const M = 8;
    }
}

set_format!(Mesi);

/// Which lines an event of the Pentium M's L2 cache counts: bits 5:4 of the unit mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Prefetched {
    /// All but those that the hardware prefetched.
    Excluded,
    /// Those that the hardware prefetched.
    Only,
    /// All lines.
    Included,
}

impl Prefetched {
    /// Its bits of the unit mask.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u8 {
        match self {
            Self::Excluded => 0x00,
            Self::Only => 0x10,
            Self::Included => 0x20,
        }
    }
}

/// Whose transactions on the external bus count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BusAgent {
    /// Those of this processor.
    Own,
    /// Those of any agent on the bus: bit 5 of the unit mask.
    Any,
}

impl BusAgent {
    /// The unit mask.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u8 {
        match self {
            Self::Own => 0x00,
            Self::Any => 0x20,
        }
    }
}

const STATES: &[MaskChoice] = &[kind("I", 0x01), kind("S", 0x02), kind("E", 0x04), kind("M", 0x08), kind("ALL", 0x0F)];
const STATES_AND_PREFETCH: &[MaskChoice] =
    &[kind("NOT_PREFETCHED", 0x0F), kind("ONLY_PREFETCHED", 0x1F), kind("ALL", 0x2F)];
const AGENTS: &[MaskChoice] = &[kind("SELF", 0x00), kind("ANY", 0x20)];
const OWN: &[MaskChoice] = &[kind("SELF", 0x00)];

impl UnitMask {
    pub(super) const PREFETCHES: Self =
        Self::OneOf(&[kind("NTA", 0x00), kind("T1", 0x01), kind("T2", 0x02), kind("WEAK_STORE", 0x03)]);
    pub(super) const SCALARS: Self = Self::OneOf(&[kind("PACKED_AND_SCALAR", 0x00), kind("SCALAR", 0x01)]);
    pub(super) const MMX_KINDS: Self = Self::OneOf(&[
        kind("MUL", 0x01),
        kind("SHIFT", 0x02),
        kind("PACK", 0x04),
        kind("UNPACK", 0x08),
        kind("LOGICAL", 0x10),
        kind("ARITH", 0x20),
    ]);
    pub(super) const TRANSITIONS: Self = Self::OneOf(&[kind("MMX_TO_FP", 0x00), kind("FP_TO_MMX", 0x01)]);
    pub(super) const SEGMENTS: Self = Self::OneOf(&[
        kind("ES", 0x01),
        kind("DS", 0x02),
        kind("FS", 0x04),
        // The manual prints FS a second time; ES + DS + FS + GS as the sum leaves GS.
        kind("GS", 0x08),
        kind("ALL", 0x0F),
    ]);

    /// The kinds that have a name, for tools. Sets of states are named one by one and as a whole.
    #[must_use]
    #[inline]
    pub const fn choices(self) -> &'static [MaskChoice] {
        match self {
            Self::Fixed(_) => &[],
            Self::Mesi => STATES,
            Self::MesiAndPrefetch => STATES_AND_PREFETCH,
            Self::Agent => AGENTS,
            Self::OwnOnly => OWN,
            Self::OneOf(choices) => choices,
        }
    }

    /// Whether the event has this unit mask.
    #[must_use]
    #[inline]
    pub const fn allows(self, mask: u8) -> bool {
        match self {
            Self::Fixed(only) => mask == only,
            Self::Mesi => mask <= Mesi::all().bits(),
            Self::MesiAndPrefetch => mask <= 0x3F,
            Self::Agent | Self::OwnOnly | Self::OneOf(_) => {
                let mut choices = self.choices();
                while let [first, rest @ ..] = choices {
                    if first.mask == mask {
                        return true;
                    }
                    choices = rest;
                }
                false
            }
        }
    }

    /// What an event counts if nobody says which kind: the one there is, all states, own transactions. `None` where kinds
    /// are to be chosen from.
    #[must_use]
    #[inline]
    pub const fn default_mask(self) -> Option<u8> {
        match self {
            Self::Fixed(only) => Some(only),
            Self::Mesi => Some(Mesi::all().bits()),
            Self::MesiAndPrefetch => Some(Mesi::all().bits() | Prefetched::Included.bits()),
            Self::Agent | Self::OwnOnly => Some(BusAgent::Own.bits()),
            Self::OneOf(_) => None,
        }
    }

    /// The unit mask of the kind called `name`, whatever its case.
    #[must_use]
    pub fn by_name(self, name: &str) -> Option<u8> {
        Some(self.choices().iter().find(|choice| choice.name.eq_ignore_ascii_case(name))?.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(mask: UnitMask) -> impl Iterator<Item = u8> {
        (0..=0xFF).filter(move |value| mask.allows(*value))
    }

    // P6EV-86: bits 3:0 select the states, all of them is 0FH, none is a legal mask that counts nothing
    #[test]
    fn states_of_a_line() {
        assert_eq!([Mesi::M, Mesi::E, Mesi::S, Mesi::I].map(|state| state.bits()), [8, 4, 2, 1]);
        assert_eq!(UnitMask::Mesi.default_mask(), Some(0x0F));
        assert!(allowed(UnitMask::Mesi).eq(0x00..=0x0F));
        assert!(UnitMask::Mesi.allows((Mesi::M | Mesi::E).bits()));
    }

    // P6EV-87: bit 5 for any agent, without it only own transactions
    #[test]
    fn agents() {
        assert_eq!(UnitMask::Agent.default_mask(), Some(0x00));
        assert!(allowed(UnitMask::Agent).eq([0x00, 0x20]));
        assert!(allowed(UnitMask::OwnOnly).eq([0x00]));
        assert_eq!(BusAgent::Any.bits(), 0x20);
        assert_eq!(BusAgent::Own.bits(), 0x00);
    }

    #[test]
    fn kinds_are_chosen_not_summed() {
        assert!(allowed(UnitMask::SEGMENTS).eq([0x01, 0x02, 0x04, 0x08, 0x0F]));
        assert!(allowed(UnitMask::MMX_KINDS).eq([0x01, 0x02, 0x04, 0x08, 0x10, 0x20]));
        assert!(allowed(UnitMask::PREFETCHES).eq([0x00, 0x01, 0x02, 0x03]));
        assert!(allowed(UnitMask::Fixed(0x0F)).eq([0x0F]));
        assert_eq!(UnitMask::SEGMENTS.default_mask(), None);
        assert_eq!(UnitMask::SEGMENTS.by_name("gs"), Some(0x08));
        assert_eq!(UnitMask::SEGMENTS.by_name("CS"), None);
    }
}
