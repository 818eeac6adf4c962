//! Finds Verilator, checks its version, and translates one model to C++.

use crate::failure::Failure;
use crate::sources::Sources;
use crate::units::{Flavour, Model};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const OLDEST: (u32, u32) = (5, 6);

/// An installed Verilator.
pub(crate) struct Verilator {
    program: String,
    /// The folder of `verilated.h`.
    pub include: PathBuf,
    pub version: (u32, u32),
}

impl Verilator {
    /// The program is `verilator`, or what the environment variable VERILATOR names.
    pub(crate) fn find() -> Result<Self, Failure> {
        println!("cargo::rerun-if-env-changed=VERILATOR");
        println!("cargo::rerun-if-env-changed=VERILATOR_ROOT");
        let program = env::var("VERILATOR").unwrap_or_else(|_| "verilator".into());
        let answer = Command::new(&program)
            .args(["--getenv", "VERILATOR_ROOT"])
            .output()
            .map_err(|error| Failure::missing_verilator(&program, &error))?;
        let root = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        let include = Path::new(&root).join("include");
        let version = version(&include).ok_or_else(|| {
            Failure::new(format!(
                "`{program}` names `{root}` as its root, but {} tells no version.",
                include.join("verilated_config.h").display()
            ))
        })?;
        if version < OLDEST {
            return Err(Failure::new(format!(
                "`{program}` is too old: its version is {}.{:03}, the oldest that works is 5.006.",
                version.0, version.1
            )));
        }
        Ok(Verilator { program, include, version })
    }

    /// Writes the C++ of `model` to `folder`, which is emptied first.
    pub(crate) fn translate(&self, model: &Model, sources: &Sources, folder: &Path) -> Result<(), Failure> {
        let name = model.name();
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
        }
        let flat = folder.with_file_name(format!("{name}_flat.sv"));
        crate::registry::write(&flat, &crate::flat::top(model.unit, model.build))?;
        let output = Command::new(&self.program)
            // What --savable adds runs only when an instance is saved or restored.
            .args(["--cc", "-O3", "--no-timing", "--savable", "--top-module", "replay_top"])
            .arg("--prefix")
            .arg(model.class())
            .arg("--Mdir")
            .arg(folder)
            .args(flavour_arguments(model.flavour))
            .args(defines(model))
            // File lists name files relative to the RTL folder.
            .current_dir(sources.rtl())
            .args(["-f", model.unit.file_list])
            .arg(flat)
            .arg(sources.replay_top())
            .output()
            .map_err(|error| Failure::missing_verilator(&self.program, &error))?;
        if output.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        Err(Failure::new(format!("Verilator refused the RTL of {name}:\n{text}")))
    }
}

/// Registers start at 0 in both flavours, so a run never depends on Verilator's random reset.
fn flavour_arguments(flavour: Flavour) -> &'static [&'static str] {
    match flavour {
        Flavour::Fast => &["--x-assign", "fast", "--x-initial", "fast", "--noassert"],
        Flavour::Traced => &["--x-assign", "fast", "--x-initial", "fast", "--assert", "--trace-fst", "--trace-structs"],
    }
}

/// What `replay_top.sv` needs to know about the unit.
fn defines(model: &Model) -> Vec<String> {
    let unit = model.unit;
    let parameters: Vec<String> =
        unit.parameters.iter().zip(model.build.values).map(|(name, value)| format!(".{name}({value})")).collect();
    vec![
        format!("-DFLAT={}_flat", unit.name),
        format!("-DFLAT_PARAMETERS={}", parameters.join(",")),
        format!("-DSTRAP_WORDS={}", model.build.rows.strap_words),
        format!("-DIN_WORDS={}", model.build.rows.in_words),
        format!("-DOUT_WORDS={}", model.build.rows.out_words),
    ]
}

/// Read from the header, as what `--version` prints differs between distributions: `"5.006 2023-01-22"`, `"5.49"`.
fn version(include: &Path) -> Option<(u32, u32)> {
    let text = fs::read_to_string(include.join("verilated_config.h")).ok()?;
    let line = text.lines().find_map(|line| line.trim().strip_prefix("#define VERILATOR_VERSION "))?;
    let mut numbers = line.trim().trim_matches('"').split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
