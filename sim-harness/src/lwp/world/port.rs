//! The memory's side of the unit's memory port: grants, responses, page faults.
//!
//! Source: "Memory port" in the unit's chapters of the book.

use super::draws::{Chance, Draws};
use super::memory::GuestMemory;
use super::setup::MemoryTiming;
use lwp_model::lwp::{MemCmd, Memory, Outputs};

/// Grants after random stalls, answers after a random latency, and now and then answers with a page fault.
#[derive(Debug)]
pub(super) struct MemoryPort {
    stall: Chance,
    fault: Chance,
    latency: (u32, u32),
    stalls: Draws,
    faults: Draws,
    latencies: Draws,
    /// Cycles until the response; 0 if none is outstanding.
    left: u32,
    response: Memory,
}

impl MemoryPort {
    pub(super) fn new(timing: &MemoryTiming) -> Self {
        // A response comes in the cycle after the grant at the earliest.
        let low = timing.latency.0.max(1);
        Self {
            stall: Chance::new(timing.stall),
            fault: Chance::new(timing.fault),
            latency: (low, timing.latency.1.max(low)),
            stalls: Draws::new(timing.seed, 1),
            faults: Draws::new(timing.seed, 2),
            latencies: Draws::new(timing.seed, 3),
            left: 0,
            response: Memory::default(),
        }
    }

    /// What the port shows in a cycle in which the unit shows `out`.
    #[inline]
    pub(super) fn cycle(&mut self, out: &Outputs, memory: &mut GuestMemory) -> Memory {
        if self.left > 0 {
            self.left -= 1;
            return if self.left == 0 { self.response } else { Memory::default() };
        }
        if !out.mem_req || self.stalls.yes(self.stall) {
            return Memory::default();
        }
        self.left = self.latencies.range(self.latency.0, self.latency.1);
        self.response = self.access(out, memory);
        Memory { gnt: true, ..Memory::default() }
    }

    /// Whether the unit uses the port: it asks or waits for an answer.
    #[inline]
    pub(super) fn is_used(&self, out: &Outputs) -> bool {
        out.mem_req || self.left > 0
    }

    /// Makes the access. It takes effect with the grant: from then on the unit cannot withdraw it.
    fn access(&mut self, out: &Outputs, memory: &mut GuestMemory) -> Memory {
        let mut response = Memory { rvalid: true, ..Memory::default() };
        if self.faults.yes(self.fault) {
            response.err = true;
            return response;
        }
        match out.mem_cmd {
            MemCmd::Read => response.rdata = memory.read_u64(out.mem_addr),
            MemCmd::Write => memory.write_u64(out.mem_addr, out.mem_be, out.mem_wdata),
            MemCmd::Probe => {}
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(latency: (u32, u32), stall: f64, fault: f64) -> MemoryTiming {
        MemoryTiming { latency, stall, fault, seed: 1 }
    }

    fn read_of(address: u64) -> Outputs {
        Outputs { mem_req: true, mem_be: 0xFF, mem_addr: address, ..Outputs::default() }
    }

    #[test]
    fn a_response_comes_its_latency_after_the_grant() {
        for latency in 1..5 {
            let (mut port, mut memory) = (MemoryPort::new(&timing((latency, latency), 0.0, 0.0)), GuestMemory::new());
            memory.write_u64(0x40, 0xFF, 99);
            assert!(port.cycle(&read_of(0x40), &mut memory).gnt);
            for cycle in 1..=latency {
                let answer = port.cycle(&Outputs::default(), &mut memory);
                assert_eq!((answer.rvalid, answer.gnt), (cycle == latency, false));
                assert_eq!(answer.rdata, if cycle == latency { 99 } else { 0 });
            }
            assert!(port.cycle(&read_of(0x40), &mut memory).gnt, "free again");
        }
    }

    #[test]
    fn a_stall_of_one_never_grants_and_a_withdrawn_request_is_forgotten() {
        let (mut port, mut memory) = (MemoryPort::new(&timing((1, 1), 1.0, 0.0)), GuestMemory::new());
        assert!((0..1000).all(|_| port.cycle(&read_of(0), &mut memory) == Memory::default()));
        assert_eq!(port.cycle(&Outputs::default(), &mut memory), Memory::default());
        assert!(!port.is_used(&Outputs::default()));
    }

    #[test]
    fn a_fault_neither_reads_nor_writes() {
        let (mut port, mut memory) = (MemoryPort::new(&timing((1, 1), 0.0, 1.0)), GuestMemory::new());
        let write = Outputs { mem_cmd: MemCmd::Write, mem_wdata: 5, ..read_of(0x80) };
        assert!(port.cycle(&write, &mut memory).gnt);
        let answer = port.cycle(&Outputs::default(), &mut memory);
        assert_eq!(answer, Memory { rvalid: true, err: true, ..Memory::default() });
        assert_eq!(memory.read_u64(0x80), 0);
    }

    #[test]
    fn a_probe_writes_nothing() {
        let (mut port, mut memory) = (MemoryPort::new(&timing((1, 1), 0.0, 0.0)), GuestMemory::new());
        let probe = Outputs { mem_cmd: MemCmd::Probe, mem_wdata: 5, ..read_of(0x80) };
        port.cycle(&probe, &mut memory);
        assert_eq!(port.cycle(&Outputs::default(), &mut memory), Memory { rvalid: true, ..Memory::default() });
        assert_eq!(memory.read_u64(0x80), 0);
    }
}
