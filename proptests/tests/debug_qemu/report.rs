//! What the kernel reports under QEMU.

use std::collections::VecDeque;
use std::process::Command;

/// The lines of each scenario, in the order in which they ran.
pub(super) struct Report(VecDeque<(String, Vec<String>)>);

/// What QEMU says of its version.
pub(super) fn version() -> String {
    let run = Command::new("qemu-system-x86_64").arg("--version").output();
    let run = run.expect("qemu-system-x86_64 is missing: run `tools/scripts/setup emulator`");
    String::from_utf8_lossy(&run.stdout).lines().next().unwrap_or_default().to_owned()
}

impl Report {
    /// Builds the kernel and runs it. It ends with an error if it finds one, or does not end within a minute.
    pub(super) fn of_qemu() -> Self {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--locked", "--bin", "debug-scenarios"]);
        cargo.args(["--target-dir", concat!(env!("CARGO_TARGET_TMPDIR"), "/bare-metal")]);
        // The folder has settings of its own for cargo, which flags for this test program would replace.
        cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../lwp-regs/examples/bare-metal"));
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
        let run = cargo.output().expect("run cargo");
        let (output, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "the kernel failed ({}):\n{output}\n{errors}", run.status);
        let mut scenarios = VecDeque::new();
        for line in output.lines().map(|line| line.trim_end_matches('\r')) {
            if let Some(name) = line.strip_prefix("scenario ") {
                scenarios.push_back((name.to_owned(), Vec::new()));
            } else if !line.starts_with("done") {
                let (_, lines) = scenarios.back_mut().expect("a scenario before its lines");
                lines.push(line.to_owned());
            }
        }
        Self(scenarios)
    }

    /// The lines of the next scenario, whose name is this.
    pub(super) fn next(&mut self, name: &str) -> Vec<String> {
        let (found, lines) = self.0.pop_front().unwrap_or_default();
        assert_eq!(found, name, "the kernel ran another list");
        lines
    }

    /// Nothing is left.
    pub(super) fn end(&self) {
        assert!(self.0.is_empty(), "the kernel ran more scenarios");
    }
}
