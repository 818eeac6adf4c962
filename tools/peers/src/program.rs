//! The peers that are programs of their own: how they are built, run and understood.

use crate::flip::Flip;
use crate::work::Work;
use sim_harness::complain;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A peer, built.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    /// The peer whose files these are: cpp, marlin, cocotb.
    pub(crate) folder: &'static str,
    call: Call,
    /// It plays only the first cycles.
    pub(crate) slow: bool,
}

/// How it is told what to do.
#[derive(Debug)]
enum Call {
    /// `PROGRAM FIXED… ROWS CYCLES [--flip-…]`
    Arguments(PathBuf, Vec<PathBuf>),
    /// The variables that `tools/peers/cocotb/peer.py` describes.
    Environment(PathBuf),
}

/// What one run of a peer came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// RTL and model agree; the seconds it took.
    Agree(f64),
    /// They differ, first in this cycle.
    Differ(usize),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Builds the peers that are wanted.
pub(crate) fn build(folder: &Path, wanted: &[String]) -> Result<Vec<Program>, String> {
    let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let mut programs = Vec::new();
    for name in wanted {
        let script = root().join("tools/peers").join(name).join("build");
        let out = folder.join(name);
        if name == "none" {
            continue;
        }
        complain!("peers: building {name}, a minute or two unless it is up to date");
        run(Command::new(script).arg(&out))?;
        programs.extend(of(name, &out));
    }
    Ok(programs)
}

/// The contestants that one peer's build makes.
fn of(name: &str, out: &Path) -> Vec<Program> {
    let arguments = |program: PathBuf, fixed: &[PathBuf]| Call::Arguments(program, fixed.to_vec());
    let cpp = |name, build: &str| Program {
        name,
        folder: "cpp",
        call: arguments(out.join(build).join("main"), &[]),
        slow: false,
    };
    match name {
        "cpp" => vec![cpp("C++ loop", "usual"), cpp("C++ loop, inputs registered", "registered")],
        "marlin" => {
            let call = arguments(out.join("cargo/release/peer-marlin"), &[out.join("rtl")]);
            vec![Program { name: "marlin", folder: "marlin", call, slow: false }]
        }
        _ => vec![Program { name: "cocotb", folder: "cocotb", call: Call::Environment(out.to_owned()), slow: true }],
    }
}

impl Program {
    /// A stand-in, for tests: `$1` is the file of rows, `$2` the number of cycles.
    #[cfg(test)]
    pub(crate) fn script(script: &str) -> Self {
        let fixed = ["-c", script, "sh"].map(PathBuf::from).to_vec();
        Program { name: "script", folder: "none", call: Call::Arguments("sh".into(), fixed), slow: false }
    }

    /// Plays the first `cycles`, spoilt by `flip`.
    pub(crate) fn play(&self, work: &Work, cycles: usize, flip: Option<Flip>) -> Result<Verdict, String> {
        let mut command = match &self.call {
            Call::Arguments(program, fixed) => {
                let mut command = Command::new(program);
                command.args(fixed).arg(&work.rows).arg(cycles.to_string());
                command.args(flip.map(Flip::arguments).unwrap_or_default());
                command
            }
            Call::Environment(folder) => {
                let mut command = Command::new(root().join("tools/peers/cocotb/run"));
                command.arg("test").arg(folder).env("PEER_ROWS", &work.rows).env("PEER_CYCLES", cycles.to_string());
                match flip {
                    Some(Flip::Input(cycle)) => command.env("PEER_FLIP_INPUT", cycle.to_string()),
                    Some(Flip::Expected(cycle, word)) => command.env("PEER_FLIP_EXPECTED", format!("{cycle} {word}")),
                    None => &mut command,
                };
                command
            }
        };
        let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
        verdict(&output, cycles).ok_or_else(|| format!("{}: {command:?} failed:\n{}", self.name, text(&output)))
    }
}

/// Its last line that begins with `peer: `, if that and the exit code fit together.
fn verdict(output: &Output, cycles: usize) -> Option<Verdict> {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().rev().find_map(|line| line.strip_prefix("peer: "))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    match (words.as_slice(), output.status.code()?) {
        ([played, "cycles", "in", seconds, "s"], 0) if played.parse() == Ok(cycles) => {
            seconds.parse().ok().map(Verdict::Agree)
        }
        (["cycle", cycle, "differs"], 1) => cycle.parse().ok().map(Verdict::Differ),
        _ => None,
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(format!("{command:?} failed:\n{}", text(&output))) }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(script: &str) -> Option<Verdict> {
        verdict(&Command::new("sh").args(["-c", script]).output().expect("sh"), 10)
    }

    #[test]
    fn verdicts() {
        assert_eq!(said("echo noise; echo 'peer: 10 cycles in 0.5 s'"), Some(Verdict::Agree(0.5)));
        assert_eq!(said("echo 'peer: cycle 7 differs'; exit 1"), Some(Verdict::Differ(7)));
    }

    #[test]
    fn what_does_not_fit_together_is_no_verdict() {
        assert_eq!(said("true"), None, "says nothing");
        assert_eq!(said("echo 'peer: 9 cycles in 0.5 s'"), None, "fewer cycles");
        assert_eq!(said("echo 'peer: 10 cycles in 0.5 s'; exit 1"), None, "agrees and fails");
        assert_eq!(said("echo 'peer: cycle 7 differs'"), None, "differs and succeeds");
    }
}
