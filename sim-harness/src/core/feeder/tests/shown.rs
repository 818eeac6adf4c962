//! A port that watches all parts.

use crate::core::RetirePort;
use crate::traces;
use lwp_model::Choice;
use lwp_model::retire::{
    ACCESS_PORTS, Access, Branch, BranchKind, Flags, Interruption, Io, LOAD_PORTS, Length, Load, Mode, Retired, Source,
    Transaction,
};

/// Greatest latency that 31 bits hold.
pub(super) const LATENCY: u32 = u32::MAX >> 1;

/// One lane, with all parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lane {
    /// Whether an instruction retires, and which.
    pub(super) retired: Retired,
    /// Its bytes.
    pub(super) length: Length,
    /// Its transfer of control.
    pub(super) branch: Branch,
    /// Its loads that missed.
    pub(super) loads: [Load; LOAD_PORTS],
    /// Its loads and stores.
    pub(super) accesses: [Access; ACCESS_PORTS],
    /// What the flags did.
    pub(super) flags: Flags,
    /// What it has to do with a transaction.
    pub(super) transaction: Transaction,
}

/// One cycle of a core with `W` lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown<const W: usize> {
    /// Retire lanes, the oldest instruction in lane 0.
    pub(super) lanes: [Lane; W],
    /// Only missed loads and accesses of lane 0 are shown.
    pub(super) partial: bool,
    /// The port that the instruction in lane 0 accesses.
    pub(super) io: Io,
    /// Mode of the processor.
    pub(super) mode: Mode,
    /// Base of CS.
    pub(super) cs_base: u64,
    /// An interruption.
    pub(super) interruption: Interruption,
}

impl<const W: usize> Shown<W> {
    /// A cycle in which nothing happens.
    pub(super) fn idle(mode: Mode, cs_base: u64) -> Self {
        let (lanes, io, interruption) = ([Lane::default(); W], Io::default(), Interruption::default());
        Self { lanes, partial: false, io, mode, cs_base, interruption }
    }
}

impl<const W: usize> RetirePort for Shown<W> {
    const MISSED_LOADS: bool = true;
    const ACCESSES: bool = true;
    const IO: bool = true;
    const INTERRUPTIONS: bool = true;
    const CS_BASE: bool = true;

    fn is_in(&self, mode: Mode) -> bool {
        self.mode == mode
    }

    fn enter(&mut self, mode: Mode) {
        self.mode = mode;
    }

    fn set_cs_base(&mut self, base: u64) {
        self.cs_base = base;
    }

    fn interrupt(&mut self, interruption: &Interruption) {
        self.interruption = *interruption;
    }

    fn show_part(&mut self, retired: &traces::Retired) {
        self.partial = true;
        self.lanes[0].retired = Retired { valid: true, counts: retired.flags.rep.counts(), ip: 0 };
    }

    fn retire(&mut self, lane: usize, next: &traces::Retired) -> bool {
        let branch = |branch: &traces::Branch| Branch {
            kind: BranchKind::from_code(branch.kind as u8).unwrap_or_default(),
            taken: branch.taken,
            pred_valid: branch.predicted.is_some(),
            pred_ok: branch.predicted == Some(true),
            next: branch.next,
        };
        self.lanes[lane] = Lane {
            retired: Retired { valid: true, counts: next.flags.rep.counts(), ip: next.ip },
            length: Length(next.length),
            branch: next.branch.as_ref().map(branch).unwrap_or_default(),
            flags: next.flags,
            transaction: next.transaction,
            ..Lane::default()
        };
        self.io = next.io;
        !next.io.valid
    }

    fn show_load(&mut self, lane: usize, port: usize, load: &traces::Load) {
        self.lanes[lane].loads[port] = Load {
            miss: true,
            addr_valid: load.addr.is_some(),
            tagged: false,
            addr: load.miss_addr().unwrap_or(0),
            latency: load.latency.min(LATENCY),
            source: Source::from_code(load.source & 7).unwrap_or_default(),
        };
    }

    fn show_access(&mut self, lane: usize, port: usize, access: Access) {
        self.lanes[lane].accesses[port] = access;
    }
}
