//! The whole run, in stages: the mutants that are left are built anew by themselves, and play further cases.

use crate::args::Args;
use crate::campaign::{Campaign, Programs};
use crate::ledger::Ledger;
use crate::mutant::{Judge, Mutant, Outcome, Survived, Verdict};
use crate::mutator::{read, root, tree};
use crate::program::{Effort, build};
use crate::proofs::Proofs;
use crate::record::Record;
use indicatif::{ProgressBar, ProgressStyle};
use rtl_mutants::family::{Family, Unit};
use sim_harness::rtl::BuildId;
use sim_harness::say;
use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

/// What is proven equivalent need not survive more cases: these show that nothing is wrong with the proof.
const PROVEN: u64 = 40;
/// Up to so many cases the compiler is to be quick, after them the program.
const FEW: u64 = 40;

/// Where a run stands.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) args: &'a Args,
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) judge: Judge,
}

impl Run<'_> {
    /// Plays so many cases of each family to these mutants, but not what they have survived already.
    pub(crate) fn all(&mut self, mutants: &[Mutant], cases: u64) -> Result<(), String> {
        let unit = self.args.unit();
        let (areas, proofs) = (areas(unit)?, Proofs::of(unit)?);
        for mutant in mutants {
            let requirements = || areas.get(&mutant.module).cloned().unwrap_or_default();
            let new = || Outcome::new(mutant.clone(), requirements(), &proofs);
            self.ledger.outcomes.entry(mutant.id.clone()).or_insert_with(new);
        }
        let ends: BTreeSet<u64> = self.args.stages.iter().copied().filter(|&end| end < cases).chain([cases]).collect();
        ends.into_iter().try_for_each(|end| self.stage(mutants, end))
    }

    /// Plays until all these mutants are dead or have survived so many cases.
    fn stage(&mut self, mutants: &[Mutant], end: u64) -> Result<(), String> {
        let groups = self.groups(mutants, end);
        let todo: Vec<Mutant> = groups.values().flatten().cloned().collect();
        if todo.is_empty() {
            return Ok(());
        }
        let families = self.args.families();
        let name = if self.judge == Judge::Rows { "rows" } else { "assertions" };
        let began = Instant::now();
        let programs = self.programs(name, &todo, if end > FEW { Effort::Much } else { Effort::Little })?;
        let compiled = began.elapsed();
        let shares: u64 =
            groups.iter().map(|(from, some)| self.shares(some) as u64 * rounds(&families, from, end)).sum();
        let bar = self.bar(shares, &format!("{name} to case {end}"));
        let (folder, jobs) = (self.args.out().join(name), self.args.jobs());
        let record = Record::new(self.ledger, self.judge, todo.len(), bar);
        for (from, mutants) in groups {
            Campaign { programs: &programs, mutants: &mutants, families: &families, from, end, folder: &folder, jobs }
                .play(&|progress| record.note(progress))?;
            record.settle()?;
        }
        let killed = record.end();
        let (count, seconds) = (todo.len(), (compiled.as_secs(), began.elapsed().as_secs()));
        say!(
            "{name} to case {end}: {count} mutants, {killed} killed, {} s, {} s of them compiling",
            seconds.1,
            seconds.0
        );
        Ok(())
    }

    /// Those that have not survived so many cases, by what they have survived.
    fn groups(&self, mutants: &[Mutant], end: u64) -> BTreeMap<Survived, Vec<Mutant>> {
        let families = self.args.families();
        let mut groups: BTreeMap<Survived, Vec<Mutant>> = BTreeMap::new();
        for mutant in mutants {
            let Some(outcome) = self.ledger.outcomes.get(&mutant.id) else { continue };
            let enough = if outcome.verdict == Verdict::Equivalent { end.min(PROVEN) } else { end };
            if let Some(survived) = outcome.survived(self.judge).filter(|survived| survived.least(&families) < enough) {
                groups.entry(survived.clone()).or_default().push(mutant.clone());
            }
        }
        groups
    }

    fn shares(&self, mutants: &[Mutant]) -> usize {
        self.args.jobs().min(mutants.len())
    }

    /// All builds at a time; the assertions are asked in one of them.
    pub(crate) fn programs(&self, name: &str, mutants: &[Mutant], effort: Effort) -> Result<Programs, String> {
        let (unit, folder) = (self.args.unit(), self.args.out().join(name));
        let source = folder.join("rtl");
        tree(unit, mutants, &source)?;
        let bar = self.spinner(&format!("{name}: compiling {} mutants", mutants.len()));
        let mut builds = unit.builds();
        if self.judge == Judge::Assertions {
            builds.truncate(1);
        }
        let make = |one: BuildId| {
            let at = folder.join(one.name());
            build(one, &source, &at, self.judge, effort).map(|program| (one, program))
        };
        let made = thread::scope(|scope| {
            let threads: Vec<_> = builds.iter().map(|&one| scope.spawn(move || make(one))).collect();
            let ends: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
            ends.into_iter().map(|end| end.unwrap_or_else(|_| Err("a thread of the build panicked".into()))).collect()
        });
        bar.finish_and_clear();
        made
    }

    fn bar(&self, length: u64, name: &str) -> ProgressBar {
        let style = "{prefix}: {wide_bar} {pos}/{len} cases, {msg}, {eta} left";
        let bar = if self.args.quiet { ProgressBar::hidden() } else { ProgressBar::new(length) };
        bar.with_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_prefix(name.to_owned())
    }

    fn spinner(&self, text: &str) -> ProgressBar {
        let bar = if self.args.quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        bar.set_message(text.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// Cases of these families that are left to those who have survived these.
fn rounds(families: &[Family], from: &Survived, end: u64) -> u64 {
    families.iter().map(|family| end.saturating_sub(from.of(family.name))).sum()
}

/// The areas of requirements of each module.
pub(crate) fn areas(unit: &Unit) -> Result<BTreeMap<String, Vec<String>>, String> {
    let path = root().join(unit.file("areas.toml"));
    toml::from_str(&read(&path)?).map_err(|error| format!("{}: {error}", path.display()))
}
