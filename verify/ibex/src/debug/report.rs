//! Runs the variants with the debug unit, and prints what they come to.

use super::machine::Machine;
use super::run::{self, Outcome};
use super::variants::Variant;
use crate::build::Places;
use crate::failure::Failure;
use crate::image::Program;
use crate::report::commas;
use crate::say::say;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Runs these variants and prints a table. Returns its rows, and whether there is a difference.
pub(crate) fn everything(places: &Places, chosen: &[Variant]) -> Result<(Value, bool), Failure> {
    let program = Program::compile_with(places, Some("debug"))?;
    say!(
        "{:12} {:>12} {:>11} {:>6} {:>8} {:>10} {:>16} {:>6} {:>8} {:>5} {:>10} {:>12}",
        "variant",
        "instructions",
        "cycles",
        "#DB",
        "in skid",
        "unaligned",
        "B0 to B3",
        "BS",
        "skid",
        "lost",
        "lockstep",
        "differences"
    );
    let mut differs = false;
    let mut built: Vec<(&Machine, PathBuf)> = Vec::new();
    let mut rows = Vec::new();
    for variant in chosen {
        let machine = match built.iter().find(|(machine, _)| **machine == variant.machine) {
            Some((_, program)) => program.clone(),
            None => variant.machine.make(places)?,
        };
        let outcome = run::variant(&machine, &program, variant, |_| ())?;
        built.push((&variant.machine, machine));
        differs |= outcome.totals.differences != 0 || outcome.stopped.is_some() || outcome.lockstep == 0;
        line(variant, &outcome);
        rows.push(row(variant, &outcome));
    }
    say!("{}", if differs { "DIFFERENT" } else { "every #DB is that of the instruction that hit" });
    Ok((Value::Array(rows), differs))
}

fn line(variant: &Variant, outcome: &Outcome) {
    let totals = &outcome.totals;
    say!(
        "{:12} {:>12} {:>11} {:>6} {:>8} {:>10} {:>16} {:>6} {:>8} {:>5} {:>10} {:>12}",
        variant.name,
        commas(totals.user_instructions),
        commas(totals.cycles),
        commas(totals.taken),
        commas(totals.in_skid),
        commas(totals.unaligned),
        totals.hits.map(commas).join(" "),
        commas(totals.steps),
        format!("{:.1} ({})", totals.mean_skid(), totals.longest_skid()),
        commas(totals.lost),
        commas(outcome.lockstep),
        totals.differences,
    );
    for text in &totals.texts {
        say!("  {text}");
    }
    if let Some(text) = &outcome.stopped {
        say!("  the simulation was stopped:\n  {}", text.trim_end().replace('\n', "\n  "));
    }
}

fn row(variant: &Variant, outcome: &Outcome) -> Value {
    let totals = &outcome.totals;
    json!({
        "name": variant.name,
        "about": variant.about,
        "depth": variant.machine.depth,
        "every": variant.every,
        "user_instructions": totals.user_instructions,
        "cycles": totals.cycles,
        "taken": totals.taken,
        "in_skid": totals.in_skid,
        "hits": totals.hits,
        "unaligned": totals.unaligned,
        "steps": totals.steps,
        "detected": totals.detected,
        "interrupts": totals.interrupts,
        "skid": totals.skid,
        "delay_mean": totals.delay.0 as f64 / totals.interrupts.max(1) as f64,
        "delay_longest": totals.delay.1,
        "lost": totals.lost,
        "moves": totals.moves,
        "refused": totals.refused,
        "lockstep": outcome.lockstep,
        "differences": totals.differences,
        "stopped": outcome.stopped,
    })
}
