//! `lwp-sim rdt`: programs side by side on the shared cache, with hits, misses, lines and bytes that are predicted by hand. Chapter:
//! docs/src/rdt/picture.md.
//!
//! Unless a test says otherwise the cache has 8 sets of 4 ways and lines of 64 bytes, memory answers in a cycle, and nothing is in front of
//! the cache. Lines are named by their number: line n is in set n modulo 8.

mod by_hand;
mod errors;
mod limits;
mod monitor;
mod outputs;
mod plan;

use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// What a run left behind.
#[derive(Debug)]
struct Done {
    code: i32,
    stdout: String,
    stderr: String,
    /// Lines of JSON.
    json: Vec<Value>,
}

/// What an RMID did in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Whole {
    hits: u64,
    misses: u64,
    lines: u64,
    bytes: u64,
}

impl Done {
    /// The last lines of the JSON: what each RMID did.
    fn wholes(&self) -> Vec<Whole> {
        assert_eq!(self.code, 0, "{}", self.stderr);
        let whole = |value: &Value| {
            let number = |key: &str| value[key].as_u64().unwrap_or_else(|| panic!("{key} of {value}"));
            Whole {
                hits: number("hits"),
                misses: number("misses"),
                lines: number("lines"),
                bytes: number("total_bytes"),
            }
        };
        self.json.iter().filter(|value| value.get("hits").is_some()).map(whole).collect()
    }

    /// The cycles of each program, from the table.
    fn cycles(&self) -> Vec<u64> {
        let rows = self.stdout.lines().skip_while(|line| !line.starts_with("program")).skip(1);
        let last = |line: &str| line.split_whitespace().next_back().unwrap_or_default().replace(',', "");
        rows.map(|line| last(line).parse().unwrap_or_else(|_| panic!("{line}"))).collect()
    }
}

/// A folder with the files of a test.
struct Bench(TempDir);

impl Bench {
    /// A folder with a retire log for each of these programs: `0.jsonl`, `1.jsonl`, ...
    fn new(programs: &[String]) -> Self {
        let bench = Self(TempDir::new().unwrap());
        for (number, log) in programs.iter().enumerate() {
            bench.write(&format!("{number}.jsonl"), log);
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// `lwp-sim rdt` in the folder.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        command.current_dir(self.0.path()).arg("rdt").args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Done {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        let json = std::fs::read_to_string(self.path("json")).unwrap_or_default();
        Done {
            code: status.code().unwrap_or(-1),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
            json: json.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        }
    }

    /// Runs so many programs side by side, with nothing in front of the cache.
    fn direct(&self, programs: usize, args: &[&str]) -> Done {
        self.direct_of("", programs, args)
    }

    /// The same with a command of `lwp-sim rdt`.
    fn direct_of(&self, command: &str, programs: usize, args: &[&str]) -> Done {
        let command: &[&str] = if command.is_empty() { &[] } else { &[command] };
        let names: Vec<String> = (0..programs).map(|number| format!("{number}.jsonl")).collect();
        let programs: Vec<&str> = names.iter().flat_map(|name| ["--program", name.as_str()]).collect();
        let latency: &[&str] = if args.contains(&"--session") { &[] } else { &["--latency", "1"] };
        self.run(&[command, &programs, &["--direct", "--json", "json"][..], latency, args].concat())
    }
}

/// A retire log that loads from these lines.
fn loads(lines: impl IntoIterator<Item = u64>) -> String {
    lines.into_iter().fold(String::new(), |mut log, line| {
        let _ = writeln!(log, "{{\"ip\":\"0x1000\",\"loads\":[{{\"addr\":\"{:#x}\",\"size\":8}}]}}", line * 64);
        log
    })
}

/// A retire log that stores to these lines.
fn stores(lines: impl IntoIterator<Item = u64>) -> String {
    loads(lines).replace("loads", "stores")
}

/// `rounds` times the lines 0 to `lines` - 1.
fn rounds(lines: u64, rounds: u64) -> impl Iterator<Item = u64> {
    (0..rounds).flat_map(move |_| 0..lines)
}
