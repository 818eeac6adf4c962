//! Cycles at a stride: while nothing is on its way and no counter can reach zero, a stretch of cycles is a subtraction.

use super::digest::{Counts, Digest, flag};
use super::inputs::Inputs;
use super::outputs;
use super::state::{CtlState, NUM_EVENTS, RECORD_QUEUE, Record, StoreState};
use super::straps::AddressPolicy;
use super::unit::Lwp;
use core::borrow::Borrow;

/// Digests that are looked at together; their sum has room in every field.
const BLOCK: usize = 16;

/// The longest stretch: 16 missed loads in each cycle do not overflow a sum.
const LONGEST: usize = 1 << 27;

/// How far a stretch may go.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// Flags that end it.
    stop: u64,
    /// Occurrences that no counter of a live event can reach zero by.
    most: [u32; NUM_EVENTS],
    /// Direct jumps are no branches.
    ndb: bool,
    /// Lanes are counted.
    counting: bool,
}

impl Bounds {
    /// Occurrences of each event.
    const fn occurrences(&self, counts: &Counts) -> [u32; NUM_EVENTS] {
        let branches = if self.ndb { counts.branches - counts.jumps } else { counts.branches };
        [counts.instructions, branches, counts.misses]
    }

    fn allow(&self, counts: &Counts) -> bool {
        !self.counting || self.occurrences(counts).iter().zip(&self.most).all(|(number, most)| number <= most)
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Lwp<W, S, LAT> {
    /// Runs these cycles: as [`step`](Self::step) with each of `inputs` in turn, in a fraction of the time. `digests` are the
    /// [digests](Digest::of) of `inputs`; what has none is not run.
    pub fn run(&mut self, inputs: &[Inputs<W>], digests: &[Digest]) {
        let cycles = inputs.len().min(digests.len());
        let (inputs, digests) = (&inputs[..cycles], &digests[..cycles]);
        let mut at = 0;
        while at < cycles {
            at += self.skip(&inputs[at..], &digests[at..]);
            if let Some(cycle) = inputs.get(at) {
                self.step(cycle);
                at += 1;
            }
        }
    }

    /// Skips the longest stretch from here in which the unit does no more than count, and says how many cycles that were. The
    /// state afterwards is what [`step`](Self::step) makes of the inputs of these cycles; no output changes in them but
    /// those that follow the first cycle's mode.
    pub fn skip(&mut self, inputs: &[Inputs<W>], digests: &[Digest]) -> usize {
        let digests = &digests[..digests.len().min(inputs.len())];
        let Some(mut bounds) = digests.first().and_then(|first| self.bounds(first.bits())) else {
            return 0;
        };
        let mut at = 0;
        loop {
            let (cycles, counts) = stretch(&digests[at..], &bounds);
            self.advance(cycles, &counts, &bounds);
            at += cycles;
            let Some(digest) = digests.get(at) else { return at };
            if !self.count_misses(&mut bounds, *digest, || &inputs[at]) {
                return at;
            }
            at += 1;
        }
    }

    /// One cycle, if the unit does no more in it than count: then as [`step`](Self::step), and `true`. Else nothing is done. `bounds` are
    /// those of the cycles that were counted before, as long as there has been no other. `inputs` are seldom asked for.
    pub(super) fn step_counting<I: Borrow<Inputs<W>>>(
        &mut self,
        bounds: &mut Option<Bounds>,
        digest: Digest,
        inputs: impl FnOnce() -> I,
    ) -> bool {
        if bounds.is_none() {
            *bounds = self.bounds(digest.bits());
        }
        bounds
            .as_mut()
            .is_some_and(|bounds| self.count_one(bounds, digest) || self.count_misses(bounds, digest, inputs))
    }

    fn count_one(&mut self, bounds: &mut Bounds, digest: Digest) -> bool {
        let counts = Counts::of(digest.bits());
        let counted = digest.bits() & bounds.stop == 0 && bounds.allow(&counts);
        if counted {
            self.advance(1, &counts, bounds);
            bounds.most = self.most();
        }
        counted
    }

    /// What the filters say of a load that missed is looked at one cycle at a time.
    fn count_misses<I: Borrow<Inputs<W>>>(
        &mut self,
        bounds: &mut Bounds,
        digest: Digest,
        inputs: impl FnOnce() -> I,
    ) -> bool {
        let ends = digest.bits() & bounds.stop;
        let missed = bounds.counting && ends != 0 && ends & !flag::MISSES == 0;
        let counted = missed && self.count_quietly(self.live(), inputs().borrow());
        if counted {
            self.state.mab.skip::<LAT>(1, &self.straps);
            bounds.most = self.most();
        }
        counted
    }

    /// Where a stretch that begins with a cycle of these flags would end; `None` if the unit is not at rest.
    fn bounds(&self, first: u64) -> Option<Bounds> {
        let ring3 = first & flag::RING3 != 0;
        if !self.at_rest(ring3) {
            return None;
        }
        let counting = ring3 && self.state.session.active;
        let mode = if ring3 { flag::OUTSIDE } else { flag::RING3 };
        let partial = if counting { flag::PARTIAL } else { 0 };
        let misses = if counting && self.filters_misses() { flag::MISSES } else { 0 };
        let stop = flag::EVENT + mode + partial + misses;
        Some(Bounds { stop, most: self.most(), ndb: self.state.block.filter.ndb(), counting })
    }

    /// A counter at zero expires with the next occurrence.
    fn most(&self) -> [u32; NUM_EVENTS] {
        core::array::from_fn(|index| {
            if self.state.live(index) { self.state.events[index].counter.saturating_sub(1) } else { u32::MAX }
        })
    }

    /// Not every load that missed counts.
    fn filters_misses(&self) -> bool {
        let (filter, straps) = (self.state.block.filter, &self.straps);
        straps.latency_filter && filter.min_latency() > 0
            || straps.level_filter && filter.clf()
            || straps.address_policy == AddressPolicy::Replay
    }

    fn live(&self) -> [bool; NUM_EVENTS] {
        core::array::from_fn(|index| self.state.live(index))
    }

    /// Nothing is on its way, and a cycle in this mode that brings no event leaves all registers but counters and the miss
    /// address buffer as they are.
    fn at_rest(&self, ring3: bool) -> bool {
        let state = &self.state;
        let working = ring3 && !state.pf.valid;
        state.retire.was_ring3 == ring3
            && matches!(state.store.st, StoreState::Idle)
            && matches!(state.ctl.st, CtlState::Idle)
            && !(state.port.req || state.port.wait)
            && state.records == [Record::default(); RECORD_QUEUE]
            && !(state.pending || state.cand.valid || state.tag.valid)
            && !(state.undo.valid || state.undo.split)
            && !(state.retire.cut_valid || state.retire.flush_req)
            && state.irq.count == 0
            && !(working && state.session.init_pending)
            && !(working && state.session.active && outputs::owed(state, &self.straps))
            && !outputs::stall(state, &self.straps)
    }

    fn advance(&mut self, cycles: usize, counts: &Counts, bounds: &Bounds) {
        if bounds.counting {
            for (index, number) in bounds.occurrences(counts).into_iter().enumerate() {
                if self.state.live(index) {
                    self.state.events[index].counter -= number;
                }
            }
        }
        self.state.mab.skip::<LAT>(cycles as u32, &self.straps);
    }
}

/// The longest stretch within the bounds, and what it counts.
fn stretch(digests: &[Digest], bounds: &Bounds) -> (usize, Counts) {
    let (mut cycles, mut counts) = (0, Counts::default());
    for block in digests[..digests.len().min(LONGEST)].chunks(BLOCK) {
        let flags = block.iter().fold(0, |flags, digest| flags | digest.bits());
        let sum = block.iter().fold(0, |sum, digest| sum + digest.bits());
        let more = counts.plus(Counts::of(sum));
        if flags & bounds.stop != 0 || !bounds.allow(&more) {
            return within(block, cycles, counts, bounds);
        }
        (cycles, counts) = (cycles + block.len(), more);
    }
    (cycles, counts)
}

/// The part of the last block that belongs to the stretch.
fn within(block: &[Digest], mut cycles: usize, mut counts: Counts, bounds: &Bounds) -> (usize, Counts) {
    for digest in block {
        let more = counts.plus(Counts::of(digest.bits()));
        if digest.bits() & bounds.stop != 0 || !bounds.allow(&more) {
            break;
        }
        (cycles, counts) = (cycles + 1, more);
    }
    (cycles, counts)
}

#[cfg(test)]
mod tests;
