//! Counts of what was checked.

use crate::reading_counts::reading_counts;

reading_counts! {
    /// Reads of a counter that can have one value only, which is not 0.
    exact,
    /// Reads of a counter that can have several values, or any.
    open,
    /// Of all reads by RDPMC, those outside level 0.
    user_reads,
    /// Reads of other registers that are not 0.
    reads,
    /// Reads of a status that is not 0.
    status_reads,
    /// Writes.
    writes,
    /// Writes in level 0 that fault.
    refused,
    /// RDMSR and WRMSR outside level 0, which fault.
    unprivileged,
    /// RDPMC outside level 0 without PCE, which faults.
    forbidden,
    /// Requests for registers that the unit does not have.
    absent,
    /// Overflows of a general counter whose value was known.
    overflows,
    /// Overflows of a fixed counter whose value was known.
    fixed_overflows,
    /// Interrupts that the entry of the local APIC let through.
    interrupts,
    /// Interrupts that it did not let through.
    masked,
    /// Freezes by a performance interrupt or an SMI.
    freezes,
    /// Cycles with an asserted pin.
    pulses,
}
