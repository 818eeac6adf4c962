//! Finding LWP.

use crate::access::Cpuid;
use crate::lwp::{CapsError, EdxLayout, LwpCaps, PresenceBit, cpuid};
use core::fmt;

/// What LWP can do on this processor. `presence` and `layout` say how to read what the proposal leaves open or
/// contradicts itself about; [`PresenceBit::PROJECT`] and [`EdxLayout::AsPrinted`] are this project's choices.
///
/// Logical processors may differ; [`LwpCaps::intersect`] is what holds on all of them.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification".
///
/// # Errors
///
/// [`NotFound`]: there is nothing to be used.
pub fn find(cpuid: &impl Cpuid, presence: PresenceBit, layout: EdxLayout) -> Result<LwpCaps, NotFound> {
    let [_, _, ecx, edx] = cpuid.leaf(cpuid::LEAF_PRESENCE, 0).ok_or(NotFound::Absent)?;
    if !presence.is_set(ecx, edx) {
        return Err(NotFound::Absent);
    }
    let leaf = cpuid.leaf(cpuid::LEAF_FEATURES, 0).ok_or(NotFound::Unavailable)?;
    let caps = LwpCaps::from_cpuid(leaf, layout).ok_or(NotFound::Unavailable)?;
    caps.validate().map_err(NotFound::Caps)?;
    Ok(caps)
}

/// Why there is no LWP to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum NotFound {
    /// The presence bit of CPUID 8000_0001 is 0.
    Absent,
    /// The presence bit is 1, but CPUID 8000_001C is not there or says in EDX\[0\] that LWP is not available.
    Unavailable,
    /// What CPUID 8000_001C says makes no sense for version 1.
    Caps(CapsError),
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("no LWP: the presence bit of CPUID 8000_0001 is 0"),
            Self::Unavailable => {
                f.write_str("LWP is present, but CPUID 8000_001C EDX[0] says that it is not available")
            }
            Self::Caps(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for NotFound {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Caps(error) => Some(error),
            Self::Absent | Self::Unavailable => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A processor with this in the highest leaf, in EDX of 8000_0001, and in 8000_001C.
    fn processor(highest: u32, edx: u32, features: [u32; 4]) -> impl Fn(u32, u32) -> [u32; 4] {
        move |leaf, _| match leaf {
            0x8000_0000 => [highest, 0, 0, 0],
            0x8000_0001 => [0, 0, 0, edx],
            0x8000_001C => features,
            _ => [0xFFFF_FFFF; 4],
        }
    }

    fn found(cpuid: impl Fn(u32, u32) -> [u32; 4]) -> Result<LwpCaps, NotFound> {
        find(&cpuid, PresenceBit::PROJECT, EdxLayout::AsPrinted)
    }

    // LWP-OVR-06, LWP-CPU-01
    #[test]
    fn lwp_is_found_by_cpuid() {
        let good = [0, 0x0103_2040, 0x8000_002A, 0x1F];
        assert_eq!(found(processor(0x8000_001D, 1 << 28, good)).unwrap().max_events, 3);
        assert_eq!(found(processor(0x8000_001D, !(1 << 28), good)), Err(NotFound::Absent));
        assert_eq!(found(processor(0x8000_0000, 1 << 28, good)), Err(NotFound::Absent), "the leaf is not there");
        assert_eq!(found(processor(0x8000_0008, 1 << 28, good)), Err(NotFound::Unavailable), "nor is this one");
        assert_eq!(found(processor(0x8000_001D, 1 << 28, [0, 0, 0, 0x1E])), Err(NotFound::Unavailable));
        let other = [0, 0x0203_2040, 0x8000_002A, 0x1F];
        assert_eq!(found(processor(0x8000_001D, 1 << 28, other)), Err(NotFound::Caps(CapsError::Version(2))));
    }
}
