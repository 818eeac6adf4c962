//! What the build says when it cannot go on.

use std::fmt::Display;

/// A text for the person who ran cargo; each line becomes one line of cargo's output.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Failure(text.into())
    }

    /// The one everybody meets first.
    pub(crate) fn missing_verilator(program: &str, error: &dyn Display) -> Self {
        Failure(format!(
            "Verilator is missing: `{program}` cannot be run ({error}).\n\
             The simulation harness translates the SystemVerilog to C++ with Verilator 5.006 or newer.\n\
             Install it with `apt-get install verilator zlib1g-dev` or with `make setup`,\n\
             or let the environment variable VERILATOR name the program."
        ))
    }

    /// Hands the text to cargo, which prints it and fails the build.
    pub(crate) fn tell_cargo(&self) {
        for line in self.0.lines() {
            println!("cargo::error={line}");
        }
    }
}
