//! The branch that a step takes.

use super::crosses::{Branch, Cover};
use super::sampler::Moment;
use crate::coverage::Bins;
use lwp_model::rdt::Step;

impl<const LP: usize> Moment<'_, LP> {
    pub(super) fn branch(&self, bins: &mut Bins) {
        let branch = match self.now.job.step {
            Step::Clear | Step::Idle => self.beginning(),
            Step::L2Read | Step::L2Look | Step::L3Read | Step::L3Look => self.look(),
            Step::InvRead | Step::InvLook | Step::WriteBack | Step::Evict => self.leaving(),
            Step::MemRequest | Step::MemWait | Step::L3Fill => self.coming(),
            Step::L2Fetch | Step::L2Fill | Step::MarkRead | Step::Mark => self.filling_l2(),
            Step::L2WalkRead | Step::L2Walk | Step::L3WalkRead | Step::L3Walk => self.walking(),
        };
        bins.hit(Cover::Branch, [usize::from(branch), usize::from(self.straps.l2)]);
    }

    fn beginning(&self) -> Branch {
        match (self.now.job.step, self.next.job.step) {
            (Step::Clear, Step::Clear) => Branch::ClearGoesOn,
            (Step::Clear, _) => Branch::ClearEnds,
            (_, Step::L2WalkRead) => Branch::IdleL2Shrinks,
            (_, Step::L3WalkRead) => Branch::IdleL3Shrinks,
            (_, Step::L2Read) => Branch::IdleToL2,
            (_, Step::L3Read) => Branch::IdleToL3,
            _ => Branch::IdleNothing,
        }
    }

    /// The way of the L2 word that holds a line.
    pub(super) fn l2_way(&self, line: u64) -> Option<usize> {
        self.now.l2.line.iter().position(|way| way.valid && way.line == line)
    }

    /// The way of the L3 word that holds a line.
    pub(super) fn l3_way(&self, line: u64) -> Option<usize> {
        self.now.l3.line.iter().position(|way| way.valid && way.line == line)
    }

    fn look(&self) -> Branch {
        let job = &self.now.job;
        let late = job.write && job.l2_allowed == 0;
        match job.step {
            Step::L2Read => Branch::L2Read,
            Step::L3Read => Branch::L3Read,
            Step::L2Look => match self.l2_way(job.line) {
                None => Branch::L2LookMiss,
                Some(_) if job.write => Branch::L2LookWrite,
                Some(_) => Branch::L2LookRead,
            },
            _ if self.l3_way(job.line).is_some() => match self.next.job.step {
                _ if late => Branch::LookHitLate,
                Step::L2Fetch => Branch::LookHitFetch,
                _ => Branch::LookHitEnds,
            },
            _ if job.l3_allowed == 0 => Branch::LookNoWay,
            _ => match self.next.job.step {
                Step::InvRead => Branch::LookInvalidate,
                Step::WriteBack => Branch::LookWriteBack,
                Step::Evict => Branch::LookEvict,
                _ => Branch::LookFree,
            },
        }
    }

    fn leaving(&self) -> Branch {
        let job = &self.now.job;
        match job.step {
            Step::InvRead => Branch::InvRead,
            Step::InvLook => match (self.l2_way(job.victim), job.victim_dirty) {
                (None, false) => Branch::InvAbsent,
                (None, true) => Branch::InvAbsentDirty,
                (Some(way), dirty) => match (self.now.l2.line[way].dirty, dirty) {
                    (false, false) => Branch::InvClean,
                    (false, true) => Branch::InvCleanDirty,
                    (true, false) => Branch::InvDirty,
                    (true, true) => Branch::InvDirtyToo,
                },
            },
            Step::WriteBack if self.inputs.mem.mem_gnt => Branch::WriteBackGranted,
            Step::WriteBack => Branch::WriteBackWaits,
            _ if job.walk => Branch::EvictWalk,
            _ => Branch::Evict,
        }
    }

    fn coming(&self) -> Branch {
        let job = &self.now.job;
        match job.step {
            Step::MemRequest if !self.inputs.mem.mem_gnt => Branch::MemRequestWaits,
            Step::MemRequest if job.write && !job.fills => Branch::MemRequestDirect,
            Step::MemRequest => Branch::MemRequestRead,
            Step::MemWait if !self.inputs.mem.mem_rvalid => Branch::MemWaitWaits,
            Step::MemWait if job.fills => Branch::MemWaitFills,
            Step::MemWait => Branch::MemWaitEnds,
            _ if job.l2_allowed != 0 => Branch::FillFetch,
            _ if job.write => Branch::FillLate,
            _ => Branch::FillEnds,
        }
    }

    fn filling_l2(&self) -> Branch {
        let job = &self.now.job;
        let valid = |lines: &[lwp_model::rdt::L2Line]| lines.iter().filter(|line| line.valid).count();
        match job.step {
            Step::L2Fetch => Branch::L2Fetch,
            Step::MarkRead => Branch::MarkRead,
            Step::Mark if job.walk => Branch::MarkWalk,
            Step::Mark => Branch::Mark,
            _ if self.l2_way(job.line).is_some() => Branch::L2FillThere,
            _ if self.next.job.step == Step::MarkRead => Branch::L2FillDirty,
            _ if valid(self.next.l2.line) > valid(self.now.l2.line) => Branch::L2FillFree,
            _ => Branch::L2FillClean,
        }
    }

    fn walking(&self) -> Branch {
        let (now, next) = (&self.now.job, &self.next.job);
        match (now.step, next.step) {
            (Step::L2WalkRead, _) => Branch::L2WalkRead,
            (Step::L3WalkRead, _) => Branch::L3WalkRead,
            (Step::L2Walk, Step::MarkRead) => Branch::L2WalkDirty,
            (Step::L2Walk, Step::Idle) => Branch::L2WalkEnds,
            (Step::L2Walk, _) if now.set != next.set => Branch::L2WalkNext,
            (Step::L2Walk, _) => Branch::L2WalkClean,
            (_, Step::InvRead) => Branch::L3WalkInvalidate,
            (_, Step::WriteBack) => Branch::L3WalkWriteBack,
            (_, Step::Evict) => Branch::L3WalkEvict,
            (_, Step::Idle) => Branch::L3WalkEnds,
            _ => Branch::L3WalkNext,
        }
    }
}
