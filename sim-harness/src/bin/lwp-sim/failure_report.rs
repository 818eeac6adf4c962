//! The report that argues: `cosim --report`.

use super::cosim_args::CosimArgs;
use super::exit::Failure;
use sim_harness::capsule::{Capsule, Replayed, replay};
use sim_harness::command::shown;
use sim_harness::lockstep::Window;
use sim_harness::report::failure::{Analysis, Evidence, gtkwave_view, page, surfer_view, wave_file};
use sim_harness::report::{Output, OutputError, free_name, separate};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Cycles that a report keeps around a failure.
pub(crate) const WINDOW: Window = Window { before: 60, after: 20 };

/// Endings of the views beside the waves: for GTKWave and for Surfer.
const VIEWS: [&str; 2] = ["gtkw", "sucl"];

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
        // One name for all of them: each belongs to the others.
        let endings = ["txt", "html", "json", "fst", "gtkw", "sucl"];
        let is_free = |stem: &Path| endings.iter().all(|ending| !stem.with_extension(ending).exists());
        let stem = free_name(&folder.join("failure"), is_free);
        let file = |ending: &str| Some(stem.with_extension(ending));
        Self { text: file("txt"), html: file("html"), json: file("json"), fst: file("fst") }
    }

    /// Checks that each form, and the views beside the waves, have places of their own, and that none replaces the capsule.
    pub(crate) fn check(&self, capsule: &Path) -> Result<(), Failure> {
        let views = self.fst.iter().flat_map(|path| VIEWS.map(|ending| path.with_extension(ending)));
        let views: Vec<PathBuf> = views.collect();
        let forms = [&self.text, &self.html, &self.json, &self.fst].into_iter().flatten();
        let outputs: Vec<&Path> = forms.chain(&views).map(PathBuf::as_path).collect();
        Ok(separate(&[capsule], &outputs)?)
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
            let [gtkwave, surfer] = VIEWS.map(|ending| path.with_extension(ending));
            put(&gtkwave, gtkwave_view(evidence, analysis).as_bytes())?;
            put(&surfer, surfer_view(evidence, analysis).as_bytes())?;
        }
        Ok(())
    }
}

/// Replays the capsule of a run, argues, prints, and writes what `--report` asked for; false if it asked for nothing.
pub(crate) fn of_run(args: &CosimArgs, capsule: &Capsule) -> Result<bool, Failure> {
    let Some(folder) = &args.report else { return Ok(false) };
    fs::create_dir_all(folder).map_err(|error| OutputError { path: folder.clone(), error })?;
    let replayed = replay(capsule, WINDOW)?;
    let source = format!("trace {}", args.trace.display());
    let Some((evidence, analysis)) = argue(capsule, &replayed, source, None)? else { return Ok(false) };
    print(&analysis);
    let targets = Targets::in_folder(folder);
    targets.write(&evidence, &analysis)?;
    let page = targets.html.as_deref().map(shown).unwrap_or_default();
    let _ = writeln!(std::io::stderr(), "\nthe report: {}", page.display());
    Ok(true)
}

/// The evidence of a replay and what follows from it; `None` if nothing failed. `repeat`: another command than the one that found it.
pub(crate) fn argue(
    capsule: &Capsule,
    replayed: &Replayed,
    source: String,
    repeat: Option<String>,
) -> Result<Option<(Evidence, Analysis)>, Failure> {
    let Some(mut evidence) = Evidence::of_replay(capsule, replayed, source) else { return Ok(None) };
    evidence.repeat = repeat.or(evidence.repeat);
    let help = "the capsule does not reach its own failure: find it again";
    let analysis = Analysis::of(&evidence).map_err(|error| Failure::option(&error.to_string(), help))?;
    Ok(Some((evidence, analysis)))
}

/// The report on standard error, coloured if that is a terminal and `NO_COLOR` does not forbid it. A closed standard error
/// cannot be helped.
fn print(analysis: &Analysis) {
    let _ = write!(anstream::stderr(), "{}", analysis.coloured_text());
}
