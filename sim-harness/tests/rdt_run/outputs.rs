//! Where the outputs go, and what is in them.

use super::{Bench, loads, rounds};

fn bench() -> Bench {
    Bench::new(&[loads(rounds(4, 2)), loads(0..2)])
}

// 4 lines, twice; and 2 lines, once.
#[test]
fn json_has_exactly_these_keys_in_this_order() {
    let bench = bench();
    assert_eq!(bench.direct(2, &[]).code, 0);
    let text = std::fs::read_to_string(bench.path("json")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let cycle = |line: &str| line[9..].split(',').next().unwrap().to_owned();
    let expected = [
        format!(
            "{{\"cycle\":{},\"rmid\":1,\"lines\":4,\"total_bytes\":256,\"local_bytes\":256,\"class\":0}}",
            cycle(lines[0])
        ),
        format!(
            "{{\"cycle\":{},\"rmid\":2,\"lines\":2,\"total_bytes\":128,\"local_bytes\":128,\"class\":0}}",
            cycle(lines[1])
        ),
        "{\"rmid\":1,\"class\":0,\"hits\":4,\"misses\":4,\"lines\":4,\"total_bytes\":256,\"local_bytes\":256}"
            .to_owned(),
        "{\"rmid\":2,\"class\":0,\"hits\":0,\"misses\":2,\"lines\":2,\"total_bytes\":128,\"local_bytes\":128}"
            .to_owned(),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn what_is_not_monitored_is_not_shown() {
    let bench = bench();
    let keys = |session: &str| {
        bench.write("s.toml", session);
        let done = bench.direct(2, &["--session", "s.toml"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        done.json.last().cloned()
    };
    let occupancy = keys("[straps]\nevents = 1\n").unwrap();
    assert_eq!((occupancy["lines"].as_u64(), occupancy.get("total_bytes")), (Some(2), None));
    assert_eq!(keys("[straps]\nl3_max_rmid = 1\n").unwrap()["lines"], "error");
    assert_eq!(keys("[straps]\nevents = 0\nmax_rmid = 0\nl3_max_rmid = 0\n"), None, "nothing is read");
}

// The data come 3 cycles after the selection.
#[test]
fn a_reading_waits_until_the_data_are_available() {
    let bench = bench();
    bench.write("s.toml", "[straps]\nsettle = 3\n");
    assert_eq!(bench.direct(2, &["--session", "s.toml"]).wholes()[0].lines, 4);
}

#[test]
fn model_and_rtl_are_compared_unless_it_is_not_wanted() {
    let bench = bench();
    let done = bench.direct(2, &[]);
    assert!(done.stdout.contains("cycles of model and RTL, no mismatch"), "{}", done.stdout);
    let other = bench.direct(2, &["--no-rtl"]);
    assert!(other.stdout.contains("compared        nothing: the model ran alone (--no-rtl)"), "{}", other.stdout);
    assert_eq!(done.json, other.json);
}

#[test]
fn the_text_goes_where_nothing_else_is() {
    let bench = bench();
    let run = |args: &[&str]| {
        let programs = ["--program", "0.jsonl", "--program", "1.jsonl", "--direct"];
        let output = bench.command(&[&programs, args].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (text, rest) = run(&[]);
    assert!(text.starts_with("caches          L3 8 sets of 4 ways, 2 KiB; lines of 64 bytes; no L2\n"), "{text}");
    assert!(
        text.contains("\nprogram  lp  rmid  class  accesses  L3 hits  misses  hit rate  lines  bytes  local  cycles\n"),
        "{text}"
    );
    assert_eq!(rest, "", "no bar without a terminal");
    let (json, aside) = run(&["--json", "-"]);
    assert!(json.starts_with("{\"cycle\":") && aside == text, "{json}\n{aside}");
    let (page, _) = run(&["--page", "-"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    for outside in ["http:", "https:", "<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside} is in\n{page}");
    }
    assert_eq!(run(&["-q"]), (String::new(), String::new()));
}

#[test]
fn help_teaches_with_examples() {
    let bench = bench();
    let help = |args: &[&str]| String::from_utf8(bench.command(args).output().unwrap().stdout).unwrap();
    for (args, texts) in [
        (&["--help"][..], &["Exit codes:", "--compare --page tamed.html", "lwp-sim rdt monitor", "\"l2_misses\""][..]),
        (&["plan", "--help"], &["cpuid -1 -r > leaves", "A file of goals:"]),
        (&["monitor", "--help"], &["as `pqos` does", "--interval 5000"]),
    ] {
        let text = help(args);
        texts.iter().for_each(|part| assert!(text.contains(part), "{part} is not in\n{text}"));
    }
}

// 4000 lines that take 100,000 cycles each. The output is begun before the run, when Ctrl-C is already caught.
#[test]
fn control_c_shows_nothing_and_says_so() {
    use std::process::Stdio;
    let bench = Bench::new(&[loads(0..4000)]);
    let args = ["--program", "0.jsonl", "--direct", "--latency", "100000", "--no-rtl", "--json", "json"];
    let child = bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = || std::fs::read_dir(bench.path("")).unwrap().count() > 1;
    while !begun() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "interrupted: nothing is shown\n");
    assert!(!bench.path("json").exists());
}

// Events of a session: a way loses its power, and the lines in it are written back and gone. 32 lines of which each way of a set has 8.
#[test]
fn events_of_the_session_happen() {
    let bench = Bench::new(&[super::stores(0..32) + &loads((0..2000).map(|_| 0))]);
    bench.write("s.toml", "[memory]\nlatency = 1\n[[event]]\nat = 1000\nl3_power = 3\n");
    let whole = bench.direct(1, &["--session", "s.toml"]).wholes()[0];
    assert_eq!((whole.lines, whole.bytes), (24, (32 + 8) * 64));
}
