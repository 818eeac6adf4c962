//! Builds the RTL with counters: apart from the builds of the harness, as it is slow and seldom needed.

use sim_harness::rtl::BuildId;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Translates and compiles; does nothing if nothing has changed. Returns the program.
///
/// # Errors
///
/// If Verilator is not there, or refuses.
pub fn build(build: BuildId, folder: &Path) -> Result<PathBuf, String> {
    let info = build.info();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let folder = folder.join(info.name);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let parameters: Vec<String> = info.parameters.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let mut verilator = Command::new(verilator("VERILATOR", "verilator"));
    verilator
        .args(["--cc", "--exe", "--build", "-O3", "--no-timing", "--coverage-line", "--coverage-toggle", "--noassert"])
        .args(["--x-assign", "fast", "--x-initial", "fast", "--output-split", "20000", "--build-jobs", "2"])
        // What runs each cycle is worth a little optimising, what runs once is not.
        .args(["-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"])
        .args(["--top-module", "replay_top", "--prefix", "Vreplay", "--Mdir"])
        .arg(&folder)
        .arg(format!("-DFLAT={}_flat", info.unit))
        .arg(format!("-DFLAT_PARAMETERS={}", parameters.join(",")))
        .arg(format!("-DSTRAP_WORDS={}", info.strap_words))
        .arg(format!("-DOUT_WORDS={}", info.out_words))
        .arg(format!("-DIN_WORDS={}", info.in_words))
        .arg(root.join("proptests/rtl-coverage/filter.vlt"))
        .args(["-f", info.file_list])
        .arg(info.flat)
        .args(["sim-harness/cpp/replay_top.sv", "proptests/rtl-coverage/main.cpp"].map(|file| root.join(file)))
        // File lists name files relative to this folder, and so do the counts.
        .current_dir(root.join("rtl"));
    let output = verilator.output().map_err(|error| missing(&error))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the build of {} with counters fails:\n{text}", info.name));
    }
    Ok(folder.join("Vreplay"))
}

/// Adds files of counts, and writes the sum for other tools in the format of lcov too.
///
/// # Errors
///
/// If `verilator_coverage` is not there, or refuses.
pub fn merge(files: &[PathBuf], counts: &Path, lcov: &Path) -> Result<(), String> {
    for (option, out) in [("--write", counts), ("--write-info", lcov)] {
        let mut command = Command::new(verilator("VERILATOR_COVERAGE", "verilator_coverage"));
        let output = command.arg(option).arg(out).args(files).output().map_err(|error| missing(&error))?;
        if !output.status.success() {
            return Err(format!("verilator_coverage fails: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(())
}

fn verilator(variable: &str, program: &str) -> std::ffi::OsString {
    std::env::var_os(variable).unwrap_or_else(|| program.into())
}

fn missing(error: &std::io::Error) -> String {
    format!("Verilator cannot be run ({error}): tools/scripts/setup build installs it")
}
