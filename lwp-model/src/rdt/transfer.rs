//! Steps that move a line to or from memory.

use super::state::Step;
use super::steps::Steps;

impl<const LPS: usize, const L3_SETS: usize, const L3_WAYS: usize, const L2_SETS: usize, const L2_WAYS: usize>
    Steps<'_, LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS>
{
    #[inline]
    pub(super) fn inv_look(&mut self) {
        if let Some(way) = self.l2.word().find(self.job.victim) {
            self.job.victim_dirty |= self.l2.word().line[way].dirty;
            self.l2.write(|word| word.evict(way));
        }
        self.job.step = if self.job.victim_dirty { Step::WriteBack } else { Step::Evict };
    }

    /// Charges a line that memory takes or is asked for.
    #[inline]
    fn charge(&mut self, rmid: u8, write: bool) {
        if !write || self.straps.write_backs {
            self.rmid[usize::from(rmid)].charge(self.mem.mem_local, self.straps);
        }
    }

    #[inline]
    pub(super) fn write_back(&mut self) {
        if self.mem.mem_gnt {
            self.charge(self.job.victim_rmid, true);
            self.job.step = Step::Evict;
        }
    }

    #[inline]
    pub(super) fn evict(&mut self) {
        let way = usize::from(self.job.way);
        self.l3.write(|word| word.evict(way));
        self.rmid[usize::from(self.job.victim_rmid)].leave(self.straps);
        self.job.step = if self.job.walk { Step::L3WalkRead } else { Step::MemRequest };
    }

    #[inline]
    pub(super) fn mem_request(&mut self) {
        if !self.mem.mem_gnt {
            return;
        }
        let write = self.job.bypasses();
        self.charge(self.job.rmid, write);
        if write {
            self.ends();
        } else {
            self.job.step = Step::MemWait;
        }
    }

    #[inline]
    pub(super) const fn mem_wait(&mut self) {
        if self.mem.mem_rvalid {
            if self.job.fills {
                self.job.step = Step::L3Fill;
            } else {
                self.ends();
            }
        }
    }
}
