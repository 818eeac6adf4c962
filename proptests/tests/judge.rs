//! `judge` before its shell: exit codes 0, 2, 3 and 4, and what it says. The properties hold of this unit, so 1 takes a seeded bug.

use lwp_model::lwp::{Config, Inputs};
use proptests::lwp::Properties;
use proptests::lwp::bench::play;
use proptests::lwp::scenario::{Scenario, scenario};
use proptests::runner::draw;
use sim_harness::capsule::{Capsule, Failure, Judge, RowWriter, Verdict, Way, origin};
use sim_harness::lwp::capsule::UNIT;
use sim_harness::lwp::flat::{OUT_WORDS, in_words, pack_inputs, pack_straps};
use sim_harness::rtl::BuildId;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const BUILD: BuildId = BuildId::LwpW4;

struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(program: &mut Command) -> Done {
    let output = program.output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let done = Done { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    done
}

fn judge(args: &[&str], capsule: &Path) -> Done {
    run(Command::new(env!("CARGO_BIN_EXE_judge")).args(args).arg(capsule))
}

fn verdict(name: &str, rows: &[u32]) -> Verdict {
    let straps = pack_straps(&Config::default());
    let mut model = (UNIT.model)(BUILD, &straps).expect("legal straps");
    let mut shown = vec![0; rows.len() / in_words(4) * OUT_WORDS];
    let each = rows.chunks_exact(in_words(4)).zip(shown.chunks_exact_mut(OUT_WORDS));
    each.for_each(|(inputs, row)| model.cycle(inputs, row));
    Properties.judge(name, BUILD, &straps, rows, &shown)
}

/// A run in which model and RTL agree and every property holds.
fn run_of_inputs() -> Vec<u32> {
    let drawn = Scenario { straps: Config::default(), polite: true, ..draw(5, &scenario(60)) };
    let (recording, _) = play::<4, 8, 31>(&drawn);
    let mut rows = vec![0; recording.cycles.len() * in_words(4)];
    let slots = rows.chunks_exact_mut(in_words(4)).zip(&recording.cycles);
    slots.for_each(|(row, cycle)| pack_inputs(&cycle.inputs, cycle.rst_n, row));
    rows
}

fn capsule(way: Way, cycle: u64, rows: &[u32]) -> Capsule {
    let mut writer = RowWriter::new(in_words(4));
    rows.chunks_exact(in_words(4)).for_each(|row| writer.push(row));
    let mut failure = Failure::new(way, cycle);
    failure.text = "as it was found".to_owned();
    let origin = origin("test", "cargo test", BTreeMap::new());
    Capsule::new(BUILD, &pack_straps(&Config::default()), writer, failure, origin).expect("legal straps")
}

fn property(name: &str) -> Way {
    Way::Property { name: name.to_owned() }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(&self, name: &str, capsule: &Capsule) -> PathBuf {
        let path = self.0.path().join(name);
        capsule.save(&path).expect("it can be written");
        path
    }
}

#[test]
fn a_property_that_holds_is_0_and_does_not_shrink() {
    let (folder, rows) = (Folder(tempfile::tempdir().expect("a folder")), run_of_inputs());
    let cycles = rows.len() / in_words(4);
    assert_eq!(verdict("reading", &rows), Verdict::Holds);
    let path = folder.with("x.capsule", &capsule(property("reading"), 3, &rows));
    let replayed = judge(&["replay"], &path);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
    assert!(replayed.stdout.contains(&format!("holds in all {cycles} cycles")), "{}", replayed.stdout);
    let shrunk = judge(&["shrink"], &path);
    assert_eq!(shrunk.code, Some(4), "{}", shrunk.stderr);
    assert!(!folder.0.path().join("x.small.capsule").exists());
}

#[test]
fn what_is_wrong_is_2_and_what_cannot_be_read_3() {
    let (folder, rows) = (Folder(tempfile::tempdir().expect("a folder")), run_of_inputs());
    let mismatch = Way::Mismatch { field: "irq".to_owned() };
    let mismatch = folder.with("mismatch.capsule", &capsule(mismatch, 3, &rows));
    let unknown = folder.with("unknown.capsule", &capsule(property("manners"), 3, &rows));
    let good = folder.with("good.capsule", &capsule(property("reading"), 3, &rows));
    let bytes = std::fs::read(&good).expect("just written");
    let cut = folder.0.path().join("cut.capsule");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("it can be written");
    for command in ["replay", "shrink"] {
        for (path, code, says) in [
            (mismatch.as_path(), 2, "`lwp-sim` replays and shrinks it"),
            (&unknown, 2, "manners"),
            (&cut, 2, "breaks off"),
            (Path::new("/proc/nonexistent"), 2, "there is no capsule"),
            (Path::new("/tmp"), 3, "cannot read"),
        ] {
            let done = judge(&[command], path);
            assert_eq!((done.code, done.stdout.as_str()), (Some(code), ""), "{command}: {}", done.stderr);
            assert!(done.stderr.contains(says), "{command}: {}", done.stderr);
        }
    }
    assert_eq!(judge(&["argue"], &good).code, Some(2));
}

/// A capsule of a few hundred bytes can have 2^40 idle cycles; to judge them all would take all memory.
#[test]
fn more_cycles_than_memory_has_room_for_are_refused_at_once() {
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    let mut rows = RowWriter::new(in_words(4));
    let idle = idle_row();
    for _ in 0..4_000_001 {
        rows.push(&idle);
    }
    let failure = Failure::new(property("reading"), 4_000_000);
    let origin = origin("test", "cargo test", BTreeMap::new());
    let long = Capsule::new(BUILD, &pack_straps(&Config::default()), rows, failure, origin).expect("legal straps");
    let path = folder.with("long.capsule", &long);
    assert!(std::fs::metadata(&path).expect("just written").len() < 10_000);
    for command in ["replay", "shrink"] {
        let done = judge(&[command], &path);
        assert_eq!((done.code, done.stdout.as_str()), (Some(2), ""), "{command}: {}", done.stderr);
        assert!(done.stderr.contains("4000000") && done.stderr.contains("--longest"), "{command}: {}", done.stderr);
    }
    let short = folder.with("short.capsule", &capsule(property("reading"), 3, &run_of_inputs()));
    let done = judge(&["replay", "--longest", "3"], &short);
    assert_eq!(done.code, Some(2), "{}", done.stderr);
}

fn idle_row() -> Vec<u32> {
    let mut row = vec![0; in_words(4)];
    pack_inputs(&Inputs::<4>::default(), true, &mut row);
    row
}
