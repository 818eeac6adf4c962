//! Instructions that no record can show: a table by interval and bus.

use crate::build::{Build, Places};
use crate::failure::Failure;
use crate::image::Program;
use crate::options::Options;
use crate::run;
use crate::say::say;
use crate::variants::Variant;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

const INTERVALS: [u32; 4] = [10, 100, 1000, 10_000];
const BUSES: [u32; 5] = [1, 2, 4, 16, 64];
/// Programs that end soon, so that the slow buses are measured on whole runs.
const PARTS: u32 = 0b1110;

/// Who waits for a slow bus.
#[derive(Clone, Copy)]
enum Waits {
    /// The unit alone, as next to a core with caches.
    Unit,
    /// Core and unit.
    Both,
}

/// Runs the tables and prints them. A ring of 1024 records takes what a run yields; what finds it full takes as long.
pub(crate) fn print(places: &Places, program: &Program, options: &Options) -> Result<ExitCode, Failure> {
    let machine = Build::fast(true).make(places)?;
    say!("user instructions between the instruction of a record and the next that can be recorded: mean (largest)");
    let mut rows = Vec::new();
    for (waits, title) in [(Waits::Unit, "the unit waits for the bus"), (Waits::Both, "core and unit wait for the bus")]
    {
        say!("\n{title}");
        say!("{:>9}{}", "interval", BUSES.map(|every| format!("{:>14}", format!("1 in {every}"))).concat());
        for interval in INTERVALS {
            let cells = BUSES.map(|every| cell(&machine, program, interval, waits, every));
            let cells = cells.into_iter().collect::<Result<Vec<_>, _>>()?;
            say!("{interval:>9}{}", cells.iter().map(|cell| format!("{:>14}", cell.0)).collect::<String>());
            rows.extend(cells.into_iter().map(|cell| cell.1));
        }
    }
    let differs = rows.iter().any(|row| row["differences"] != 0);
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&rows).map_err(|error| Failure::new(error.to_string()))?;
        fs::write(file, text + "\n").map_err(Failure::at(file))?;
    }
    say!("{}", if differs { "DIFFERENT" } else { "every record is that of the instruction that was due" });
    Ok(ExitCode::from(u8::from(differs)))
}

/// Runs a cell of a table, and returns its text and its row of JSON.
fn cell(
    machine: &Path,
    program: &Program,
    interval: u32,
    waits: Waits,
    every: u32,
) -> Result<(String, Value), Failure> {
    let variant = Variant {
        name: "losses",
        build: Build::fast(true),
        intervals: [interval, 0, 0],
        threshold: 512,
        ring: 1024,
        every: if matches!(waits, Waits::Both) { every } else { 1 },
        unit_every: every,
        parts: PARTS,
        ..Variant::main(1)
    };
    let outcome = run::variant(machine, program, &variant)?;
    let totals = &outcome.totals;
    let row = json!({
        "interval": interval, "every": variant.every, "unit_every": every, "records": totals.all_records(),
        "instructions": totals.counted, "unrecorded": totals.unrecorded, "longest": totals.longest,
        "cycles": totals.cycles, "differences": totals.differences + u64::from(outcome.stopped.is_some()),
    });
    Ok((format!("{:.1} ({})", totals.unrecorded_per_record(), totals.longest), row))
}
