//! Accesses: what an instruction loads and stores.

/// Accesses that one lane can show in one cycle. The part is an array of so many, the oldest first.
pub const ACCESS_PORTS: usize = 2;

/// Bytes of the largest access. Larger areas are several accesses.
pub const ACCESS_BYTES: u8 = 64;

/// One access to data. An instruction that loads and stores the same bytes shows one access with both bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether the access loads.
    pub read: bool,
    /// Whether the access stores.
    pub write: bool,
    /// Address of the lowest byte. Valid with `read` or `write`.
    pub addr: u64,
    /// Bytes as the port has them, 7 bits. Valid with `read` or `write`.
    pub size: u8,
}

impl Access {
    /// Returns the number of bytes from `addr` upwards, modulo 2^64: 1 to 64. A size of 0 or above 64 is not used and acts as 1.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self.size {
            size @ 1..=ACCESS_BYTES => size,
            _ => 1,
        }
    }
}
