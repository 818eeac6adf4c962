//! Where a model has its LBR registers.

use super::{LbrDepth, LbrFrom, LbrInfo, LbrSelect, LbrTo, LbrTos};
use crate::msr::Msr;

/// Where a model has the registers of its LBR stack, and how many. The registers are model-specific; what they hold is
/// told by [`LbrFormat`](super::LbrFormat).
///
/// Source: Linux, `arch/x86/events/intel/lbr.c` and `msr-index.h`; models: Intel SDM volume 3B, "LBR Stack", table "LBR
/// Stack Size and TOS Pointer Range"; models 0DH and 0EH: ibid. (253669-032), "Last Branch, Interrupt, and Exception
/// Recording (Intel Core Solo and Intel Core Duo Processors)" and "(Pentium M Processors)"; models from 2010 on: Linux,
/// `arch/x86/events/intel/core.c` (`intel_pmu_init`) with `intel-family.h`, and Xen, `vmx.c` (its list of LBR models).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LbrLayout {
    depth: LbrDepth,
    from: u32,
    to: Option<u32>,
    info: Option<u32>,
    select: bool,
    call_stack: bool,
}

/// The registers of one entry of the LBR stack: source, destination and, on Skylake and later, information. Pentium M and
/// Core Duo have one register for source and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LbrEntryMsrs {
    /// `MSR_LASTBRANCH_x_FROM_IP`; on Pentium M and Core Duo `MSR_LASTBRANCH_x`, which holds the destination as well.
    pub from: Msr<LbrFrom>,
    /// `MSR_LASTBRANCH_x_TO_IP`, where there is one.
    pub to: Option<Msr<LbrTo>>,
    /// `MSR_LBR_INFO_x`, where there is one.
    pub info: Option<Msr<LbrInfo>>,
}

impl LbrLayout {
    /// First source register of Core 2 and Atom.
    pub(crate) const CORE_FROM: u32 = 0x40;
    /// First destination register of Core 2 and Atom.
    pub(crate) const CORE_TO: u32 = 0x60;
    /// First source register from Nehalem on.
    pub(crate) const NEHALEM_FROM: u32 = 0x680;
    /// First destination register from Nehalem on.
    pub(crate) const NEHALEM_TO: u32 = 0x6C0;
    /// First information register.
    pub(crate) const INFO: u32 = 0xDC0;

    #[inline]
    const fn core(depth: LbrDepth) -> Self {
        Self { depth, from: Self::CORE_FROM, to: Some(Self::CORE_TO), info: None, select: false, call_stack: false }
    }

    #[inline]
    const fn nehalem(depth: LbrDepth) -> Self {
        Self {
            depth,
            from: Self::NEHALEM_FROM,
            to: Some(Self::NEHALEM_TO),
            info: None,
            select: true,
            call_stack: false,
        }
    }

    /// Pentium M, Core Solo and Core Duo: 8 entries of one register each, at 40H to 47H.
    pub const PENTIUM_M: Self = Self { to: None, ..Self::core(LbrDepth::EIGHT) };
    /// Core 2: 4 entries at 40H and 60H.
    pub const CORE2: Self = Self::core(LbrDepth::FOUR);
    /// Atom (Bonnell): 8 entries at 40H and 60H.
    pub const ATOM: Self = Self::core(LbrDepth::EIGHT);
    /// Silvermont and Airmont: as Atom, with `MSR_LBR_SELECT`.
    pub const SILVERMONT: Self = Self { select: true, ..Self::ATOM };
    /// Nehalem to Ivy Bridge: 16 entries at 680H and 6C0H.
    pub const NEHALEM: Self = Self::nehalem(LbrDepth::SIXTEEN);
    /// Haswell and Broadwell: as Nehalem, with call-stack mode.
    pub const HASWELL: Self = Self { call_stack: true, ..Self::NEHALEM };
    /// Skylake to Tiger Lake and Rocket Lake, Goldmont Plus, Tremont: 32 entries at 680H and 6C0H, and information at DC0H
    /// to DDFH.
    pub const SKYLAKE: Self = Self { info: Some(Self::INFO), call_stack: true, ..Self::nehalem(LbrDepth::THIRTY_TWO) };
    /// Goldmont: as Skylake without the information.
    pub const GOLDMONT: Self = Self { info: None, ..Self::SKYLAKE };
    /// Knights Landing: 8 entries at 680H and 6C0H. (Linux reads its records as format 3 even where format 1 is
    /// reported.)
    pub const KNIGHTS_LANDING: Self = Self::nehalem(LbrDepth::EIGHT);

    /// The layout of the processor with this DisplayFamily and DisplayModel (CPUID.1:EAX, with the extended fields
    /// added). `None` for models that this crate does not know; processors with architectural LBRs
    /// ([`ArchLbrCaps`](super::ArchLbrCaps)) are among those.
    #[must_use]
    #[inline]
    pub const fn for_model(family: u8, model: u8) -> Option<Self> {
        if family != 6 {
            return None;
        }
        Some(match model {
            0x0D | 0x0E => Self::PENTIUM_M,
            0x0F | 0x17 | 0x1D => Self::CORE2,
            0x1C | 0x26 | 0x27 | 0x35 | 0x36 => Self::ATOM,
            0x37 | 0x4A | 0x4C | 0x4D | 0x5A | 0x5D => Self::SILVERMONT,
            0x1A | 0x1E | 0x1F | 0x2E | 0x25 | 0x2C | 0x2F | 0x2A | 0x2D | 0x3A | 0x3E => Self::NEHALEM,
            0x3C | 0x3F | 0x45 | 0x46 | 0x3D | 0x47 | 0x4F | 0x56 => Self::HASWELL,
            0x4E | 0x5E | 0x55 | 0x8E | 0x9E | 0xA5 | 0xA6 | 0x66 => Self::SKYLAKE,
            0x7D | 0x7E | 0x6A | 0x6C | 0x8C | 0x8D | 0xA7 => Self::SKYLAKE, // Ice, Tiger and Rocket Lake
            0x7A | 0x86 | 0x96 | 0x9C => Self::SKYLAKE,                      // Goldmont Plus, Tremont
            0x5C | 0x5F => Self::GOLDMONT,
            0x57 | 0x85 => Self::KNIGHTS_LANDING,
            _ => return None,
        })
    }

    /// Number of entries.
    #[must_use]
    #[inline]
    pub const fn depth(&self) -> LbrDepth {
        self.depth
    }

    /// Whether each entry has an `MSR_LBR_INFO_x`.
    #[must_use]
    #[inline]
    pub const fn has_info(&self) -> bool {
        self.info.is_some()
    }

    /// Whether an entry is one register, which holds source and destination.
    #[must_use]
    #[inline]
    pub const fn is_one_register(&self) -> bool {
        self.to.is_none()
    }

    /// Whether branches can be kept to calls and returns that have not returned.
    #[must_use]
    #[inline]
    pub const fn has_call_stack(&self) -> bool {
        self.call_stack
    }

    /// The registers of entry `index`, if there is one.
    #[must_use]
    #[inline]
    pub const fn entry(&self, index: u8) -> Option<LbrEntryMsrs> {
        if index >= self.depth.get() {
            return None;
        }
        let info = match self.info {
            Some(first) => Some(Msr::new(first + index as u32)),
            None => None,
        };
        let to = match self.to {
            Some(first) => Some(Msr::new(first + index as u32)),
            None => None,
        };
        Some(LbrEntryMsrs { from: Msr::new(self.from + index as u32), to, info })
    }

    /// `MSR_LASTBRANCH_TOS`.
    #[must_use]
    #[inline]
    pub const fn tos(&self) -> Msr<LbrTos> {
        LbrTos::MSR
    }

    /// `MSR_LBR_SELECT`, where there is one.
    #[must_use]
    #[inline]
    pub const fn select(&self) -> Option<Msr<LbrSelect>> {
        if self.select { Some(LbrSelect::MSR) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LBR-06: N pairs, one after the other
    #[test]
    fn pairs_of_core_2() {
        let entry = |index| {
            let entry = LbrLayout::CORE2.entry(index)?;
            Some((entry.from.address(), entry.to?.address()))
        };
        assert_eq!(
            [0, 1, 2, 3, 4].map(entry),
            [Some((0x40, 0x60)), Some((0x41, 0x61)), Some((0x42, 0x62)), Some((0x43, 0x63)), None]
        );
        assert!(LbrLayout::CORE2.entry(0).unwrap().info.is_none());
        assert_eq!(LbrLayout::CORE2.tos().address(), 0x1C9);
        assert_eq!(LbrLayout::CORE2.select(), None);
    }

    // LBR-11: eight registers at 40H to 47H, and no others
    #[test]
    fn one_register_an_entry_on_core_duo() {
        for model in [0x0D, 0x0E] {
            let layout = LbrLayout::for_model(6, model).unwrap();
            let registers = (0..9).map_while(|index| layout.entry(index));
            assert!(registers.clone().map(|entry| entry.from.address()).eq(0x40..0x48));
            assert!(registers.into_iter().all(|entry| entry.to.is_none() && entry.info.is_none()));
            assert_eq!((layout.tos().address(), layout.select()), (0x1C9, None));
        }
    }

    // LBR-21, LBR-23: triplets, 32 of them
    #[test]
    fn triplets_of_skylake() {
        let entry = |index| {
            let entry = LbrLayout::SKYLAKE.entry(index)?;
            Some([entry.from.address(), entry.to?.address(), entry.info?.address()])
        };
        assert_eq!(LbrLayout::SKYLAKE.depth().get(), 32);
        assert_eq!(entry(0), Some([0x680, 0x6C0, 0xDC0]));
        assert_eq!(entry(31), Some([0x69F, 0x6DF, 0xDDF]));
        assert_eq!(entry(32), None);
        assert_eq!(LbrLayout::SKYLAKE.select().unwrap().address(), 0x1C8);
    }

    // LBR-04: size by model
    #[test]
    fn models() {
        let depth = |model| LbrLayout::for_model(6, model).map(|layout| layout.depth().get());
        assert_eq!([0x0F, 0x1C, 0x37, 0x1A, 0x3C, 0x5E, 0x5C].map(depth), [4, 8, 8, 16, 16, 32, 32].map(Some));
        assert_eq!(LbrLayout::for_model(6, 0x5E), Some(LbrLayout::SKYLAKE));
        assert!(!LbrLayout::for_model(6, 0x5C).unwrap().has_info());
        assert_eq!(LbrLayout::for_model(6, 0x00), None);
        assert_eq!(LbrLayout::for_model(15, 0x0F), None);
    }

    // Xen's `get_lbr_info` returns sk_lbr for these: MSR_LBR_NHM_FROM and _TO with 32 entries, MSR_LBR_INFO_0 (0xdc0 ...
    // 0xddf for _31), LBR_SELECT and TOS; Linux's `intel_pmu_lbr_init_skl` says the same and selects the call stack.
    #[test]
    fn skylake_to_tiger_lake() {
        let models = [
            ("SKYLAKE_L", 0x4E),
            ("SKYLAKE", 0x5E),
            ("SKYLAKE_X", 0x55),
            ("KABYLAKE_L", 0x8E),
            ("KABYLAKE", 0x9E),
            ("COMETLAKE", 0xA5),
            ("COMETLAKE_L", 0xA6),
            ("CANNONLAKE_L", 0x66),
            ("ICELAKE", 0x7D),
            ("ICELAKE_L", 0x7E),
            ("ICELAKE_X", 0x6A),
            ("ICELAKE_D", 0x6C),
            ("TIGERLAKE_L", 0x8C),
            ("TIGERLAKE", 0x8D),
            ("ROCKETLAKE", 0xA7),
            ("ATOM_GOLDMONT_PLUS", 0x7A),
            ("ATOM_TREMONT_D", 0x86),
        ];
        for (name, model) in models {
            let layout = LbrLayout::for_model(6, model).unwrap();
            let last = layout.entry(31).unwrap();
            let numbers = [last.from.address(), last.to.unwrap().address(), last.info.unwrap().address()];
            assert_eq!((layout.depth().get(), numbers), (32, [0x69F, 0x6DF, 0xDDF]), "{name}");
            assert!(layout.has_call_stack() && layout.select().is_some(), "{name}");
        }
        for (name, model) in [("ALDERLAKE", 0x97), ("ALDERLAKE_L", 0x9A), ("SAPPHIRERAPIDS_X", 0x8F)] {
            assert_eq!(LbrLayout::for_model(6, model), None, "{name} has architectural LBRs");
        }
    }
}
