//! `soak`, `coverage` and `record` before their shell: files that cannot be used are refused at the beginning, links and devices stay, and
//! a program that is asked to end leaves nothing unfinished.

use nix::sys::signal::{Signal, kill};
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const SOAK: &str = env!("CARGO_BIN_EXE_soak");
const COVERAGE: &str = env!("CARGO_BIN_EXE_coverage");
const RECORD: &str = env!("CARGO_BIN_EXE_record");

fn command(folder: &TempDir, program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder.path()).args(args).env_remove("LWP_STEER");
    command
}

/// The exit code, and what was said of errors.
fn told(output: &Output) -> (Option<i32>, String) {
    let stderr = String::from_utf8(output.stderr.clone()).expect("text");
    assert!(!stderr.contains("panicked"), "{stderr}");
    (output.status.code(), stderr)
}

fn run(folder: &TempDir, program: &str, args: &[&str]) -> (Option<i32>, String) {
    told(&command(folder, program, args).output().expect("it starts"))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("a name").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// Starts a program and sends the signal once `ready`.
fn stopped(mut child: Child, signal: Signal, ready: impl Fn() -> bool) -> (Option<i32>, String) {
    while !ready() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended early");
        std::thread::sleep(Duration::from_millis(10));
    }
    // The signals are caught soon after the first file is there.
    std::thread::sleep(Duration::from_millis(500));
    kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).expect("it runs");
    told(&child.wait_with_output().expect("a child"))
}

/// A pipe, a directory, a name below a file and, for root, a device of one's own that is always full.
fn unfit(folder: &TempDir) -> Vec<PathBuf> {
    use nix::sys::stat::{Mode, SFlag, makedev, mknod};
    let path = |name: &str| folder.path().join(name);
    nix::unistd::mkfifo(&path("pipe"), Mode::S_IRWXU).expect("a pipe");
    fs::create_dir(path("directory")).expect("a directory");
    fs::write(path("file"), "").expect("a file");
    let mut unfit = ["pipe", "directory", "file/below"].map(path).to_vec();
    if mknod(&path("full"), SFlag::S_IFCHR, Mode::S_IRUSR | Mode::S_IWUSR, makedev(1, 7)).is_ok() {
        unfit.push(path("full"));
    }
    unfit
}

/// Runs that would last for hours: what is refused is refused at the beginning.
#[test]
fn what_cannot_keep_a_state_is_refused_at_once() {
    let folder = folder();
    for path in unfit(&folder) {
        let name = path.to_str().expect("text");
        for (program, args) in [
            (SOAK, &["--cycles", "1e15", "-q", "--state", name][..]),
            (SOAK, &["--cycles", "1e15", "-q", "--fresh", "--state", name]),
            (COVERAGE, &["run", "--cases", "1000000000000", "-q", "--counts", name]),
            (COVERAGE, &["run", "--cases", "1000000000000", "-q", "--fresh", "--counts", name]),
        ] {
            let (code, stderr) = run(&folder, program, args);
            assert!(code == Some(2) && stderr.contains(name), "{args:?}: {code:?}: {stderr}");
        }
    }
    assert!(fs::metadata(folder.path().join("pipe")).expect("a pipe").file_type().is_fifo());
    assert!(names(&folder).iter().all(|name| ["pipe", "directory", "file", "full"].contains(&name.as_str())));
}

#[test]
fn counts_to_steer_by_that_cannot_be_used_are_told() {
    let folder = folder();
    fs::write(folder.path().join("malformed"), "{").expect("a file");
    for name in ["missing", "malformed", "/", "/dev/zero"] {
        for (program, args) in [
            (SOAK, &["--cycles", "1", "-q", "--state", "state"][..]),
            (SOAK, &["--case", "1"]),
            (COVERAGE, &["run", "--unsteered", "--cases", "1", "--counts", "counts"]),
            (COVERAGE, &["compare", "--cases", "1"]),
            (RECORD, &["--cases", "1", "--soak", "0", "-o", "recording"]),
        ] {
            let output = command(&folder, program, args).env("LWP_STEER", name).output().expect("it starts");
            let (code, stderr) = told(&output);
            assert_eq!(code, Some(2), "{name} {args:?}: {stderr}");
            let says =
                ["LWP_STEER names no file of counts", name, "write one with `coverage run", "or unset LWP_STEER"];
            says.iter().for_each(|part| assert!(stderr.contains(part), "{name} {args:?}: {stderr}"));
        }
    }
    assert_eq!(names(&folder), ["malformed"]);
}

#[test]
fn links_stay_links_and_a_state_is_not_its_own_lock() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for (link, program, args) in [
        ("state", SOAK, &["--cycles", "1", "-q", "--state", "state"][..]),
        ("counts", COVERAGE, &["run", "--model-only", "--cases", "1", "-q", "--counts", "counts"]),
        ("counts", COVERAGE, &["run", "--model-only", "--cases", "1", "-q", "--fresh", "--counts", "counts"]),
        ("recording", RECORD, &["--cases", "0", "--soak", "1", "-o", "recording"]),
    ] {
        let _ = symlink(format!("{link}.behind"), path(link));
        let (code, stderr) = run(&folder, program, args);
        assert_eq!(code, Some(0), "{args:?}: {stderr}");
        assert!(fs::symlink_metadata(path(link)).expect("a link").is_symlink(), "{args:?}");
        assert!(fs::metadata(path(&format!("{link}.behind"))).expect("a file").len() > 0, "{args:?}");
    }
    for cycles in ["1", "2"] {
        let args = ["--cycles", cycles, "-q", "--state", "own.lock"];
        assert_eq!(run(&folder, SOAK, &args).0, Some(0), "the state of the first run is read by the second");
        assert!(fs::metadata(path("own.lock")).expect("a state").len() > 0);
    }
}

#[test]
fn nothing_to_record_is_wrong_use() {
    let folder = folder();
    let (code, stderr) = run(&folder, RECORD, &["--cases", "0", "--soak", "0", "-o", "recording"]);
    assert!(code == Some(2) && stderr.contains("give --cases or --soak more than 0"), "{code:?}: {stderr}");
    let (code, stderr) = run(&folder, RECORD, &["--soak", "1", "--cases", "0", "-o", "."]);
    assert!(code == Some(2) && stderr.contains("cannot write `.`"), "{code:?}: {stderr}");
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[test]
fn a_recording_goes_through_a_pipe_and_a_device_stays() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    unfit(&folder);
    let reader = std::thread::spawn({
        let pipe = path("pipe");
        move || fs::read(pipe).expect("a pipe")
    });
    assert_eq!(run(&folder, RECORD, &["--cases", "0", "--soak", "1", "-o", "pipe"]).0, Some(0));
    assert!(!reader.join().expect("a thread").is_empty());
    assert!(fs::metadata(path("pipe")).expect("a pipe").file_type().is_fifo());
    if path("full").exists() {
        let (code, stderr) = run(&folder, RECORD, &["--cases", "0", "--soak", "1", "-o", "full"]);
        assert!(code == Some(2) && stderr.contains("cannot write `full`"), "{code:?}: {stderr}");
        assert!(fs::metadata(path("full")).expect("a device").file_type().is_char_device());
    }
}

#[test]
fn what_is_asked_to_end_leaves_nothing_unfinished() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let folder = folder();
        let quiet = |program, args: &[&str]| {
            let mut command = command(&folder, program, args);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
        };
        let child = quiet(RECORD, &["--cases", "0", "--soak", "1000000000000", "-o", "recording"]);
        let (code, stderr) = stopped(child, signal, || !names(&folder).is_empty());
        assert_eq!((code, names(&folder)), (Some(130), vec![]), "{signal}: {stderr}");
        let child = quiet(SOAK, &["--cycles", "1e15", "--jobs", "1", "-q", "--state", "state"]);
        let (code, stderr) = stopped(child, signal, || folder.path().join("state.lock").exists());
        assert_eq!(code, Some(130), "{signal}: {stderr}");
        assert_eq!(names(&folder), ["state", "state.lock"], "{signal}");
    }
}

#[test]
fn a_sum_does_not_replace_its_parts() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let counts = ["run", "--model-only", "--cases", "1", "-q", "--counts", "report.json"];
    assert_eq!(run(&folder, COVERAGE, &counts).0, Some(0));
    let before = fs::read(path("report.json")).expect("counts");
    symlink("report.json", path("link")).expect("a link");
    for args in [
        &["merge", "report.json", "-o", "link"][..],
        &["merge", "report.json", "-o", "./report.json"],
        &["report", "--counts", "link", "--rtl", "none", "--out", "."],
    ] {
        let (code, stderr) = run(&folder, COVERAGE, args);
        assert!(code == Some(2) && stderr.contains("is the input"), "{args:?}: {code:?}: {stderr}");
        assert_eq!(fs::read(path("report.json")).expect("counts"), before, "{args:?}");
    }
    assert_eq!(run(&folder, COVERAGE, &["merge", "report.json", "link", "-o", "sum"]).0, Some(0));
    assert!(Path::new(&path("sum")).is_file());
}
