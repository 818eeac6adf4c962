//! Errors of straps.

use core::fmt;

/// Straps that no hardware of this size may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A strap has more bits than its port.
    Wide(&'static [&'static str; 1]),
    /// `line` is below 4 or above 8.
    Line(u8),
    /// More sets of the L3 cache than the build has.
    L3Sets,
    /// No ways of the L3 cache, or more than the build has.
    L3Ways,
    /// More sets of the L2 cache than the build has.
    L2Sets,
    /// No ways of the L2 cache, or more than the build has.
    L2Ways,
    /// A size or masks of an L2 cache that does not exist.
    WithoutL2(&'static [&'static str; 2]),
    /// `sparse` of AMD.
    SparseAmd,
    /// More RMIDs than the build has.
    MaxRmid,
    /// `l3_max_rmid` is above `max_rmid`.
    L3MaxRmid,
    /// RMIDs without monitoring.
    RmidsWithoutMonitoring,
    /// `width` is below 24 or above 62.
    Width(u8),
    /// A `width` of AMD that CPUID cannot say.
    WidthAmd,
    /// `width` and `scale` need more than 62 bits.
    WidthScale,
    /// More classes than the build has.
    Classes(&'static [&'static str; 1]),
    /// A class or CDP of a resource that does not exist.
    WithoutResource(&'static [&'static str; 2]),
    /// CDP with one mask.
    CdpOneMask(&'static [&'static str; 2]),
    /// Delays with a largest delay or period of 0.
    NoDelay(&'static [&'static str; 2]),
    /// Linear delays above 99 percent.
    LinearMax(u16),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wide([strap]) => write!(f, "{strap} has more bits than its port"),
            Self::Line(line) => write!(f, "line must be 4 to 8: it is {line}"),
            Self::L3Sets => f.write_str("2^l3_sets is more than the sets of the L3 cache in this build"),
            Self::L3Ways => f.write_str("l3_ways must be 1 to the ways of the L3 cache in this build"),
            Self::L2Sets => f.write_str("2^l2_sets is more than the sets of the L2 cache in this build"),
            Self::L2Ways => f.write_str("l2_ways must be 1 to the ways of the L2 cache in this build"),
            Self::WithoutL2([strap, _]) => write!(f, "{strap} must be 0 without l2: there is no such cache"),
            Self::SparseAmd => f.write_str("sparse = 1 excludes vendor = amd: AMD's masks are never restricted"),
            Self::MaxRmid => f.write_str("max_rmid must be below the RMIDs of this build"),
            Self::L3MaxRmid => f.write_str("l3_max_rmid must be at most max_rmid"),
            Self::RmidsWithoutMonitoring => f.write_str("max_rmid must be 0 with events = 0: there is no monitoring"),
            Self::Width(width) => write!(f, "width must be 24 to 62: it is {width}"),
            Self::WidthAmd => {
                f.write_str("width must be 25 to 62 with vendor = amd: CPUID says 0 for 24, which is 44 there")
            }
            Self::WidthScale => f.write_str("width + scale must be at most 62: a counter has 62 bits"),
            Self::Classes([strap]) => write!(f, "{strap} must be below the classes of this build"),
            Self::WithoutResource([strap, resource]) => write!(f, "{strap} must be 0 without {resource}"),
            Self::CdpOneMask([cdp, cos]) => write!(f, "{cdp} = 1 needs {cos} > 0: one mask is no pair"),
            Self::NoDelay([strap, _]) => write!(f, "mba = 1 needs {strap} > 0: nothing would be delayed"),
            Self::LinearMax(max) => write!(f, "mba_max must be at most 99 with mba_linear = 1: it is {max}"),
        }
    }
}

impl core::error::Error for ConfigError {}

impl ConfigError {
    /// Returns the names of the straps that the error is about, the likeliest mistake first.
    #[must_use]
    pub const fn straps(&self) -> &'static [&'static str] {
        match self {
            Self::Line(_) => &["line"],
            Self::L3Sets => &["l3_sets"],
            Self::L3Ways => &["l3_ways"],
            Self::L2Sets => &["l2_sets"],
            Self::L2Ways => &["l2_ways"],
            Self::SparseAmd => &["sparse", "vendor"],
            Self::MaxRmid => &["max_rmid"],
            Self::L3MaxRmid => &["l3_max_rmid", "max_rmid"],
            Self::RmidsWithoutMonitoring => &["max_rmid", "events"],
            Self::Width(_) => &["width"],
            Self::WidthAmd => &["width", "vendor"],
            Self::WidthScale => &["scale", "width"],
            Self::LinearMax(_) => &["mba_max", "mba_linear"],
            Self::Wide(straps) | Self::Classes(straps) => *straps,
            Self::WithoutL2(straps)
            | Self::WithoutResource(straps)
            | Self::CdpOneMask(straps)
            | Self::NoDelay(straps) => *straps,
        }
    }
}
