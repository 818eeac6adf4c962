//! Builds the program that plays cases to the mutants: Verilator's C++ of the RTL with all of them, and player.cpp.

use crate::mutant::Judge;
use crate::mutator::root;
use sim_harness::rtl::BuildId;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How much the compiler is to do: the more cases are played, the more it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    Little,
    Much,
}

/// Translates and compiles the RTL in `tree` for this judge. Returns the program.
pub(crate) fn build(
    build: BuildId,
    tree: &Path,
    folder: &Path,
    judge: Judge,
    effort: Effort,
) -> Result<PathBuf, String> {
    let root = root();
    let folder = std::path::absolute(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let info = build.info();
    let parameters: Vec<String> = info.parameters.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let assertions = judge == Judge::Assertions;
    let mut flags = format!("-DVL_USER_FATAL -include {}", root.join("sim-harness/cpp/messages.h").display());
    if assertions {
        flags.push_str(" -DMUTANTS_ASSERT");
    }
    let level = if effort == Effort::Much { "-O2" } else { "-O1" };
    let mut verilator = Command::new(std::env::var_os("VERILATOR").unwrap_or_else(|| "verilator".into()));
    verilator
        .args(["--cc", "--exe", "--build", "-O3", "--no-timing", "--x-assign", "fast", "--x-initial", "fast"])
        .arg(if assertions { "--assert" } else { "--noassert" })
        // Mutants look odd; what is worse than that is an error.
        .args([
            "-Wno-fatal",
            "-Wno-lint",
            "-Wno-ENUMVALUE",
            "--output-split",
            "20000",
            "--output-split-cfuncs",
            "2000",
            "--build-jobs",
            "2",
        ])
        .args(["-MAKEFLAGS", &format!("OPT_FAST={level} OPT_SLOW=-O0 OPT_GLOBAL=-O1"), "-CFLAGS", &flags])
        .args(["--top-module", "replay_top", "--prefix", "Vmutants", "--Mdir"])
        .arg(&folder)
        .arg(format!("-DFLAT={}_flat", info.unit))
        .arg(format!("-DFLAT_PARAMETERS={}", parameters.join(",")))
        .arg(format!("-DSTRAP_WORDS={}", info.strap_words))
        .arg(format!("-DOUT_WORDS={}", info.out_words))
        .arg(format!("-DIN_WORDS={}", info.in_words))
        .args(["-f", &format!("{0}/{0}.f", info.unit), info.flat])
        .args(["sim-harness/cpp/replay_top.sv", "verify/mutation/rtl/player.cpp"].map(|file| root.join(file)))
        .current_dir(tree);
    let output = verilator
        .output()
        .map_err(|error| format!("Verilator cannot be run ({error}): tools/scripts/setup build installs it"))?;
    if output.status.success() {
        return Ok(folder.join("Vmutants"));
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = text.lines().filter(|line| !line.contains("%Warning")).take(20).collect();
    Err(format!("the build of {} with mutants fails:\n{}", info.name, errors.join("\n")))
}
