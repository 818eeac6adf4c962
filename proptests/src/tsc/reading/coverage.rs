//! Counts of what was checked.

use crate::reading_counts::reading_counts;

reading_counts! {
    /// Resets.
    resets,
    /// Reads of a counter after time has passed, by RDTSC, RDTSCP or RDMSR.
    counter_reads,
    /// Of these, reads by RDTSCP, which also returns `IA32_TSC_AUX`.
    stamps,
    /// Reads of a counter or of `IA32_TSC_ADJUST` for which both orders of a write and the tick of its cycle were still
    /// open, with different values.
    undecided,
    /// Of these, reads that showed that the write comes after the tick: the next cycle begins with the value that was
    /// written.
    write_last,
    /// Reads of a counter whose `IA32_TSC_ADJUST` is not 0 and the same as that of another processor.
    synchronised,
    /// Reads of `IA32_TSC_ADJUST` after a write to it or to the counter, and after time has passed.
    adjust_reads,
    /// Reads of an `IA32_TSC_AUX` that is not 0, by RDMSR.
    aux_reads,
    /// Writes to a counter of all 64 bits.
    counter_writes,
    /// Writes to a counter of which only the low 32 bits count, while the others are not 0.
    narrow_writes,
    /// Writes to a counter in a cycle in which it counts.
    writes_in_a_tick,
    /// Writes to `IA32_TSC_ADJUST` that change it.
    adjust_writes,
    /// Writes to `IA32_TSC_AUX` of 32 bits.
    aux_writes,
    /// Writes to `IA32_TSC_AUX` with one of the bits 63:32, which were ignored.
    wide_aux_done,
    /// Writes to `IA32_TSC_AUX` with one of the bits 63:32, which faulted.
    wide_aux_refused,
    /// RDTSC and RDTSCP with TSD outside level 0, which fault.
    disabled,
    /// RDTSC and RDTSCP outside level 0 without TSD.
    user_reads,
    /// RDTSC and RDTSCP in level 0 with TSD.
    kernel_reads,
    /// RDMSR and WRMSR outside level 0, which fault.
    unprivileged,
    /// Requests for an instruction or a register that the unit does not have.
    absent,
    /// Ticks of the time base in deep sleep that the counter does not count.
    slept,
    /// Ticks of the time base in deep sleep that the counter counts.
    sleepless,
    /// Ticks of the time base during HLT or STPCLK#.
    halted,
    /// Ticks of the bus clock at another ratio than that of the first cycle, at a constant rate.
    steady,
    /// Ticks of the bus clock at another ratio than that of the first cycle, at the variable rate.
    varied,
}
