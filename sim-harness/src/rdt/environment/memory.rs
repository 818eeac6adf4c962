//! Memory behind the L3 cache.

/// Times of memory, and whose memory is not of this package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryTiming {
    /// Cycles from the grant of a read to the arrival of its line; at least 1.
    pub latency: u64,
    /// Cycles that a request waits until it is granted.
    pub grant: u64,
    /// Programs whose memory is that of another package: a bit for each.
    pub remote: u8,
}

impl Default for MemoryTiming {
    /// A request is granted at once, and a line arrives after 20 cycles. All memory is of this package.
    fn default() -> Self {
        Self { latency: 20, grant: 0, remote: 0 }
    }
}

/// Lowest bit of an address that says whose memory it is.
const OWNER: u32 = 48;

/// Returns the physical address of an address in the memory of a program: all bits above bit 47 are those of its number.
#[must_use]
pub const fn place(program: usize, addr: u64) -> u64 {
    (program as u64) << OWNER | addr & ((1 << OWNER) - 1)
}

/// Answers of memory in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The pending request is taken.
    pub(super) grant: bool,
    /// It is for memory of this package.
    pub(super) local: bool,
    /// The line of a read arrives.
    pub(super) arrives: bool,
}

/// State of memory. There is one request at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    timing: MemoryTiming,
    /// Cycles for which the pending request has waited.
    waited: u64,
    /// Cycle in which the line arrives.
    arrival: Option<u64>,
}

impl Memory {
    pub(super) const fn new(timing: MemoryTiming) -> Self {
        Self { timing, waited: 0, arrival: None }
    }

    /// One cycle, in which this request is pending: its address, and whether it writes.
    #[inline]
    pub(super) fn cycle(&mut self, cycle: u64, request: Option<(u64, bool)>) -> Answer {
        let arrives = self.arrival == Some(cycle);
        if arrives {
            self.arrival = None;
        }
        let Some((addr, write)) = request else { return Answer { arrives, ..Answer::default() } };
        if self.waited < self.timing.grant {
            self.waited += 1;
            return Answer { arrives, ..Answer::default() };
        }
        self.waited = 0;
        if !write {
            self.arrival = Some(cycle + self.timing.latency.max(1));
        }
        let local = self.timing.remote >> ((addr >> OWNER) & 7) & 1 == 0;
        Answer { grant: true, local, arrives }
    }
}
