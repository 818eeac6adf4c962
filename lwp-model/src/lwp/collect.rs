//! Collect: counts the lanes of one cycle in program order, and gathers records.

use super::count::{Occurrences, expires};
use super::event::MISSES;
use super::filter;
use super::gather;
use super::inputs::{Inputs, Lane, Load};
use super::now::Now;
use super::replay::tagged_load;
use super::select;
use super::state::{Candidate, NUM_EVENTS};
use super::straps::{AddressPolicy, GatherSelect};
use super::undo::counters;
use super::unit::Lwp;

/// A lane that has been counted.
struct Counted<'a> {
    lane: &'a Lane,
    found: Occurrences,
    before: [u32; NUM_EVENTS],
    /// Whether the candidate is a load of this instruction.
    candidate: bool,
    /// Load port that carries its replayed load.
    tagged: Option<usize>,
    expired: [bool; NUM_EVENTS],
}

impl<const W: usize, const S: usize, const LAT: u32> Lwp<W, S, LAT> {
    /// Counts the lanes of a cycle in which the unit counts.
    pub(super) fn collect(&mut self, now: &Now, inputs: &Inputs<W>) {
        let live = self.live_in(now);
        if inputs.partial {
            if inputs.lanes[0].valid {
                self.partial(live, &inputs.lanes[0]);
            }
        } else if !self.count_quietly(live, inputs) {
            self.group(live, now, inputs);
        }
    }

    /// Returns the events that count in this cycle. An event whose counter is being reloaded does not.
    fn live_in(&self, now: &Now) -> [bool; NUM_EVENTS] {
        core::array::from_fn(|index| self.state.live(index) && now.resetting != Some(index))
    }

    /// Counts all lanes at once if no event can expire in this cycle, as in most cycles, and returns whether it did.
    pub(super) fn count_quietly(&mut self, live: [bool; NUM_EVENTS], inputs: &Inputs<W>) -> bool {
        if self.state.cand.valid || self.state.tag.valid {
            return false;
        }
        let mut total = [0; NUM_EVENTS];
        for lane in inputs.lanes.iter().filter(|lane| lane.valid) {
            let found = self.occurrences(lane, false);
            for (total, number) in total.iter_mut().zip(found.number) {
                *total += number;
            }
        }
        let events = &mut self.state.events;
        let quiet = (0..NUM_EVENTS).all(|index| !live[index] || total[index] < events[index].counter);
        if quiet {
            for index in 0..NUM_EVENTS {
                events[index].counter -= if live[index] { total[index] } else { 0 };
            }
        }
        quiet
    }

    fn occurrences(&self, lane: &Lane, partial: bool) -> Occurrences {
        Occurrences::of::<LAT>(lane, partial, &self.state.mab, self.state.block.filter, &self.straps)
    }

    /// Counts the loads of an instruction that retires later.
    fn partial(&mut self, live: [bool; NUM_EVENTS], lane: &Lane) {
        if self.straps.undoes() {
            self.state.undo.begin(&self.state.events);
        }
        let mut counted = self.count(live, lane, true);
        if self.straps.address_policy == AddressPolicy::Replay {
            counted.tagged = self.replayed(lane).filter(|_| live[MISSES]);
            counted.expired[MISSES] = counted.tagged.is_some();
        }
        if counted.expired[MISSES] && !self.state.cand.valid {
            self.state.cand = self.load(&counted);
            self.state.tag.valid &= counted.tagged.is_none();
        }
    }

    /// Counts the instructions that retire, lane by lane.
    fn group(&mut self, live: [bool; NUM_EVENTS], now: &Now, inputs: &Inputs<W>) {
        let mut may_gather = !now.pf_valid && (now.no_record || !self.straps.single_record());
        for (number, lane) in inputs.lanes.iter().enumerate().filter(|(_, lane)| lane.valid) {
            let mut counted = self.count(live, lane, false);
            counted.candidate = number == 0 && self.state.cand.valid && lane.counts;
            if self.straps.address_policy == AddressPolicy::Replay {
                counted.tagged = self.replayed(lane);
                self.state.tag.valid &= counted.tagged.is_none();
                counted.expired[MISSES] = counted.tagged.is_some();
            }
            counted.expired[MISSES] |= counted.candidate;
            counted.expired[MISSES] &= live[MISSES];
            if may_gather && self.gather(&mut counted, inputs) {
                may_gather = !self.straps.single_record();
                if self.straps.undoes() {
                    self.state.undo.keep(number, counted.before);
                }
                if self.straps.sync() {
                    self.state.retire.cut_valid = true;
                    self.state.retire.cut_lane = number as u8;
                    return;
                }
            }
        }
    }

    /// Decrements the counters, and returns which events expire.
    fn count<'a>(&mut self, live: [bool; NUM_EVENTS], lane: &'a Lane, partial: bool) -> Counted<'a> {
        let found = self.occurrences(lane, partial);
        let before = counters(&self.state.events);
        let mut expired = [false; NUM_EVENTS];
        for index in 0..NUM_EVENTS {
            if live[index] {
                let number = found.number[index];
                expired[index] = expires(number, before[index], self.straps.records_next(index));
                self.state.events[index].counter = before[index].saturating_sub(number);
            }
        }
        Counted { lane, found, before, candidate: false, tagged: None, expired }
    }

    /// Returns the load port of this lane that carries the replayed load.
    fn replayed(&self, lane: &Lane) -> Option<usize> {
        tagged_load(lane).filter(|_| self.state.tag.valid && lane.counts)
    }

    /// Gathers the records of the lane's instruction, and returns whether there is one.
    fn gather(&mut self, counted: &mut Counted<'_>, inputs: &Inputs<W>) -> bool {
        let mut gathered = false;
        for (index, expired) in counted.expired.iter_mut().enumerate() {
            *expired &= !self.state.queued(index);
        }
        while let Some(event) = self.choose(counted.expired, inputs.entropy) {
            gathered = true;
            counted.expired[event] = false;
            let load = if event == MISSES { self.load(counted) } else { Candidate::default() };
            let tag_ip = self.state.tag.ip;
            let record = gather::record(event, counted.lane, &load, tag_ip, inputs.mode, &self.straps);
            self.state.enqueue(record);
            if self.straps.gather_select == GatherSelect::Rotating {
                self.state.rotate = event as u8;
            }
            if self.straps.one_per_instr || self.straps.single_record() {
                break;
            }
        }
        gathered
    }

    fn choose(&self, expired: [bool; NUM_EVENTS], entropy: u32) -> Option<usize> {
        if expired == [false; NUM_EVENTS] {
            return None;
        }
        let random = self.random(entropy, self.lfsr());
        select::choose(expired, &self.state.events, self.state.rotate, random, &self.straps)
    }

    /// Returns the load that a record of this instruction reports; an empty candidate if there is none.
    fn load(&self, counted: &Counted<'_>) -> Candidate {
        if counted.candidate {
            return self.state.cand;
        }
        if let Some(port) = counted.tagged {
            let (tag, load) = (&self.state.tag, &counted.lane.loads[port]);
            let Load { addr_valid, addr, .. } = *load;
            return Candidate { valid: true, addr_valid, source: tag.source, latency: tag.latency, addr };
        }
        let next = self.straps.records_next(MISSES);
        counted.found.expiring_load(counted.lane, counted.before[MISSES], next).map_or_else(
            Candidate::default,
            |load| Candidate {
                valid: true,
                addr_valid: load.addr_valid,
                source: load.source & 7,
                latency: filter::latency::<LAT>(load, &self.state.mab, &self.straps),
                addr: load.addr,
            },
        )
    }

    /// Clears candidate, tag and undo registers at the end of an instruction, of the session, or of ring 3.
    pub(super) fn settle(&mut self, now: &Now, inputs: &Inputs<W>) {
        let state = &mut self.state;
        let retired = !now.stall && !inputs.partial && inputs.lanes[0].valid;
        let gone = !now.ring3 || !now.active;
        if gone || retired || now.resetting == Some(MISSES) {
            state.cand.valid = false;
        }
        if gone || inputs.buffer.replay_abort {
            state.tag.valid = false;
        }
        if gone || retired {
            state.undo.split = false;
        }
        if gone {
            state.undo.valid = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::{Config, State};

    const ALL: [bool; NUM_EVENTS] = [true; NUM_EVENTS];

    fn unit(counters: [u32; NUM_EVENTS]) -> Lwp<2, 8, 31> {
        let mut unit = Lwp::new(Config::default()).unwrap();
        for (event, counter) in unit.state.events.iter_mut().zip(counters) {
            event.counter = counter;
        }
        unit
    }

    /// Two instructions without branches and loads.
    fn two() -> Inputs<2> {
        Inputs { lanes: [Lane { valid: true, counts: true, ..Lane::default() }; 2], ..Inputs::default() }
    }

    // The short way is taken exactly if no event that counts gets to zero, and nothing waits for the next instruction.
    #[test]
    fn the_short_way() {
        for (live, counters, quiet) in [
            (ALL, [3, 1, 1], Some([1, 1, 1])),
            (ALL, [2, 1, 1], None),
            (ALL, [3, 0, 1], None),
            ([false, true, true], [2, 1, 1], Some([2, 1, 1])),
            ([true, false, false], [3, 0, 0], Some([1, 0, 0])),
        ] {
            let mut unit = unit(counters);
            assert_eq!(unit.count_quietly(live, &two()), quiet.is_some(), "{live:?} {counters:?}");
            assert_eq!(super::counters(&unit.state.events), quiet.unwrap_or(counters));
        }
    }

    #[test]
    fn what_waits_for_an_instruction_is_not_passed_over() {
        for change in [|state: &mut State| state.cand.valid = true, |state: &mut State| state.tag.valid = true] {
            let mut unit = unit([9, 9, 9]);
            change(&mut unit.state);
            assert!(!unit.count_quietly(ALL, &two()));
        }
    }

    // The replayed load is the candidate, unless its event has been disabled meanwhile or there is one already.
    #[test]
    fn a_replayed_load_of_an_event_that_counts() {
        let straps = Config { address_policy: AddressPolicy::Replay, ..Config::default() };
        let mut lane = Lane { valid: true, counts: true, ..Lane::default() };
        lane.loads[1] = Load { tagged: true, addr_valid: true, addr: 0x40, ..Load::default() };
        let run = |dcache_misses: bool, candidate: Candidate| {
            let mut unit = Lwp::<1, 8, 31>::new(straps).unwrap();
            unit.state.tag.valid = true;
            unit.state.cand = candidate;
            unit.partial([true, true, dcache_misses], &lane);
            (unit.state.tag.valid, unit.state.cand.valid, unit.state.cand.addr)
        };
        assert_eq!(run(true, Candidate::default()), (false, true, 0x40));
        assert_eq!(run(false, Candidate::default()), (true, false, 0));
        assert_eq!(run(true, Candidate { valid: true, addr: 0x80, ..Candidate::default() }), (true, true, 0x80));
    }
}
