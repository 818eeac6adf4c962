//! `lwp-sim count`: counts of programs that the unit's counters, set up by the driver of `lwp-regs`, and a plain counter over the same
//! trace agree on. Chapter: docs/src/perf/count.md.

mod by_hand;
mod errors;
mod outputs;
mod portions;
mod programs;
mod summary;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// What a run of the program left behind.
#[derive(Debug)]
struct Done {
    code: i32,
    stdout: String,
    stderr: String,
    json: Value,
}

impl Done {
    /// Count and exact count of each event, in their order.
    fn counts(&self) -> Vec<(u64, u64)> {
        let number =
            |event: &Value, key: &str| event[key].as_u64().unwrap_or_else(|| panic!("{event}\n{}", self.stderr));
        let events = self.json["events"].as_array().unwrap_or_else(|| panic!("code {}\n{}", self.code, self.stderr));
        events.iter().map(|event| (number(event, "count"), number(event, "exact"))).collect()
    }

    /// The counts of the unit.
    fn values(&self) -> Vec<u64> {
        self.counts().into_iter().map(|(count, _)| count).collect()
    }
}

/// A folder with files of a test.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with this retire log, `trace.jsonl`.
    fn with_trace(trace: &str) -> Self {
        let bench = Self::new();
        std::fs::write(bench.path("trace.jsonl"), trace).unwrap();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `lwp-sim count` in the folder.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        command.current_dir(self.0.path()).arg("count").args(args);
        command
    }

    /// Runs it with `--json`.
    fn run(&self, args: &[&str]) -> Done {
        let Output { status, stdout, stderr } = self.command(&["--json", "json"]).args(args).output().unwrap();
        Done {
            code: status.code().unwrap_or(-1),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
            json: std::fs::read(self.path("json"))
                .ok()
                .and_then(|text| serde_json::from_slice(&text).ok())
                .unwrap_or_default(),
        }
    }

    /// Runs it on the trace with each engine: in lockstep, the model alone, the RTL alone. The counts are the same.
    fn engines(&self, args: &[&str]) -> Done {
        let run = |engine| self.run(&[&["--trace", "trace.jsonl", "--engine", engine], args].concat());
        let lockstep = run("lockstep");
        assert_eq!(lockstep.code, 0, "{}", lockstep.stderr);
        assert_eq!(lockstep.json["cycles_compared"], lockstep.json["cycles"]);
        for engine in ["model", "rtl"] {
            let other = run(engine);
            assert_eq!((other.code, other.counts()), (0, lockstep.counts()), "{engine}: {}", other.stderr);
        }
        lockstep
    }

    /// Builds the program whose counts are known, `counted`.
    fn counted(&self) -> String {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/counted.S");
        self.compile(&["-nostdlib", "-static", "-no-pie"], &source, "counted")
    }

    /// Builds a program of few instructions that prints a letter and waits.
    fn waiting(&self) -> String {
        let source = self.path("waiting.S");
        let write = "mov $1, %eax\n mov $1, %edi\n lea letter(%rip), %rsi\n mov $1, %edx\n syscall\n";
        let text =
            format!(".globl _start\n_start: {write} wait: mov $34, %eax\n syscall\n jmp wait\nletter: .ascii \"x\"\n");
        std::fs::write(&source, text).unwrap();
        self.compile(&["-nostdlib", "-static", "-no-pie"], &source, "waiting")
    }

    fn compile(&self, options: &[&str], source: &Path, name: &str) -> String {
        let program = self.path(name);
        let built = Command::new("cc").args(options).arg("-o").arg(&program).arg(source).status();
        assert!(built.expect("cc can be run").success());
        program.display().to_string()
    }
}
