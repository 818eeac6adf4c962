//! Steps that empty the ways without power.

use super::state::Step;
use super::steps::Steps;

impl<const LPS: usize, const L3_SETS: usize, const L3_WAYS: usize, const L2_SETS: usize, const L2_WAYS: usize>
    Steps<'_, LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS>
{
    #[inline]
    pub(super) const fn l2_walk_read(&mut self) {
        self.l2.read(self.job.set);
        self.job.step = Step::L2Walk;
    }

    #[inline]
    pub(super) fn l2_walk(&mut self) {
        let Some(way) = self.l2.word().without_power(self.power.l2_on) else {
            return self.next_set(self.straps.l2_sets, Step::L2WalkRead);
        };
        let old = self.l2.word().line[way];
        self.l2.write(|word| word.evict(way));
        if old.dirty {
            (self.job.victim, self.job.step) = (old.line, Step::MarkRead);
        } else {
            self.job.step = Step::L2WalkRead;
        }
    }

    #[inline]
    pub(super) const fn l3_walk_read(&mut self) {
        self.l3.read(self.job.set);
        self.job.step = Step::L3Walk;
    }

    #[inline]
    pub(super) fn l3_walk(&mut self) {
        match self.l3.word().without_power(self.power.l3_on) {
            Some(way) => {
                self.job.way = way as u8;
                self.leave(way);
            }
            None => self.next_set(self.straps.l3_sets, Step::L3WalkRead),
        }
    }

    /// Goes to the next of 2^`sets` sets, or ends the walk.
    #[inline]
    const fn next_set(&mut self, sets: u8, read: Step) {
        if self.job.set == (1 << sets) - 1 {
            (self.job.walk, self.job.set, self.job.step) = (false, 0, Step::Idle);
        } else {
            (self.job.set, self.job.step) = (self.job.set + 1, read);
        }
    }
}
