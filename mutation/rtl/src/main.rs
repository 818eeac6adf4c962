//! `rtl-mutants`: which changes of the RTL the properties notice.

mod args;
mod campaign;
mod case;
mod ledger;
mod mutant;
mod mutator;
mod player;
mod program;
mod report;
mod run;

use args::Args;
use clap::Parser;
use ledger::Ledger;
use mutant::{Mutant, Outcome, Verdict};
use run::Run;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    match mutants(&args) {
        Ok(code) => code,
        Err(text) => {
            eprintln!("rtl-mutants: {text}");
            ExitCode::from(2)
        }
    }
}

fn mutants(args: &Args) -> Result<ExitCode, String> {
    if args.report {
        let ledger = Ledger::last(&args.out)?;
        return Ok(tell(args, &ledger.outcomes.values().collect::<Vec<_>>()));
    }
    let mut ledger = Ledger::open(&args.out, args.fresh)?;
    let (all, said) = mutator::list(&args.out)?;
    println!("the mutator: {said}");
    let wanted = wanted(args, all)?;
    for (survived, mutants) in todo(args, &wanted, &ledger) {
        Run { args, ledger: &mut ledger }.all(&mutants, survived)?;
    }
    let asserted = |mutant: &&Mutant| ledger.outcomes.get(&mutant.id).is_some_and(|one| one.asserted < args.assertions);
    let unasserted: Vec<Mutant> = wanted.iter().filter(asserted).cloned().collect();
    if !unasserted.is_empty() {
        Run { args, ledger: &mut ledger }.assertions(&unasserted)?;
    }
    let ids: BTreeSet<&str> = wanted.iter().map(|mutant| mutant.id.as_str()).collect();
    Ok(tell(
        args,
        &ledger.outcomes.values().filter(|outcome| ids.contains(outcome.mutant.id.as_str())).collect::<Vec<_>>(),
    ))
}

/// Mutants with cases left to play, by what they have survived.
fn todo(args: &Args, wanted: &[Mutant], ledger: &Ledger) -> BTreeMap<(u64, u64), Vec<Mutant>> {
    let mut todo: BTreeMap<_, Vec<Mutant>> = BTreeMap::new();
    for mutant in wanted {
        let survived = match ledger.outcomes.get(&mutant.id) {
            Some(_) if !args.only.is_empty() => Some((0, 0)),
            Some(outcome) => {
                Some(outcome.survived).filter(|one| outcome.verdict == Verdict::Survived && one.0 < args.cases)
            }
            None => Some((0, 0)),
        };
        if let Some(survived) = survived {
            todo.entry(survived).or_default().push(mutant.clone());
        }
    }
    todo
}

/// Those that were asked for.
fn wanted(args: &Args, mut all: Vec<Mutant>) -> Result<Vec<Mutant>, String> {
    if !args.only.is_empty() {
        if let Some(unknown) = args.only.iter().find(|id| all.iter().all(|mutant| mutant.id != **id)) {
            return Err(format!("there is no mutant {unknown}; {} lists all", args.out.join("list.jsonl").display()));
        }
        all.retain(|mutant| args.only.contains(&mutant.id));
    }
    if !args.module.is_empty() {
        all.retain(|mutant| args.module.contains(&mutant.module));
    }
    if let Some(sample) = args.sample {
        // Drawn by id: a change of the RTL leaves most of a sample as it was.
        all.sort_by_key(|mutant| Sha256::digest(format!("{} {}", args.seed, mutant.id)));
        all.truncate(sample);
        println!("a sample of {} with seed {}", all.len(), args.seed);
    }
    if all.is_empty() {
        return Err("no mutant is left to play".into());
    }
    Ok(all)
}

fn tell(args: &Args, outcomes: &[&Outcome]) -> ExitCode {
    print!("{}", report::text(outcomes));
    if report::score(outcomes) >= args.least { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
