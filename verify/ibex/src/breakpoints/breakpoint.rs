//! What a breakpoint covers.
//!
//! Source: the document on debugging, "Debug registers", for R/W and LEN.

use crate::instruction::DataAccess;

/// The breakpoint `n`, as DR0 to DR3 and DR7 hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// Address: DRn.
    pub address: u32,
    /// Ln or Gn.
    pub on: bool,
    /// R/Wn.
    pub kind: u32,
    /// LENn.
    pub len: u32,
}

impl Breakpoint {
    /// Returns the breakpoint `n` of these registers.
    #[must_use]
    pub fn of(addresses: &[u32; 4], dr7: u32, n: usize) -> Self {
        let field = |shift: usize| dr7 >> shift & 3;
        Self { address: addresses[n], on: field(2 * n) != 0, kind: field(16 + 4 * n), len: field(18 + 4 * n) }
    }

    /// Returns whether an access from `address` on hits.
    #[must_use]
    pub fn hit(&self, access: DataAccess, address: u32) -> bool {
        let waits = match self.kind {
            1 => access.stores,
            3 => true,
            _ => false,
        };
        let bytes = [1, 2, 8, 4][self.len as usize];
        let aligned = self.address & !(bytes - 1);
        // Each byte on its own: both ranges may wrap.
        self.on && waits && (0..access.bytes).any(|byte| address.wrapping_add(byte).wrapping_sub(aligned) < bytes)
    }
}
