//! Steps of an access that look up and fill the caches.

use super::line::{L2Line, L3Line};
use super::state::{Stage, Step};
use super::steps::Steps;

impl<const LPS: usize, const L3_SETS: usize, const L3_WAYS: usize, const L2_SETS: usize, const L2_WAYS: usize>
    Steps<'_, LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS>
{
    /// The line is used in a way of the L2 cache where it is.
    fn use_l2(&mut self, way: usize) {
        let dirty = self.job.write;
        self.l2.write(|word| {
            word.touch(way);
            word.line[way].dirty |= dirty;
        });
    }

    #[inline]
    pub(super) fn l2_look(&mut self) {
        if let Some(way) = self.l2.word().find(self.job.line) {
            self.use_l2(way);
            self.ends();
            self.lp[usize::from(self.job.turn)].l2_hit = true;
        } else {
            self.lp[usize::from(self.job.turn)].stage = Stage::L3;
            self.job.step = Step::Idle;
        }
    }

    #[inline]
    pub(super) fn l3_look(&mut self) {
        if let Some(way) = self.l3.word().find(self.job.line) {
            let late = self.job.late();
            self.l3.write(|word| {
                word.touch(way);
                word.line[way].dirty |= late;
            });
            self.job.hit = true;
            self.fetch_or_end();
        } else if self.job.l3_allowed == 0 {
            (self.job.fills, self.job.l2_allowed, self.job.step) = (false, 0, Step::MemRequest);
        } else {
            let way = self.l3.word().victim(self.job.l3_allowed);
            (self.job.fills, self.job.way) = (true, way as u8);
            if self.l3.word().line[way].valid {
                self.leave(way);
            } else {
                self.job.step = Step::MemRequest;
            }
        }
    }

    /// The line of a way is going to leave the L3 cache.
    #[inline]
    pub(super) fn leave(&mut self, way: usize) {
        let L3Line { line, rmid, dirty, .. } = self.l3.word().line[way];
        (self.job.victim, self.job.victim_rmid, self.job.victim_dirty) = (line, rmid, dirty);
        self.job.step = match (self.straps.l2, dirty) {
            (true, _) => Step::InvRead,
            (false, true) => Step::WriteBack,
            (false, false) => Step::Evict,
        };
    }

    /// The L2 cache gets the line if it may.
    #[inline]
    fn fetch_or_end(&mut self) {
        if self.job.l2_allowed == 0 {
            self.ends();
        } else {
            self.job.step = Step::L2Fetch;
        }
    }

    #[inline]
    pub(super) fn l3_fill(&mut self) {
        let (job, way) = (*self.job, usize::from(self.job.way));
        self.l3.write(|word| {
            let L3Line { age, .. } = word.line[way];
            let (code, rmid, line) = (job.code, job.rmid, job.line);
            word.line[way] = L3Line { valid: true, dirty: job.late(), code, rmid, line, age };
            word.touch(way);
        });
        self.rmid[usize::from(job.rmid)].fill(self.straps);
        self.fetch_or_end();
    }

    #[inline]
    pub(super) fn l2_fill(&mut self) {
        let job = *self.job;
        if let Some(way) = self.l2.word().find(job.line) {
            self.use_l2(way);
            self.ends();
            return;
        }
        let way = self.l2.word().victim(job.l2_allowed.into());
        let old = self.l2.word().line[way];
        self.l2.write(|word| {
            word.line[way] = L2Line { valid: true, dirty: job.write, line: job.line, age: old.age };
            word.touch(way);
        });
        if old.valid && old.dirty {
            (self.job.victim, self.job.step) = (old.line, Step::MarkRead);
        } else {
            self.ends();
        }
    }

    #[inline]
    pub(super) fn mark(&mut self) {
        if let Some(way) = self.l3.word().find(self.job.victim) {
            self.l3.write(|word| word.line[way].dirty = true);
        }
        if self.job.walk {
            self.job.step = Step::L2WalkRead;
        } else {
            self.ends();
        }
    }
}
