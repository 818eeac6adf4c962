//! The retire lanes of logical processor 0, and the lines of the event bus that a trace with its front end knows.

use super::setup::Request;
use crate::core::{RetirePort, Schedule};
use crate::traces::{Load, Retired};
use lwp_model::Choice;
use lwp_model::perf::{Events, Inputs, Lane, Line};
use lwp_model::retire::{BranchKind, Interruption, Mode};

/// Lines that the environment shows. Of memory a trace knows the accesses, and the front end what became of the loads: no other
/// processor shares a line, so that a line in the L2 is Exclusive.
pub const SUPPLIED: [Line; 9] = [
    Line::DataMemRefs,
    Line::DcuLinesIn,
    Line::L2LdI,
    Line::L2LdE,
    Line::L2RqstsI,
    Line::L2RqstsE,
    Line::L2LinesIn,
    Line::LlcReferences,
    Line::LlcMisses,
];

/// The unit's inputs as the feeder fills them in a cycle.
pub(super) struct Lanes<'a, const LP: usize, const LANES: usize> {
    pub(super) inputs: &'a mut Inputs<LP, LANES>,
    /// Instructions that have retired.
    pub(super) retired: &'a mut u64,
    /// Address of the last one.
    pub(super) ip: &'a mut u64,
    /// Requests, which are due with instructions. An instruction with which one is due is the last of its cycle.
    pub(super) schedule: &'a mut Schedule<Request>,
}

impl<const LP: usize, const LANES: usize> RetirePort for Lanes<'_, LP, LANES> {
    const MISSED_LOADS: bool = false;
    const ACCESSES: bool = false;
    const IO: bool = false;
    const INTERRUPTIONS: bool = true;
    const CS_BASE: bool = false;

    #[inline]
    fn is_in(&self, mode: Mode) -> bool {
        let lp = &self.inputs.lp[0];
        (lp.cpl, lp.op_mode) == (mode.cpl, mode.op_mode)
    }

    fn enter(&mut self, mode: Mode) {
        let lp = &mut self.inputs.lp[0];
        (lp.cpl, lp.op_mode) = (mode.cpl, mode.op_mode);
    }

    fn interrupt(&mut self, interruption: &Interruption) {
        let lp = &mut self.inputs.lp[0];
        (lp.int_valid, lp.int_kind) = (true, interruption.kind);
    }

    #[inline]
    fn retire(&mut self, lane: usize, retired: &Retired) -> bool {
        self.inputs.lanes[0][lane] = lane_of(retired);
        show(retired, &mut self.inputs.lp[0].events);
        *self.ip = retired.ip;
        let number = *self.retired;
        *self.retired = number + 1;
        let due = self.schedule.is_due(number);
        if due {
            self.schedule.due(number);
        }
        !due
    }
}

#[inline]
pub(crate) fn lane_of(retired: &Retired) -> Lane {
    let lane = Lane { valid: true, counts: retired.flags.rep.counts(), ..Lane::default() };
    retired.branch.map_or(lane, |branch| Lane {
        branch_kind: BranchKind::from_code(branch.kind as u8).unwrap_or_default(),
        branch_taken: branch.taken,
        branch_pred_valid: branch.predicted.is_some(),
        branch_pred_ok: branch.predicted == Some(true),
        ..lane
    })
}

/// Adds the accesses of an instruction to the event bus. A line holds at most 15.
#[inline]
fn show(retired: &Retired, events: &mut Events) {
    let accesses = retired.loads.len() + retired.stores.len();
    if accesses == 0 {
        return;
    }
    let mut add = |line, number: usize| events.set(line, (usize::from(events.line(line)) + number).min(15) as u8);
    add(Line::DataMemRefs, accesses);
    let count = |which: fn(&Load) -> bool| retired.loads.iter().filter(|load| load.miss && which(load)).count();
    let (missed, found) = (count(|_| true), count(|load| load.source == 0));
    if missed == 0 {
        return;
    }
    let beyond = missed - found;
    add(Line::DcuLinesIn, missed);
    for (line, number) in [
        (Line::L2LdE, found),
        (Line::L2RqstsE, found),
        (Line::L2LdI, beyond),
        (Line::L2RqstsI, beyond),
        (Line::L2LinesIn, beyond),
        (Line::LlcReferences, beyond),
        (Line::LlcMisses, count(|load| !matches!(load.source, 0 | 1))),
    ] {
        add(line, number);
    }
}
