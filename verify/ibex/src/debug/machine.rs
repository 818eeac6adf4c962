//! Builds the machine with the debug unit.

use crate::build::{self, Places};
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A machine to build. The model runs in lockstep, and all assertions are on, unless only the checker is to find something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    /// Instructions that the queue of the adapter holds.
    pub(crate) depth: u32,
    /// The core has a write-back stage; else it has none, and predicts branches.
    pub(crate) writeback: bool,
    /// The model in lockstep, and all assertions.
    pub(crate) checks: bool,
    /// RTL of this project that is built in place of `rtl` and `verify/ibex/rtl`, with its name.
    pub(crate) copy: Option<(String, PathBuf)>,
}

impl Machine {
    /// The machine of most variants.
    pub(crate) const USUAL: Self = Self { depth: 16, writeback: true, checks: true, copy: None };

    fn name(&self) -> String {
        let core = if self.writeback { "usual" } else { "simple" };
        let checks = if self.checks { "lockstep" } else { "fast" };
        let copy = self.copy.as_ref().map(|(name, _)| format!("-{name}")).unwrap_or_default();
        format!("debug-{core}-{}-{checks}{copy}", self.depth)
    }

    /// Builds the machine, if it has changed, and returns the program.
    pub(crate) fn make(&self, places: &Places) -> Result<PathBuf, Failure> {
        build::verilate(places, &self.name(), |folder| self.command(places, folder))
    }

    fn command(&self, places: &Places, folder: &Path) -> Result<Command, Failure> {
        let root = self.copy.as_ref().map_or(&places.root, |(_, copy)| copy);
        let machine = root.join("verify/ibex/rtl");
        let mut command = build::begin("debug_machine", self.checks, self.copy.is_some());
        command.arg("--Mdir").arg(folder).arg(format!("-GDepth={}", self.depth));
        if !self.writeback {
            command.args(["-GWritebackStage=1'b0", "-GBranchPredictor=1'b1"]);
        }
        command.arg(machine.join("core.vlt")).arg("-f").arg(places.core_list()?);
        command.args(places.unit_files(&root.join("rtl"), ["debug/debug.f", "adapters/debug_adapters.f"])?);
        if self.checks {
            command.args(["--assert", "+define+LOCKSTEP"]);
            command
                .args(["check", "bind"].map(|file| places.model.join(format!("dpi/debug_l1a1/debug_model_{file}.sv"))));
            command.arg(places.model.join("lib/liblwp_model.a"));
        }
        build::end(&mut command, places, &machine, "debug_machine");
        Ok(command)
    }
}
