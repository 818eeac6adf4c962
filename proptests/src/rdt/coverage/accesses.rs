//! What becomes of an access, and which one is chosen.

use super::crosses::Cover;
use super::sampler::Moment;
use crate::coverage::Bins;
use crate::rdt::delay::{Price, delay};
use lwp_model::rdt::{Stage, Step};

impl<const LP: usize> Moment<'_, LP> {
    /// Returns what the access in progress is: 0 reads, 1 fetches code, 2 writes.
    fn kind(&self) -> usize {
        let job = &self.now.job;
        if job.write { 2 } else { usize::from(job.code) }
    }

    /// Returns the number of classes of the L3 or L2 cache: with CDP half of them, rounded down.
    pub(super) fn classes(&self, l2: bool) -> u8 {
        let straps = self.straps;
        let (cat, cdp, cos) = if l2 {
            (straps.l2_cat, self.now.cdp.l2, straps.l2_cos)
        } else {
            (straps.l3_cat, self.now.cdp.l3, straps.l3_cos)
        };
        if !cat {
            0
        } else if cdp {
            cos.div_ceil(2)
        } else {
            cos + 1
        }
    }

    /// Returns what the mask of the L3 cache is for the access that is chosen in this cycle.
    pub(super) fn mask(&self) -> usize {
        let (straps, access) = (self.straps, &self.now.lp[usize::from(self.next.job.turn)]);
        if self.now.power.l3_on < straps.l3_ways {
            return 5;
        }
        if access.access_cos >= self.classes(false) {
            return 0;
        }
        let class = usize::from(access.access_cos);
        let register = if self.now.cdp.l3 { 2 * class + usize::from(access.code) } else { class };
        let mask = u32::from(self.now.class[register].l3_mask);
        match mask {
            0 => 4,
            mask if mask == (1 << straps.l3_ways) - 1 => 1,
            mask if (mask >> mask.trailing_zeros()).trailing_ones() == mask.count_ones() => 2,
            _ => 3,
        }
    }

    pub(super) fn access(&self, bins: &mut Bins) {
        let (job, kind) = (&self.now.job, self.kind());
        let outside = |allowed: u32, way: usize| usize::from(allowed >> way & 1 == 0);
        match job.step {
            Step::L2Look => {
                if let Some(way) = self.l2_way(job.line) {
                    bins.hit(Cover::Access, [kind, 0, self.mask]);
                    let dirty = usize::from(self.now.l2.line[way].dirty);
                    bins.hit(Cover::Outside, [1, kind, outside(job.l2_allowed.into(), way), dirty]);
                }
            }
            Step::L3Look => {
                if let Some(way) = self.l3_way(job.line) {
                    bins.hit(Cover::Access, [kind, 1, self.mask]);
                    let dirty = usize::from(self.now.l3.line[way].dirty);
                    bins.hit(Cover::Outside, [0, kind, outside(job.l3_allowed.into(), way), dirty]);
                } else {
                    bins.hit(Cover::Access, [kind, if job.l3_allowed == 0 { 3 } else { 2 }, self.mask]);
                }
            }
            _ => {}
        }
    }

    pub(super) fn choice(&self, bins: &mut Bins) {
        let Some(chosen) = self.chosen() else { return };
        let cost = |lp: usize| Price::of(self.straps, delay(self.straps, &self.now, lp, LP)).cost;
        let paced = |lp: usize| u64::from(self.now.lp[lp].credit) >= cost(lp);
        let stage = |lp: usize| self.now.lp[lp].stage;
        let ready = (0..LP).filter(|&lp| stage(lp) == Stage::L2 || stage(lp) == Stage::L3 && paced(lp)).count();
        let held = (0..LP).any(|lp| stage(lp) == Stage::L3 && !paced(lp));
        let turn = usize::from(self.now.job.turn);
        let behind = match chosen {
            chosen if chosen == turn => 2,
            chosen => usize::from(chosen != (turn + 1) % LP),
        };
        bins.hit(Cover::Choice, [ready - 1, stage(chosen) as usize - 1, behind, usize::from(held)]);
        let access = &self.now.lp[chosen];
        let kind = if access.write { 2 } else { usize::from(access.code) };
        for (l2, cdp) in [(false, self.now.cdp.l3), (true, self.now.cdp.l2)] {
            if l2 && !self.straps.l2 {
                continue;
            }
            let class = match access.access_cos {
                class if class >= self.classes(l2) => 2,
                class => usize::from(class % 2),
            };
            bins.hit(Cover::Mapping, [usize::from(l2), usize::from(cdp), class, kind]);
        }
    }
}
