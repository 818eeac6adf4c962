//! What a core shows in a cycle, all parts of it.

use lwp_model::retire::{
    ACCESS_PORTS, Access, Branch, Flags, Interruption, Io, LOAD_PORTS, Length, Load, Mode, Retired, Transaction,
};

/// One lane, with all parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// Whether an instruction retires, and which.
    pub retired: Retired,
    /// Its bytes.
    pub length: Length,
    /// Its transfer of control.
    pub branch: Branch,
    /// Its loads that missed.
    pub loads: [Load; LOAD_PORTS],
    /// Its loads and stores.
    pub accesses: [Access; ACCESS_PORTS],
    /// What the flags did.
    pub flags: Flags,
    /// What it has to do with a transaction.
    pub transaction: Transaction,
}

/// One cycle of a core with `W` lanes. A unit takes the parts that it watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown<const W: usize> {
    /// Retire lanes, the oldest instruction in lane 0.
    pub lanes: [Lane; W],
    /// Only missed loads and accesses of lane 0 are shown.
    pub partial: bool,
    /// The port that the instruction in lane 0 accesses.
    pub io: Io,
    /// Mode of the processor.
    pub mode: Mode,
    /// Base of CS.
    pub cs_base: u64,
    /// An interruption.
    pub interruption: Interruption,
}

impl<const W: usize> Shown<W> {
    /// A cycle in which nothing happens.
    #[must_use]
    pub fn idle(mode: Mode, cs_base: u64) -> Self {
        let (lanes, io, interruption) = ([Lane::default(); W], Io::default(), Interruption::default());
        Self { lanes, partial: false, io, mode, cs_base, interruption }
    }
}
