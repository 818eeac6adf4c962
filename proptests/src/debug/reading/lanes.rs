//! Lanes: instruction breakpoints before an instruction, and what follows it.

use super::choices::Open;
use super::matching::Hits;
use super::world::{Cycle, Report, World};
use lwp_model::debug::{DbClass, Lane, LaneKind};
use lwp_model::retire::{BranchKind, Io, Rep};
use lwp_regs::debug::Slots;

/// A lane and what stands around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) lane: &'a Lane,
    /// Its number.
    pub(super) number: usize,
    /// It is the oldest valid one.
    pub(super) first: bool,
    /// The next valid lane.
    pub(super) next: Option<&'a Lane>,
    /// I/O of the instruction.
    pub(super) io: Option<Io>,
}

/// What a lane is taken for. A lane that contradicts itself may be taken for one thing or another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) kind: LaneKind,
    pub(super) rep: Rep,
    pub(super) ss_load: bool,
    pub(super) in_tx: bool,
    pub(super) abort: bool,
    /// An SS load or an iteration that is something else as well.
    pub(super) odd: bool,
}

impl World {
    /// Steps a partial cycle: accesses of an instruction that retires later.
    pub(super) fn early(&mut self, c: &mut Cycle<'_>, lane: &Lane) {
        for access in &lane.accesses[..c.accesses] {
            let hits = self.data(c, *access);
            self.partial.add(hits);
        }
    }

    /// Steps a lane, unless the group was cut below it.
    pub(super) fn lane(&mut self, c: &mut Cycle<'_>, place: Place<'_>) -> Result<(), String> {
        if self.request.is_some() {
            return Ok(());
        }
        let lane = place.lane;
        let what = self.instruction(c, lane);
        let hits = if what.abort { Hits::default() } else { self.breakpoint(c, place, what) };
        let before = if hits.none() {
            self.retire(c, place, what)
        } else {
            self.exec_fault(c, what, hits);
            Some(true)
        };
        let number = place.number;
        let shown = c.out.cut_valid.then_some((usize::from(c.out.cut_lane), c.out.cut_before));
        let Some(before) = before else {
            return match shown {
                Some((cut, _)) if cut == number => {
                    Err(format!("the cut at lane {number} that no rule gives: {what:?}"))
                }
                _ => Ok(()),
            };
        };
        // Nothing is above a last lane that is accepted: whether it counts as a cut is open.
        let cut = before || place.next.is_some() || self.choices.second(c.path, Open::CutAtEnd);
        self.want.cut = cut.then_some((number, before));
        c.seen.cuts += u64::from(cut && !before);
        c.seen.cuts_before += u64::from(before);
        if !c.out.db_valid || shown != self.want.cut {
            return Err(format!(
                "{:?} with a cut (lane, before) {:?} is due, not {shown:?}",
                self.request, self.want.cut
            ));
        }
        Ok(())
    }

    /// Returns what a lane is taken for.
    fn instruction(&mut self, c: &mut Cycle<'_>, lane: &Lane) -> Instruction {
        use LaneKind::{Other, Unused6, Unused7};
        let abort = lane.transaction.tx_abort && c.straps.rtm;
        let mut kind = if matches!(lane.debug.kind, Unused6 | Unused7) { Other } else { lane.debug.kind };
        if abort {
            kind = c.path.one_of(&[Other, kind]);
        }
        let mut rep = lane.flags.rep;
        if kind != Other || abort {
            rep = c.path.one_of(&[rep, Rep::None]);
        }
        let mut ss_load = lane.flags.ss_load;
        let mut odd = false;
        if kind != Other || abort || rep != Rep::None {
            ss_load = c.path.one_of(&[ss_load, false]);
            odd = lane.flags.ss_load || rep != lane.flags.rep || kind != Other && rep != Rep::None;
        }
        let mut in_tx = lane.transaction.in_tx && c.straps.rtm;
        if abort {
            in_tx = c.path.one_of(&[false, in_tx]);
        }
        Instruction { kind, rep, ss_load, in_tx, abort, odd }
    }

    /// Returns the instruction breakpoints that come before an instruction.
    fn breakpoint(&mut self, c: &mut Cycle<'_>, place: Place<'_>, what: Instruction) -> Hits {
        let ip = place.lane.retired.ip;
        let hits = self.exec(c, ip);
        if hits.none() || self.ignores_exec(c) {
            return Hits::default();
        }
        if let (true, Some(go)) = (place.first, self.go) {
            // Another instruction than that of the question: whether it is checked is open.
            if go.ip == ip || c.path.either() {
                c.seen.exec_go += u64::from(go.ip == ip);
                return Hits::default();
            }
        }
        let further = matches!(what.rep, Rep::Further | Rep::Last);
        let checked = match self.string {
            Some(string) if string == ip && further => {
                c.seen.exec_iteration += 1;
                false
            }
            // Not an iteration of the instruction in progress, or a second first one.
            Some(_) => c.path.either(),
            // An iteration that none precedes, and no return either.
            None if what.rep == Rep::Further && !self.returned => c.path.either(),
            None => true,
        };
        if checked { hits } else { Hits::default() }
    }

    /// Makes the request of an instruction breakpoint. The instruction has not been executed, and what partial cycles showed of it neither.
    fn exec_fault(&mut self, c: &mut Cycle<'_>, what: Instruction, hits: Hits) {
        let inside = match (self.region, what.in_tx) {
            (false, true) => self.choices.second(c.path, Open::BeginRegion),
            (true, false) => !self.choices.second(c.path, Open::EndRegion),
            (before, _) => before,
        };
        let class = self.class(c, inside, DbClass::Fault);
        let off = if c.straps.status_off { hits.off } else { Slots::empty() };
        let may = self.may(c);
        self.raise(c, class, Report { must: hits.on | off, may, ..Report::default() });
        c.seen.exec_faults += 1;
        self.partial = Hits::default();
    }

    /// Returns the hits of an instruction's accesses, with those of partial cycles.
    pub(super) fn access_hits(&mut self, c: &mut Cycle<'_>, place: Place<'_>, what: Instruction) -> Hits {
        let mut hits = Hits::default();
        if place.first {
            hits = core::mem::take(&mut self.partial);
            // The instruction of partial cycles retires in lane 0.
            if place.number != 0 && hits != Hits::default() && c.path.either() {
                hits = Hits::default();
            }
            c.seen.partial_hits += u64::from(!hits.none());
        }
        for access in &place.lane.accesses[..c.accesses] {
            let found = self.data(c, *access);
            c.seen.data_traps += u64::from(!found.none());
            hits.add(found);
        }
        if let Some(io) = place.io {
            let found = self.port(c, io);
            let further = matches!(what.rep, Rep::Further | Rep::Last) && what.rep != Rep::None;
            // DBG-55 names the first iteration.
            let sole = what.rep == Rep::Last && self.string.is_none();
            let ignored = further && !sole && found != Hits::default() && self.choices.second(c.path, Open::IoFurther);
            if !ignored {
                c.seen.io_traps += u64::from(!found.none());
                hits.add(found);
            }
        }
        hits
    }

    /// Returns whether a single step is due after an instruction (DBG-64 to DBG-68, DBG-73, and BTF).
    pub(super) fn steps(&mut self, c: &mut Cycle<'_>, lane: &Lane, what: Instruction) -> bool {
        if !lane.flags.tf || what.odd && c.path.either() {
            return false;
        }
        let branch = match (lane.branch.taken, lane.branch.kind) {
            (false, _) => false,
            (true, BranchKind::None) => c.btf && self.choices.second(c.path, Open::TakenNone),
            (true, _) => true,
        };
        let branch_only = c.btf && !branch;
        match what.kind {
            _ if what.abort => !branch_only && self.choices.second(c.path, Open::AbortStep),
            // They clear TF (DBG-68).
            LaneKind::Int3 if what.in_tx => !branch_only && self.choices.second(c.path, Open::Int3Step),
            LaneKind::IntN | LaneKind::Int3 => {
                c.seen.int_unstepped += 1;
                false
            }
            LaneKind::Int1 if branch_only => c.straps.int1_step && self.choices.second(c.path, Open::Int1Branch),
            LaneKind::Int1 => c.straps.int1_step,
            _ if branch_only => {
                c.seen.branch_unstepped += 1;
                false
            }
            LaneKind::TaskSwitch => !self.choices.second(c.path, Open::SwitchStep),
            _ if matches!(what.rep, Rep::First | Rep::Further) => !self.choices.second(c.path, Open::IterationStep),
            _ => true,
        }
    }
}
