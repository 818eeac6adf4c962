//! The registers of one entry, and what they say.

use super::ArchLbrCaps;
use crate::bits::{U2, U4};
use crate::msr::{Msr, msr_value};

layout! {
    /// `IA32_LBR_x_FROM_IP`: where a branch came from; 0 in an entry without a record.
    ///
    /// Unconfirmed: the address is canonical, and a write ignores the bits above the width of linear addresses.
    ///
    /// Source: Linux, `msr-index.h`, `MSR_ARCH_LBR_FROM_0`.
    #[doc(alias = "0x1500")]
    #[doc(alias = "IA32_LBR_x_FROM_IP")]
    #[doc(alias = "MSR_ARCH_LBR_FROM_0")]
    pub struct Ia32LbrFrom: u64, Preserve {
        /// The address.
        #[inline]
        pub source: u64,
    }
}

msr_value!(Ia32LbrFrom, "IA32_LBR_x_FROM_IP", read_write);

layout! {
    /// `IA32_LBR_x_TO_IP`: where a branch went.
    ///
    /// Source: Linux, `msr-index.h`, `MSR_ARCH_LBR_TO_0`.
    #[doc(alias = "0x1600")]
    #[doc(alias = "IA32_LBR_x_TO_IP")]
    #[doc(alias = "MSR_ARCH_LBR_TO_0")]
    pub struct Ia32LbrTo: u64, Preserve {
        /// The address.
        #[inline]
        pub destination: u64,
    }
}

msr_value!(Ia32LbrTo, "IA32_LBR_x_TO_IP", read_write);

layout! {
    /// `IA32_LBR_x_INFO`: what else is known of a branch. [`ArchLbrCaps::decode`] gives the fields that the processor has.
    ///
    /// Unconfirmed: a write of the bits without a field does not fault, and they may read as another value.
    ///
    /// Source: Linux, `msr-index.h`, `MSR_ARCH_LBR_INFO_0` and `LBR_INFO_*`; bits 39:32: ibid., `LBR_INFO_BR_CNTR_OFFSET`.
    #[doc(alias = "0x1200")]
    #[doc(alias = "IA32_LBR_x_INFO")]
    #[doc(alias = "MSR_ARCH_LBR_INFO_0")]
    pub struct Ia32LbrInfo: u64, Preserve {
        /// Core clocks since the previous record (CYC_CNT), if `cycles_valid`.
        #[inline]
        pub cycles: u16,
        __: u16,
        /// How often the event of counter 0 has occurred since the previous record; 3 stands for more, too (unconfirmed).
        #[inline]
        #[bits(2)]
        pub counter_0: U2,
        /// The same of counter 1.
        #[inline]
        #[bits(2)]
        pub counter_1: U2,
        /// The same of counter 2.
        #[inline]
        #[bits(2)]
        pub counter_2: U2,
        /// The same of counter 3.
        #[inline]
        #[bits(2)]
        pub counter_3: U2,
        __: u16,
        /// The kind of branch (BR_TYPE): [`ArchBranchType`].
        #[inline]
        #[bits(4)]
        pub branch_type: U4,
        /// `cycles` is valid (CYC_CNT_VALID).
        #[inline]
        pub cycles_valid: bool,
        /// The branch is the abort of a transaction.
        #[inline]
        pub tsx_abort: bool,
        /// The branch was taken in a transaction.
        #[inline]
        pub in_tsx: bool,
        /// The branch was mispredicted.
        #[inline]
        pub mispredicted: bool,
    }
}

msr_value!(Ia32LbrInfo, "IA32_LBR_x_INFO", read_write);

/// The kind of a branch, `IA32_LBR_x_INFO`\[59:56\].
///
/// Source: Linux, `arch/x86/events/intel/lbr.c`, `ARCH_LBR_BR_TYPE_*` (0 to 5); that 8 to 15 are other branches is
/// unconfirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ArchBranchType {
    /// A conditional branch (0).
    Conditional,
    /// An indirect near jump (1).
    IndirectJump,
    /// A relative near jump (2).
    RelativeJump,
    /// An indirect near call (3).
    IndirectCall,
    /// A relative near call (4).
    RelativeCall,
    /// A near return (5).
    Return,
    /// Another branch (8 to 15); the number is kept.
    Other(u8),
    /// A number that this crate does not know.
    Unknown(u8),
}

impl ArchBranchType {
    /// The kind with this number.
    #[must_use]
    #[inline]
    pub const fn new(number: U4) -> Self {
        match number.get() {
            0 => Self::Conditional,
            1 => Self::IndirectJump,
            2 => Self::RelativeJump,
            3 => Self::IndirectCall,
            4 => Self::RelativeCall,
            5 => Self::Return,
            number @ 8.. => Self::Other(number),
            number => Self::Unknown(number),
        }
    }

    /// The number of the kind.
    #[must_use]
    #[inline]
    pub const fn number(self) -> U4 {
        U4::masked(match self {
            Self::Conditional => 0,
            Self::IndirectJump => 1,
            Self::RelativeJump => 2,
            Self::IndirectCall => 3,
            Self::RelativeCall => 4,
            Self::Return => 5,
            Self::Other(number) | Self::Unknown(number) => number,
        })
    }
}

/// The registers of one entry, as they were read or are to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArchLbrEntry {
    /// `IA32_LBR_x_FROM_IP`.
    pub from: Ia32LbrFrom,
    /// `IA32_LBR_x_TO_IP`.
    pub to: Ia32LbrTo,
    /// `IA32_LBR_x_INFO`.
    pub info: Ia32LbrInfo,
}

/// The numbers of the registers of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArchLbrEntryMsrs {
    /// `IA32_LBR_x_FROM_IP`, 1500H + x.
    pub from: Msr<Ia32LbrFrom>,
    /// `IA32_LBR_x_TO_IP`, 1600H + x.
    pub to: Msr<Ia32LbrTo>,
    /// `IA32_LBR_x_INFO`, 1200H + x.
    pub info: Msr<Ia32LbrInfo>,
}

/// What one entry says. What the processor does not report is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct ArchLbrRecord {
    /// Address of the branch, or where an interrupt or exception struck. CPUID tells which kind of address
    /// ([`ArchLbrEax::linear_addresses`](super::ArchLbrEax::linear_addresses)).
    pub from: u64,
    /// Address of its target.
    pub to: u64,
    /// Whether the branch was mispredicted.
    pub mispredicted: Option<bool>,
    /// Whether the branch was taken in a transaction.
    pub in_tsx: bool,
    /// Whether the branch is the abort of a transaction.
    pub tsx_abort: bool,
    /// Core clocks since the previous record; `None` also where the entry says that they are not valid.
    pub cycles: Option<u16>,
    /// The kind of branch.
    pub branch_type: Option<ArchBranchType>,
    /// Occurrences of the events of counters 0 to 3 since the previous record, 0 to 3.
    pub counts: [Option<u8>; 4],
}

impl ArchLbrCaps {
    /// What the registers of an entry say; `None` if it holds no record, which its source of 0 tells.
    ///
    /// Source: Linux, `arch/x86/events/intel/lbr.c`, `intel_pmu_store_lbr`: "Read LBR entries until invalid entry (0s) is
    /// detected".
    #[must_use]
    #[inline]
    pub const fn decode(&self, entry: ArchLbrEntry) -> Option<ArchLbrRecord> {
        let info = entry.info;
        if entry.from.source() == 0 {
            return None;
        }
        let values = [info.counter_0(), info.counter_1(), info.counter_2(), info.counter_3()];
        let mut counts = [None; 4];
        let mut counter = 0;
        while counter < counts.len() {
            if self.ecx.counters().get() >> counter & 1 != 0 {
                counts[counter] = Some(values[counter].get());
            }
            counter += 1;
        }
        Some(ArchLbrRecord {
            from: entry.from.source(),
            to: entry.to.destination(),
            mispredicted: if self.ecx.mispredicted() { Some(info.mispredicted()) } else { None },
            in_tsx: info.in_tsx(),
            tsx_abort: info.tsx_abort(),
            cycles: if self.ecx.cycles() && info.cycles_valid() { Some(info.cycles()) } else { None },
            branch_type: if self.ecx.branch_type() { Some(ArchBranchType::new(info.branch_type())) } else { None },
            counts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::caps::tests::{ALL, LEAST};
    use super::*;

    // Linux: LBR_INFO_CYCLES 0xffff, BR_CNTR_OFFSET 32 with 4 of 2 bits, BR_TYPE_OFFSET 56 (0xf), CYC_CNT_VALID 60,
    // ABORT 61, IN_TX 62, MISPRED 63
    #[test]
    fn positions() {
        let info = Ia32LbrInfo::new;
        assert_eq!(info().with_cycles(0xFFFF).into_bits(), 0xFFFF);
        let counters = [
            info().with_counter_0(U2::MAX),
            info().with_counter_1(U2::MAX),
            info().with_counter_2(U2::MAX),
            info().with_counter_3(U2::MAX),
        ];
        assert_eq!(counters.map(Ia32LbrInfo::into_bits), [3 << 32, 3 << 34, 3 << 36, 3 << 38]);
        assert_eq!(info().with_branch_type(U4::MAX).into_bits(), 0x0F00_0000_0000_0000);
        assert_eq!(info().with_cycles_valid(true).into_bits(), 1 << 60);
        assert_eq!(info().with_tsx_abort(true).into_bits(), 1 << 61);
        assert_eq!(info().with_in_tsx(true).into_bits(), 1 << 62);
        assert_eq!(info().with_mispredicted(true).into_bits(), 1 << 63);
        assert_eq!(Ia32LbrInfo::RESERVED, 0x00FF_FF00_FFFF_0000);
    }

    // Linux: JCC 0, NEAR_IND_JMP 1, NEAR_REL_JMP 2, NEAR_IND_CALL 3, NEAR_REL_CALL 4, NEAR_RET 5
    #[test]
    fn kinds() {
        use ArchBranchType::*;
        let first =
            [Conditional, IndirectJump, RelativeJump, IndirectCall, RelativeCall, Return, Unknown(6), Unknown(7)];
        for number in 0..16 {
            let kind = ArchBranchType::new(U4::masked(number));
            assert_eq!(kind, first.get(usize::from(number)).copied().unwrap_or(Other(number)));
            assert_eq!(kind.number(), number);
        }
    }

    #[test]
    fn what_the_processor_reports() {
        let entry = ArchLbrEntry {
            from: Ia32LbrFrom::from_bits(0xFFFF_FFFF_8100_0010),
            to: Ia32LbrTo::from_bits(0x40_0000),
            info: Ia32LbrInfo::from_bits(0xD500_00E4_0000_0123),
        };
        let all = ArchLbrRecord {
            from: 0xFFFF_FFFF_8100_0010,
            to: 0x40_0000,
            mispredicted: Some(true),
            in_tsx: true,
            tsx_abort: false,
            cycles: Some(0x123),
            branch_type: Some(ArchBranchType::Return),
            counts: [Some(0), Some(1), Some(2), Some(3)],
        };
        assert_eq!(ALL.decode(entry), Some(all));
        let least = ArchLbrRecord { mispredicted: None, cycles: None, branch_type: None, counts: [None; 4], ..all };
        assert_eq!(LEAST.decode(entry), Some(least));
        let invalid = ArchLbrEntry { info: entry.info.with_cycles_valid(false), ..entry };
        assert_eq!(ALL.decode(invalid).unwrap().cycles, None);
        assert_eq!(ALL.decode(ArchLbrEntry { from: Ia32LbrFrom::new(), ..entry }), None);
    }
}
