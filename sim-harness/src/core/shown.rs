//! All parts of what a core shows in a cycle.

use lwp_model::retire::{
    ACCESS_PORTS, Access, Branch, Flags, Interruption, Io, LOAD_PORTS, Length, Load, Mode, Retired, Transaction,
};

/// Lane with all parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// Instruction that retires in this lane, if one does.
    pub retired: Retired,
    /// Length of the instruction.
    pub length: Length,
    /// Transfer of control by the instruction.
    pub branch: Branch,
    /// Loads of the instruction that missed.
    pub loads: [Load; LOAD_PORTS],
    /// Loads and stores of the instruction.
    pub accesses: [Access; ACCESS_PORTS],
    /// Flags that decide when debug exceptions are raised.
    pub flags: Flags,
    /// Role of the instruction in a transaction.
    pub transaction: Transaction,
}

/// What a core with `W` lanes shows in a cycle. A unit takes the parts that it watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown<const W: usize> {
    /// Retire lanes, the oldest instruction in lane 0.
    pub lanes: [Lane; W],
    /// Whether the cycle shows only missed loads and accesses of lane 0.
    pub partial: bool,
    /// I/O port that the instruction in lane 0 accesses.
    pub io: Io,
    /// Mode of the processor.
    pub mode: Mode,
    /// Base of CS.
    pub cs_base: u64,
    /// Interruption.
    pub interruption: Interruption,
}

impl<const W: usize> Shown<W> {
    /// Returns a cycle in which nothing happens.
    #[must_use]
    pub fn idle(mode: Mode, cs_base: u64) -> Self {
        let (lanes, io, interruption) = ([Lane::default(); W], Io::default(), Interruption::default());
        Self { lanes, partial: false, io, mode, cs_base, interruption }
    }
}
