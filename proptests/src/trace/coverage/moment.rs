//! The bins that a cycle meets.

use super::crosses::Cover;
use crate::coverage::Bins;
use crate::trace::scenario::entries_of;
use crate::trace::straps::FACTORS;
use lwp_model::retire::{IntKind, OpMode, RegOp, RegResult};
use lwp_model::trace::{Config, Inputs, Outputs, State, Step};
use lwp_regs::trace::DebugCtl;
use recording::Recording;

/// A cycle out of reset, and the registers of the next one.
struct Moment<'a, const LANES: usize, const ENTRIES: usize> {
    straps: &'a Config,
    inputs: &'a Inputs<LANES>,
    now: &'a State<ENTRIES>,
    next: &'a State<ENTRIES>,
}

/// Counts what a run of a unit with these straps meets, from power-up on.
pub fn sample<const LANES: usize, const ENTRIES: usize>(
    straps: &Config,
    recording: &Recording<Inputs<LANES>, Outputs, State<ENTRIES>>,
    bins: &mut Bins,
) {
    let mut first = 0;
    for factor in FACTORS.iter() {
        bins.hit(Cover::StrapValue, [first + factor.level(straps)]);
        first += factor.levels;
    }
    for pair in recording.cycles.windows(2) {
        let [cycle, after] = pair else { continue };
        if !cycle.rst_n || !after.rst_n {
            continue;
        }
        let moment = Moment { straps, inputs: &cycle.inputs, now: &cycle.state, next: &after.state };
        moment.transfer(bins);
        moment.stack(bins);
        moment.control(bins);
        moment.request(bins);
        moment.store(bins);
        moment.queue(bins);
        moment.precise(bins);
    }
}

impl<const LANES: usize, const ENTRIES: usize> Moment<'_, LANES, ENTRIES> {
    fn stall(&self) -> bool {
        usize::from(self.now.queue.count) > LANES || self.now.pebs.pending != 0
    }

    fn debugctl(&self) -> DebugCtl {
        DebugCtl::from_bits(u64::from(self.now.control.debugctl))
    }

    /// Counts what the first lane or the interruption becomes.
    fn transfer(&self, bins: &mut Bins) {
        if self.stall() {
            return;
        }
        let int = &self.inputs.int;
        let kind = if int.valid {
            match int.kind.acts_as() {
                IntKind::Exception if int.vector == 1 => 4,
                IntKind::Exception => 3,
                IntKind::Nmi => 5,
                IntKind::Smi => 6,
                IntKind::Rsm => 7,
                _ => 2,
            }
        } else {
            let lanes = self.inputs.lanes.iter().filter(|lane| lane.retired.valid);
            let mut taken = lanes.filter(|lane| lane.branch.kind as u8 != 0 && lane.branch.taken);
            match taken.next() {
                Some(lane) if !self.inputs.partial => usize::from(lane.branch.kind as u8 >= 7),
                _ => return,
            }
        };
        let appended = self.appended() > 0;
        let sink = match (appended, self.debugctl().bts()) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let recorded = self.records() > 0;
        bins.hit(Cover::Transfer, [kind, sink, usize::from(recorded)]);
        if kind != 4 && kind < 6 && self.debugctl().tr() {
            let above = usize::from(self.level() > 0);
            let [os, usr] = [self.debugctl().bts_off_os(), self.debugctl().bts_off_usr()].map(usize::from);
            bins.hit(Cover::Privilege, [above, os, usr, usize::from(appended)]);
        }
    }

    fn level(&self) -> u8 {
        match self.inputs.mode.op_mode {
            OpMode::Real => 0,
            OpMode::Virtual8086 => 3,
            _ => self.inputs.mode.cpl,
        }
    }

    /// Records that leave the queue in this cycle.
    fn removed(&self) -> usize {
        let message = self.now.queue.count > 0 && !self.now.queue.record[0].store && self.inputs.btm_ready;
        let ended = self.now.queue.count > 0 && self.now.queue.record[0].store && self.ended();
        usize::from(message || ended)
    }

    /// Whether a branch record or a PEBS record is through.
    fn ended(&self) -> bool {
        let began = self.now.store.step != Step::Idle;
        (began && self.next.store.step == Step::Idle) || (!began && self.next.notice.lost)
    }

    fn appended(&self) -> usize {
        usize::from(self.next.queue.count) + self.removed() - usize::from(self.now.queue.count)
    }

    /// Records that the stack takes in this cycle, told by its pointer: fewer than the entries.
    fn records(&self) -> usize {
        if self.accepted() {
            return 0;
        }
        let depth = entries_of(self.straps.lbr_depth);
        let moved = (usize::from(self.next.lbr.tos) + depth - usize::from(self.now.lbr.tos)) % depth;
        if moved == 0 && self.next.lbr.entry != self.now.lbr.entry { depth } else { moved }
    }

    fn stack(&self, bins: &mut Bins) {
        let records = self.records();
        if records == 0 {
            return;
        }
        let depth = entries_of(self.straps.lbr_depth);
        let level = depth.trailing_zeros() as usize - 2;
        let wraps = usize::from(self.now.lbr.tos) + records >= depth;
        bins.hit(Cover::Several, [records - 1, level, usize::from(wraps)]);
        let format = self.straps.lbr_format as usize;
        let clocks = (usize::from(self.now.lbr.elapsed) + usize::from(self.inputs.core_clock)).min(2);
        bins.hit(Cover::Elapsed, [format, clocks]);
        if records > 1 {
            return;
        }
        let mode = usize::from(self.inputs.mode.op_mode != OpMode::Long64);
        let beyond = 1 + usize::from(!self.inputs.far_long);
        let (far, about) = if self.inputs.int.valid {
            (beyond, 0)
        } else {
            let mut lanes = self.inputs.lanes.iter().filter(|lane| lane.retired.valid && lane.branch.taken);
            let Some(lane) = lanes.find(|lane| lane.branch.kind as u8 != 0) else { return };
            let about = match lane.transaction {
                transaction if self.straps.rtm && transaction.tx_abort => 3,
                transaction if self.straps.rtm && transaction.in_tx => 2,
                _ => usize::from(lane.branch.pred_valid && !lane.branch.pred_ok),
            };
            (if lane.branch.kind as u8 >= 7 { beyond } else { 0 }, about)
        };
        bins.hit(Cover::Format, [format, mode, far, about]);
    }

    fn control(&self, bins: &mut Bins) {
        let now = self.debugctl();
        let [lbr, tr] = [now.lbr(), now.tr()].map(usize::from);
        let mut hit = |cause: usize, flag: bool| bins.hit(Cover::Control, [cause, usize::from(flag), lbr, tr]);
        let wrote = self.accepted() && self.inputs.reg.number == 0x1D9 && self.inputs.reg.op == RegOp::Wrmsr;
        if wrote && self.next.answer.reg_result == RegResult::Done {
            hit(0, self.inputs.reg.wdata & 1 != 0);
        }
        if self.inputs.pmi {
            hit(1, now.freeze_lbrs_on_pmi());
        }
        if self.now.notice.ds_pmi {
            hit(2, now.freeze_lbrs_on_pmi());
        }
        if !self.inputs.int.valid || self.stall() {
            return;
        }
        match self.inputs.int.kind.acts_as() {
            IntKind::Exception if self.inputs.int.vector == 1 => hit(3, now.btf()),
            IntKind::Smi => hit(4, now.freeze_while_smm()),
            IntKind::Rsm => hit(5, self.now.control.smm_frozen),
            _ => {}
        }
    }

    fn accepted(&self) -> bool {
        let idle = self.now.queue.count == 0 && self.now.store.step == Step::Idle && self.now.pebs.pending == 0;
        let quiet = self.inputs.partial || !self.inputs.lanes.iter().any(|lane| lane.retired.valid);
        self.inputs.reg.valid && idle && quiet && !self.inputs.int.valid
    }

    fn request(&self, bins: &mut Bins) {
        if !self.accepted() {
            return;
        }
        let operation = match self.inputs.reg.op {
            RegOp::Rdmsr => 0,
            RegOp::Wrmsr => 1,
            _ => 2,
        };
        let result = match self.next.answer.reg_result {
            RegResult::Done => 0,
            RegResult::GeneralProtection => 1,
            _ => 2,
        };
        let register = match self.inputs.reg.number {
            0x1D9 => 0,
            0x1C9 => 1,
            0x1DD | 0x1DE => 2,
            0x40..=0x5F | 0x680..=0x69F => 3,
            0x60..=0x7F | 0x6C0..=0x6DF => 4,
            0xDC0..=0xDDF => 5,
            0x600 => 6,
            0x3F1 => 7,
            _ => 8,
        };
        bins.hit(Cover::Request, [register, operation, result]);
    }

    fn store(&self, bins: &mut Bins) {
        let (now, next) = (&self.now.store, &self.next.store);
        let notice = &self.next.notice;
        let acted = now.step != next.step || now.field != next.field || notice.lost;
        if !acted {
            return;
        }
        let first = &self.now.queue.record[0];
        let branch = self.now.queue.count > 0 && first.store;
        let (pebs, wide) = match now.step {
            Step::Idle if branch => (false, first.wide),
            Step::Idle => (true, self.now.pebs.pending_wide),
            _ => (now.pebs, now.wide),
        };
        let outcome = match () {
            () if notice.lost => 1,
            () if notice.stored => 2,
            () if self.next.reload.reload_valid => 3,
            () if now.step != Step::Idle && next.step == Step::Idle => 4,
            () => 0,
        };
        let [kind, width, circular] = [pebs, wide, now.circular].map(usize::from);
        bins.hit(Cover::Ending, [now.step as usize, kind, width, outcome]);
        if now.step == Step::Place {
            bins.hit(Cover::Place, [kind, circular, self.placed()]);
        }
        if notice.stored {
            let reached = usize::from(now.index >= now.threshold);
            bins.hit(Cover::Threshold, [kind, circular, reached, usize::from(notice.ds_pmi)]);
        }
    }

    /// Where a record goes, or why it goes nowhere.
    fn placed(&self) -> usize {
        let (now, next) = (&self.now.store, &self.next.store);
        let low = if now.wide { 7 } else { 3 };
        match () {
            () if !self.next.notice.lost => usize::from(next.index != now.index),
            () if (now.base | now.index | now.maximum) & low != 0 => 2,
            () if now.index < now.base || now.index > now.maximum => 3,
            () => 4,
        }
    }

    fn queue(&self, bins: &mut Bins) {
        let waiting = match usize::from(self.now.queue.count) {
            0 => 0,
            count if count <= LANES => 1,
            _ => 2,
        };
        let removed = match self.removed() {
            0 => 0,
            _ => 1 + usize::from(self.now.queue.record[0].store),
        };
        bins.hit(Cover::Queue, [waiting, self.appended(), removed]);
    }

    fn precise(&self, bins: &mut Bins) {
        if self.stall() || self.inputs.int.valid || self.inputs.partial {
            return;
        }
        for counter in 0..usize::from(self.straps.pebs_counters) {
            let bit = |mask: u8| usize::from(mask >> counter & 1);
            let pebs = &self.inputs.pebs;
            let [enabled, armed] = [self.now.control.pebs_enable, self.now.pebs.armed].map(bit);
            let fired = bit(self.next.pebs.pending);
            bins.hit(Cover::Precise, [enabled, armed, bit(pebs.overflow), bit(pebs.event), fired]);
        }
    }
}
