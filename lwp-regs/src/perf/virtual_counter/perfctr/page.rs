//! The page that a task's counters are read from without a system call.

use crate::perf::virtual_counter::{CounterHardware, CounterSelect, Counts, TaskCounters};

/// The first page of an object, which the system maps read-only to whoever has opened it.
#[derive(Clone, Copy, Debug)]
pub struct Page<C, S, const N: usize> {
    /// Changes whenever the rest does.
    pub generation: u32,
    /// Counters that have overflowed and wait for `VPERFCTR_IRESUME`, a bit each in the order of the control.
    pub overflowed: u32,
    /// Control, start values and sums.
    pub counters: TaskCounters<C, S, N>,
}

/// Reads the counters of the task that runs: the sums of the mapped page, and what the hardware has counted since. Takes
/// RDPMC and RDTSC, and no system call.
///
/// `page` copies the page. If the page has changed by the time that the counters have been read, because the task was
/// switched meanwhile, all is read again. A page that is copied in parts is copied again until its generation is the same
/// before and after.
///
/// # Errors
///
/// The fault that RDPMC or RDTSC raised.
pub fn read_mapped<H, const N: usize>(
    mut page: impl FnMut() -> Page<H::Counter, H::Select, N>,
    hw: &mut H,
) -> Result<Counts<N>, H::Fault>
where
    H: CounterHardware,
    H::Select: CounterSelect,
{
    loop {
        let before = page();
        let counts = before.counters.read(hw)?;
        if page().generation == before.generation {
            return Ok(counts);
        }
    }
}
