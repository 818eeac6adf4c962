//! Retired: that an instruction retires in a lane.

/// What retires in a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retired {
    /// An instruction retires in this lane. In a partial cycle: lane 0 shows accesses. The other fields of the lane are
    /// valid with it.
    pub valid: bool,
    /// It contributes to the number of retired instructions.
    pub counts: bool,
    /// Address of its first byte.
    pub ip: u64,
}
