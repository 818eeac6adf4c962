//! I/O.

/// I/O port that the instruction in lane 0 accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Io {
    /// Whether the instruction accesses a port. Ignored in a partial cycle and if nothing retires in lane 0. The other fields are valid
    /// with it.
    pub valid: bool,
    /// Whether the access is an output (OUT, OUTS) rather than an input (IN, INS).
    pub write: bool,
    /// Lowest port address.
    pub port: u16,
    /// Number of ports as the unit's input encodes it, 3 bits.
    pub size: u8,
}

impl Io {
    /// Returns the number of ports from `port` upwards: 1, 2 or 4. Another size is not used and acts as 1.
    #[must_use]
    pub const fn ports(self) -> u8 {
        match self.size {
            size @ (2 | 4) => size,
            _ => 1,
        }
    }
}
