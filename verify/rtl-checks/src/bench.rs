//! Self-checking benches in SystemVerilog, built by Verilator.

use crate::{Failure, Sources, Verilator, passed, root, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to build.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The module that is the bench.
    pub top: &'a str,
    /// All its files.
    pub sources: Sources,
    /// Parameters of `top`: `NAME=VALUE`.
    pub parameters: &'a [&'a str],
    /// Further arguments for Verilator.
    pub options: &'a [&'a str],
}

/// A bench that can run.
#[derive(Debug)]
pub struct Built(PathBuf);

impl Bench<'_> {
    /// Builds it in `folder`, with assertions. Nothing is optimised: the runs are short and compiling is what takes time.
    ///
    /// # Errors
    /// What Verilator or the compiler says.
    pub fn build(&self, verilator: Verilator, folder: &Path) -> Result<Built, Failure> {
        let objects = folder.join("objects");
        let mut command = verilator.command()?;
        command
            .args(["--binary", "--timing", "--assert", "--build-jobs", "2", "-Wno-fatal", "-Wno-lint"])
            .args(["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"])
            .args(["--top-module", self.top, "--Mdir"])
            .arg(&objects)
            .args(self.parameters.iter().map(|parameter| format!("-G{parameter}")))
            .args(self.options)
            .args(self.sources.paths());
        run(&mut command)?;
        Ok(Built(objects.join(format!("V{}", self.top))))
    }
}

impl Built {
    /// Runs it with plus arguments; returns all it printed.
    ///
    /// # Errors
    /// It stops with an error or does not say PASS: its output, and how to run it again.
    pub fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        let mut command = Command::new(&self.0);
        let output = run(command.args(arguments).current_dir(root().join("rtl")))?;
        passed(&output)?;
        Ok(output)
    }

    /// Runs it with plus arguments and expects it to fail; returns what it said.
    ///
    /// # Errors
    /// It passes.
    pub fn must_fail(&self, arguments: &[&str]) -> Result<String, Failure> {
        match self.run(arguments) {
            Ok(output) => {
                Err(Failure::new(format!("{} {arguments:?} passed although it is broken:\n{output}", self.0.display())))
            }
            Err(failure) => Ok(failure.to_string()),
        }
    }
}
