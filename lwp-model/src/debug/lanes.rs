//! Stage lanes: the lanes of a cycle in program order, up to the first exception.

use super::arbiter::Raised;
use super::compare::Comparator;
use super::config::Config;
use super::inputs::{Inputs, Lane, LaneKind};
use super::state::{Cut, DbClass, Flags, Held};
use crate::retire::{BranchKind, Rep};
use lwp_regs::debug::Slots;

/// What runs through the lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) flags: Flags,
    pub(super) held: Held,
    /// A lane has switched tasks.
    pub(super) switched: bool,
}

/// Where a group is cut, and why.
#[derive(Clone, Copy, Debug)]
struct At {
    before: bool,
    raised: Raised,
}

/// What is the same for all lanes of a cycle.
#[derive(Clone, Copy, Debug)]
struct Group<'a, const LANES: usize> {
    inputs: &'a Inputs<LANES>,
    straps: &'a Config,
    comparator: &'a Comparator,
    /// Accesses of a lane that are compared.
    accesses: usize,
}

/// Goes through the valid lanes of a group. Returns the running values behind the last accepted one, the cut, and its exception.
#[inline]
pub(super) fn group<const LANES: usize>(
    from: Running,
    inputs: &Inputs<LANES>,
    straps: &Config,
    comparator: &Comparator,
    accesses: usize,
) -> (Running, Cut, Option<Raised>) {
    let group = Group { inputs, straps, comparator, accesses };
    let mut running = from;
    for (number, lane) in inputs.lanes.iter().enumerate() {
        if !lane.retired.valid {
            continue;
        }
        if let Some(At { before, raised }) = group.lane(&mut running, lane, number == 0) {
            let cut = Cut { cut_valid: true, cut_before: before, cut_lane: number as u8 };
            return (running, cut, Some(raised));
        }
    }
    (running, Cut::default(), None)
}

/// Conditions of an instruction that does not stop before it executes.
#[derive(Clone, Copy, Debug)]
struct Conditions {
    /// It casts a shadow.
    loads: bool,
    /// Its number in its fast string group.
    n: u8,
    /// Its data breakpoints are held.
    defer: bool,
    int1: bool,
    bt: bool,
    bs: bool,
}

impl<const LANES: usize> Group<'_, LANES> {
    /// Accepts a lane, or cuts the group before or behind it.
    #[inline]
    fn lane(&self, running: &mut Running, lane: &Lane, first: bool) -> Option<At> {
        if self.straps.rtm && lane.transaction.tx_abort {
            running.flags = Flags::default();
            running.held = Held::default();
            return None;
        }
        let continues = running.flags.in_rep && matches!(lane.flags.rep, Rep::Further | Rep::Last);
        let in_tx = self.straps.rtm && lane.transaction.in_tx;
        if let Some(b) = self.before(running.flags, lane, continues, in_tx) {
            running.held = Held::default();
            let raised = Raised { b, in_tx, ..Raised::of(DbClass::Fault) };
            return Some(At { before: true, raised });
        }
        let io = first && self.inputs.io.valid;
        let conditions = self.conditions(running.flags, lane, continues, io);
        let pend = running.held.or(self.accesses(lane, io));
        let (b, met) = if conditions.defer { (Slots::empty(), false) } else { (pend.all(), !pend.hit.is_empty()) };
        accept(running, lane, &conditions, pend, self.straps);
        let Conditions { int1, bs, bt, .. } = conditions;
        let raised = Raised { b, bs, bt, in_tx, ..Raised::of(DbClass::Trap) };
        (int1 || bt || bs || met).then_some(At { before: false, raised })
    }

    /// Returns B0 to B3 if the group is cut before the lane: an instruction breakpoint, or INT3 inside a region.
    #[inline]
    fn before(&self, flags: Flags, lane: &Lane, continues: bool, in_tx: bool) -> Option<Slots> {
        let checked = !continues && !flags.rf && !flags.skips(self.straps) && !flags.passed;
        if checked {
            let fetch = self.comparator.fetch(lane.retired.ip);
            if !fetch.hit.is_empty() {
                return Some(fetch.all());
            }
        }
        (lane.debug.kind == LaneKind::Int3 && in_tx).then_some(Slots::empty())
    }

    /// Returns the conditions of the lane's data, and of its I/O if it has any.
    #[inline]
    fn accesses(&self, lane: &Lane, io: bool) -> Held {
        let data = data(self.comparator, lane, self.accesses);
        if io { data.or(self.comparator.io(&self.inputs.io)) } else { data }
    }

    #[inline]
    fn conditions(&self, flags: Flags, lane: &Lane, continues: bool, io: bool) -> Conditions {
        let straps = self.straps;
        let kind = lane.debug.kind;
        let tf = lane.flags.tf;
        let loads = lane.flags.ss_load && (!flags.shadow || straps.ss_chain);
        let n = if continues && flags.string_n != straps.string_group { flags.string_n + 1 } else { 0 };
        let goes_on = matches!(lane.flags.rep, Rep::First | Rep::Further);
        let fast = goes_on && n != straps.string_group && !tf && !io;
        let int1 = kind == LaneKind::Int1;
        let clears_tf = matches!(kind, LaneKind::IntN | LaneKind::Int3 | LaneKind::TaskSwitch);
        let branch = lane.branch.kind != BranchKind::None && lane.branch.taken;
        Conditions {
            loads,
            n,
            defer: loads || fast,
            int1,
            bt: kind == LaneKind::TaskSwitch && lane.debug.t_flag,
            bs: tf && !loads && !clears_tf && (!int1 || straps.int1_step) && (!self.inputs.btf || branch),
        }
    }
}

/// Returns the conditions of the accesses of a lane that are compared.
#[inline]
pub(super) fn data(comparator: &Comparator, lane: &Lane, accesses: usize) -> Held {
    lane.accesses.iter().take(accesses).fold(Held::default(), |met, access| met.or(comparator.data(access)))
}

/// The running values behind an accepted lane.
#[inline]
fn accept(running: &mut Running, lane: &Lane, conditions: &Conditions, pend: Held, straps: &Config) {
    let kind = lane.debug.kind;
    let in_rep = matches!(lane.flags.rep, Rep::First | Rep::Further);
    running.held = if conditions.defer { pend } else { Held::default() };
    running.flags = Flags {
        rf: if matches!(kind, LaneKind::Iret | LaneKind::TaskSwitch) {
            lane.debug.rf_image
        } else {
            straps.rep_rf && in_rep && running.flags.rf
        },
        shadow: conditions.loads,
        in_rep,
        passed: false,
        string_n: if in_rep { conditions.n } else { 0 },
    };
    running.switched |= kind == LaneKind::TaskSwitch;
}
