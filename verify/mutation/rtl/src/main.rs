//! `rtl-mutants`: which changes of the RTL the properties notice.

mod args;
mod campaign;
mod held;
mod ledger;
mod mutant;
mod mutator;
mod player;
mod program;
mod proofs;
mod record;
mod report;
mod run;

use args::Args;
use clap::Parser;
use held::Held;
use ledger::Ledger;
use mutant::{Judge, Mutant, Outcome};
use proofs::Proofs;
use run::Run;
use sha2::{Digest, Sha256};
use sim_harness::say;
use std::collections::BTreeSet;
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
    let (unit, out) = (args.unit(), args.out());
    if let Some(family) = args.unknown_family() {
        return Err(format!("the unit {} has no family {family}", unit.name));
    }
    if args.report {
        let (ledger, proofs) = match &args.verdicts {
            Some(file) => (Ledger::judged(file)?, Proofs::default()),
            None => (Ledger::last(unit, &out)?, Proofs::of(unit)?),
        };
        return Ok(tell(args, &ledger.outcomes.values().collect::<Vec<_>>(), &proofs));
    }
    let proofs = Proofs::of(unit)?;
    let mut ledger = Ledger::open(unit, &out, args.fresh)?;
    let (all, said) = mutator::list(unit, &out)?;
    say!("the mutator: {said}");
    if args.held {
        let list = mutator::root().join(unit.file("sample.csv"));
        let fine = Held { args, ledger: &mut ledger, list: &list }.all(all)?;
        return Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let wanted = wanted(args, all)?;
    for id in &args.only {
        ledger.outcomes.remove(id);
    }
    for (judge, cases) in [(Judge::Rows, args.cases), (Judge::Assertions, args.assertions)] {
        if cases > 0 {
            Run { args, ledger: &mut ledger, judge }.all(&wanted, cases)?;
        }
    }
    let ids: BTreeSet<&str> = wanted.iter().map(|mutant| mutant.id.as_str()).collect();
    Ok(tell(
        args,
        &ledger.outcomes.values().filter(|outcome| ids.contains(outcome.mutant.id.as_str())).collect::<Vec<_>>(),
        &proofs,
    ))
}

/// Those that were asked for.
fn wanted(args: &Args, mut all: Vec<Mutant>) -> Result<Vec<Mutant>, String> {
    if !args.only.is_empty() {
        if let Some(unknown) = args.only.iter().find(|id| all.iter().all(|mutant| mutant.id != **id)) {
            return Err(format!("there is no mutant {unknown}; {} lists all", args.out().join("list.jsonl").display()));
        }
        all.retain(|mutant| args.only.contains(&mutant.id));
    }
    if !args.module.is_empty() {
        all.retain(|mutant| args.module.contains(&mutant.module));
    }
    if let Some(class) = args.class {
        all.retain(|mutant| mutant.class == class);
    }
    if let Some(sample) = args.sample {
        // Drawn by id: a change of the RTL leaves most of a sample as it was.
        all.sort_by_key(|mutant| Sha256::digest(format!("{} {}", args.seed, mutant.id)));
        all.truncate(sample);
        say!("a sample of {} with seed {}", all.len(), args.seed);
    }
    if all.is_empty() {
        return Err("no mutant is left to play".into());
    }
    Ok(all)
}

fn tell(args: &Args, outcomes: &[&Outcome], proofs: &Proofs) -> ExitCode {
    say!("{}", report::text(outcomes).trim_end());
    if proofs.stale > 0 {
        say!(
            "{} lines of equivalent.csv are of other code and do not count: `mutate prove` proves them again",
            proofs.stale
        );
    }
    let wrong = proofs.contradicted(outcomes);
    wrong.iter().for_each(|line| eprintln!("rtl-mutants: {line}"));
    if wrong.is_empty() && report::score(outcomes) >= args.least { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
