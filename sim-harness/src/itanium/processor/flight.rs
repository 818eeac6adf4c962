//! Bundles in flight: what the pipeline shows of each, and when.

use crate::itanium::ia64::{Access, Bundle, Request, Retired};
use lwp_model::itanium::{Fetch, Issue, Retire};

/// Instructions of a bundle that retire together: they execute at one level, and the last one may make a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunk {
    pub(super) cpl: u8,
    slots: u8,
    off: u8,
    branch: u8,
    pub(super) taken: u8,
    /// Slot and access of each instruction with one.
    pub(super) accesses: [Option<(u8, Access)>; 3],
    pub(super) request: Option<Request>,
}

impl Chunk {
    pub(super) const fn at(cpl: u8) -> Self {
        Self { cpl, slots: 0, off: 0, branch: 0, taken: 0, accesses: [None; 3], request: None }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.slots == 0 && self.request.is_none()
    }

    /// Adds an instruction; one that is refused does not retire.
    pub(super) fn add(&mut self, retired: &Retired, refused: bool) {
        let bit = 1 << retired.slot;
        let set = |yes: bool| if yes { bit } else { 0 };
        if !refused {
            self.slots |= bit;
            self.off |= set(retired.off);
            self.branch |= set(retired.branch);
            self.taken |= set(retired.taken);
        }
        self.accesses[usize::from(retired.slot)] = retired.access.map(|access| (retired.slot, access));
        self.request = retired.request;
    }

    /// Returns what the pipeline shows when it retires.
    pub(super) const fn retire(&self, id: u8) -> Retire {
        let Self { slots, off, branch, taken, .. } = *self;
        Retire { valid: slots != 0, id, slots, off, branch, taken }
    }

    pub(super) fn records(&self) -> usize {
        self.accesses.iter().flatten().count()
    }

    /// Returns the number of instructions.
    pub(super) const fn instructions(&self) -> u32 {
        self.slots.count_ones()
    }
}

/// Chunks of a bundle at most: each instruction may be one.
const CHUNKS: usize = 3;

/// A bundle from fetch to the last of its instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) id: u8,
    pub(super) ip: u64,
    pub(super) cpl: u8,
    pub(super) bundle: Bundle,
    pub(super) fetched: u64,
    /// Cycle of its issue; `u64::MAX` until then.
    pub(super) issued: u64,
    chunks: [Chunk; CHUNKS],
    first: usize,
    count: usize,
    /// No more of it will execute.
    pub(super) complete: bool,
}

impl Flight {
    pub(super) const fn new(id: u8, ip: u64, cpl: u8, bundle: Bundle, fetched: u64) -> Self {
        Self {
            id,
            ip,
            cpl,
            bundle,
            fetched,
            issued: u64::MAX,
            chunks: [Chunk::at(0); CHUNKS],
            first: 0,
            count: 0,
            complete: false,
        }
    }

    pub(super) const fn fetch(&self) -> Fetch {
        Fetch { valid: true, id: self.id, addr: self.ip, cpl: self.cpl }
    }

    pub(super) const fn issue(&self) -> Issue {
        let Bundle { template, slots: [slot0, slot1, slot2] } = self.bundle;
        Issue { valid: true, id: self.id, template_code: template, slot0, slot1, slot2 }
    }

    pub(super) fn push(&mut self, chunk: Chunk) {
        if !chunk.is_empty() {
            self.chunks[self.count] = chunk;
            self.count += 1;
        }
    }

    /// Returns the chunk that retires next.
    pub(super) fn chunk(&self) -> Option<&Chunk> {
        self.chunks[..self.count].get(self.first)
    }

    /// Whether it ends with a taken branch.
    pub(super) fn is_taken(&self) -> bool {
        self.chunks[..self.count].iter().any(|chunk| chunk.taken != 0)
    }

    /// The chunk has retired.
    pub(super) const fn retired(&mut self) {
        self.first += 1;
    }

    /// Whether nothing is left of it.
    pub(super) const fn is_done(&self) -> bool {
        self.complete && self.first == self.count
    }
}
