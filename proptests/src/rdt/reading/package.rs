//! The caches of the package: the states in which they may be, the accesses in progress, and what decides between the states.

use super::coverage::Coverage;
use super::plain::{L2, L3, MOST, Out, Straps, Told, Transfer};
use super::registers::{Limits, ones};
use super::world::{Access, Choices, Effects, World};
use std::collections::HashSet;

/// Number of states above which the checker follows the caches no further until the next reset.
const STATES: usize = 600;

/// What limits fills, from a cycle on.
#[derive(Clone, Debug)]
struct Moment {
    from: u64,
    limits: Limits,
    on: [u32; 2],
}

/// The caches.
#[derive(Clone, Debug)]
pub(super) struct Package {
    /// The states in which they may be.
    pub(super) worlds: Vec<World>,
    /// There were too many states.
    pub(super) lost: bool,
    /// The access in progress of each logical processor.
    pub(super) accesses: [Option<Access>; MOST],
    /// What limited fills since the oldest access in progress.
    moments: Vec<Moment>,
    /// Cycle of the last completion.
    completed: u64,
    /// First cycle after it in which memory was asked, outside a walk.
    asked: Option<u64>,
    /// Ways that have power.
    pub(super) on: [u32; 2],
    pub(super) walking: bool,
    /// No cycle since reset.
    fresh: bool,
    /// Ways that were asked to have power since the last change, a bit each.
    power: [u32; 2],
}

impl Package {
    pub(super) fn new(straps: &Straps, choices: impl Iterator<Item = Choices>, limits: Limits) -> Self {
        let on = straps.levels.map(|level| level.ways);
        Self {
            worlds: choices.map(|choices| World::new(straps, choices)).collect(),
            lost: false,
            accesses: [None; MOST],
            moments: vec![Moment { from: 0, limits, on }],
            completed: 0,
            asked: None,
            on,
            walking: false,
            fresh: true,
            power: [0; 2],
        }
    }

    /// Returns whether an access is in progress.
    pub(super) fn busy(&self) -> bool {
        self.accesses.iter().any(Option::is_some)
    }

    /// Notes what limits fills from this cycle on.
    pub(super) fn limit(&mut self, from: u64, limits: &Limits) {
        let on = self.on;
        self.note(from, limits.clone(), on);
    }

    fn note(&mut self, from: u64, limits: Limits, on: [u32; 2]) {
        self.moments.push(Moment { from, limits, on });
        let first = self.accesses.iter().flatten().map(|access| access.accepted).min().unwrap_or(from);
        let first = first.min(self.completed.saturating_sub(1));
        let used = self.moments.iter().rposition(|moment| moment.from <= first).unwrap_or(0);
        self.moments.drain(..used);
    }

    /// Checks which ways have power, and whether lines leave.
    // RDTM-32, RDTA-23, RDT-14.
    pub(super) fn power(&mut self, straps: &Straps, now: u64, out: &Out, seen: &mut Coverage) -> Result<(), String> {
        let (before, was_walking) =
            (std::mem::replace(&mut self.on, out.on), std::mem::replace(&mut self.walking, out.walking));
        let fresh = std::mem::take(&mut self.fresh);
        for level in [L3, L2] {
            let (ways, asked) = (straps.levels[level].ways, self.power[level]);
            let (was, is) = (before[level], out.on[level]);
            if is > ways || !fresh && is != was && asked >> is & 1 == 0 {
                return Err(format!("{is} ways of L{} have power, which nobody asked for", 3 - level));
            }
            if is > was && out.walking && was_walking {
                return Err(format!("ways of L{} have power again before they are empty", 3 - level));
            }
            if is != was {
                self.power[level] = 0;
            }
        }
        if out.walking && [L3, L2].iter().all(|level| out.on[*level] == straps.levels[*level].ways) {
            return Err("a walk, but all ways have power".into());
        }
        if was_walking && !out.walking {
            // What leaves is what the ways before left out; ways that have power again are empty.
            let least = [before[L3].min(out.on[L3]), before[L2].min(out.on[L2])];
            self.each(|world| world.left(straps, least))?;
            seen.walks += 1;
        }
        if out.on != before {
            self.switch(straps, now, before, out)?;
        }
        Ok(())
    }

    fn switch(&mut self, straps: &Straps, now: u64, before: [u32; 2], out: &Out) -> Result<(), String> {
        let limits = self.moments.last().map(|moment| moment.limits.clone());
        self.note(now, limits.unwrap_or_else(|| unreachable!("there is always a moment")), out.on);
        let on = out.on;
        let shrinks = (0..2).any(|level| on[level] < before[level]);
        if shrinks && !out.walking && !self.lost && self.worlds.iter().all(|world| world.walked(on)) {
            return Err(format!(
                "ways lose power, from {before:?} to {on:?} (L3, L2), with lines in them, and without a walk"
            ));
        }
        if !out.walking {
            self.each(|world| world.left(straps, on))?;
        }
        for world in &mut self.worlds {
            world.reads.clear();
        }
        Ok(())
    }

    /// Notes the ways that shall have power.
    pub(super) fn ask_power(&mut self, straps: &Straps, power: [u32; 2]) {
        for level in [L3, L2] {
            self.power[level] |= 1 << power[level].min(straps.levels[level].ways);
        }
    }

    /// Changes each state, and keeps those that are possible.
    pub(super) fn each(&mut self, mut change: impl FnMut(&mut World) -> Result<(), String>) -> Result<(), String> {
        let mut error = None;
        self.worlds.retain_mut(|world| match change(world) {
            Ok(()) => true,
            Err(text) => {
                error.get_or_insert(text);
                false
            }
        });
        match error {
            Some(text) if self.worlds.is_empty() && !self.lost => Err(text),
            _ => {
                self.note_lacked();
                Ok(())
            }
        }
    }

    fn note_lacked(&mut self) {
        for world in &mut self.worlds {
            world.note_lacked(&self.accesses);
        }
    }

    /// Accepts an access.
    pub(super) fn accept(&mut self, lp: usize, access: Access) -> Result<(), String> {
        match self.accesses[lp].replace(access) {
            None => {
                self.note_lacked();
                Ok(())
            }
            Some(_) => {
                Err(format!("a second request of logical processor {lp} is accepted before the first is complete"))
            }
        }
    }

    /// Notes that memory is asked, and in a cycle with `taken` that it takes the request.
    pub(super) fn memory(&mut self, straps: &Straps, now: u64, transfer: &Transfer, taken: bool) -> Result<(), String> {
        if !self.walking && self.busy() {
            self.asked.get_or_insert(now);
        }
        if !taken {
            return Ok(());
        }
        let (busy, on, walking) = (self.busy(), self.on, self.walking);
        self.each(|world| {
            if !busy && world.leaves(straps, on, transfer) {
                return Ok(());
            }
            if !busy {
                return Err(format!("memory is asked though nothing is to be done: {transfer:x?}"));
            }
            world.open.push(*transfer);
            if world.open.len() > 2 && !walking && !world.walked(on) {
                return Err(format!("one access cannot need these transfers: {:x?}", world.open));
            }
            Ok(())
        })
    }

    /// Completes the access of a logical processor.
    pub(super) fn complete(
        &mut self,
        straps: &Straps,
        now: u64,
        lp: usize,
        told: Told,
        seen: &mut Coverage,
    ) -> Result<(Access, [u64; 2]), String> {
        let Some(access) = self.accesses[lp].take() else {
            return Err(format!("logical processor {lp} has no access that could be complete"));
        };
        let span = [access.accepted.max(self.completed.saturating_sub(1)), self.asked.unwrap_or(now)];
        (self.completed, self.asked) = (now, None);
        if self.lost {
            seen.unjudged += 1;
            return Ok((access, span));
        }
        let fills = self.fills(straps, &access, span);
        seen.ambiguous += u64::from(fills.len() > 1);
        let mut next: Vec<World> = Vec::new();
        let (mut known, mut error, mut what) = (HashSet::new(), None, None);
        for world in &self.worlds {
            let reads = world.reads.len() as u64;
            let states =
                if world.walked(self.on) { world.found(straps, self.on, access.number) } else { vec![world.clone()] };
            for (state, fill) in states.iter().flat_map(|state| fills.iter().map(move |fill| (state, *fill))) {
                match self.completed(straps, state.clone(), (lp, &access), fill, told) {
                    Ok((world, effects)) => {
                        what.get_or_insert((effects, fill, reads));
                        if known.insert(world.clone()) {
                            next.push(world);
                        }
                    }
                    Err(text) => _ = error.get_or_insert(text),
                }
            }
        }
        let Some((effects, fill, reads)) = what else {
            return Err(format!("logical processor {lp}, {access:x?}: {}", error.unwrap_or_default()));
        };
        seen.access(straps, &access, &effects, fill);
        seen.fills_without_power += u64::from(effects.filled.is_some() && self.on[L3] < straps.levels[L3].ways);
        seen.occupancies_in_progress += reads;
        self.lost = next.len() > STATES;
        seen.lost += u64::from(self.lost);
        self.worlds = if self.lost { Vec::new() } else { next };
        Ok((access, span))
    }

    /// Returns what an access may fill: the masks and the power of each moment at which it may have been taken up.
    // RDT-13: masks at the choice. RDTA-23: while ways are missing, masks are ignored.
    fn fills(&self, straps: &Straps, access: &Access, [first, last]: [u64; 2]) -> Vec<[u64; 2]> {
        let mut fills = Vec::new();
        for (at, moment) in self.moments.iter().enumerate() {
            let until = self.moments.get(at + 1).map_or(u64::MAX, |next| next.from);
            if moment.from > last || until <= first {
                continue;
            }
            let fill = [L3, L2].map(|level| {
                if moment.on[level] < straps.levels[level].ways {
                    ones(moment.on[level])
                } else {
                    moment.limits.ways(straps, level, access.class, access.code)
                }
            });
            if !fills.contains(&fill) {
                fills.push(fill);
            }
        }
        fills
    }

    /// Returns the state after an access with these fills, if it agrees with what was shown.
    fn completed(
        &self,
        straps: &Straps,
        mut world: World,
        (lp, access): (usize, &Access),
        fill: [u64; 2],
        told: Told,
    ) -> Result<(World, Effects), String> {
        let before = world.clone();
        let held = world.caches[L2].find(access.number).is_some();
        if !told.l2_hit && held && !world.lacked[lp] {
            return Err("the line is in the L2 cache, and the access missed it".into());
        }
        let effects = world.access(straps, access, fill, told.l2_hit);
        world.note_lacked(&self.accesses);
        if (told.l2_hit, told.l3_hit) != (effects.l2_hit, effects.l3_hit) {
            return Err(format!(
                "the hits (L2, L3) are {} and {}, not {} and {}",
                told.l2_hit, told.l3_hit, effects.l2_hit, effects.l3_hit
            ));
        }
        explain(&world.open, &effects)?;
        world.open.clear();
        read_between(straps, &before, &world.reads, &effects)?;
        world.reads.clear();
        if (0..2).any(|level| effects.above[level] > self.on[level]) && !self.walking {
            return Err("a line was filled into a way without power".into());
        }
        Ok((world, effects))
    }
}

/// Checks that memory saw these transfers of an access and no others.
fn explain(open: &[Transfer], effects: &Effects) -> Result<(), String> {
    let mut left = open.to_vec();
    for wanted in &effects.transfers {
        // A line that is written past the caches is no write-back, nor does its access read: its class is not defined.
        let same = |shown: &Transfer| {
            shown == wanted || effects.passed && wanted.write && *shown == Transfer { cos: 0, ..*wanted }
        };
        let Some(at) = left.iter().position(same) else {
            return Err(format!("memory was not asked for {wanted:x?}; it was asked for {open:x?}"));
        };
        left.remove(at);
    }
    if left.is_empty() { Ok(()) } else { Err(format!("memory was asked for {left:x?} without need")) }
}

/// Checks occupancies that were read while an access may have been in progress: before it, after its victim has left, or after its
/// line is filled.
fn read_between(straps: &Straps, before: &World, reads: &[(u64, u64)], effects: &Effects) -> Result<(), String> {
    let mut phase = 0;
    for (rmid, value) in reads {
        let lines = before.occupancy(*rmid);
        let without = lines - u64::from(effects.left == Some(*rmid));
        let phases = [lines, without, without + u64::from(effects.filled == Some(*rmid))];
        let Some(at) = (phase..3).find(|at| phases[*at] >> straps.scale == *value) else {
            return Err(format!("the occupancy of RMID {rmid} was {value}, not {:?} lines", &phases[phase..]));
        };
        phase = at;
    }
    Ok(())
}
