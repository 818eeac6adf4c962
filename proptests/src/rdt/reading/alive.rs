//! That requests are accepted and completed in the end, and how long one waits at most.
//!
//! The documents give no cycles but those of a delay. What a unit may need besides is a margin that is wide enough for any of its kind.
//! Cycles in which memory is busy are not counted.

use super::pace::Pace;
use super::plain::{In, MOST, Out, Straps};

/// Cycles that an access needs besides delay and memory, at most.
pub(super) const STEPS: u64 = 40;
/// Cycles for each set of the caches after reset, at most.
const CLEAR: u64 = 4;
/// Cycles for each line that loses power, at most.
const LEAVE: u64 = 16;
/// Accesses of others that may come first, for each logical processor.
const TURNS: u64 = 8;

/// What was waited for, and how long.
#[derive(Clone, Debug, Default)]
pub(super) struct Alive {
    /// Cycles since reset.
    age: u64,
    /// A request could have been accepted since reset.
    ready: bool,
    /// A line was asked for and has not arrived.
    reading: bool,
    /// Cycles that each logical processor has waited, alone.
    alone: [u64; MOST],
    /// Cycles that each has waited with others.
    together: [u64; MOST],
    /// Accesses of others that were completed after the longest wait.
    turns: [u64; MOST],
    /// Cycles in which the power was not as asked.
    power: u64,
    /// The longest wait that was checked, alone and with a delay.
    pub(super) longest: u64,
}

impl Alive {
    /// Checks a cycle. `busy` tells which logical processors have an access in progress.
    pub(super) fn cycle(
        &mut self,
        straps: &Straps,
        input: &In,
        out: &Out,
        pace: &Pace,
        busy: [bool; MOST],
    ) -> Result<(), String> {
        self.age += 1;
        let memory = out.mem_req || self.reading;
        let sets: u64 = straps.levels.iter().map(|level| level.sets).sum();
        let waits: Vec<bool> =
            (0..straps.processors).map(|lp| busy[lp] || input.lp[lp].valid && !out.lp[lp].ready).collect();
        let right = (0..2).all(|level| out.on[level] == input.power[level].min(straps.levels[level].ways));
        let quiet = right && !out.walking && self.age > CLEAR * sets + STEPS;
        for lp in 0..straps.processors {
            let others = waits.iter().enumerate().any(|(other, waits)| other != lp && *waits);
            self.wait(straps, lp, [waits[lp], memory, quiet, others], pace)?;
            if out.lp[lp].done {
                (self.alone[lp], self.together[lp], self.turns[lp]) = (0, 0, 0);
                self.count_turn(straps, lp, pace)?;
            }
        }
        self.ready |= out.lp.iter().any(|told| told.ready);
        self.power(straps, right && !out.walking, memory || !self.ready)?;
        if out.mem_req && input.gnt {
            self.reading = !out.mem.write;
        } else if input.rvalid {
            self.reading = false;
        }
        Ok(())
    }

    fn wait(
        &mut self,
        straps: &Straps,
        lp: usize,
        [waits, memory, quiet, others]: [bool; 4],
        pace: &Pace,
    ) -> Result<(), String> {
        let (most, since) = pace.wait(straps, lp);
        if !waits || !quiet || since + 1 >= self.age {
            (self.alone[lp], self.together[lp], self.turns[lp]) = (0, 0, 0);
        }
        if !waits || !quiet || memory {
            return Ok(());
        }
        self.together[lp] += 1;
        self.alone[lp] = if others { 0 } else { self.alone[lp] + 1 };
        if most > 0 {
            self.longest = self.longest.max(self.alone[lp]);
        }
        if self.alone[lp] > most + STEPS {
            return Err(format!(
                "logical processor {lp} is alone and waits for {} cycles; {most} are its delay",
                self.alone[lp]
            ));
        }
        Ok(())
    }

    /// Counts an access of `lp` that was completed before those of all others that wait.
    fn count_turn(&mut self, straps: &Straps, lp: usize, pace: &Pace) -> Result<(), String> {
        for other in (0..straps.processors).filter(|other| *other != lp) {
            let due = self.together[other] > pace.wait(straps, other).0 + STEPS;
            self.turns[other] += u64::from(due);
            if self.turns[other] > TURNS * straps.processors as u64 {
                return Err(format!("logical processor {other} waits while others are served"));
            }
        }
        Ok(())
    }

    fn power(&mut self, straps: &Straps, right: bool, memory: bool) -> Result<(), String> {
        let lines: u64 = straps.levels.iter().map(|level| level.sets * u64::from(level.ways)).sum();
        if right {
            self.power = 0;
        } else if !memory {
            self.power += 1;
        }
        if self.power > LEAVE * lines + STEPS + CLEAR * lines {
            return Err("the ways that shall have power and those that have it stay different".into());
        }
        Ok(())
    }
}
