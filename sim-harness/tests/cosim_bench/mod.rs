//! Runs `lwp-sim cosim` on traces and sessions written in a test, and reads back what it wrote.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Everything a run left behind.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stderr: String,
    pub(crate) json: Value,
    pub(crate) records: Vec<Value>,
    pub(crate) lwpcb: Vec<u8>,
    pub(crate) buffer: Vec<u8>,
}

impl Done {
    /// A number of the summary; nested keys are joined with `/`.
    pub(crate) fn number(&self, key: &str) -> u64 {
        let value = self.json.pointer(&format!("/{key}"));
        value.and_then(Value::as_u64).unwrap_or_else(|| panic!("no number {key} in {}\n{}", self.json, self.stderr))
    }

    /// One key of every record.
    pub(crate) fn column(&self, key: &str) -> Vec<u64> {
        self.records.iter().map(|record| record[key].as_u64().unwrap()).collect()
    }
}

/// A folder with a trace and a session.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    /// Writes both files.
    pub(crate) fn new(trace: &str, session: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("trace.jsonl"), trace).unwrap();
        fs::write(folder.path().join("session.toml"), session).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program with trace and session, and what else is given.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        command.current_dir(self.folder.path());
        command.args(["cosim", "--trace", "trace.jsonl", "--session", "session.toml"]).args(args);
        command
    }

    /// Runs with all outputs and reads them.
    pub(crate) fn run(&self, args: &[&str]) -> Done {
        let outputs = ["--json", "json", "--records", "records", "--dump-lwpcb", "lwpcb", "--dump-buffer", "buffer"];
        let Output { status, stderr, .. } = self.command(args).args(outputs).output().unwrap();
        let read = |name| fs::read(self.path(name)).unwrap_or_default();
        let records = String::from_utf8(read("records")).unwrap();
        Done {
            code: status.code().unwrap_or(-1),
            stderr: String::from_utf8(stderr).unwrap(),
            json: serde_json::from_slice(&read("json")).unwrap_or_default(),
            records: records.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            lwpcb: read("lwpcb"),
            buffer: read("buffer"),
        }
    }

    /// Runs the three engines, which have to agree in everything that is not speed, and returns the lockstep run.
    pub(crate) fn run_engines(&self, args: &[&str]) -> Done {
        let engine = |name| self.run(&[args, &["--engine", name]].concat());
        let lockstep = engine("lockstep");
        assert_eq!(lockstep.code, 0, "{}", lockstep.stderr);
        assert_eq!(lockstep.number("cycles_compared"), lockstep.number("cycles"));
        for name in ["model", "rtl"] {
            let other = engine(name);
            assert_eq!(other.code, 0, "{name}: {}", other.stderr);
            assert_eq!(other.records, lockstep.records, "{name}");
            assert_eq!((&other.lwpcb, &other.buffer), (&lockstep.lwpcb, &lockstep.buffer), "{name}");
            assert_eq!(steady(&other.json), steady(&lockstep.json), "{name}");
        }
        lockstep
    }
}

/// Summary and records of a run of any unit.
#[derive(Debug)]
pub(crate) struct UnitDone {
    pub(crate) json: Value,
    pub(crate) records: Vec<Value>,
}

/// Runs a unit on the three engines, which have to agree in everything that is not speed, and returns the lockstep run.
pub(crate) fn unit_engines(unit: &str, trace: &str, session: &str, args: &[&str]) -> UnitDone {
    let bench = Bench::new(trace, session);
    let lockstep = unit_run(unit, &bench, args);
    assert_eq!(lockstep.json["cycles_compared"], lockstep.json["cycles"]);
    for engine in ["model", "rtl"] {
        let other = unit_run(unit, &bench, &[args, &["--engine", engine]].concat());
        assert_eq!(other.records, lockstep.records, "{engine}");
        assert_eq!(steady(&other.json), steady(&lockstep.json), "{engine}");
    }
    lockstep
}

/// Runs a unit on one engine.
pub(crate) fn unit_run(unit: &str, bench: &Bench, args: &[&str]) -> UnitDone {
    let outputs = ["--unit", unit, "--json", "json", "--records", "records"];
    let Output { status, stderr, .. } = bench.command(args).args(outputs).output().unwrap();
    assert_eq!(status.code(), Some(0), "{}", String::from_utf8_lossy(&stderr));
    let records = fs::read_to_string(bench.path("records")).unwrap();
    UnitDone {
        json: serde_json::from_slice(&fs::read(bench.path("json")).unwrap()).unwrap(),
        records: records.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    }
}

/// One run with instructions so far apart that each record is in memory before the next retires, on all engines.
pub(crate) fn predictable(trace: &str, session: &str) -> Done {
    Bench::new(trace, session).run_engines(&["--cpi", "500"])
}

/// A summary without what differs between engines.
pub(crate) fn steady(json: &Value) -> Value {
    let mut json = json.clone();
    for key in ["engine", "cycles_compared", "seconds", "mcycles_per_second", "situations"] {
        json.as_object_mut().expect("a summary").remove(key);
    }
    json
}

/// Bytes from hexadecimal digits and spaces.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks_exact(2).map(byte).collect()
}

/// Plain instructions, four bytes each, from 0x401000 on.
pub(crate) fn plain(count: u64) -> String {
    (0..count).map(|index| format!("{{\"ip\":\"{:#x}\"}}\n", 0x40_1000 + 4 * index)).collect()
}

/// An instruction with these missing loads: address, latency, source.
pub(crate) fn loading(ip: u64, loads: &[(u64, u32, u8)]) -> String {
    let load = |&(addr, latency, source): &(u64, u32, u8)| {
        format!("{{\"addr\":\"{addr:#x}\",\"size\":8,\"miss\":true,\"latency\":{latency},\"source\":{source}}}")
    };
    let loads: Vec<String> = loads.iter().map(load).collect();
    format!("{{\"ip\":\"{ip:#x}\",\"loads\":[{}]}}\n", loads.join(","))
}

/// Misses of one load each, 0x40 bytes apart from 0x7000 on, at 0x401000, 0x401004, ...; their latencies are 100, 101, ...
pub(crate) fn misses(count: u64) -> String {
    (0..count).map(|at| loading(0x40_1000 + 4 * at, &[(0x7000 + 0x40 * at, 100 + at as u32, 3)])).collect()
}

/// Instructions of all kinds: branches, one to five missing loads, visits to the kernel and to SMM.
pub(crate) fn mixed(count: u64) -> String {
    let one = |at: u64| {
        let ip = 0x40_1000 + 4 * at;
        let load = |number: u64| (0x7000 + 0x1000 * at + 64 * number, 20 + (at * 7 % 150) as u32, (at % 4) as u8);
        match at % 11 {
            0 | 5 => loading(ip, &[load(0)]),
            3 if at.is_multiple_of(3) => loading(ip, &(0..1 + at % 5).map(load).collect::<Vec<_>>()),
            2 | 7 => {
                let next = ip + 4;
                let branch = format!("\"kind\":\"jcc\",\"taken\":true,\"next\":\"{next:#x}\",\"predicted\":true");
                format!("{{\"ip\":\"{ip:#x}\",\"branch\":{{{branch}}}}}\n")
            }
            9 if at.is_multiple_of(7) => format!("{{\"ip\":\"{ip:#x}\",\"cpl\":0}}\n"),
            10 if at.is_multiple_of(31) => format!("{{\"ip\":\"{ip:#x}\",\"smm\":true}}\n"),
            _ => format!("{{\"ip\":\"{ip:#x}\"}}\n"),
        }
    };
    (0..count).map(one).collect()
}
