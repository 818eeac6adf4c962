//! The memory's side of a unit's memory port: grants, responses, page faults.
//!
//! Source: "MemAnswer requests" of the book (`docs/src/retire/requests.md`).

use super::draws::{Chance, Draws};
use super::memory::GuestMemory;
use lwp_model::retire::{MemAnswer, MemCmd, MemRequest};

/// How memory answers the unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryTiming {
    /// Cycles from grant to response, drawn from this range (both included). 0 counts as 1.
    pub latency: (u32, u32),
    /// Probability that a pending request is not granted in a cycle.
    pub stall: f64,
    /// Probability that an access page-faults.
    pub fault: f64,
    /// Seed of these draws.
    pub seed: u64,
}

impl Default for MemoryTiming {
    /// Four cycles, no stalls, no faults.
    fn default() -> Self {
        Self { latency: (4, 4), stall: 0.0, fault: 0.0, seed: 1 }
    }
}

/// Grants after random stalls, answers after a random latency, and now and then answers with a page fault.
#[derive(Debug)]
pub(crate) struct MemoryPort {
    stall: Chance,
    fault: Chance,
    latency: (u32, u32),
    stalls: Draws,
    faults: Draws,
    latencies: Draws,
    /// Cycles until the response; 0 if none is outstanding.
    left: u32,
    response: MemAnswer,
}

impl MemoryPort {
    pub(crate) fn new(timing: &MemoryTiming) -> Self {
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
            response: MemAnswer::default(),
        }
    }

    /// What the port shows in a cycle in which the unit shows `request`.
    #[inline]
    pub(crate) fn cycle(&mut self, request: &MemRequest, memory: &mut GuestMemory) -> MemAnswer {
        if self.left > 0 {
            self.left -= 1;
            return if self.left == 0 { self.response } else { MemAnswer::default() };
        }
        if !request.req || self.stalls.yes(self.stall) {
            return MemAnswer::default();
        }
        self.left = self.latencies.range(self.latency.0, self.latency.1);
        self.response = self.access(request, memory);
        MemAnswer { gnt: true, ..MemAnswer::default() }
    }

    /// Whether an answer is still to come.
    #[inline]
    pub(crate) const fn is_busy(&self) -> bool {
        self.left > 0
    }

    /// Makes the access. It takes effect with the grant: from then on the unit cannot withdraw it.
    fn access(&mut self, request: &MemRequest, memory: &mut GuestMemory) -> MemAnswer {
        let mut response = MemAnswer { rvalid: true, ..MemAnswer::default() };
        if self.faults.yes(self.fault) {
            response.err = true;
            return response;
        }
        match request.cmd {
            MemCmd::Read => response.rdata = memory.read_u64(request.addr),
            MemCmd::Write => memory.write_u64(request.addr, request.be, request.wdata),
            MemCmd::Probe | MemCmd::Unused3 => {}
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

    fn read_of(addr: u64) -> MemRequest {
        MemRequest { req: true, be: 0xFF, addr, ..MemRequest::default() }
    }

    #[test]
    fn a_response_comes_its_latency_after_the_grant() {
        for latency in 1..5 {
            let (mut port, mut memory) = (MemoryPort::new(&timing((latency, latency), 0.0, 0.0)), GuestMemory::new());
            memory.write_u64(0x40, 0xFF, 99);
            assert!(port.cycle(&read_of(0x40), &mut memory).gnt);
            for cycle in 1..=latency {
                let answer = port.cycle(&MemRequest::default(), &mut memory);
                assert_eq!((answer.rvalid, answer.gnt), (cycle == latency, false));
                assert_eq!(answer.rdata, if cycle == latency { 99 } else { 0 });
            }
            assert!(port.cycle(&read_of(0x40), &mut memory).gnt, "free again");
        }
    }

    #[test]
    fn a_stall_of_one_never_grants_and_a_withdrawn_request_is_forgotten() {
        let (mut port, mut memory) = (MemoryPort::new(&timing((1, 1), 1.0, 0.0)), GuestMemory::new());
        assert!((0..1000).all(|_| port.cycle(&read_of(0), &mut memory) == MemAnswer::default()));
        assert_eq!(port.cycle(&MemRequest::default(), &mut memory), MemAnswer::default());
        assert!(!port.is_busy());
    }

    #[test]
    fn a_fault_neither_reads_nor_writes() {
        let (mut port, mut memory) = (MemoryPort::new(&timing((1, 1), 0.0, 1.0)), GuestMemory::new());
        let write = MemRequest { cmd: MemCmd::Write, wdata: 5, ..read_of(0x80) };
        assert!(port.cycle(&write, &mut memory).gnt);
        let answer = port.cycle(&MemRequest::default(), &mut memory);
        assert_eq!(answer, MemAnswer { rvalid: true, err: true, ..MemAnswer::default() });
        assert_eq!(memory.read_u64(0x80), 0);
    }

    #[test]
    fn a_probe_writes_nothing() {
        let (mut port, mut memory) = (MemoryPort::new(&timing((1, 1), 0.0, 0.0)), GuestMemory::new());
        let probe = MemRequest { cmd: MemCmd::Probe, wdata: 5, ..read_of(0x80) };
        port.cycle(&probe, &mut memory);
        assert_eq!(port.cycle(&MemRequest::default(), &mut memory), MemAnswer { rvalid: true, ..MemAnswer::default() });
        assert_eq!(memory.read_u64(0x80), 0);
    }
}
