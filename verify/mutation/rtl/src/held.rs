//! A list of mutants, each with the case that kills it: quick to play, and a mutant that lives on is named.

use crate::args::Args;
use crate::campaign::Programs;
use crate::ledger::Ledger;
use crate::mutant::{Judge, Mutant};
use crate::mutator::read;
use crate::player::{Death, Player};
use crate::program::Effort;
use crate::run::Run;
use rtl_mutants::family::Family;
use sim_harness::say;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::thread;

const HEAD: &str = "id,family,case,cycle,what";

/// The case that kills a mutant, the cycle of the case in which it differs, and the first word that does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct End {
    family: String,
    case: u64,
    cycle: u64,
    what: String,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { family, case, cycle, what } = self;
        write!(f, "case {case} of {family} in cycle {cycle}, {what}")
    }
}

/// Mutants by id with what kills them; none: not known yet.
type List = BTreeMap<String, Option<End>>;

/// A check of the list, or a renewal.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    pub(crate) args: &'a Args,
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) list: &'a Path,
}

impl Held<'_> {
    /// Whether each mutant of the list dies as it says; with --renew, whether each dies at all.
    pub(crate) fn all(&mut self, mutants: Vec<Mutant>) -> Result<bool, String> {
        let was = parse(&read(self.list)?).map_err(|error| format!("{}: {error}", self.list.display()))?;
        let mutants: Vec<Mutant> = mutants.into_iter().filter(|mutant| was.contains_key(&mutant.id)).collect();
        if mutants.is_empty() {
            return Err(format!("{}: the list names no mutant of this RTL", self.list.display()));
        }
        let programs = self.run().programs("held", &mutants, Effort::Little)?;
        let now = self.play(&programs, &mutants, &was)?;
        let wrong = differences(&was, &now);
        wrong.iter().for_each(|line| say!("{line}"));
        say!("{} mutants held to the case that kills each, {} of them otherwise", was.len(), wrong.len());
        if self.args.renew { self.renew(&programs, &mutants, now) } else { Ok(wrong.is_empty()) }
    }

    fn run(&mut self) -> Run<'_> {
        Run { args: self.args, ledger: self.ledger, judge: Judge::Rows }
    }

    /// Plays to each mutant the case that is to kill it. What does kill it, of those that are mutants still.
    fn play(&self, programs: &Programs, mutants: &[Mutant], list: &List) -> Result<List, String> {
        let mut cases: BTreeMap<(&str, u64), Vec<Mutant>> = BTreeMap::new();
        for mutant in mutants {
            if let Some(Some(end)) = list.get(&mutant.id) {
                cases.entry((&end.family, end.case)).or_default().push(mutant.clone());
            }
        }
        let cases: Vec<_> = cases.into_iter().collect();
        let jobs = self.args.jobs();
        let share = |job: usize| -> Result<List, String> {
            let file = self.args.out().join("held").join(format!("share-{job}"));
            let mut ends = List::new();
            for ((family, number), mutants) in cases.iter().skip(job).step_by(jobs) {
                let known = self.args.unit().families.iter().find(|one| one.name == *family);
                let family = known.ok_or_else(|| format!("there is no family {family}"))?;
                ends.extend(play(programs, family, *number, mutants, &file)?);
            }
            Ok(ends)
        };
        let mut ends: List = mutants.iter().map(|mutant| (mutant.id.clone(), None)).collect();
        thread::scope(|scope| {
            let share = &share;
            let threads: Vec<_> = (0..jobs).map(|job| scope.spawn(move || share(job))).collect();
            let shares: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
            shares.into_iter().try_for_each(|share| {
                ends.extend(share.unwrap_or_else(|_| Err("a thread of the list panicked".into()))?);
                Ok(())
            })
        })
        .map(|()| ends)
    }

    /// Finds other cases for those that live, and writes the list. Whether all die.
    fn renew(&mut self, programs: &Programs, mutants: &[Mutant], mut now: List) -> Result<bool, String> {
        let lost: Vec<Mutant> = mutants.iter().filter(|mutant| now[&mutant.id].is_none()).cloned().collect();
        if !lost.is_empty() {
            let cases = self.args.cases;
            lost.iter().for_each(|mutant| drop(self.ledger.outcomes.remove(&mutant.id)));
            self.run().all(&lost, cases)?;
            let found: List = lost.iter().map(|mutant| (mutant.id.clone(), self.killed(&mutant.id))).collect();
            now.extend(self.play(programs, &lost, &found)?);
        }
        let left: Vec<&str> = now.iter().filter(|(_, end)| end.is_none()).map(|(id, _)| id.as_str()).collect();
        left.iter().for_each(|id| say!("{id}: no case kills it; take it out of the list only if that is right"));
        fs::write(self.list, text(&now)).map_err(|error| format!("{}: {error}", self.list.display()))?;
        Ok(left.is_empty())
    }

    /// The case that a run has found; cycle and word are not known.
    fn killed(&self, id: &str) -> Option<End> {
        let kill = self.ledger.outcomes.get(id)?.kill.as_ref()?;
        Some(End { family: kill.killed_by.clone(), case: kill.case, cycle: 0, what: String::new() })
    }
}

/// Plays a case to these mutants; those that die of it.
fn play(
    programs: &Programs,
    family: &Family,
    number: u64,
    mutants: &[Mutant],
    file: &Path,
) -> Result<Vec<(String, Option<End>)>, String> {
    let Some((_, case)) = family.case(number) else { return Ok(Vec::new()) };
    let program = programs.iter().find(|(build, _)| *build == family.build);
    let (_, program) = program.ok_or_else(|| format!("no program plays {}", family.name))?;
    let mut player = Player::start(program, mutants, file)?;
    let deaths = player.play(&[], &case)?;
    let end = |Death { number: mutant, cycle, what }: Death| match mutants.iter().find(|one| one.number == mutant) {
        Some(mutant) => {
            Ok((mutant.id.clone(), Some(End { family: family.name.to_owned(), case: number, cycle, what })))
        }
        None => Err(format!(
            "the RTL without a mutant does not pass: case {number} of {}, cycle {cycle}, {what}",
            family.name
        )),
    };
    deaths.into_iter().map(end).collect()
}

/// A line for each mutant that does not die as the list says.
fn differences(was: &List, now: &List) -> Vec<String> {
    let line = |(id, was): (&String, &Option<End>)| {
        let was_killed = was.as_ref().map_or_else(|| "nothing yet".to_owned(), ToString::to_string);
        match now.get(id) {
            None => Some(format!("{id}: there is no such mutant any more (killed by {was_killed})")),
            Some(None) => Some(format!("{id}: not killed any more (by the list, by {was_killed})")),
            Some(now) if now == was => None,
            Some(Some(now)) => Some(format!("{id}: killed by {now} (by the list, by {was_killed})")),
        }
    };
    was.iter().filter_map(line).collect()
}

fn parse(text: &str) -> Result<List, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("the first line is not {HEAD}"));
    }
    let line = |line: &str| -> Option<(String, Option<End>)> {
        let fields: Vec<&str> = line.split(',').collect();
        let [id, family, case, cycle, what] = fields.as_slice() else { return None };
        if family.is_empty() {
            return Some(((*id).to_owned(), None));
        }
        let (case, cycle) = (case.parse().ok()?, cycle.parse().ok()?);
        Some(((*id).to_owned(), Some(End { family: (*family).to_owned(), case, cycle, what: (*what).to_owned() })))
    };
    let mut list = List::new();
    for text in lines {
        let (id, end) = line(text).ok_or_else(|| format!("no line of a list: {text}"))?;
        if list.insert(id, end).is_some() {
            return Err(format!("a second line of the same mutant: {text}"));
        }
    }
    Ok(list)
}

fn text(list: &List) -> String {
    let line = |(id, end): (&String, &Option<End>)| match end {
        Some(End { family, case, cycle, what }) => format!("{id},{family},{case},{cycle},{what}\n"),
        None => format!("{id},,,,\n"),
    };
    format!("{HEAD}\n{}", list.iter().map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_held_exactly() {
        let written = format!("{HEAD}\na-1,noise_agrees,3,77,word-4\nb-2,,,,\nc-3,noise_agrees,0,1,word-0\n");
        let was = parse(&written).unwrap();
        assert_eq!(text(&was), written);
        assert!(parse("id\n").is_err());
        assert!(parse(&format!("{HEAD}\na-1,noise_agrees,3,77\n")).is_err());
        assert!(parse(&format!("{HEAD}\na-1,noise_agrees,x,77,word-4\n")).is_err());
        assert!(parse(&format!("{written}a-1,noise_agrees,4,78,word-4\n")).unwrap_err().contains("a second line"));

        let mut now = was.clone();
        assert!(differences(&was, &now)[0].starts_with("b-2: not killed any more"));
        now.insert("b-2".into(), now["a-1"].clone());
        now.insert("a-1".into(), None);
        now.remove("c-3");
        let said = differences(&was, &now);
        assert!(said[0].starts_with("a-1: not killed any more (by the list, by case 3 of noise_agrees in cycle 77"));
        assert!(
            said[1].starts_with("b-2: killed by case 3 of noise_agrees in cycle 77, word-4 (by the list, by nothing")
        );
        assert!(said[2].starts_with("c-3: there is no such mutant any more"));
        let later = End { cycle: 78, ..was["a-1"].clone().unwrap() };
        let later = List::from([("a-1".to_owned(), Some(later))]);
        let one = List::from([("a-1".to_owned(), was["a-1"].clone())]);
        assert!(differences(&one, &later)[0].contains("in cycle 78, word-4 (by the list, by case 3"));
        assert!(differences(&one, &one).is_empty());
    }
}
