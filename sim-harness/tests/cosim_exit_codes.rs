//! What the program answers to its shell, and where its outputs go.

use crate::cosim_bench::{Bench, plain, steady};
use nix::sys::signal::Signal;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

const SESSION: &str = "[lwpcb]\nbuffer_size = 256\n[[lwpcb.event]]\nid = 1\ninterval = 3\n";

fn bench() -> Bench {
    Bench::new(&plain(12), SESSION)
}

#[test]
fn usage_errors_are_2() {
    let code = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_lwp-sim")).args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for args in [
        &["cosim"][..],
        &["cosim", "--trace", "/proc/nonexistent"],
        &["cosim", "--trace", "/tmp"],
        &["cosim", "--trace", "/dev/null"],
        &["cosim", "--trace", "/bin/true"],
        &["cosim", "--trace", "x", "--retire-lanes", "5"],
        &["cosim", "--trace", "x", "--cpi", "0"],
        &["cosim", "--trace", "x", "--engine", "fpga"],
        &["cosim", "--trace", "x", "--session", "/proc/nonexistent"],
        &["cosim", "--trace", "x", "--engine", "model", "--waves", "w.fst"],
        &["cosim", "--trace", "x", "--engine", "rtl", "--report", "failure"],
        &["cosim", "--trace", "x", "--engine", "model", "--assertions"],
        &["cosim", "--trace", "x", "--json", "-", "--records", "/dev/stdout"],
    ] {
        let (code, stderr) = code(args);
        assert_eq!(code, Some(2), "{args:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    assert_eq!(code(&["cosim", "--help"]).0, Some(0));
}

#[test]
fn a_bad_session_shows_its_line() {
    let done = Bench::new(&plain(1), "[lwpcb]\nrandom = 16\n").run(&[]);
    assert_eq!(done.code, 2);
    assert!(
        done.stderr.contains("session.toml, line 2, column 10") && done.stderr.contains("0 to 15"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_full_disk_is_3_and_one_error() {
    for option in ["--json", "--records", "--dump-lwpcb", "--dump-buffer"] {
        let output = bench().command(&[option, "/dev/full", "-q"]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{option}: {stderr}");
        assert_eq!(stderr.matches("No space left").count(), 1, "{option}: {stderr}");
        assert!(stderr.contains("/dev/full"), "{stderr}");
    }
    let output = bench().command(&["--json", "missing/x.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let output =
        bench().command(&[]).stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "the summary itself");
}

#[test]
fn standard_output_holds_one_thing_only() {
    let output = bench().command(&["--json", "-", "--cpi", "500"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["records"]["total"], 4);
    assert!(String::from_utf8(output.stderr).unwrap().contains("instructions"), "the summary for people went aside");
    let output = bench().command(&["--dump-lwpcb", "/dev/stdout", "-q"]).output().unwrap();
    assert_eq!((output.stdout.len(), output.stderr.len()), (104, 0));
    let output = bench().command(&[]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("12 (12 in ring 3, 0 outside)") && text.contains("no mismatch"), "{text}");
    assert!(output.stderr.is_empty());
}

#[test]
fn no_instructions_are_fine() {
    let done = bench().run(&["--limit", "0"]);
    assert_eq!((done.code, done.number("instructions"), done.number("records/total")), (0, 0, 0));
    assert_eq!(done.json["hottest"], serde_json::json!([]));
    assert_eq!(done.lwpcb[44..48], [3, 0, 0, 0]);
    assert_eq!(bench().run(&["--limit", "5"]).number("instructions"), 5);
}

#[test]
fn a_trace_that_breaks_is_run_up_to_there() {
    let done = Bench::new(&(plain(7) + "{\"ip\":\n"), SESSION).run(&["--cpi", "500"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    // One instruction is read ahead, so the sixth and seventh retire before the error counts.
    assert_eq!((done.number("instructions"), done.number("records/total")), (7, 2));
    assert!(done.stderr.contains("line 8"), "{}", done.stderr);
    assert!(done.json["error"].as_str().unwrap().contains("line 8"));
    assert_eq!(done.lwpcb[16..20], [64, 0, 0, 0], "the last SLWPCB was executed");
}

#[test]
fn everything_is_the_same_again_and_on_two_threads() {
    let trace: String = (0..6000u64)
        .map(|index| {
            let ip = 0x40_1000 + 4 * (index % 700);
            let more = match index % 7 {
                0 => format!(
                    ",\"loads\":[{{\"addr\":\"{:#x}\",\"miss\":true,\"latency\":150,\"source\":3}}]",
                    0x7000 + 64 * index
                ),
                3 => format!(",\"branch\":{{\"kind\":\"jcc\",\"taken\":true,\"next\":\"{ip:#x}\",\"predicted\":true}}"),
                5 if index % 97 == 0 => ",\"cpl\":0".to_owned(),
                _ => String::new(),
            };
            format!("{{\"ip\":\"{ip:#x}\"{more}}}\n")
        })
        .collect();
    let session = "[lwpcb]\nbuffer_size = 512\nthreshold = 320\nrandom = 3\n[[lwpcb.event]]\nid = 3\ninterval = 5\n\
                   [[lwpcb.event]]\nid = 1\ninterval = 16\n[[lwpcb.event]]\nid = 2\ninterval = 9\n[consumer]\nmode = \"interrupt\"\n\
                   [memory]\nlatency = [1, 9]\nstall = 0.3\nfault = 0.05\nseed = 7\n";
    let bench = Bench::new(&trace, session);
    let two = bench.run_engines(&[]);
    assert!(
        two.number("page_faults") > 0 && two.number("interrupts") > 0 && two.number("records/total") > 15,
        "{}",
        two.json
    );
    assert!(bench.run_engines(&["--cpi", "3"]).number("records/total") > 100);
    let one = bench.run(&["--threads", "1"]);
    assert_eq!((steady(&one.json), one.records), (steady(&two.json), two.records));
    let other = bench.run(&["--seed", "8"]);
    assert_eq!(other.code, 0);
    assert_ne!(steady(&other.json), steady(&two.json), "another seed, other stalls and faults");
}

#[test]
fn control_c_and_sigterm_end_in_good_order() {
    ends_in_good_order(Signal::SIGINT);
    ends_in_good_order(Signal::SIGTERM);
}

fn ends_in_good_order(signal: Signal) {
    let bench = bench();
    fs::remove_file(bench.path("trace.jsonl")).unwrap();
    nix::unistd::mkfifo(&bench.path("trace.jsonl"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut child = bench
        .command(&["--json", "json", "--dump-lwpcb", "lwpcb"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = fs::OpenOptions::new().write(true).open(bench.path("trace.jsonl")).unwrap();
    pipe.write_all(plain(1000).as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
    // The reader waits for more; it gets it until the program has seen the signal.
    while pipe.write_all(plain(100).as_bytes()).is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let json: serde_json::Value = serde_json::from_slice(&fs::read(bench.path("json")).unwrap()).unwrap();
    assert_eq!(json["interrupted"], true);
    assert!(json["instructions"].as_u64().unwrap() >= 900, "{json}");
    assert_eq!(json["operations"]["slwpcb"], "done");
    assert_eq!(fs::read(bench.path("lwpcb")).unwrap().len(), 104);
    assert_eq!(fs::read_dir(bench.path("")).unwrap().count(), 4, "trace, session and two outputs");
}

#[test]
fn waves_show_the_beginning_of_a_run_that_agrees() {
    let bench = bench();
    for engine in ["lockstep", "rtl"] {
        let done = bench.run(&["--engine", engine, "--waves", "waves.fst"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(fs::metadata(bench.path("waves.fst")).unwrap().len() > 1000);
        fs::remove_file(bench.path("waves.fst")).unwrap();
    }
}

#[test]
fn a_run_that_agrees_has_nothing_to_report() {
    let bench = bench();
    let output = bench.command(&["--report", "failure", "-q"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!bench.path("failure").exists());
}

#[test]
fn assertions_hold_in_a_run_that_agrees() {
    let bench = bench();
    for engine in ["lockstep", "rtl"] {
        let done = bench.run(&["--engine", engine, "--assertions", "--cpi", "500"]);
        assert_eq!((done.code, done.number("records/total")), (0, 4), "{engine}: {}", done.stderr);
    }
}

/// Lockstep counts the situations of every unit; one engine alone says that it does not.
#[test]
fn situations_are_counted_or_it_says_why_not() {
    let bench = bench();
    let text = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        command.current_dir(bench.path("trace.jsonl").parent().unwrap()).args(["cosim", "--trace", "trace.jsonl"]);
        let output = command.args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for unit in sim_harness::unit::UNITS {
        let lockstep = text(&["--unit", unit.name]);
        assert!(lockstep.contains("\nnever met"), "{lockstep}");
        for engine in ["model", "rtl"] {
            let alone = text(&["--unit", unit.name, "--engine", engine]);
            assert!(alone.contains("\nsituations      not counted: only lockstep"), "{alone}");
            assert!(!alone.contains("never met"), "{alone}");
        }
    }
}
