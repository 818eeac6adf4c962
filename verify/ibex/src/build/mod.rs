//! Builds the machine with Verilator.

mod places;
mod queue;

pub(crate) use places::Places;
pub(crate) use queue::Queue;

use crate::failure::Failure;
use crate::say::complain;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A setting of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Core {
    /// User mode, write-back stage, no prediction.
    Usual,
    /// Machine mode is all there is, and there is no write-back stage.
    Small,
    /// Branches are predicted.
    Predictor,
}

/// A machine to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Build {
    /// Setting of the core.
    pub(crate) core: Core,
    /// The unit is there.
    pub(crate) unit: bool,
    /// The model in lockstep, and all assertions.
    pub(crate) checks: bool,
    /// RTL of this project that is built in place of `rtl` and `verify/ibex/rtl`, with its name.
    pub(crate) copy: Option<(String, PathBuf)>,
}

impl Build {
    /// Returns the machine with the model in lockstep.
    pub(crate) const fn check(core: Core) -> Self {
        Self { core, unit: true, checks: true, copy: None }
    }

    /// Returns the machine alone, with or without the unit.
    pub(crate) const fn fast(unit: bool) -> Self {
        Self { core: Core::Usual, unit, checks: false, copy: None }
    }

    /// Returns a name for people and folders.
    pub(crate) fn name(&self) -> String {
        let core = match self.core {
            Core::Usual => "usual",
            Core::Small => "small",
            Core::Predictor => "predictor",
        };
        let checks = if self.checks { "lockstep" } else { "fast" };
        let unit = if self.unit { "" } else { "-no-unit" };
        let copy = self.copy.as_ref().map(|(name, _)| format!("-{name}")).unwrap_or_default();
        format!("{core}-{checks}{unit}{copy}")
    }

    fn parameters(&self) -> Vec<&'static str> {
        let mut parameters = match self.core {
            Core::Usual => vec![],
            Core::Small => vec!["-GUserMode=1'b0", "-GWritebackStage=1'b0"],
            Core::Predictor => vec!["-GBranchPredictor=1'b1"],
        };
        if !self.unit {
            parameters.push("-GWithLwp=1'b0");
        }
        parameters
    }

    /// Builds the machine, if it has changed, and returns the program.
    pub(crate) fn make(&self, places: &Places) -> Result<PathBuf, Failure> {
        verilate(places, &self.name(), |folder| self.command(places, folder))
    }

    fn command(&self, places: &Places, folder: &Path) -> Result<Command, Failure> {
        let root = self.copy.as_ref().map_or(&places.root, |(_, copy)| copy);
        let machine = root.join("verify/ibex/rtl");
        let mut command = begin("ibex_machine", self.checks, self.copy.is_some());
        command.arg("--Mdir").arg(folder).args(self.parameters());
        command.arg(machine.join("core.vlt"));
        command.arg("-f").arg(places.core_list()?);
        if self.unit {
            command.args(places.unit_files(&root.join("rtl"), ["lwp/lwp.f", "adapters/adapters.f"])?);
        }
        if self.checks {
            command.args(["--assert", "+define+LOCKSTEP"]);
            command.args(["lwp_model_pkg", "lwp_model_check"].map(|file| places.model.join(format!("dpi/{file}.sv"))));
            command.arg(places.model.join("lib/liblwp_model.a"));
        }
        end(&mut command, places, &machine, "ibex_machine");
        Ok(command)
    }
}

/// Begins the command that builds a machine with this top. The machine has the model in lockstep and all assertions, or neither.
pub(crate) fn begin(top: &str, checks: bool, planted: bool) -> Command {
    let mut command = Command::new("verilator");
    command.args("--cc --exe --build -j 2 -O3 --x-assign fast --x-initial fast --prefix Vibex_machine".split(' '));
    command.args(["--top-module", top]);
    // The core has paths that Verilator evaluates more than once if assertions look at them.
    command.args(["-Wno-UNOPTFLAT", "-CFLAGS", "-std=c++17", "-LDFLAGS", "-lpthread -ldl -lm"]);
    command.args(["-MAKEFLAGS", if checks { "OPT_FAST=-O1 OPT_SLOW=-O0" } else { "OPT_FAST=-O2 OPT_SLOW=-O0" }]);
    // A planted bug is to be found by what runs.
    command.arg(if planted { "-Wno-lint" } else { "-Wall" });
    command
}

/// Ends that command with what the machines have in common, and with the top, which are in the folder `machine`.
pub(crate) fn end(command: &mut Command, places: &Places, machine: &Path, top: &str) {
    let files = ["ibex_bus", "ibex_memory", "ibex_platform", "ibex_tap", top];
    command.args(files.map(|file| machine.join(format!("{file}.sv"))));
    command.arg(places.root.join("verify/ibex/bench/main.cpp"));
    places.cache(command);
}

/// Runs Verilator in the folder of a machine, if the machine has changed, and returns the program.
pub(crate) fn verilate(
    places: &Places,
    name: &str,
    command: impl FnOnce(&Path) -> Result<Command, Failure>,
) -> Result<PathBuf, Failure> {
    let folder = places.out.join(name);
    fs::create_dir_all(&folder).map_err(Failure::at(&folder))?;
    let program = folder.join("Vibex_machine");
    // Verilator's makefile does not know that the program depends on the library.
    let _ = fs::remove_file(&program);
    let start = Instant::now();
    let log = folder.join("build.log");
    let output = command(&folder)?
        .output()
        .map_err(|error| Failure::new(format!("verilator: {error}; run tools/scripts/setup build")))?;
    complain!("ibex: built {name} in {:.0} s", start.elapsed().as_secs_f64());
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    fs::write(&log, &text).map_err(Failure::at(&log))?;
    if !output.status.success() || !program.exists() {
        let text = String::from_utf8_lossy(&text);
        let first = text.lines().filter(|line| line.contains("rror") || line.contains("%Warning")).take(5);
        let lines = first.collect::<Vec<_>>().join("\n  ");
        return Err(Failure::new(format!("verilator failed ({}):\n  {lines}", log.display())));
    }
    Ok(program)
}
