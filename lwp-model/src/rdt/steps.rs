//! Stage steps: takes one access, or one walk, through the caches.

use super::choice;
use super::config::Config;
use super::counts;
use super::inputs::{Memory, Power};
use super::line::{L2Line, L3Line};
use super::memory::Port;
use super::pace::Pace;
use super::state::{Cdp, Class, Job, Lp, PowerOn, Rmid, Stage, Step};
use lwp_regs::rdt::RdtCaps;

/// What the steps of a cycle read and change.
#[derive(Debug)]
pub(super) struct Steps<
    'a,
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
> {
    pub(super) straps: &'a Config,
    pub(super) caps: &'a RdtCaps,
    pub(super) mem: &'a Memory,
    pub(super) wanted: &'a Power,
    pub(super) paces: &'a [Pace; LPS],
    pub(super) cdp: Cdp,
    pub(super) lp: &'a mut [Lp; LPS],
    pub(super) class: &'a mut [Class],
    pub(super) rmid: &'a mut [Rmid],
    pub(super) job: &'a mut Job,
    pub(super) power: &'a mut PowerOn,
    pub(super) l3: Port<'a, L3Line, L3_SETS, L3_WAYS>,
    pub(super) l2: Port<'a, L2Line, L2_SETS, L2_WAYS>,
}

impl Job {
    /// Whether the access writes to memory, past the L3 cache.
    #[inline]
    pub(super) const fn bypasses(&self) -> bool {
        self.write && !self.fills
    }

    /// Whether the L3 cache has what was written, since the L2 cache will not hold the line.
    #[inline]
    pub(super) const fn late(&self) -> bool {
        self.write && self.l2_allowed == 0
    }
}

impl<const LPS: usize, const L3_SETS: usize, const L3_WAYS: usize, const L2_SETS: usize, const L2_WAYS: usize>
    Steps<'_, LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS>
{
    /// Takes a step. Returns the logical processor that is chosen for the L3 cache.
    #[inline]
    pub(super) fn step(&mut self) -> Option<usize> {
        match self.job.step {
            Step::Clear => self.clear(),
            Step::Idle => return self.idle(),
            Step::L2Read => self.l2_read(self.job.line, Step::L2Look),
            Step::L2Look => self.l2_look(),
            Step::L3Read => self.l3_read(self.job.line, Step::L3Look),
            Step::L3Look => self.l3_look(),
            Step::InvRead => self.l2_read(self.job.victim, Step::InvLook),
            Step::InvLook => self.inv_look(),
            Step::WriteBack => self.write_back(),
            Step::Evict => self.evict(),
            Step::MemRequest => self.mem_request(),
            Step::MemWait => self.mem_wait(),
            Step::L3Fill => self.l3_fill(),
            Step::L2Fetch => self.l2_read(self.job.line, Step::L2Fill),
            Step::L2Fill => self.l2_fill(),
            Step::MarkRead => self.l3_read(self.job.victim, Step::Mark),
            Step::Mark => self.mark(),
            Step::L2WalkRead => self.l2_walk_read(),
            Step::L2Walk => self.l2_walk(),
            Step::L3WalkRead => self.l3_walk_read(),
            Step::L3Walk => self.l3_walk(),
        }
        None
    }

    fn clear(&mut self) {
        let Job { set, .. } = *self.job;
        if set == 0 {
            self.reset_masks();
        }
        self.l3.clear(set);
        self.l2.clear(set);
        self.job.set = set + 1;
        if usize::from(self.job.set) == L3_SETS.max(L2_SETS) {
            (self.job.set, self.job.step) = (0, Step::Idle);
            *self.power = self.wanted_ways();
            counts::start(self.rmid, self.straps);
        }
    }

    fn reset_masks(&mut self) {
        let straps = self.straps;
        if straps.l3_cat {
            for class in &mut self.class[..=usize::from(straps.l3_cos)] {
                class.l3_mask = choice::lowest(straps.l3_ways);
            }
        }
        if straps.l2_cat {
            for class in &mut self.class[..=usize::from(straps.l2_cos)] {
                class.l2_mask = choice::lowest(straps.l2_ways) as u8;
            }
        }
    }

    /// Returns the ways that shall have power.
    #[inline]
    fn wanted_ways(&self) -> PowerOn {
        PowerOn {
            l3_on: self.wanted.l3_power.min(self.straps.l3_ways),
            l2_on: self.wanted.l2_power.min(self.straps.l2_ways),
        }
    }

    #[inline]
    fn idle(&mut self) -> Option<usize> {
        let (wanted, on) = (self.wanted_ways(), *self.power);
        if wanted.l2_on < on.l2_on {
            self.power.l2_on = wanted.l2_on;
            (self.job.walk, self.job.set, self.job.step) = (true, 0, Step::L2WalkRead);
            return None;
        }
        if wanted.l3_on < on.l3_on {
            self.power.l3_on = wanted.l3_on;
            (self.job.walk, self.job.set, self.job.step) = (true, 0, Step::L3WalkRead);
            return None;
        }
        *self.power = wanted;
        self.job.walk = false;
        let chosen = choice::next(self.job.turn, self.lp, self.paces)?;
        let lp = &self.lp[chosen];
        let (l3_allowed, l2_allowed) = choice::allowed(lp, self.class, self.cdp, on, (self.straps, self.caps));
        let l3 = lp.stage == Stage::L3;
        *self.job = Job {
            step: if l3 { Step::L3Read } else { Step::L2Read },
            turn: chosen as u8,
            rmid: lp.access_rmid,
            cos: lp.access_cos,
            write: lp.write,
            code: lp.code,
            line: lp.line,
            l3_allowed,
            l2_allowed,
            hit: false,
            ..*self.job
        };
        l3.then_some(chosen)
    }

    /// The L2 cache reads the set of a line.
    #[inline]
    pub(super) const fn l2_read(&mut self, line: u64, next: Step) {
        self.l2.read(self.straps.l2_set(line));
        self.job.step = next;
    }

    /// The L3 cache reads the set of a line.
    #[inline]
    pub(super) const fn l3_read(&mut self, line: u64, next: Step) {
        self.l3.read(self.straps.l3_set(line));
        self.job.step = next;
    }

    /// The access ends.
    #[inline]
    pub(super) const fn ends(&mut self) {
        let lp = &mut self.lp[self.job.turn as usize];
        (lp.stage, lp.done, lp.l3_hit) = (Stage::None, true, self.job.hit);
        self.job.step = Step::Idle;
    }
}
