//! Memory behind the unit's port: words that read as 0 until they are written, pages that may be absent, and a log of the accesses.

use lwp_model::retire::{MemAnswer, MemCmd, MemRequest};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    words: BTreeMap<u64, u64>,
    /// Every access to one of these words faults.
    pub(super) absent: Vec<u64>,
    /// Cycles from the request to the grant, and from the grant to the response, beyond the first.
    pub(super) latency: usize,
    waited: usize,
    granted: Option<MemRequest>,
    /// Accesses that were granted.
    pub(super) log: Vec<MemRequest>,
}

impl Memory {
    /// The aligned 8 bytes.
    pub(super) fn word(&self, address: u64) -> u64 {
        self.words.get(&address).copied().unwrap_or_default()
    }

    /// A field of 4 or 8 bytes.
    pub(super) fn field(&self, address: u64, wide: bool) -> u64 {
        let word = self.word(address & !7);
        match (wide, address & 4) {
            (true, _) => word,
            (false, 0) => word & 0xFFFF_FFFF,
            (false, _) => word >> 32,
        }
    }

    pub(super) fn set_field(&mut self, address: u64, wide: bool, value: u64) {
        let word = self.words.entry(address & !7).or_default();
        *word = match (wide, address & 4) {
            (true, _) => value,
            (false, 0) => *word & !0xFFFF_FFFF | value,
            (false, _) => *word & 0xFFFF_FFFF | value << 32,
        };
    }

    /// So many fields from an address on.
    pub(super) fn fields(&self, address: u64, wide: bool, count: u64) -> Vec<u64> {
        let bytes = if wide { 8 } else { 4 };
        (0..count).map(|number| self.field(address + bytes * number, wide)).collect()
    }

    /// What memory answers in a cycle with this request.
    pub(super) fn answer(&mut self, request: MemRequest) -> MemAnswer {
        let nothing = MemAnswer::default();
        if self.granted.is_none() && !request.req {
            return nothing;
        }
        if self.waited < self.latency {
            self.waited += 1;
            return nothing;
        }
        self.waited = 0;
        let Some(granted) = self.granted.take() else {
            self.log.push(request);
            self.granted = Some(request);
            return MemAnswer { gnt: true, ..nothing };
        };
        if self.absent.contains(&granted.addr) {
            return MemAnswer { rvalid: true, err: true, ..nothing };
        }
        let word = self.words.entry(granted.addr).or_default();
        if granted.cmd == MemCmd::Write {
            let mask =
                (0..8).filter(|byte| granted.be >> byte & 1 != 0).fold(0, |mask, byte| mask | 0xFF << (8 * byte));
            *word = *word & !mask | granted.wdata & mask;
            return MemAnswer { rvalid: true, ..nothing };
        }
        MemAnswer { rvalid: true, rdata: *word, ..nothing }
    }
}
