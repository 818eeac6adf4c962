//! The whole run: all mutants in one build for the first cases, the survivors in another for the rest, the assertions.

use crate::args::Args;
use crate::campaign::{Campaign, Outcomes, Programs};
use crate::case::FAMILIES;
use crate::ledger::{Ledger, proofs};
use crate::mutant::{Kill, Mutant, Outcome, Verdict};
use crate::mutator::{read, root, tree};
use crate::program::{Effort, W1, W4, build};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::ops::Range;
use std::thread;

/// Where a run stands.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) args: &'a Args,
    pub(crate) ledger: &'a mut Ledger,
}

impl Run<'_> {
    /// Plays all cases to these mutants, who have survived so many cases and cycles already, and keeps what becomes of them.
    pub(crate) fn all(&mut self, mutants: &[Mutant], (played, cycles): (u64, u64)) -> Result<(), String> {
        let (last, proofs) = (self.args.cases, proofs()?);
        let first = self.args.first.clamp(played, last.max(played));
        let mut left = mutants.to_vec();
        let mut survived = (played, cycles);
        let steps = [("first", played..first, Effort::Little), ("rest", first..last, Effort::Much)];
        for (name, cases, effort) in steps {
            // What is proven equivalent need not survive more than the first cases.
            let todo: Vec<Mutant> =
                left.iter().filter(|mutant| name == "first" || !proofs.contains_key(&mutant.id)).cloned().collect();
            if todo.is_empty() || cases.is_empty() {
                continue;
            }
            let programs = self.programs(name, &todo, effort)?;
            let outcomes = self.play(name, &programs, &todo, cases.clone(), survived.1)?;
            survived = (cases.end, outcomes.cycles);
            left.retain(|mutant| !outcomes.kills.contains_key(&mutant.number));
            self.keep(&todo, &outcomes.kills, survived)?;
        }
        Ok(())
    }

    /// Both builds at a time.
    fn programs(&self, name: &str, mutants: &[Mutant], effort: Effort) -> Result<Programs, String> {
        let folder = self.args.out.join(name);
        let source = folder.join("rtl");
        tree(mutants, &source)?;
        let bar = self.spinner(&format!("{name}: compiling {} mutants", mutants.len()));
        let made = thread::scope(|scope| {
            let small = scope.spawn(|| build(W1, &source, &folder.join("w1"), false, effort));
            let w4 = build(W4, &source, &folder.join("w4"), false, effort);
            let w1 = small.join().unwrap_or_else(|_| Err("a thread of the build panicked".into()));
            Ok(Programs { w4: w4?, w1: Some(w1?) })
        });
        bar.finish_and_clear();
        made
    }

    fn play(
        &self,
        name: &str,
        programs: &Programs,
        mutants: &[Mutant],
        cases: Range<u64>,
        survived: u64,
    ) -> Result<Outcomes, String> {
        let jobs = self.args.jobs().min(mutants.len());
        let families = FAMILIES.len() as u64;
        let bar = self.bar((cases.end - cases.start) * families * jobs as u64, name);
        let campaign = Campaign { programs, mutants, cases, survived, folder: &self.args.out, jobs };
        let dead = std::sync::atomic::AtomicUsize::new(0);
        let outcomes = campaign.play(&|cases, deaths| {
            let all = dead.fetch_add(deaths, std::sync::atomic::Ordering::Relaxed) + deaths;
            bar.inc(cases);
            bar.set_message(format!("{} of {} alive", mutants.len() - all.min(mutants.len()), mutants.len()));
        });
        bar.finish_and_clear();
        outcomes
    }

    /// Which assertion fails, whatever the rows say.
    pub(crate) fn assertions(&mut self, mutants: &[Mutant]) -> Result<(), String> {
        let folder = self.args.out.join("assertions");
        tree(mutants, &folder.join("rtl"))?;
        let bar = self.spinner("assertions: compiling");
        let program = build(W4, &folder.join("rtl"), &folder.join("w4"), true, Effort::Little);
        bar.finish_and_clear();
        let programs = Programs { w4: program?, w1: None };
        let kills = self.play("assertions", &programs, mutants, 0..self.args.assertions, 0)?.kills;
        for mutant in mutants {
            if let Some(outcome) = self.ledger.outcomes.get_mut(&mutant.id) {
                outcome.assertion = kills.get(&mutant.number).map(|kill| (kill.what.clone(), kill.cycles));
                outcome.asserted = self.args.assertions;
            }
        }
        self.ledger.write()
    }

    fn keep(&mut self, mutants: &[Mutant], kills: &BTreeMap<u32, Kill>, survived: (u64, u64)) -> Result<(), String> {
        let (areas, proofs) = (areas()?, proofs()?);
        for mutant in mutants {
            let kill = kills.get(&mutant.number).cloned();
            let requirements = areas.get(&mutant.module).cloned().unwrap_or_default();
            let outcome = Outcome {
                mutant: mutant.clone(),
                requirements,
                verdict: Verdict::Survived,
                kill,
                survived,
                assertion: None,
                asserted: 0,
                proof: None,
            };
            self.ledger.outcomes.insert(mutant.id.clone(), outcome.judged(&proofs));
        }
        self.ledger.write()
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
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        bar
    }
}

/// The areas of requirements of each module.
pub(crate) fn areas() -> Result<BTreeMap<String, Vec<String>>, String> {
    let path = root().join("mutation/rtl/areas.toml");
    toml::from_str(&read(&path)?).map_err(|error| format!("{}: {error}", path.display()))
}
