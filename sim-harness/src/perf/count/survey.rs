//! The first reading of a trace: exact counts, the places of portions and intervals, and what the trace does not tell.

use super::CountError;
use super::Gap;
use super::event::Wanted;
use super::meaning::Meaning;
use super::plain::{Own, Plain};
use super::portion::Portion;
use super::source::Source;
use crate::core::Instructions;
use crate::traces::{BranchKind, Part, Retired};

/// What happens to the counters before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// They begin to count.
    Begin,
    /// They stop.
    End,
    /// They are read.
    Interval,
}

/// What the trace holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// Exact counts, in the order of the events.
    pub(super) counts: Vec<u64>,
    /// Marks with the number of the instruction that follows.
    pub(super) marks: Vec<(u64, Mark)>,
    /// Exact counts at each interval's end, from the beginning on.
    pub(super) intervals: Vec<Vec<u64>>,
    /// Instructions of the trace.
    pub(super) instructions: u64,
    /// What the reader tolerated.
    pub(super) notes: Vec<String>,
    /// Whether the user stopped it.
    pub(super) stopped: bool,
}

/// Options of a reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    pub(super) events: &'a [(Wanted, Own)],
    pub(super) lanes: usize,
    pub(super) spacing: u64,
    pub(super) portion: Portion,
    pub(super) interval: Option<u64>,
}

/// Reads the trace to its end.
pub(super) fn survey(
    mut source: Source,
    reading: &Reading<'_>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Survey, CountError> {
    let mut front = source.front();
    let mut plain = Plain::new(reading.events, reading.lanes, reading.spacing);
    let mut known = Known::new(reading.events, source.reader().lacks())?;
    let (mut survey, mut active) = (Survey::default(), false);
    while source.advance()? {
        let (at, retired) = (survey.instructions, source.present());
        survey.place(at, retired, reading, &mut plain, &mut active);
        plain.instruction(retired, |facts| front.observe(retired, facts));
        known.look(at, retired);
        survey.instructions += 1;
        if at.is_multiple_of(4096) {
            known.check(&front.gaps)?;
            if !go_on(at) {
                survey.stopped = true;
                break;
            }
        }
    }
    front.end(&source.reader().notes());
    known.check(&front.gaps)?;
    if active {
        plain.end();
    }
    survey.notes = source.reader().notes().sentences();
    survey.counts = plain.counts();
    if reading.portion.from.is_some() && !survey.marks.iter().any(|(_, mark)| *mark == Mark::Begin) && !survey.stopped {
        let what = "the program never comes to the beginning of the portion".to_owned();
        return Err(CountError::Portion { what, help: "--from names a function or an address that it executes" });
    }
    Ok(survey)
}

impl Survey {
    /// Sets the marks before an instruction.
    fn place(&mut self, at: u64, retired: &Retired, reading: &Reading<'_>, plain: &mut Plain, active: &mut bool) {
        let portion = reading.portion;
        if *active && portion.to == Some(retired.ip) {
            plain.end();
            *active = false;
            self.marks.push((at, Mark::End));
        }
        if reading.interval.is_some_and(|interval| at > 0 && at.is_multiple_of(interval)) {
            if *active {
                plain.end();
                plain.begin();
            }
            self.marks.push((at, Mark::Interval));
            self.intervals.push(plain.counts());
        }
        let begins = portion.from.map_or(at == 0, |from| from == retired.ip);
        if !*active && begins {
            plain.begin();
            *active = true;
            self.marks.push((at, Mark::Begin));
        }
    }
}

/// Whether the trace tells what the events count.
struct Known<'a> {
    events: &'a [(Wanted, Own)],
    meanings: Vec<Meaning>,
    /// The first branch of unknown prediction.
    unpredicted: Option<Gap>,
}

impl<'a> Known<'a> {
    fn new(events: &'a [(Wanted, Own)], lacks: &[Part]) -> Result<Self, CountError> {
        let meanings: Vec<Meaning> = events.iter().map(|(wanted, _)| Meaning::of(wanted)).collect();
        if lacks.contains(&Part::Interruptions)
            && let Some(at) = meanings.iter().position(|meaning| *meaning == Meaning::Interrupts)
        {
            return Err(gap(&events[at].0, &meanings[at], &Gap::whole("the trace has no interrupts")));
        }
        Ok(Self { events, meanings, unpredicted: None })
    }

    #[inline]
    fn look(&mut self, at: u64, retired: &Retired) {
        if let Some(branch) = &retired.branch
            && branch.predicted.is_none()
            && branch.kind != BranchKind::System
            && self.unpredicted.is_none()
        {
            self.unpredicted = Some(Gap::at(at, retired.ip, "the trace does not say how its branch was predicted"));
        }
    }

    fn check(&self, gaps: &super::facts::Gaps) -> Result<(), CountError> {
        for ((wanted, _), meaning) in self.events.iter().zip(&self.meanings) {
            let found = meaning.facts().iter().find_map(|fact| gaps.of(*fact));
            let found = match meaning {
                Meaning::Branches { missed: true, .. } => self.unpredicted.as_ref(),
                _ => found,
            };
            if let Some(found) = found {
                return Err(gap(wanted, meaning, found));
            }
        }
        Ok(())
    }
}

fn gap(wanted: &Wanted, meaning: &Meaning, gap: &Gap) -> CountError {
    CountError::Gap { event: wanted.name.clone(), meaning: meaning.words(), gap: gap.clone() }
}
