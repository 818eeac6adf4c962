//! `coverage report`.

use super::args::{ReportArgs, counts, results};
use proptests::coverage::Totals;
use proptests::coverage::report::Report;
use proptests::coverage::rtl::{Places, read};
use proptests::state_file;
use proptests::unit::find;
use sim_harness::report::separate;
use sim_harness::say;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn report(args: &ReportArgs) -> Result<ExitCode, String> {
    let unit = find(&args.unit)?;
    let (counts, list) = (counts(unit, args.counts.as_ref()), unit.rtl_list());
    let totals = Totals::read(unit.layout(), &counts).map_err(|why| format!("{}: {why}", counts.display()))?;
    let rtl = args.rtl.clone().unwrap_or_else(|| results(unit).join("rtl"));
    let places = places(&rtl.join("coverage.dat"))?;
    let report = Report::new(&totals, &unit.claims(), places.as_ref().map(|places| (places, &list)))?;
    let json = serde_json::to_string(&report).map_err(|error| error.to_string())?;
    let out = args.out.clone().unwrap_or_else(|| results(unit));
    let pages = [(out.join("report.json"), json), (out.join("report.html"), report.html())];
    let outputs = [pages[0].0.as_path(), pages[1].0.as_path()];
    separate(&[&counts, &rtl.join("coverage.dat")], &outputs)
        .map_err(|clash| format!("{clash}; name another folder with --out"))?;
    for (path, text) in &pages {
        state_file::replace(path, text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    say!("{}", report.text(args.holes).trim_end());
    say!("\nthe page: {}", out.join("report.html").display());
    Ok(if report.disproved.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Verilator's counts; none if there is no file.
pub(crate) fn places(path: &Path) -> Result<Option<Places>, String> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    read(&String::from_utf8_lossy(&bytes)).map(Some).map_err(|why| format!("{}: {why}", path.display()))
}
