//! The files that commands of `lwp-sim` write: none replaces an input, a device, a pipe or a link, and an output that is lost is an error.

use crate::capsule_support::{BUGS, capsule_of};
use crate::cosim_bench::{Bench, plain};
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SESSION: &str = "[lwpcb]\nbuffer_size = 256\n[[lwpcb.event]]\nid = 1\ninterval = 3\n";

/// A folder with `trace.jsonl`, `session.toml` and `x.capsule`.
fn bench() -> Bench {
    let bench = Bench::new(&plain(12), SESSION);
    capsule_of(BUGS[0]).save(&bench.path("x.capsule")).unwrap();
    bench
}

fn lwp_sim(bench: &Bench, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
    command.current_dir(bench.path("")).args(args);
    command
}

/// The exit code, and the message without its frame.
fn told(output: &Output) -> (Option<i32>, String) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code(), text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" "))
}

/// Names and contents of the folder.
fn contents(bench: &Bench) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// A device of one's own that is always full, which a program that replaces devices may ruin. Only root can make one.
fn full_device(bench: &Bench) -> Option<PathBuf> {
    use nix::sys::stat::{Mode, SFlag, makedev, mknod};
    let path = bench.path("full");
    mknod(&path, SFlag::S_IFCHR, Mode::S_IRUSR | Mode::S_IWUSR, makedev(1, 7)).ok()?;
    OpenOptions::new().write(true).open(&path).is_ok().then_some(path)
}

#[test]
fn an_output_that_is_an_input_is_refused_and_nothing_changes() {
    let bench = bench();
    fs::write(bench.path("goals.toml"), "[[app]]\nname = \"a\"\ncache = 25\n").unwrap();
    fs::write(bench.path("program.s"), "").unwrap();
    fs::copy("/bin/true", bench.path("program")).unwrap();
    symlink("trace.jsonl", bench.path("link")).unwrap();
    let before = contents(&bench);
    let cosim = ["cosim", "--trace", "trace.jsonl", "--session", "session.toml"];
    for args in [
        &[&cosim[..], &["--json", "trace.jsonl"]].concat()[..],
        &[&cosim[..], &["--records", "./session.toml"]].concat(),
        &[&cosim[..], &["--waves", "link"]].concat(),
        &[&cosim[..], &["--dump-lwpcb", "trace.jsonl"]].concat(),
        &["report", "x.capsule", "--html", "x.capsule"],
        &["report", "x.capsule", "--json", "./x.capsule"],
        &["report", "x.capsule", "--fst", "x.capsule"],
        &["shrink", "x.capsule", "-o", "x.capsule"],
        &["waves", "x.capsule", "-o", "x.capsule"],
        &["triage", ".", "--as-found", "--json", "x.capsule"],
        &["count", "-e", "INST_RETIRED", "--trace", "trace.jsonl", "--json", "link"],
        &["rdt", "--program", "trace.jsonl", "--page", "trace.jsonl"],
        &["rdt", "monitor", "--program", "trace.jsonl", "--json", "trace.jsonl"],
        &["rdt", "plan", "--goals", "goals.toml", "-o", "goals.toml"],
        &["itanium", "program.s", "--json", "program.s"],
        &["capture", "-o", "program", "--", "./program"],
    ] {
        let (code, text) = told(&lwp_sim(&bench, args).output().unwrap());
        let expected = if args[0] == "capture" { 1 } else { 2 };
        assert_eq!(code, Some(expected), "{args:?}: {text}");
        assert!(text.contains("is the input") && text.contains("give the output another name"), "{args:?}: {text}");
        assert_eq!(contents(&bench), before, "{args:?}");
    }
}

#[test]
fn two_outputs_of_one_name_are_refused() {
    let bench = bench();
    let cosim = ["cosim", "--trace", "trace.jsonl", "--session", "session.toml"];
    for args in [
        &[&cosim[..], &["--json", "out", "--records", "./out"]].concat()[..],
        &["report", "x.capsule", "--html", "out", "--json", "out"],
        &["report", "x.capsule", "--html", "out.gtkw", "--fst", "out.fst"],
        &["rdt", "--program", "trace.jsonl", "--page", "out", "--json", "out"],
    ] {
        let (code, text) = told(&lwp_sim(&bench, args).output().unwrap());
        assert!(code == Some(2) && text.contains("two outputs go to"), "{args:?}: {code:?}: {text}");
    }
    assert!(!bench.path("out").exists());
}

#[test]
fn waves_go_through_pipes_and_links_and_devices_stay() {
    let bench = bench();
    let (fifo, link) = (bench.path("fifo"), bench.path("link"));
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let waves = |output: &str| lwp_sim(&bench, &["waves", "x.capsule", "-q", "-o", output]).output().unwrap();
    let reader = {
        let fifo = fifo.clone();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            File::open(fifo).unwrap().read_to_end(&mut bytes).unwrap();
            bytes
        })
    };
    assert_eq!(told(&waves("fifo")), (Some(0), String::new()));
    let piped = reader.join().unwrap();
    assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
    symlink("behind.fst", &link).unwrap();
    assert_eq!(told(&waves("link")), (Some(0), String::new()));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(bench.path("behind.fst")).unwrap().len(), piped.len());
    wellen::simple::read(bench.path("behind.fst")).unwrap();
    if let Some(device) = full_device(&bench) {
        let (code, text) = told(&waves("full"));
        assert!(code == Some(3) && text.contains("cannot write `full`: No space left"), "{code:?}: {text}");
        assert!(fs::metadata(device).unwrap().file_type().is_char_device());
    }
    let cosim = ["cosim", "--trace", "trace.jsonl", "--session", "session.toml", "-q", "--waves", "link"];
    assert_eq!(told(&lwp_sim(&bench, &cosim).output().unwrap()), (Some(0), String::new()));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn shared_memory_is_a_disk() {
    if !Path::new("/dev/shm").is_dir() {
        return;
    }
    let (bench, folder) = (bench(), tempfile::tempdir_in("/dev/shm").unwrap());
    let path = folder.path().join("new.json");
    let output = bench.command(&["-q", "--json", path.to_str().unwrap()]).output().unwrap();
    assert_eq!(told(&output), (Some(0), String::new()));
    serde_json::from_slice::<serde_json::Value>(&fs::read(&path).unwrap()).unwrap();
}

/// Commands that print, and their exit codes.
const PRINTING: [(&[&str], i32); 7] = [
    (&["cosim", "--trace", "trace.jsonl", "--session", "session.toml"], 0),
    (&["cosim", "--trace", "trace.jsonl", "--session", "session.toml", "--json", "-"], 0),
    (&["cosim", "--trace", "trace.jsonl", "--session", "session.toml", "--records", "-"], 0),
    (&["replay", "x.capsule"], 0),
    (&["waves", "x.capsule", "-o", "x.fst"], 0),
    (&["triage", "--as-found", "x.capsule"], 0),
    (&["leaf", "0x07300404,0,0,0x603"], 0),
];

#[test]
fn a_full_standard_output_is_3_and_a_closed_one_is_fine() {
    let bench = bench();
    for (args, fine) in PRINTING {
        let (code, text) = told(&lwp_sim(&bench, args).stdout(full()).output().unwrap());
        assert!(code == Some(3) && text.contains("No space left"), "{args:?}: {code:?}: {text}");
        // Nobody is left to be told.
        let status = lwp_sim(&bench, args).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(3), "{args:?}");
        let (code, text) = told(&lwp_sim(&bench, args).stdout(closed_pipe()).output().unwrap());
        assert!(code == Some(fine) && !text.contains("Broken pipe"), "{args:?}: {code:?}: {text}");
    }
}

#[test]
fn cycles_from_group_to_group_are_limited() {
    let bench = bench();
    for number in ["18446744073709551615", "4294967296", "0"] {
        let (code, text) = told(&bench.command(&["--cpi", number]).output().unwrap());
        assert!(code == Some(2) && text.contains("--cpi"), "{number}: {code:?}: {text}");
    }
    let count = ["count", "-e", "INST_RETIRED", "--trace", "trace.jsonl", "--cpi", "18446744073709551615"];
    assert_eq!(told(&lwp_sim(&bench, &count).output().unwrap()).0, Some(2));
}

#[test]
fn a_formula_nests_so_deep_and_no_deeper() {
    let bench = bench();
    let formula = |depth| format!("x={}INST_RETIRED{}", "(".repeat(depth), ")".repeat(depth));
    let run = |depth| {
        told(&lwp_sim(&bench, &["count", "-m", &formula(depth), "--trace", "trace.jsonl", "-q"]).output().unwrap())
    };
    assert_eq!(run(100), (Some(0), String::new()));
    let (code, text) = run(60_000);
    assert!(code == Some(2) && text.contains("more than 100 `(` are open at once"), "{code:?}");
}

#[test]
fn a_file_without_leaves_is_no_processor() {
    let bench = bench();
    fs::write(bench.path("empty"), "").unwrap();
    fs::write(bench.path("comment"), "# nothing\nCPU 0:\n").unwrap();
    for args in [&["leaf", "--cpuid"][..], &["rdt", "plan", "--app", "a:cache=25%", "--cpuid"]] {
        for name in ["empty", "comment"] {
            let (code, text) = told(&lwp_sim(&bench, &[args, &[name]].concat()).output().unwrap());
            assert!(code == Some(2) && text.contains(&format!("`{name}` has no leaf of CPUID")), "{code:?}: {text}");
        }
    }
    let (code, text) = told(&lwp_sim(&bench, &["leaf", "--cpuid", ""]).output().unwrap());
    assert!(code == Some(2) && text.contains("--cpuid"), "{code:?}: {text}");
}
