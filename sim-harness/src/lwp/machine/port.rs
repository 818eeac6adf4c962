//! The memory's side of the unit's memory port.
//!
//! Source: "Memory port" in the unit's chapters of the book.

use super::host_memory::HostMemory;
use lwp_model::lwp::{Memory, Outputs};

/// Grants at once and answers after a fixed latency. An access that is not mapped, or that has been chosen, page-faults.
#[derive(Debug)]
pub(super) struct Port {
    /// Cycles from grant to response, at least 1.
    pub(super) latency: u32,
    /// How many accesses have been granted.
    pub(super) accesses: u64,
    /// The number of the access that page-faults.
    pub(super) fails: Option<u64>,
    /// Cycles until the response; 0 if none is outstanding.
    left: u32,
    response: Memory,
}

impl Port {
    pub(super) fn new() -> Self {
        Self { latency: 1, accesses: 0, fails: None, left: 0, response: Memory::default() }
    }

    /// What the port shows in a cycle in which the unit shows `out`. The access takes effect with the grant: from then on
    /// the unit cannot withdraw it.
    pub(super) fn cycle(&mut self, out: &Outputs, memory: &mut HostMemory) -> Memory {
        if self.left > 0 {
            self.left -= 1;
            return if self.left == 0 { self.response } else { Memory::default() };
        }
        if !out.mem_req {
            return Memory::default();
        }
        let chosen = self.fails == Some(self.accesses);
        let read = if chosen { None } else { memory.access(out) };
        self.accesses += 1;
        self.left = self.latency.max(1);
        self.response = Memory { rvalid: true, err: read.is_none(), rdata: read.unwrap_or(0), ..Memory::default() };
        Memory { gnt: true, ..Memory::default() }
    }

    /// Whether the unit uses the port: it asks or waits for an answer.
    pub(super) const fn is_used(&self, out: &Outputs) -> bool {
        out.mem_req || self.left > 0
    }
}
