//! The fields of a slot.

/// The 41 bits of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding(pub(super) u64);

impl Encoding {
    /// Returns `length` bits from bit `low` upwards.
    pub(super) const fn field(self, low: u32, length: u32) -> u64 {
        self.0 >> low & ((1 << length) - 1)
    }

    /// Returns a register number or another field of at most 7 bits.
    pub(super) const fn small(self, low: u32, length: u32) -> u8 {
        self.field(low, length) as u8
    }

    pub(super) const fn bit(self, index: u32) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Returns the major opcode, bits 40:37.
    pub(super) const fn opcode(self) -> u8 {
        self.small(37, 4)
    }

    /// Returns the qualifying predicate.
    pub(super) const fn qp(self) -> u8 {
        self.small(0, 6)
    }

    /// Returns the register in bits 12:6, mostly the target.
    pub(super) const fn r1(self) -> u8 {
        self.small(6, 7)
    }

    /// Returns the register in bits 19:13.
    pub(super) const fn r2(self) -> u8 {
        self.small(13, 7)
    }

    /// Returns the register in bits 26:20.
    pub(super) const fn r3(self) -> u8 {
        self.small(20, 7)
    }

    /// Returns the predicate register in bits 11:6, the first target of a comparison.
    pub(super) const fn p1(self) -> u8 {
        self.small(6, 6)
    }

    /// Returns the predicate register in bits 32:27, the second target of a comparison.
    pub(super) const fn p2(self) -> u8 {
        self.small(27, 6)
    }

    /// Returns the immediate of 8 bits: sign in bit 36, bits 19:13.
    pub(super) const fn imm8(self) -> i64 {
        signed(self.field(36, 1) << 7 | self.field(13, 7), 8)
    }

    /// Returns the increment of 9 bits of a load: sign in bit 36, bit 27, bits 19:13.
    pub(super) const fn imm9_load(self) -> i64 {
        signed(self.field(36, 1) << 8 | self.field(27, 1) << 7 | self.field(13, 7), 9)
    }

    /// Returns the increment of 9 bits of a store: sign in bit 36, bit 27, bits 12:6.
    pub(super) const fn imm9_store(self) -> i64 {
        signed(self.field(36, 1) << 8 | self.field(27, 1) << 7 | self.field(6, 7), 9)
    }

    /// Returns the immediate of 21 bits of `break` and `nop`, which has no sign: bit 36, bits 25:6.
    pub(super) const fn imm21(self) -> u64 {
        self.field(36, 1) << 20 | self.field(6, 20)
    }

    /// Returns the distance in bytes to the target of a branch: sign in bit 36, bits 32:13, in bundles.
    pub(super) const fn displacement(self) -> i64 {
        signed(self.field(36, 1) << 20 | self.field(13, 20), 21) << 4
    }
}

/// Returns the lowest `bits` of a value, extended by their sign.
pub(super) const fn signed(value: u64, bits: u32) -> i64 {
    ((value << (64 - bits)) as i64) >> (64 - bits)
}
