//! The report that argues: `cosim --report`.

use super::cosim_args::CosimArgs;
use super::exit::Failure;
use super::plan::Plan;
use super::repeat;
use super::waves;
use sim_harness::lockstep::Window;
use sim_harness::report::failure::{
    Analysis, Cause, Evidence, gtkwave_view, page, rows_around, surfer_view, wave_file,
};
use sim_harness::report::{Output, OutputError};
use sim_harness::rtl::Flavour;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Cycles that a report keeps around a failure.
pub(crate) const WINDOW: Window = Window { before: 60, after: 20 };

/// Where the forms of a report go. Paths of the views follow from that of the waves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    pub(crate) text: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) fst: Option<PathBuf>,
}

impl Targets {
    /// All of them, in one folder.
    fn in_folder(folder: &Path) -> Self {
        let file = |ending: &str| Some(folder.join("failure").with_extension(ending));
        Self { text: file("txt"), html: file("html"), json: file("json"), fst: file("fst") }
    }

    /// Writes each form that has a place, and the views beside the waves.
    pub(crate) fn write(&self, evidence: &Evidence, analysis: &Analysis) -> Result<(), Failure> {
        let put = |path: &Path, bytes: &[u8]| Output::create(path).and_then(|output| output.write_whole(bytes));
        if let Some(path) = &self.text {
            put(path, analysis.plain_text().as_bytes())?;
        }
        if let Some(path) = &self.html {
            put(path, page(evidence, analysis).as_bytes())?;
        }
        if let Some(path) = &self.json {
            let mut json = serde_json::to_vec_pretty(analysis).expect("a report is plain data");
            json.push(b'\n');
            put(path, &json)?;
        }
        if let Some(path) = &self.fst {
            let bytes =
                wave_file(evidence).map_err(|error| Failure::option(&error.to_string(), "this is a bug: tell us"))?;
            put(path, &bytes)?;
            put(&path.with_extension("gtkw"), gtkwave_view(evidence, analysis).as_bytes())?;
            put(&path.with_extension("sucl"), surfer_view(evidence, analysis).as_bytes())?;
        }
        Ok(())
    }
}

/// Runs the plan again up to the mismatch in cycle `cycle`, argues, prints, and writes what was asked for.
pub(crate) fn after_mismatch(args: &CosimArgs, plan: &Plan, cycle: u64) -> Result<(), Failure> {
    let Some(folder) = &args.report else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|error| OutputError { path: folder.clone(), error })?;
    let mut rtl = plan.rtl(Flavour::Fast);
    let build = rtl.build().name().to_owned();
    let rows = rows_around(&mut waves::producer(plan, "--report runs the trace twice")?, &mut rtl, cycle, WINDOW);
    let evidence = Evidence {
        source: format!("trace {}", args.trace.display()),
        repeat: Some(repeat::command(args, None)),
        build,
        straps: plan.session.straps,
        cause: Cause::Mismatch,
        cycle,
        rows,
    };
    let analysis = Analysis::of(&evidence).map_err(|error| {
        Failure::option(&error.to_string(), "the run did not repeat itself: was the trace replaced meanwhile?")
    })?;
    print(&analysis);
    Targets::in_folder(folder).write(&evidence, &analysis)?;
    let _ = writeln!(std::io::stderr(), "\nthe report: {}", folder.join("failure.html").display());
    Ok(())
}

/// The report on standard error, coloured if that is a terminal and `NO_COLOR` does not forbid it. A closed standard error
/// cannot be helped.
fn print(analysis: &Analysis) {
    let _ = write!(anstream::stderr(), "{}", analysis.coloured_text());
}
