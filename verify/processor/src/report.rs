//! The comparison of the debug unit as a user sees it.

use super::Arguments;
use indicatif::{ProgressBar, ProgressStyle};
use lwp_model::Unit;
use lwp_model::debug::{Config, DebugUnit};
use processor::debug::{Facts, Processor, SITUATIONS, Selectors, Totals, calibrate, cases, differences, repeated};
use serde_json::json;
use sim_harness::{complain, say};
use std::process::ExitCode;
use std::time::Instant;

type Known = (&'static str, &'static str, String, String);

pub(crate) fn debug(arguments: &Arguments) -> ExitCode {
    let prepared = Processor::new().map_err(|error| (2, error.to_string())).and_then(|mut processor| {
        let facts = calibrate(&mut processor).map_err(|e| (if e.is_difference() { 1 } else { 2 }, e.to_string()))?;
        Ok((processor, facts))
    });
    let (mut processor, facts) = match prepared {
        Ok(prepared) => prepared,
        Err((code, error)) => {
            complain!("processor: {error}");
            return ExitCode::from(code);
        }
    };
    let known = match known(&mut processor, &facts) {
        Ok(known) => known,
        Err(error) => {
            complain!("processor: {error}");
            return ExitCode::from(1);
        }
    };
    if !arguments.json {
        describe(&facts, &known);
    }
    let bar = bar(arguments.cases);
    let start = Instant::now();
    let result = cases(&mut processor, &facts, arguments.seed, arguments.cases, |totals| {
        if totals.programs.is_multiple_of(64) {
            bar.set_position(totals.programs);
        }
    });
    bar.finish_and_clear();
    match result {
        Ok(totals) => {
            tell(arguments, &facts, &known, totals, start.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err((seed, reason)) => {
            complain!("{reason}\n\nthe program of seed {seed}; again: processor --seed {seed} --cases 1");
            ExitCode::from(1)
        }
    }
}

/// Runs the programs of the known differences: what about, which rows, the processor's stops, the unit's.
fn known(processor: &mut Processor, facts: &Facts) -> Result<Vec<Known>, String> {
    let each = differences::all(facts).into_iter().map(|difference| {
        let (seen, unit) = repeated(processor, facts, &difference.program)?;
        if seen != unit && seen != difference.seen {
            return Err(format!("{}: the processor stops with {seen}, the unit with {unit}", difference.about));
        }
        Ok((difference.about, difference.rows, seen, unit))
    });
    each.collect()
}

/// Straps that differ from their defaults, by name.
fn straps(facts: &Facts) -> Vec<(&'static str, u32)> {
    type Debug = DebugUnit<1, 1>;
    let words = |straps: &Config| {
        let mut row = vec![0; Debug::STRAP_WORDS];
        Debug::pack_straps(straps, &mut row);
        row
    };
    let (found, default) = (words(&facts.straps), words(&Config::default()));
    let value = |field: &lwp_model::flat::Field, row: &[u32]| field.of(row) as u32;
    let fields = Debug::STRAP_FIELDS.iter().filter(|field| value(field, &found) != value(field, &default));
    fields.map(|field| (field.name, value(field, &found))).collect()
}

fn describe(facts: &Facts, known: &[Known]) {
    say!("straps of a unit that does what this processor does, where they are not the default:");
    for (name, value) in straps(facts) {
        say!("  {name} = {value}");
    }
    if facts.int1_stays {
        say!("INT1 saves its own address here");
    }
    let Selectors { iret, push, pop } = facts.selectors;
    say!(
        "bytes of a selector on the stack: IRETQ reads {iret}; in 32-bit code PUSH SS writes {push}, POP SS reads {pop}"
    );
    say!("known differences, which no strap covers:");
    for (about, rows, seen, unit) in known {
        let verdict = if seen == unit { "none here".to_owned() } else { format!("{seen}\n    documents: {unit}") };
        say!("  {about} ({rows})\n    processor: {verdict}");
    }
}

fn bar(cases: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} programs, {per_sec}, {eta} left");
    ProgressBar::new(cases).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn tell(arguments: &Arguments, facts: &Facts, known: &[Known], totals: Totals, seconds: f64) {
    let Totals { programs, stops, disturbed, wide, situations } = totals;
    if arguments.json {
        let straps: serde_json::Map<_, _> =
            straps(facts).into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        let differ: Vec<_> = known.iter().filter(|(_, _, seen, unit)| seen != unit).map(|(about, ..)| about).collect();
        let line = json!({
            "unit": "debug", "seed": arguments.seed, "programs": programs, "of_64_bit_code": wide, "stops": stops, "disturbed": disturbed,
            "straps": straps, "int1_stays": facts.int1_stays,
            "bytes_of_selectors": {"IRETQ": facts.selectors.iret, "PUSH SS": facts.selectors.push, "POP SS": facts.selectors.pop},
            "known_differences": differ, "seconds": seconds,
            "situations": SITUATIONS.into_iter().zip(situations).collect::<std::collections::BTreeMap<_, _>>(),
        });
        say!("{line}");
    } else {
        say!("compared:");
        for (situation, count) in SITUATIONS.into_iter().zip(situations) {
            say!("  {count:10} {situation}");
        }
        say!("{wide} programs of 64-bit code, {} of 32-bit code in compatibility mode", programs - wide);
        say!("{programs} programs, {stops} stops: no difference ({disturbed} programs were run again, {seconds:.0} s)");
    }
}
