//! The bins that a cycle meets.

use super::crosses::Cover;
use crate::coverage::Bins;
use crate::rdt::delay::{Price, delay, of_class};
use crate::rdt::monitor::{Caches, Line};
use crate::rdt::straps::FACTORS;
use crate::rdt::{Build, Registers};
use lwp_model::rdt::{Config, Inputs, Scope, Sizes, Stage, Step};
use recording::Of;

/// A cycle out of reset, and the registers of the next one.
pub(super) struct Moment<'a, const LP: usize> {
    pub(super) straps: &'a Config,
    pub(super) inputs: &'a Inputs<LP>,
    pub(super) now: Registers<'a>,
    pub(super) next: Registers<'a>,
    /// What the mask of the L3 cache was when the access was chosen.
    pub(super) mask: usize,
}

/// Counts what a run of a unit with these straps meets, from power-up on.
pub fn sample<U: Build<LP>, const LP: usize>(straps: &Config, recording: &Of<U>, bins: &mut Bins) {
    let mut first = 0;
    for factor in FACTORS.iter() {
        bins.hit(Cover::StrapValue, [first + factor.level(straps)]);
        first += factor.levels;
    }
    let sizes: Sizes = U::SIZES;
    let (mut caches, mut mask) = (Caches::new(sizes), 0);
    for pair in recording.cycles.windows(2) {
        let [cycle, after] = pair else { continue };
        if !cycle.rst_n || !after.rst_n {
            caches = Caches::new(sizes);
            continue;
        }
        let mut moment = Moment {
            straps,
            inputs: &cycle.inputs,
            now: U::registers(&cycle.state),
            next: U::registers(&after.state),
            mask,
        };
        if moment.chosen().is_some() {
            mask = moment.mask();
            moment.mask = mask;
        }
        moment.branch(bins);
        moment.access(bins);
        moment.choice(bins);
        moment.request(bins);
        moment.power(&caches, bins);
        moment.charge(bins);
        moment.pace(bins);
        moment.meanwhile(bins);
        caches.follow(&moment.next);
    }
}

impl<const LP: usize> Moment<'_, LP> {
    /// The logical processor that is chosen in this cycle.
    pub(super) fn chosen(&self) -> Option<usize> {
        let chosen = self.now.job.step == Step::Idle && matches!(self.next.job.step, Step::L2Read | Step::L3Read);
        chosen.then_some(self.next.job.turn.into())
    }

    fn power(&self, caches: &Caches, bins: &mut Bins) {
        if self.now.job.step != Step::Idle {
            return;
        }
        let (now, next, straps) = (self.now.power, self.next.power, self.straps);
        let each = [
            (0, now.l3_on, next.l3_on, straps.l3_ways, &caches.l3),
            (1, now.l2_on, next.l2_on, straps.l2_ways, &caches.l2),
        ];
        for (cache, before, after, ways, words) in each {
            let kind = match (before, after) {
                (before, after) if before == after => continue,
                (_, 0) => 0,
                (before, after) if after < before => 1,
                (0, _) => 4,
                (_, after) if after == ways => 2,
                _ => 3,
            };
            let lost = words.iter().flat_map(|word| &word[usize::from(after).min(word.len())..]);
            let lines: Vec<&Line> = lost.filter(|line| line.valid).collect();
            let dirty = lines.iter().any(|line| line.dirty);
            bins.hit(Cover::Power, [cache, kind, if dirty { 2 } else { usize::from(!lines.is_empty()) }]);
        }
    }

    fn charge(&self, bins: &mut Bins) {
        let job = &self.now.job;
        if !self.inputs.mem.mem_gnt {
            return;
        }
        let transfer = match job.step {
            Step::WriteBack if job.walk => 4,
            Step::WriteBack => 3,
            Step::MemRequest if job.fills => 0,
            Step::MemRequest if job.write => 2,
            Step::MemRequest => 1,
            _ => return,
        };
        let straps = self.straps;
        let [local, total_event, local_event, write_backs] =
            [self.inputs.mem.mem_local, straps.events & 2 != 0, straps.events & 4 != 0, straps.write_backs]
                .map(usize::from);
        bins.hit(Cover::Charge, [transfer, local, total_event, local_event, write_backs]);
        let width = straps.width + straps.scale;
        for (before, after) in self.now.rmid.iter().zip(self.next.rmid) {
            for (counter, before, after) in [(0, before.total, after.total), (1, before.local, after.local)] {
                if after < before {
                    bins.hit(Cover::Wrap, [counter, 1]);
                } else if before >> width != after >> width {
                    bins.hit(Cover::Wrap, [counter, 0]);
                }
            }
        }
    }

    fn pace(&self, bins: &mut Bins) {
        let straps = self.straps;
        for (lp, now) in self.now.lp[..LP].iter().enumerate() {
            let delay = delay(straps, &self.now, lp, LP);
            let price = Price::of(straps, delay);
            let of_own = match straps.mba_scope {
                Scope::Thread => delay,
                Scope::Core => of_class(straps, &self.now, now.cos),
            };
            let whose = match delay {
                0 => 0,
                delay if delay == of_own => 1,
                _ => 2,
            };
            let short = u64::from(now.credit) < price.cost;
            let credit = match () {
                () if self.chosen() == Some(lp) && now.stage == Stage::L3 => 1,
                () if short && now.stage == Stage::L3 => 0,
                () if short => 2,
                () => continue,
            };
            bins.hit(Cover::Pace, [straps.mba_scope as usize, usize::from(straps.mba_linear), whose, credit]);
        }
    }

    /// Counts what changes while an access waits or is in progress.
    fn meanwhile(&self, bins: &mut Bins) {
        let masks = self.now.class.iter().zip(self.next.class);
        let changed = masks.clone().any(|(now, next)| (now.l3_mask, now.l2_mask) != (next.l3_mask, next.l2_mask));
        let busy = !matches!(self.now.job.step, Step::Clear | Step::Idle) && !self.now.job.walk;
        for (lp, now) in self.now.lp[..LP].iter().enumerate().filter(|(_, now)| now.stage != Stage::None) {
            let at = match () {
                () if busy && usize::from(self.now.job.turn) == lp => 2,
                () => now.stage as usize - 1,
            };
            let next = &self.next.lp[lp];
            let mut others = self.now.lp[..LP].iter().enumerate();
            let shared = others.any(|(other, of)| other != lp && of.stage != Stage::None && of.line == now.line);
            let causes = [
                changed,
                self.now.cdp != self.next.cdp,
                (now.rmid, now.cos) != (next.rmid, next.cos),
                self.now.power != self.next.power,
                shared,
            ];
            for (cause, _) in causes.iter().enumerate().filter(|(_, is)| **is) {
                bins.hit(Cover::Meanwhile, [cause, at]);
            }
        }
    }
}
