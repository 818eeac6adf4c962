//! Runs the variants, and prints what they come to.

use crate::build::{Build, Places, Queue};
use crate::debug;
use crate::failure::Failure;
use crate::image::Program;
use crate::options::Options;
use crate::perf;
use crate::run::{self, Outcome};
use crate::say::say;
use crate::variants::Variant;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

/// Functions that are listed.
const HOTTEST: usize = 8;
/// Runs of each machine whose fastest is its speed.
const SPEED_RUNS: usize = 5;

/// Runs these variants, and prints the report.
pub(crate) fn everything(
    places: &Places,
    program: &Program,
    options: &Options,
    (chosen, debugged, counted): (&[Variant], &[debug::Variant], &[perf::Variant]),
) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let mut report = json!({});
    let mut differs = false;
    if !chosen.is_empty() {
        differs |= profiled(places, program, options, chosen, &mut report)?;
    }
    if !debugged.is_empty() {
        let (rows, other) = debug::everything(places, debugged)?;
        report["debug"] = rows;
        differs |= other;
    }
    if !counted.is_empty() {
        let (rows, other) = perf::everything(places, counted)?;
        report["perf"] = rows;
        differs |= other;
    }
    say!("seconds       {:.0}", start.elapsed().as_secs_f64());
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::new(error.to_string()))?;
        fs::write(file, text + "\n").map_err(Failure::at(file))?;
    }
    Ok(ExitCode::from(u8::from(differs)))
}

/// Runs the variants with LWP, prints their part of the report, and returns whether there is a difference.
fn profiled(
    places: &Places,
    program: &Program,
    options: &Options,
    chosen: &[Variant],
    report: &mut Value,
) -> Result<bool, Failure> {
    let measured = !options.no_speed && options.only.is_empty();
    let speeds = [true, false].map(Build::fast).into_iter().filter(|_| measured);
    let mut machines = Queue::start(places, chosen.iter().map(|variant| variant.build.clone()).chain(speeds));
    let mut results = Vec::new();
    let mut differs = false;
    say!(
        "{:11} {:>12} {:>11} {:>8} {:>9} {:>7} {:>10} {:>10} {:>11}",
        "variant",
        "instructions",
        "cycles",
        "records",
        "discarded",
        "missed",
        "interrupts",
        "lockstep",
        "differences"
    );
    for variant in chosen {
        let machine = machines.machine(&variant.build)?;
        let outcome = run::variant(&machine, program, variant)?;
        differs |= outcome.differs() || outcome.lockstep == 0;
        line(variant, &outcome);
        results.push((variant, outcome));
    }
    report["variants"] = results.iter().map(|(variant, outcome)| row(variant, outcome)).collect();
    if let Some((_, outcome)) = results.iter().find(|(variant, _)| variant.name == "main") {
        report["functions"] = functions(program, outcome);
    }
    if measured {
        report["speed"] = speed(&mut machines, program)?;
    }
    report["lines"] = lines(places)?;
    say!("{}", if differs { "DIFFERENT" } else { "every record is that of the instruction that was due" });
    Ok(differs)
}

/// Returns a number with commas.
pub(crate) fn commas(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

fn line(variant: &Variant, outcome: &Outcome) {
    let totals = &outcome.totals;
    say!(
        "{:11} {:>12} {:>11} {:>8} {:>9} {:>7} {:>10} {:>10} {:>11}",
        variant.name,
        commas(totals.user_instructions),
        commas(totals.cycles),
        commas(totals.all_records()),
        commas(totals.discarded),
        commas(u64::from(totals.missed)),
        commas(totals.interrupts),
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
        "machine": variant.build.name(),
        "intervals": variant.intervals,
        "threshold": variant.threshold,
        "every": variant.every,
        "unit_every": variant.unit_every,
        "instructions": totals.instructions,
        "user_instructions": totals.user_instructions,
        "counted": totals.counted,
        "unrecorded": totals.unrecorded,
        "cycles": totals.cycles,
        "records": totals.records,
        "drained": totals.drained,
        "discarded": totals.discarded,
        "missed": totals.missed,
        "crossings": totals.crossings,
        "interrupts": totals.interrupts,
        "flushes": totals.flushes,
        "counters_compared": totals.counters_compared,
        "lockstep": outcome.lockstep,
        "differences": totals.differences,
        "stopped": outcome.stopped,
    })
}

/// Prints the functions with the most records of instructions, and their share of all instructions.
fn functions(program: &Program, outcome: &Outcome) -> Value {
    let base = program.address("vectors").unwrap_or_default();
    let mut found: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for &(event, pc) in &outcome.totals.record_pcs {
        if event == 0 {
            found.entry(program.function(pc)).or_default().0 += 1;
        }
    }
    for (place, &count) in outcome.executed.iter().enumerate().filter(|(_, count)| **count != 0) {
        found.entry(program.function(base + 2 * place as u32)).or_default().1 += count;
    }
    let records = outcome.totals.records[0].max(1) as f64;
    let executed = outcome.executed.iter().sum::<u64>().max(1) as f64;
    let mut sorted: Vec<_> = found.into_iter().collect();
    sorted.sort_by_key(|&(name, counts)| (std::cmp::Reverse(counts), name));
    sorted.truncate(HOTTEST);
    say!("hottest       of records  of instructions");
    let rows = sorted.into_iter().map(|(name, (hits, count))| {
        let [sampled, real] = [hits as f64 / records, count as f64 / executed].map(|share| 100.0 * share);
        say!("{sampled:>22.1} % {real:>14.1} %  {name}");
        json!({ "function": name, "records": hits, "instructions": count })
    });
    rows.collect()
}

/// Measures both machines alternately, and prints the fastest run of each.
fn speed(machines: &mut Queue, program: &Program) -> Result<Value, Failure> {
    let mut fastest = [0.0_f64; 2];
    // Both are built before the first is measured.
    let builds = [true, false].map(Build::fast);
    let paths = [machines.machine(&builds[0])?, machines.machine(&builds[1])?];
    for _ in 0..SPEED_RUNS {
        for ((best, build), machine) in fastest.iter_mut().zip(&builds).zip(&paths) {
            let variant = Variant { name: "speed", build: build.clone(), ..Variant::main(1) };
            *best = best.max(run::speed(machine, program, &variant)?);
        }
    }
    let [with, without] = fastest;
    say!("speed         {with:.2} Mcycles/s with the unit, {without:.2} without, of processor time, checks off");
    Ok(json!({ "with": with, "without": without }))
}

/// Counts the marked lines that an integrator writes.
fn lines(places: &Places) -> Result<Value, Failure> {
    let count = |file: &str, mark: &str, comment: &str| {
        let path = places.root.join(file);
        let text = fs::read_to_string(&path).map_err(Failure::at(&path))?;
        let marked = text.lines().skip_while(|line| !line.contains(&format!("{mark}: from here"))).skip(1);
        let marked = marked.take_while(|line| !line.contains(&format!("{mark}: to here"))).map(str::trim);
        Ok::<_, Failure>(marked.filter(|line| !line.is_empty() && !line.starts_with(comment)).count())
    };
    let rtl = count("verify/ibex/rtl/ibex_machine.sv", "LWP", "//")?;
    let driver = count("verify/ibex/program/lwp.h", "LWP driver", "/*")?;
    say!("lines         {rtl} of SystemVerilog for an integrator, {driver} of C for the driver");
    Ok(json!({ "systemverilog": rtl, "driver": driver }))
}
