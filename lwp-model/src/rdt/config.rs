//! Straps: the choices that are fixed after reset.

use crate::choice::choice;

/// Whose rules the registers follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Vendor {
    /// Intel: an RMID has 10 bits.
    #[default]
    Intel,
    /// AMD: an RMID has 12 bits, and a mask may be in pieces or empty.
    Amd,
}

/// To whom IA32_QM_EVTSEL belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Select {
    /// A logical processor.
    #[default]
    Thread,
    /// All logical processors.
    Package,
}

/// Whose delay holds for a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Scope {
    /// The largest delay of all logical processors.
    Core,
    /// Its own.
    #[default]
    Thread,
}

choice!(Vendor { Intel = "intel", Amd = "amd" });
choice!(Select { Thread = "thread", Package = "package" });
choice!(Scope { Core = "core", Thread = "thread" });

/// What a build has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Sets of the L3 cache.
    pub l3_sets: usize,
    /// Ways of the L3 cache.
    pub l3_ways: usize,
    /// Sets of the L2 cache.
    pub l2_sets: usize,
    /// Ways of the L2 cache.
    pub l2_ways: usize,
    /// RMIDs with counters.
    pub rmids: usize,
    /// Classes of service.
    pub classes: usize,
}

/// The straps of the unit, in the order of the RTL's `config_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Binary logarithm of the bytes of a line: 4 to 8.
    pub line: u8,
    /// Binary logarithm of the sets of the L3 cache in use.
    pub l3_sets: u8,
    /// Ways of the L3 cache in use, from way 0 upwards.
    pub l3_ways: u8,
    /// Whether there is an L2 cache in front of the L3 cache.
    pub l2: bool,
    /// Binary logarithm of the sets of the L2 cache in use.
    pub l2_sets: u8,
    /// Ways of the L2 cache in use, from way 0 upwards.
    pub l2_ways: u8,
    /// Whose rules the registers follow.
    pub vendor: Vendor,
    /// Whether masks may be in pieces: CPUID.10H.1:ECX\[3\].
    pub sparse: bool,
    /// Events that are monitored: bit 0 occupancy, bit 1 total bandwidth, bit 2 local bandwidth.
    pub events: u8,
    /// Highest RMID.
    pub max_rmid: u8,
    /// Highest RMID that is monitored.
    pub l3_max_rmid: u8,
    /// Bits of a bandwidth counter that software sees, 24 to 62.
    pub width: u8,
    /// Binary logarithm of the lines that a unit of IA32_QM_CTR stands for.
    pub scale: u8,
    /// Value of all bandwidth counters after reset, in lines: 62 bits.
    pub start: u64,
    /// Whether bandwidth counts what is written to memory.
    pub write_backs: bool,
    /// To whom IA32_QM_EVTSEL belongs.
    pub select: Select,
    /// Cycles after a WRMSR of IA32_QM_EVTSEL in which no data are available.
    pub settle: u8,
    /// Whether masks of the L3 cache exist.
    pub l3_cat: bool,
    /// Whether IA32_L3_QOS_CFG exists.
    pub l3_cdp: bool,
    /// Highest class that has a mask of the L3 cache.
    pub l3_cos: u8,
    /// Whether masks of the L2 cache exist.
    pub l2_cat: bool,
    /// Whether IA32_L2_QOS_CFG exists.
    pub l2_cdp: bool,
    /// Highest class that has a mask of the L2 cache.
    pub l2_cos: u8,
    /// Whether delay values exist.
    pub mba: bool,
    /// Highest class that has a delay value.
    pub mba_cos: u8,
    /// Largest delay value, MBA_MAX: 12 bits.
    pub mba_max: u16,
    /// Whether delay values are percent, rather than cycles.
    pub mba_linear: bool,
    /// Whose delay holds for a logical processor.
    pub mba_scope: Scope,
    /// Cycles for each L3 request of a delayed logical processor, to which the delay adds.
    pub mba_period: u8,
}

impl Config {
    /// The smallest build with everything on.
    pub const DEFAULT: Self = Self {
        line: 6,
        l3_sets: 3,
        l3_ways: 4,
        l2: true,
        l2_sets: 2,
        l2_ways: 2,
        vendor: Vendor::Intel,
        sparse: false,
        events: 7,
        max_rmid: 3,
        l3_max_rmid: 3,
        width: 24,
        scale: 0,
        start: 0,
        write_backs: true,
        select: Select::Thread,
        settle: 0,
        l3_cat: true,
        l3_cdp: true,
        l3_cos: 3,
        l2_cat: true,
        l2_cdp: true,
        l2_cos: 3,
        mba: true,
        mba_cos: 3,
        mba_max: 90,
        mba_linear: true,
        mba_scope: Scope::Thread,
        mba_period: 8,
    };

    /// Whether there is monitoring.
    #[must_use]
    #[inline]
    pub const fn has_monitoring(&self) -> bool {
        self.events != 0
    }

    /// Whether there is allocation.
    #[must_use]
    #[inline]
    pub const fn has_allocation(&self) -> bool {
        self.l3_cat || self.l2_cat || self.mba
    }

    /// Returns the set of the L3 cache to which a line belongs.
    #[inline]
    pub(super) const fn l3_set(&self, line: u64) -> u16 {
        (line & ((1 << self.l3_sets) - 1)) as u16
    }

    /// Returns the set of the L2 cache to which a line belongs.
    #[inline]
    pub(super) const fn l2_set(&self, line: u64) -> u16 {
        (line & ((1 << self.l2_sets) - 1)) as u16
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::DEFAULT
    }
}
