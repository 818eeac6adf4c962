//! The current frame marker and the saved frame.

/// The size of the largest frame on the register stack.
const LARGEST: u8 = 96;

/// The current frame marker: sizes of the frame on the register stack, and the bases of rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame {
    /// Size of the frame, 0 to 96.
    pub(super) sof: u8,
    /// Size of the locals, inputs included.
    pub(super) sol: u8,
    /// Size of the rotating part, in units of 8 registers.
    pub(super) sor: u8,
    pub(super) rrb_general: u8,
    pub(super) rrb_float: u8,
    pub(super) rrb_predicate: u8,
}

impl Frame {
    /// Returns the 38 bits of the marker.
    pub(super) fn bits(self) -> u64 {
        u64::from(self.sof)
            | u64::from(self.sol) << 7
            | u64::from(self.sor) << 14
            | u64::from(self.rrb_general) << 18
            | u64::from(self.rrb_float) << 25
            | u64::from(self.rrb_predicate) << 32
    }

    pub(super) fn from_bits(bits: u64) -> Self {
        let field = |low: u32, length: u32| (bits >> low & ((1 << length) - 1)) as u8;
        Self {
            sof: field(0, 7),
            sol: field(7, 7),
            sor: field(14, 4),
            rrb_general: field(18, 7),
            rrb_float: field(25, 7),
            rrb_predicate: field(32, 6),
        }
    }

    /// Returns whether the sizes and bases are possible.
    pub(super) fn is_legal(self) -> bool {
        let rotating = self.sor * 8;
        let sizes = self.sof <= LARGEST && self.sol <= self.sof && rotating <= self.sof;
        let general = self.rrb_general == 0 || self.rrb_general < rotating;
        sizes && general && self.rrb_float < 96 && self.rrb_predicate < 48
    }

    /// Renames the rotating registers by one.
    pub(super) fn rotate(&mut self) {
        let down = |base: u8, size: u8| if base == 0 { size.saturating_sub(1) } else { base - 1 };
        self.rrb_general = down(self.rrb_general, self.sor * 8);
        self.rrb_float = down(self.rrb_float, 96);
        self.rrb_predicate = down(self.rrb_predicate, 48);
    }

    /// Returns the position of a general register in the frame, or `None` for r0 to r31 and outside the frame.
    pub(super) fn general(self, number: u8) -> Option<usize> {
        let index = number.checked_sub(32)?;
        let rotating = self.sor * 8;
        let renamed = if index < rotating { (index + self.rrb_general) % rotating } else { index };
        (index < self.sof).then_some(renamed.into())
    }

    /// Returns the physical number of a floating-point register.
    pub(super) fn float(self, number: u8) -> usize {
        let renamed = if number < 32 { number } else { 32 + (number - 32 + self.rrb_float) % 96 };
        renamed.into()
    }

    /// Returns the physical number of a predicate register.
    pub(super) fn predicate(self, number: u8) -> u8 {
        if number < 16 { number } else { 16 + (number - 16 + self.rrb_predicate) % 48 }
    }
}
