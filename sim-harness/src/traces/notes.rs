//! The oddities that a reader tolerated, so that a user can judge the quality of a trace.

/// The numbers of oddities of a trace that are not errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceNotes {
    /// Positions at which an instruction that is not a taken branch is not followed by its neighbour: an interrupt, a
    /// signal, or a hole in the trace.
    pub gaps: u64,
    /// Far transfers that changed the privilege level or SMM and are therefore reported as
    /// [`System`](super::BranchKind::System) (AMB-61).
    pub mode_switches: u64,
    /// Records of a repeated string instruction that were merged into the instruction's one
    /// retirement (AMB-34).
    pub merged_iterations: u64,
    /// Loads that were left out because one instruction had more than
    /// [`MAX_LOADS`](super::capture_file::MAX_LOADS).
    pub loads_left_out: u64,
    /// Stores that were left out in the same way.
    pub stores_left_out: u64,
    /// Instructions at the end that were left out because their successor is unknown (0 or 1).
    pub last_left_out: u64,
    /// `System` instructions at the end without a successor, which were given their own address as
    /// `next` (0 or 1). No event ever shows it.
    pub system_without_next: u64,
    /// Interruptions whose source is unknown; `from` is then 0.
    pub interruptions_from_unknown: u64,
    /// Instructions of other threads, which the capture counted but did not record.
    pub other_threads: u64,
}

impl TraceNotes {
    /// Returns one sentence for each oddity that occurred.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let all = [
            (self.gaps, "gaps: an instruction was not followed by its neighbour (interrupts, signals or holes)"),
            (self.mode_switches, "far transfers changed the mode and are not counted as branches"),
            (self.merged_iterations, "records of repeated string instructions were merged into one retirement each"),
            (self.loads_left_out, "loads were left out of instructions that have too many"),
            (self.stores_left_out, "stores were left out of instructions that have too many"),
            (self.last_left_out, "branch at the very end was left out: nothing follows that shows its target"),
            (self.system_without_next, "system instruction at the very end has no successor"),
            (self.interruptions_from_unknown, "interruptions came from an unknown address, given as 0"),
            (self.other_threads, "instructions of other threads are not in the trace"),
        ];
        let occurred = all.iter().filter(|(count, _)| *count > 0);
        occurred.map(|(count, what)| format!("{count} {what}")).collect()
    }
}
