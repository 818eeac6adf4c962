//! Captures of real programs, from the emulator to the file and back.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lwp_model::retire::{IntKind, Interruption};
use sim_harness::capture::{CaptureEnd, CaptureError, CaptureOptions, CaptureSummary, capture};
use sim_harness::traces::{AccessCursor, Retired, TraceNotes, open};
use tempfile::TempDir;

fn options(output: &Path, command: &[&str]) -> CaptureOptions {
    let command = command.iter().map(Into::into).collect();
    CaptureOptions { output: output.to_owned(), command, limit: None, quiet: true }
}

fn capture_to(output: &Path, command: &[&str]) -> Result<CaptureSummary, CaptureError> {
    capture(&options(output, command), &AtomicBool::new(false))
}

/// Every instruction of a trace, and what the reader says at the end.
fn read(path: &Path) -> (Vec<Retired>, TraceNotes) {
    let mut reader = open(path).expect("a capture opens");
    let (mut all, mut one) = (Vec::new(), Retired::default());
    while reader.next(&mut one).expect("a capture reads") {
        all.push(one.clone());
    }
    assert_eq!(reader.total(), Some(all.len() as u64));
    (all, reader.notes())
}

fn compile(directory: &Path, source: &str) -> PathBuf {
    let program = directory.join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(source);
    let built = Command::new("cc").args(["-O1", "-pthread", "-no-pie", "-o"]).arg(&program).arg(source).status();
    assert!(built.expect("cc can be run").success());
    program
}

#[test]
fn a_dynamic_program_is_captured_with_its_names() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("true.capture");
    let summary = capture_to(&output, &["true"]).expect("captured");
    assert_eq!(summary.end, CaptureEnd::Exited(0));
    let (all, notes) = read(&output);
    assert_eq!(all.len() as u64, summary.instructions);
    assert_eq!(notes, TraceNotes::default());
    // Flow is gapless: what a branch says is what follows.
    for pair in all.windows(2) {
        if let Some(branch) = pair[0].branch {
            assert_eq!(branch.next, pair[1].ip);
        } else {
            assert!((1..=15).contains(&pair[1].ip.wrapping_sub(pair[0].ip)), "{:#x}", pair[0].ip);
        }
    }
    let reader = open(&output).expect("opens");
    let place = reader.symbols().and_then(|map| map.locate(all[0].ip)).expect("the loader is mapped");
    assert!(place.file.to_string_lossy().contains("ld-linux"), "{place:?}");
    let size = output.metadata().expect("exists").len();
    assert_eq!(size, summary.bytes);
    assert!(size < 3 * summary.instructions, "{size} bytes");
}

#[test]
fn functions_are_named_and_children_are_not_traced() {
    let directory = TempDir::new().expect("a directory");
    let program = compile(directory.path(), "fork_and_fail.c");
    let output = directory.path().join("capture");
    let summary = capture_to(&output, &[&program.display().to_string()]).expect("captured");
    assert_eq!(summary.end, CaptureEnd::Exited(3));
    let (all, _) = read(&output);
    let reader = open(&output).expect("opens");
    let map = reader.symbols().expect("a map");
    let named = |name: &str| {
        all.iter().filter(|one| map.locate(one.ip).is_some_and(|at| at.function.as_deref() == Some(name))).count()
    };
    assert!(named("main") > 5);
    assert_eq!(named("in_the_child"), 0);
}

#[test]
fn other_threads_are_counted_and_left_out() {
    let directory = TempDir::new().expect("a directory");
    let program = compile(directory.path(), "second_thread.c");
    let output = directory.path().join("capture");
    let summary = capture_to(&output, &[&program.display().to_string()]).expect("captured");
    assert!(summary.other_threads > 300_000, "{summary:?}");
    assert!(summary.instructions < 300_000, "{summary:?}");
    let (all, notes) = read(&output);
    assert_eq!(notes.other_threads, summary.other_threads);

    // With a second thread QEMU does atomic instructions in one access, which it calls a store.
    let reader = open(&output).expect("opens");
    let map = reader.symbols().expect("a map");
    let inside = all
        .iter()
        .filter(|one| map.locate(one.ip).is_some_and(|at| at.function.as_deref() == Some("exchange_and_add")));
    let loads: Vec<u16> = inside.flat_map(|one| &one.loads).map(|load| load.size).collect();
    let (atomic, returns) =
        (loads.iter().filter(|size| **size == 4).count(), loads.iter().filter(|size| **size == 8).count());
    assert_eq!((atomic, returns), (20, 10));

    // Exchange and add load and store the same bytes: one access each.
    let both = all
        .iter()
        .filter(|one| map.locate(one.ip).is_some_and(|at| at.function.as_deref() == Some("exchange_and_add")));
    let both = both.filter_map(|one| AccessCursor::default().next(one)).filter(|access| access.read && access.write);
    assert_eq!(both.map(|access| access.size).collect::<Vec<_>>(), [4; 20]);
}

/// A load of address 0, a division by 0, a timer: where the signal came from, and that what faulted has not retired.
#[test]
fn signals_are_interruptions() {
    let directory = TempDir::new().expect("a directory");
    let program = compile(directory.path(), "signals.c");
    let output = directory.path().join("capture");
    let summary = capture_to(&output, &[&program.display().to_string()]).expect("captured");
    assert_eq!(summary.end, CaptureEnd::Exited(0));
    let (all, notes) = read(&output);
    assert_eq!(notes.gaps, 0);
    let reader = open(&output).expect("opens");
    let map = reader.symbols().expect("a map");
    let name = |ip: u64| map.locate(ip).and_then(|at| at.function).map_or(String::new(), |name| name.to_string());
    let mut seen = Vec::new();
    for pair in all.windows(2) {
        let next = pair[0].branch.map_or(pair[0].neighbour(), |branch| Some(branch.next));
        for &Interruption { kind, vector, from, to, .. } in &pair[1].interruptions {
            assert_eq!((Some(from), to), (next, pair[1].ip), "between what is before and what is behind");
            assert_ne!(pair[0].ip, from, "what faults does not retire");
            seen.push((kind, vector, name(from), name(to)));
        }
        if pair[1].interruptions.is_empty() {
            assert_eq!(next, Some(pair[1].ip));
        }
    }
    let of = |kind, vector, from: &str, to: &str| (kind, vector, from.to_owned(), to.to_owned());
    let expected = [
        of(IntKind::Exception, 14, "load_from", "skip"),
        of(IntKind::Exception, 0, "divide", "skip"),
        of(IntKind::Interrupt, 0, "wait_for_it", "fire"),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_program_that_replaces_itself_is_captured_up_to_there() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("capture");
    let summary = capture_to(&output, &["env", "true"]).expect("captured");
    assert_eq!(summary.end, CaptureEnd::Replaced);
    assert_eq!(read(&output).0.len() as u64, summary.instructions);
}

#[test]
fn the_limit_is_exact() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("capture");
    let mut options = options(&output, &["sh", "-c", "while :; do :; done"]);
    options.limit = Some(12_345);
    let summary = capture(&options, &AtomicBool::new(false)).expect("captured");
    assert_eq!((summary.end, summary.instructions), (CaptureEnd::Limit, 12_345));
    assert_eq!(read(&output).0.len(), 12_345);
}

#[test]
fn an_interrupted_capture_is_whole() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("capture");
    let stop = AtomicBool::new(false);
    let options = options(&output, &["sh", "-c", "while :; do :; done"]);
    let summary = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        capture(&options, &stop).expect("captured")
    });
    assert_eq!(summary.end, CaptureEnd::Interrupted);
    assert!(summary.instructions > 0);
    assert_eq!(read(&output).0.len() as u64, summary.instructions);
}

/// The temporary directories that a process has files open in, or that are in its own place for them.
fn folders_of(pid: u32, place: &Path) -> Vec<PathBuf> {
    let links = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs").flatten();
    let targets = links.filter_map(|link| std::fs::read_link(link.path()).ok());
    let rings = targets.filter(|path| path.ends_with("ring")).filter_map(|path| path.parent().map(Path::to_owned));
    rings.chain(std::fs::read_dir(place).expect("listed").flatten().map(|entry| entry.path())).collect()
}

/// A capture that is killed cannot remove its directories; the next capture does.
#[test]
fn what_a_killed_capture_left_is_removed_by_the_next() {
    let directory = TempDir::new().expect("a directory");
    let place = directory.path().join("tmp");
    std::fs::create_dir(&place).expect("a directory");
    let start = |name: &str, command: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        program.env("TMPDIR", &place).args(["capture", "-q", "-o"]).arg(directory.path().join(name)).arg("--");
        program.args(command).spawn().expect("it starts")
    };
    let mut first = start("killed", &["sleep", "60"]);
    let pid = first.id();
    let children = format!("/proc/{pid}/task/{pid}/children");
    let traced = loop {
        let traced = std::fs::read_to_string(&children).expect("it runs");
        if let Ok(traced) = traced.trim().parse::<i32>() {
            break traced;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    std::thread::sleep(Duration::from_millis(1100));
    let left = folders_of(pid, &place);
    assert_eq!(left.len(), 2, "the ring's and the plugin's: {left:?}");
    // While it runs, they stay.
    assert!(start("beside", &["true"]).wait().expect("it ran").success());
    assert!(left.iter().all(|folder| folder.is_dir()), "{left:?}");
    first.kill().expect("it runs");
    first.wait().expect("it was killed");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(traced), nix::sys::signal::Signal::SIGKILL).expect("it runs");
    assert!(left.iter().all(|folder| folder.is_dir()), "{left:?}");
    assert!(start("next", &["true"]).wait().expect("it ran").success());
    assert!(left.iter().all(|folder| !folder.exists()), "{left:?}");
    assert_eq!(std::fs::read_dir(&place).expect("listed").count(), 0);
}

#[test]
fn what_cannot_be_captured_is_refused_and_the_old_file_stays() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("capture");
    std::fs::write(&output, "old").expect("written");
    let script = directory.path().join("script");
    std::fs::write(&script, "#!/bin/sh -e\n").expect("written");
    let refused = |command: &[&str]| capture_to(&output, command).expect_err("refused");

    let error = refused(&[&script.display().to_string()]);
    assert!(matches!(&error, CaptureError::Script { interpreter, .. } if interpreter == "/bin/sh -e"), "{error}");
    assert!(matches!(refused(&["no-such-program-anywhere"]), CaptureError::NoProgram { .. }));
    assert!(matches!(refused(&["/no/such/program"]), CaptureError::NoProgram { .. }));
    assert!(matches!(refused(&["/"]), CaptureError::NoProgram { .. }));
    assert!(matches!(refused(&["/etc/passwd"]), CaptureError::NotX86 { .. }));
    assert!(matches!(refused(&[]), CaptureError::NoCommand));
    assert_eq!(std::fs::read(&output).expect("still there"), b"old");
    let names = std::fs::read_dir(directory.path()).expect("listed").count();
    assert_eq!(names, 2, "no temporary file is left");
}

#[test]
fn a_full_disk_is_one_clear_error() {
    let error = capture_to(Path::new("/dev/full"), &["true"]).expect_err("nothing can be written");
    assert!(matches!(error, CaptureError::NoSpace { .. }), "{error:?}");
    let error = capture_to(Path::new("/no/such/directory/file"), &["true"]).expect_err("no directory");
    assert!(matches!(error, CaptureError::Write { .. }), "{error:?}");
}
