//! Addresses of a scenario: few lines, so that sets collide, victims are frequent, and logical processors share lines.

use crate::straps::Draw;
use lwp_model::rdt::Config;
use proptest::prelude::*;

/// Bits of a physical address.
const ADDRESS: u32 = 52;

/// The lines of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// Different lines of a set.
    pub tags: u8,
    /// Different sets.
    pub sets: u8,
    /// Tags have any bits, or are the numbers from 0.
    pub wide: bool,
    /// Which sets and tags there are.
    pub seed: u64,
}

/// Generates lines: mostly a few more than a set has ways, in one to four sets.
pub fn lines() -> BoxedStrategy<Lines> {
    let tags = prop_oneof![2 => 1..=4_u8, 3 => 3..=9_u8, 2 => 8..=24_u8];
    let sets = prop_oneof![4 => Just(1_u8), 3 => 2..=4_u8, 1 => 5..=64_u8];
    (tags, sets, any::<bool>(), any::<u64>().no_shrink())
        .prop_map(|(tags, sets, wide, seed)| Lines { tags, sets, wide, seed })
        .boxed()
}

impl Lines {
    /// Returns the address of a byte of one of the lines. `part` keeps the lines of two users of the cache apart: lines of different parts
    /// differ.
    pub fn address(&self, draw: &mut Draw, straps: &Config, part: u64) -> u64 {
        let (tag, set) = (draw.below(self.tags.into()) as u64, draw.below(self.sets.into()) as u64);
        let set = if set == 0 { 0 } else { mixed(self.seed ^ set) } & ((1 << straps.l3_sets) - 1);
        let tag = if self.wide { mixed(self.seed ^ tag << 8) << 4 | tag & 15 } else { tag };
        let line = (tag << 1 | part) << straps.l3_sets | set;
        let offset = draw.below(1 << straps.line) as u64;
        (line << straps.line | offset) & ((1 << ADDRESS) - 1)
    }
}

/// Returns bits that look random, a function of `value`: the output function of SplitMix64.
pub(super) const fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}
