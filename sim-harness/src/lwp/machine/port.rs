//! The memory side of the unit's memory port.
//!
//! Source: "Memory port" in the unit's chapters of the book.

use crate::core::HostMemory;
use crate::lwp::environment::mem_request;
use lwp_model::lwp::{Memory, Outputs};

/// A memory that grants at once and responds after a fixed latency. An access that is not mapped, or that has been
/// chosen, page-faults.
#[derive(Debug)]
pub(super) struct Port {
    /// The number of cycles from grant to response, at least 1.
    pub(super) latency: u32,
    /// The number of accesses that have been granted.
    pub(super) accesses: u64,
    /// The number of the access that page-faults.
    pub(super) fails: Option<u64>,
    /// The number of cycles until the response; 0 if none is outstanding.
    left: u32,
    response: Memory,
}

impl Port {
    pub(super) fn new() -> Self {
        Self { latency: 1, accesses: 0, fails: None, left: 0, response: Memory::default() }
    }

    /// Returns the inputs of the port in a cycle in which the unit shows `out`. The access takes effect with the grant:
    /// from then on the unit cannot withdraw it.
    pub(super) fn cycle(&mut self, out: &Outputs, memory: &mut HostMemory) -> Memory {
        if self.left > 0 {
            self.left -= 1;
            return if self.left == 0 { self.response } else { Memory::default() };
        }
        if !out.mem_req {
            return Memory::default();
        }
        let chosen = self.fails == Some(self.accesses);
        let read = if chosen { None } else { memory.access(&mem_request(out)) };
        self.accesses += 1;
        self.left = self.latency.max(1);
        self.response = Memory { rvalid: true, err: read.is_none(), rdata: read.unwrap_or(0), ..Memory::default() };
        Memory { gnt: true, ..Memory::default() }
    }

    /// Whether the unit uses the port: it requests an access, or waits for a response.
    pub(super) const fn is_used(&self, out: &Outputs) -> bool {
        out.mem_req || self.left > 0
    }
}
