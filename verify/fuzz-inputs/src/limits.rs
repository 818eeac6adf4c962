//! What an input may cost.

use crate::memory::most_during;
use crate::targets::Target;
use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Processor time that one input may take. Measured in the thread, so a busy machine does not matter; generous, since
/// sanitizers slow things down tenfold.
pub const TIME: Duration = Duration::from_secs(10);

/// Memory that one input may take: a sum for fixed buffers, and so much for each byte of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Bytes whatever the input.
    pub fixed: usize,
    /// Bytes for each byte of the input.
    pub each: usize,
}

impl Memory {
    /// The limit for an input of that many bytes.
    #[must_use]
    pub const fn of(&self, bytes: usize) -> usize {
        self.fixed + self.each * bytes
    }
}

/// What an input has cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Bytes allocated at most.
    pub memory: usize,
    /// Time of the processor.
    pub time: Duration,
}

/// Calls a target with an input and holds it to its limits.
///
/// # Panics
/// If the target breaks a promise, or takes more memory or time than it may.
#[expect(clippy::must_use_candidate, reason = "mostly it is called for what it checks")]
pub fn call(target: &Target, data: &[u8]) -> Cost {
    let began = processor_time();
    let memory = most_during(|| (target.one_input)(data));
    let time = processor_time().saturating_sub(began);
    let limit = target.memory.of(data.len());
    assert!(
        memory <= limit,
        "{}: {memory} bytes of memory for {} bytes of input; {limit} are due",
        target.name,
        data.len()
    );
    assert!(time <= TIME, "{}: {time:?} for {} bytes of input", target.name, data.len());
    Cost { memory, time }
}

/// The processor's time of this thread.
fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(one_input: fn(&[u8])) -> Target {
        Target { name: "test", one_input, memory: Memory { fixed: 4096, each: 8 } }
    }

    #[test]
    fn what_is_in_proportion_passes() {
        call(&target(|data| drop(std::hint::black_box(data.repeat(7)))), &[0; 100_000]);
    }

    #[test]
    #[should_panic(expected = "bytes of memory for 4 bytes of input")]
    fn a_length_that_is_believed_fails() {
        // A "length" in the input, allocated before it is known to be true.
        call(&target(|data| drop(std::hint::black_box(vec![0_u8; usize::from(data[0]) << 20]))), &[9, 0, 0, 0]);
    }
}
