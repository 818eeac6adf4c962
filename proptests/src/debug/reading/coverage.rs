//! Counts of what was checked.

crate::reading_counts::reading_counts! {
    /// Resets.
    resets,
    /// Faults of an instruction breakpoint in a lane.
    exec_faults,
    /// Instruction breakpoints that RF = 1 made the unit ignore.
    exec_rf,
    /// Instruction breakpoints ignored behind an SS load.
    exec_shadow,
    /// Instruction breakpoints not checked again after *go*.
    exec_go,
    /// Instruction breakpoints not checked between two iterations.
    exec_iteration,
    /// Addresses of an instruction breakpoint that is off, or whose length hits nothing.
    exec_missed,
    /// Questions answered with *go*.
    goes,
    /// Questions answered with *stop*.
    stops,
    /// Questions that were ignored.
    unasked,
    /// Accesses that hit an enabled data breakpoint.
    data_traps,
    /// I/O that hits an enabled breakpoint.
    io_traps,
    /// Accesses to a breakpoint's bytes that do not hit: it is off, or waits for writes alone.
    data_missed,
    /// I/O breakpoints that CR4.DE = 0 or the lack of it decides about.
    io_without_de,
    /// Instructions that retire after a partial cycle with a hit.
    partial_hits,
    /// Single steps.
    steps,
    /// Single steps that are due only after a branch, which there was.
    branch_steps,
    /// Instructions with TF and BTF that are not followed by a step.
    branch_unstepped,
    /// SS loads with TF = 1, without a step.
    shadow_unstepped,
    /// INT n, INT3 and INTO with TF = 1, without a step.
    int_unstepped,
    /// Traps that report a step and a breakpoint.
    both,
    /// Traps of INT1.
    int1,
    /// Traps of a task switch by an instruction.
    task_traps,
    /// Traps of a task switch by an interruption.
    gate_traps,
    /// Cycles with `hold`.
    held,
    /// Held hits that were reported behind an SS load.
    held_delivered,
    /// Held hits that were reported behind a software interrupt.
    held_interrupt,
    /// Held hits that an exception lost.
    held_lost,
    /// Hits that a group of iterations delayed.
    group_delays,
    /// Hits of an iteration of INS or OUTS that is not the last one.
    string_io,
    /// Cuts above a lane.
    cuts,
    /// Cuts before a lane.
    cuts_before,
    /// Aborts of a transaction by #DB.
    aborts,
    /// Rollbacks of a transaction by #DB.
    rollbacks,
    /// Aborts and rollbacks by INT3.
    int3_regions,
    /// General detects.
    detects,
    /// Requests that stayed pending for a cycle.
    waits,
    /// Requests that were taken.
    taken,
    /// Requests that an exception lost.
    requests_lost,
    /// Instruction breakpoints of the next instruction that a trap reports as well.
    merged,
    /// Instruction breakpoints of the next instruction that a trap does not report.
    unmerged,
    /// Conditions of breakpoints that are off, which were reported.
    off_reported,
    /// Traps with such a condition, which was not reported.
    off_unreported,
    /// Frames of a fault other than an instruction breakpoint's.
    frames_fault,
    /// Frames of an instruction breakpoint.
    frames_exec,
    /// Frames between two iterations.
    frames_string,
    /// Other frames with EFLAGS.RF = 0.
    frames_clear,
    /// Other frames with EFLAGS.RF = 1.
    frames_set,
    /// Frames of a rollback.
    frames_rollback,
    /// Reads of DR0 to DR3 that are not 0.
    address_reads,
    /// Reads of DR6 that differ from its value after reset.
    status_reads,
    /// Reads of DR6 with RTM = 0.
    rtm_reads,
    /// Reads of DR7 that differ from its value after reset.
    control_reads,
    /// Reads of DR7 after a task switch had cleared one of L0 to L3.
    local_reads,
    /// Accesses to DR4 or DR5 as DR6 and DR7.
    aliases,
    /// Writes.
    writes,
    /// DR4 and DR5 refused.
    undefined,
    /// Requests outside level 0 refused.
    unprivileged,
    /// Requests in SMM outside level 0 that are not refused.
    smm_accesses,
    /// Writes of one of bits 63:32 of DR6 or DR7 refused.
    wide_refused,
    /// Requests that are not of this unit.
    not_mine,
    /// Requests in a cycle with `reg_ready` = 0, which are not answered.
    not_ready,
}
