//! Instructions that no record can show: a table by interval and bus.

use crate::build::{Build, Places};
use crate::failure::Failure;
use crate::image::Program;
use crate::options::Options;
use crate::run;
use crate::variants::Variant;
use serde_json::json;
use std::fs;
use std::process::ExitCode;

const INTERVALS: [u32; 5] = [10, 100, 1000, 10_000, 100_000];
const BUSES: [u32; 5] = [1, 2, 4, 16, 64];
/// Programs that end soon, so that the slow buses are measured on whole runs.
const PARTS: u32 = 0b1110;

/// Runs the table and prints it. A ring of 1024 records takes what a run yields; what finds it full takes as long.
pub(crate) fn print(places: &Places, program: &Program, options: &Options) -> Result<ExitCode, Failure> {
    let machine = Build::fast(true).make(places)?;
    println!(
        "user instructions between the instruction of a record and the next that can be recorded, per record (largest)"
    );
    println!("{:>16}{}", "interval", BUSES.map(|every| format!("{:>18}", format!("bus 1 in {every}"))).concat());
    let mut rows = Vec::new();
    let mut differs = false;
    for interval in INTERVALS {
        let mut line = format!("{interval:>16}");
        for every in BUSES {
            let variant = Variant {
                name: "losses",
                build: Build::fast(true),
                intervals: [interval, 0, 0],
                threshold: 512,
                ring: 1024,
                every,
                parts: PARTS,
                ..Variant::main(1)
            };
            let outcome = run::variant(&machine, program, &variant)?;
            differs |= outcome.differs();
            let totals = &outcome.totals;
            line += &format!("{:>18}", format!("{:.1} ({})", totals.unrecorded_per_record(), totals.longest));
            rows.push(json!({
                "interval": interval, "every": every, "records": totals.all_records(), "instructions": totals.counted,
                "unrecorded": totals.unrecorded, "longest": totals.longest, "cycles": totals.cycles,
                "differences": totals.differences,
            }));
        }
        println!("{line}");
    }
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&rows).map_err(|error| Failure::new(error.to_string()))?;
        fs::write(file, text + "\n").map_err(Failure::at(file))?;
    }
    Ok(ExitCode::from(u8::from(differs)))
}
