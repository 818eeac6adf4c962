//! `coverage report`.

use super::args::ReportArgs;
use proptests::coverage::Totals;
use proptests::coverage::report::Report;
use proptests::coverage::rtl::{Places, read};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn report(args: &ReportArgs) -> Result<ExitCode, String> {
    let totals = Totals::read(&args.counts).map_err(|why| format!("{}: {why}", args.counts.display()))?;
    let places = places(&args.rtl.join("coverage.dat"))?;
    let report = Report::new(&totals, places.as_ref())?;
    let json = serde_json::to_string(&report).map_err(|error| error.to_string())?;
    fs::create_dir_all(&args.out).map_err(|error| format!("{}: {error}", args.out.display()))?;
    for (name, text) in [("report.json", json), ("report.html", report.html())] {
        let path = args.out.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    print!("{}", report.text(args.holes));
    println!("\nthe page: {}", args.out.join("report.html").display());
    Ok(if report.disproved.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Verilator's counts; none if there is no file.
fn places(path: &Path) -> Result<Option<Places>, String> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    read(&String::from_utf8_lossy(&bytes)).map(Some).map_err(|why| format!("{}: {why}", path.display()))
}
