//! The versions of what takes part.

use std::path::Path;
use std::process::Command;

/// One line: Verilator, the compiler, marlin, cocotb.
pub(crate) fn all() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/tools/python/bin/python");
    let cocotb = said(Command::new(python).args(["-c", "import cocotb; print(cocotb.__version__)"]));
    // As Debian prints it: `Verilator 5.006 2023-01-22 rev (Debian 5.006-3)`.
    let verilator = said(Command::new("verilator").arg("--version"));
    let verilator = verilator.split_whitespace().nth(1).unwrap_or("?").to_owned();
    let compiler = said(Command::new("g++").arg("-dumpfullversion"));
    let lock = std::fs::read_to_string(root.join("tools/peers/marlin/Cargo.lock")).unwrap_or_default();
    format!("Verilator {verilator}, g++ {compiler}, marlin {}, cocotb {cocotb}", locked(&lock, "marlin").unwrap_or("?"))
}

fn said(command: &mut Command) -> String {
    let output = command.output().ok().filter(|output| output.status.success());
    output.map_or_else(|| "?".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The version of a package in a Cargo.lock.
fn locked<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::locked;

    #[test]
    fn versions_in_a_lock_file() {
        let lock = "[[package]]\nname = \"marlin-verilog\"\nversion = \"1.0\"\n\n[[package]]\nname = \"marlin\"\nversion = \"2.0\"\n";
        assert_eq!(locked(lock, "marlin"), Some("2.0"));
        assert_eq!(locked(lock, "other"), None);
    }
}
