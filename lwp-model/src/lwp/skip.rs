//! Fast-forward: a run of counting cycles, in which nothing is in flight and no counter can reach zero, takes one subtraction.

use super::digest::{Counts, Digest, flag};
use super::inputs::Inputs;
use super::outputs;
use super::state::{CtlState, NUM_EVENTS, RECORD_QUEUE, Record, StoreState};
use super::straps::AddressPolicy;
use super::unit::Lwp;
use core::borrow::Borrow;

/// Summaries that are checked together. No field of their sum overflows.
const BLOCK: usize = 16;

/// Cycles of the longest run. 16 missed loads in each cycle do not overflow a sum.
const LONGEST: usize = 1 << 27;

/// Limits of a run of counting cycles.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// Flags of a summary that end the run.
    stop: u64,
    /// For each event, the most occurrences that cannot bring its counter to zero; `u32::MAX` if the event is not live.
    most: [u32; NUM_EVENTS],
    /// Whether direct jumps do not count as branches.
    ndb: bool,
    /// Whether lanes are counted.
    counting: bool,
}

impl Bounds {
    /// Returns the occurrences of each event.
    #[inline]
    const fn occurrences(&self, counts: &Counts) -> [u32; NUM_EVENTS] {
        let branches = if self.ndb { counts.branches - counts.jumps } else { counts.branches };
        [counts.instructions, branches, counts.misses]
    }

    #[inline]
    fn allow(&self, counts: &Counts) -> bool {
        !self.counting || self.occurrences(counts).iter().zip(&self.most).all(|(number, most)| number <= most)
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Lwp<W, S, LAT> {
    /// Runs these cycles, as [`step`](Self::step) with each of `inputs` in turn, but faster. `digests` are the [summaries](Digest::of) of
    /// `inputs`; a cycle without a summary is not run.
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

    /// Runs the cycles at the beginning of `inputs` in which the unit only counts, and returns their number. The state is then the same as
    /// after [`step`](Self::step) with each of them. No output changes in these cycles, except those that depend on the mode of the
    /// first cycle.
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

    /// Steps one cycle and returns `true` if the unit only counts in it; otherwise leaves the unit unchanged and returns `false`. `bounds`
    /// are the limits of the present run of counting cycles, and `None` after any other cycle. `inputs` is seldom called.
    #[inline]
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

    #[inline]
    fn count_one(&mut self, bounds: &mut Bounds, digest: Digest) -> bool {
        let counts = Counts::of(digest.bits());
        let counted = digest.bits() & bounds.stop == 0 && bounds.allow(&counts);
        if counted {
            self.advance(1, &counts, bounds);
            bounds.most = self.most();
        }
        counted
    }

    /// Counts a cycle with missed loads, which the filters must see one cycle at a time.
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

    /// Returns the limits of a run that begins with a cycle with these flags; `None` if the unit is not at rest.
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

    /// Returns the most occurrences of each event that cannot bring its counter to zero. A counter at zero expires with the next one.
    #[inline]
    fn most(&self) -> [u32; NUM_EVENTS] {
        core::array::from_fn(|index| {
            if self.state.live(index) { self.state.events[index].counter.saturating_sub(1) } else { u32::MAX }
        })
    }

    /// Whether some missed loads may not count.
    fn filters_misses(&self) -> bool {
        let (filter, straps) = (self.state.block.filter, &self.straps);
        straps.latency_filter && filter.min_latency() > 0
            || straps.level_filter && filter.clf()
            || straps.address_policy == AddressPolicy::Replay
    }

    fn live(&self) -> [bool; NUM_EVENTS] {
        core::array::from_fn(|index| self.state.live(index))
    }

    /// Whether nothing is in flight, so that a cycle in this mode without an event changes only the counters and the miss address
    /// buffer.
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

    #[inline]
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

/// Returns the length of the longest run within the limits, and what it counts.
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

/// Returns the run extended by the first cycles of the last block.
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
