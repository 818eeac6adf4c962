//! Bundles: 128 bits with a template and three slots.

/// The number of bytes of a bundle.
pub const BUNDLE_BYTES: u64 = 16;

/// The mask of the 41 bits of a slot.
pub const SLOT_MASK: u64 = (1 << 41) - 1;

/// The execution unit that a slot's instruction is for.
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 3, "Bundles and Templates".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Memory, or an integer instruction that both M and I execute.
    M,
    /// Integer.
    I,
    /// Floating point.
    F,
    /// Branch.
    B,
    /// The upper 41 bits of a long immediate: part of the instruction in slot 2.
    L,
    /// A long instruction: slot 2 of a bundle whose slot 1 is [`Unit::L`].
    X,
}

use Unit::{B, F, I, L, M, X};

/// The units of each template, and the slots that a stop follows. An even code has the stops of its own table entry; the odd
/// code behind it has one more at the end of the bundle.
const TEMPLATES: [Option<([Unit; 3], [bool; 2])>; 16] = [
    Some(([M, I, I], [false, false])),
    Some(([M, I, I], [false, true])),
    Some(([M, L, X], [false, false])),
    None,
    Some(([M, M, I], [false, false])),
    Some(([M, M, I], [true, false])),
    Some(([M, F, I], [false, false])),
    Some(([M, M, F], [false, false])),
    Some(([M, I, B], [false, false])),
    Some(([M, B, B], [false, false])),
    None,
    Some(([B, B, B], [false, false])),
    Some(([M, M, B], [false, false])),
    None,
    Some(([M, F, B], [false, false])),
    None,
];

/// A bundle of three instructions, or of two of which the second is long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bundle {
    /// Bits 4:0: the template.
    pub template: u8,
    /// Bits 45:5, 86:46 and 127:87: the slots, 41 bits each.
    pub slots: [u64; 3],
}

impl Bundle {
    /// Returns the bundle of 16 bytes in memory, which are little endian.
    #[must_use]
    pub fn from_bytes(bytes: [u8; BUNDLE_BYTES as usize]) -> Self {
        let bits = u128::from_le_bytes(bytes);
        let slot = |low: u32| (bits >> low) as u64 & SLOT_MASK;
        Self { template: (bits & 0x1f) as u8, slots: [slot(5), slot(46), slot(87)] }
    }

    /// Returns the 16 bytes of the bundle in memory.
    #[must_use]
    pub fn to_bytes(self) -> [u8; BUNDLE_BYTES as usize] {
        let slots = self.slots.map(|slot| u128::from(slot & SLOT_MASK));
        (u128::from(self.template & 0x1f) | slots[0] << 5 | slots[1] << 46 | slots[2] << 87).to_le_bytes()
    }

    /// Returns the units of the three slots, or `None` if the template is reserved.
    #[must_use]
    pub fn units(&self) -> Option<[Unit; 3]> {
        Some(TEMPLATES[usize::from(self.template & 0x1f) / 2]?.0)
    }

    /// Returns, for each slot, whether a stop follows it. All are false if the template is reserved.
    #[must_use]
    pub fn stops(&self) -> [bool; 3] {
        match TEMPLATES[usize::from(self.template & 0x1f) / 2] {
            Some((_, [first, second])) => [first, second, self.template & 1 == 1],
            None => [false; 3],
        }
    }

    /// Returns the slot that is executed behind `slot`, or `None` if the bundle ends there. Slot 0 of a bundle with a long
    /// instruction is followed by slot 2.
    #[must_use]
    pub fn next_slot(&self, slot: u8) -> Option<u8> {
        let next = match self.units() {
            Some([_, L, _]) if slot == 0 => 2,
            _ => slot + 1,
        };
        (next < 3).then_some(next)
    }
}
