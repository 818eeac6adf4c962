//! Where the tools are, and running them.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Why a tool or a bench failed: its command and all it said.
pub struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure(message.into())
    }
}

// As text in both, so that the panic of a test can be read.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// The repository's folder.
#[must_use]
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package)
}

/// A program of the Python environment that `tools/scripts/setup linters` makes.
///
/// # Errors
/// The environment or the program is missing.
pub fn venv(program: &str) -> Result<Command, Failure> {
    let path = root().join("target/tools/rtl-venv/bin").join(program);
    if !path.exists() {
        return Err(Failure::new(format!("{} is missing: run tools/scripts/setup linters", path.display())));
    }
    Ok(Command::new(path))
}

/// Which Verilator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verilator {
    /// The one on the PATH: 5.006, the oldest that is supported.
    Oldest,
    /// 5.048, of the Python environment.
    Recent,
}

impl Verilator {
    pub(crate) fn command(self) -> Result<Command, Failure> {
        let mut command = self.program()?;
        cached(&mut command);
        Ok(command)
    }

    fn program(self) -> Result<Command, Failure> {
        if self == Verilator::Oldest {
            return Ok(Command::new("verilator"));
        }
        let python = venv("python")?;
        let libraries = Path::new(python.get_program()).with_file_name("../lib");
        let package = std::fs::read_dir(&libraries)
            .ok()
            .and_then(|mut entries| entries.find_map(|entry| package_below(&entry.ok()?.path())))
            .ok_or_else(|| {
                Failure::new(format!(
                    "no package verilator in {}: run tools/scripts/setup linters",
                    libraries.display()
                ))
            })?;
        let mut command = Command::new(package.join("bin/verilator"));
        // The package was made without looking for a compiler: what configure would have found out about GCC.
        let compiler = "CFG_CXXFLAGS_STD=-std=gnu++20 CFG_CXXFLAGS_COROUTINES=-fcoroutines CFG_CXXFLAGS_PCH_I=-include";
        command.env("VERILATOR_ROOT", package).args(["-MAKEFLAGS", compiler]);
        Ok(command)
    }
}

/// Lets Verilator's makefiles compile through ccache, if it is installed: each bench compiles the same runtime, which takes
/// longer than most benches themselves.
fn cached(command: &mut Command) {
    if env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join("ccache").exists()) {
        command.env("OBJCACHE", "ccache").env("CCACHE_DIR", root().join("target/ccache"));
    }
}

fn package_below(library: &Path) -> Option<PathBuf> {
    let package = library.join("site-packages/verilator").canonicalize().ok()?;
    package.join("bin/verilator").exists().then_some(package)
}

/// Runs a command and returns its standard output.
///
/// # Errors
/// It cannot be started or does not exit with 0.
pub fn run(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| {
        Failure::new(format!("{command:?}: {error}; tools/scripts/setup build linters installs what is missing"))
    })?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(Failure::new(format!("{command:?}: {}\n{stdout}{stderr}", output.status)))
}
