//! Runs the variants with the performance counters, and prints what they come to.

use super::run::{self, Outcome};
use super::variants::Variant;
use crate::build::Places;
use crate::failure::Failure;
use crate::image::Program;
use crate::report::commas;
use crate::say::say;
use serde_json::{Value, json};

/// Runs these variants and prints a table. Returns its rows, and whether there is a difference.
pub(crate) fn everything(places: &Places, chosen: &[Variant]) -> Result<(Value, bool), Failure> {
    let program = Program::compile_with(places, Some("perf"))?;
    say!(
        "{:12} {:>12} {:>11} {:>8} {:>8} {:>10} {:>10} {:>9} {:>10} {:>12}",
        "variant",
        "instructions",
        "cycles",
        "requests",
        "values",
        "overflows",
        "interrupts",
        "skid",
        "lockstep",
        "differences"
    );
    let mut differs = false;
    let mut rows = Vec::new();
    for variant in chosen {
        let machine = variant.machine.make(places)?;
        let outcome = run::variant(&machine, &program, variant, |_| ())?;
        differs |= outcome.totals.differences != 0 || outcome.stopped.is_some() || outcome.lockstep == 0;
        line(variant, &outcome);
        rows.push(row(variant, &outcome));
    }
    say!("{}", if differs { "DIFFERENT" } else { "every count and every interrupt is the predicted one" });
    Ok((Value::Array(rows), differs))
}

fn line(variant: &Variant, outcome: &Outcome) {
    let totals = &outcome.totals;
    say!(
        "{:12} {:>12} {:>11} {:>8} {:>8} {:>10} {:>10} {:>9} {:>10} {:>12}",
        variant.name,
        commas(totals.user_instructions),
        commas(totals.cycles),
        commas(totals.requests),
        commas(totals.counters_compared),
        commas(totals.overflows),
        commas(totals.interrupts),
        format!("{:.1} ({})", totals.mean_skid(), totals.longest_skid()),
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
        "every": variant.every,
        "instructions": totals.instructions,
        "user_instructions": totals.user_instructions,
        "cycles": totals.cycles,
        "requests": totals.requests,
        "refused": totals.refused,
        "counters_compared": totals.counters_compared,
        "overflows": totals.overflows,
        "asked": totals.asked,
        "interrupts": totals.interrupts,
        "samples": totals.samples.len(),
        "skid": totals.skid,
        "delay_mean": totals.delay.0 as f64 / totals.interrupts.max(1) as f64,
        "delay_longest": totals.delay.1,
        "lockstep": outcome.lockstep,
        "differences": totals.differences,
        "stopped": outcome.stopped,
    })
}
