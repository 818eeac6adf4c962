//! Runs the benches of `verify/rtl-checks/` and of `rtl/examples/`, and lets the tests break what they check.
//!
//! The RTL is taken as a product is: by its file lists, with other people's tools. Nothing of the model or the harness
//! is used. Tools come from `tools/scripts/setup build linters`.

mod bench;
mod netlist;
mod row;
mod seeds;
mod sources;
mod tools;

pub use bench::{Bench, Built};
pub use netlist::{Netlist, Simulation, Sizes};
pub use row::Remembered;
pub use seeds::{every, seeds, with_seed};
pub use sources::{Sources, file_list};
pub use tools::{Failure, Verilator, root, run, venv};

/// The line of `output` that begins with `PASS`.
///
/// # Errors
/// There is none: the output, so that the reader sees why.
pub fn passed(output: &str) -> Result<&str, Failure> {
    output.lines().find(|line| line.starts_with("PASS")).ok_or_else(|| Failure::new(format!("no PASS in:\n{output}")))
}

/// The word after `name` in a line of words.
///
/// # Errors
/// There is no such word.
pub fn word<'a>(line: &'a str, name: &str) -> Result<&'a str, Failure> {
    let mut words = line.split_whitespace().skip_while(|word| *word != name);
    words.nth(1).ok_or_else(|| Failure::new(format!("no `{name}` in: {line}")))
}
