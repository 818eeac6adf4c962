//! Missed loads.

use crate::choice::choice;

/// Missed loads that one lane can show in one cycle. The part is an array of so many, the oldest first.
pub const LOAD_PORTS: usize = 2;

/// Source of the data of a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// The source is not known.
    #[default]
    Unknown = 0,
    /// Local L3 cache.
    LocalL3 = 1,
    /// Cache of another node.
    Remote = 2,
    /// DRAM.
    Dram = 3,
    /// Reserved.
    Reserved4 = 4,
    /// Reserved.
    Reserved5 = 5,
    /// Reserved.
    Reserved6 = 6,
    /// Another place, such as memory-mapped I/O.
    Other = 7,
}

choice!(Source {
    Unknown = "unknown",
    LocalL3 = "local L3",
    Remote = "remote",
    Dram = "DRAM",
    Reserved4 = "reserved 4",
    Reserved5 = "reserved 5",
    Reserved6 = "reserved 6",
    Other = "other",
});

/// A load that missed the data cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Whether this port carries a load that missed.
    pub miss: bool,
    /// Whether `addr` is known.
    pub addr_valid: bool,
    /// Whether the load is the replay of the tagged load (`lwp` only).
    pub tagged: bool,
    /// Address of the lowest byte that missed.
    pub addr: u64,
    /// Latency in cycles, 31 bits, saturated.
    pub latency: u32,
    /// Source of the data.
    pub source: Source,
}
