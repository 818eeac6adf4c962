//! Many capsules, grouped: those of one bug are one group, and those that cannot be used do not end the run.

use crate::capsule_support::seal::{seal, text_and_body};
use crate::capsule_support::{BUGS, BUILD, Bug, Buggy, SESSION, capsule_of, capsule_under, producer, straps};
use serde_json::Value;
use sim_harness::capsule::{Capsule, Failure, ShrinkOptions, Way, origin};
use sim_harness::triage::{Failing, Outcome, Triage, examine};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn options() -> ShrinkOptions {
    ShrinkOptions { tries: 600, ..ShrinkOptions::default() }
}

fn bug(name: &str) -> Bug {
    *BUGS.iter().find(|bug| bug.name == name).expect("a bug of the table")
}

fn failing(bug: Bug, capsule: &Capsule, options: Option<&ShrinkOptions>) -> Failing {
    examine(&Buggy(bug), None, capsule, options, &mut |_| true).unwrap().expect("it fails")
}

#[test]
fn seven_capsules_of_one_bug_are_one_group() {
    let (head, reload) = (bug("head does not wrap"), bug("third reload is one short"));
    let mut triage = Triage::default();
    let mut add = |name: &str, bug: Bug, capsule: &Capsule| {
        let failing = failing(bug, capsule, Some(&options()));
        assert!(failing.shrunk && !failing.moved, "{name}");
        assert!(failing.capsule.header().cycles < capsule.header().cycles, "{name}");
        triage.add(Path::new(name), Outcome::Fails(Box::new(failing)));
    };
    for seed in 1..=7 {
        let session = SESSION.replace("seed = 7", &format!("seed = {seed}"));
        add(&format!("head{seed}.capsule"), head, &capsule_under(head, &session));
    }
    add("reload.capsule", reload, &capsule_of(reload));
    let found: Vec<_> = triage.groups.iter().map(|group| (group.capsules.len(), group.key.field.as_str())).collect();
    assert_eq!(found, [(7, "state.head"), (1, "state.events[*].counter")]);
    assert_eq!(triage.groups[0].key.stage, Some("store"));
    assert!(triage.groups[0].unwritten.is_some(), "the smallest is there to be written");
    let text = triage.to_string();
    assert!(text.starts_with("8 capsules: 8 fail in 2 ways, 0 pass, 0 cannot be used\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("state.head")).count(), 1, "a line for each bug: {text}");
}

/// Two elements of an array are one field, in whichever of them a bug shows first.
#[test]
fn elements_are_not_told_apart() {
    let other = Bug { field: "state.events[1].counter", ..bug("third reload is one short") };
    let keys = [bug("third reload is one short"), other].map(|bug| failing(bug, &capsule_of(bug), None).key.field);
    assert_eq!(keys[0], keys[1]);
}

/// A capsule is grouped by what it does now, not by what it did when it was found.
#[test]
fn what_fails_otherwise_is_grouped_by_what_it_does() {
    let (recorded, now) = (bug("head does not wrap"), bug("session of a kernel visit"));
    let capsule = capsule_of(recorded);
    let failing = failing(now, &capsule, Some(&options()));
    assert!(failing.moved && failing.shrunk);
    assert_eq!(failing.key.field, "state.was_ring3");
    assert_eq!(failing.capsule.header().failure.way, Way::Mismatch { field: "state.was_ring3".to_owned() });
    let passing = examine(&BUILD, None, &capsule, Some(&options()), &mut |_| true).unwrap();
    assert!(passing.is_none(), "this RTL has none of the bugs");
}

/// A folder of capsules, and the program.
struct Bench(tempfile::TempDir);

struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn triage(&self, args: &[&str]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        let output = command.current_dir(self.0.path()).arg("triage").args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let done = Done { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
        done
    }
}

/// The capsule of a property that no run violates: nobody judges it here.
fn of_property(text: &str, cycle: u64) -> Capsule {
    let mut failure = Failure::new(Way::Property { name: "monitors".to_owned() }, cycle);
    failure.text = text.to_owned();
    let origin = origin("test", "cargo test", BTreeMap::new());
    Capsule::record(BUILD, &straps(), &mut producer(), failure, origin).unwrap()
}

#[test]
fn what_cannot_be_used_is_told_and_the_others_are_grouped() {
    let bench = Bench::new();
    let good = capsule_of(BUGS[0]).to_bytes();
    let (text, body) = text_and_body(&good);
    let replaced = |from: &str, to: &str| {
        let text = std::str::from_utf8(text).unwrap();
        assert!(text.contains(from));
        seal(text.replacen(from, to, 1).as_bytes(), body)
    };
    for (name, bytes) in [
        ("sound.capsule", good.clone()),
        ("old.capsule", [b"failure-capsule 0\n", &good[18..]].concat()),
        ("other-unit.capsule", replaced("unit = \"lwp\"", "unit = \"mmu\"")),
        ("other-size.capsule", replaced("\"lwp_w4\"", "\"lwp_w64\"")),
        ("cut.capsule", good[..good.len() / 2].to_vec()),
        ("text.capsule", b"{\"ip\":\"0x1\"}\n".to_vec()),
        ("empty.capsule", Vec::new()),
    ] {
        fs::write(bench.path(name), bytes).unwrap();
    }
    let done = bench.triage(&["."]);
    assert_eq!(done.code, Some(2), "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("7 capsules: 0 fail in 0 ways, 1 pass, 6 cannot be used\n"), "{}", done.stdout);
    for line in [
        "fails no more: sound.capsule",
        "cannot be used: old.capsule: the capsule has version 0 of the format",
        "cannot be used: other-unit.capsule: the capsule is of the unit `mmu`",
        "cannot be used: other-size.capsule: the capsule is of the build `lwp_w64`",
        "cannot be used: cut.capsule: the capsule breaks off",
        "cannot be used: text.capsule: this is no failure capsule",
        "cannot be used: empty.capsule: the capsule is damaged: the file is empty",
        "  help: use the program that wrote it",
    ] {
        assert!(done.stdout.contains(line), "{line}: {}", done.stdout);
    }
    // One that fails counts more than those that cannot be used.
    for (name, cycle) in [("one", 40), ("two", 60)] {
        let text = format!("cycle {cycle}: the head jumps: {cycle:#x} to 0x80");
        of_property(&text, cycle).save(&bench.path(&format!("{name}.capsule"))).unwrap();
    }
    let done = bench.triage(&[".", "--json", "-"]);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    let json: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((json["schema"].as_str(), json["examined"].as_u64()), (Some("triage/1"), Some(9)));
    let groups = json["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "{}", done.stdout);
    let of = |key: &str| groups[0][key].as_str().unwrap();
    assert_eq!((of("unit"), of("kind"), of("field")), ("lwp", "property", "monitors: the head jumps"));
    assert_eq!(groups[0]["capsules"].as_array().unwrap().len(), 2);
    assert_eq!(json["refused"].as_array().unwrap().len(), 6);
    assert_eq!(json["passing"].as_array().unwrap().len(), 1);
    assert!(done.stderr.contains("9 capsules: 2 fail in 1 way, 1 pass"), "{}", done.stderr);
}

#[test]
fn exit_codes_and_messages_of_wrong_command_lines() {
    let bench = Bench::new();
    fs::write(bench.path("readme.txt"), "no capsule").unwrap();
    for (args, code, says) in [
        (&[][..], 2, "required"),
        (&["nowhere"], 2, "there is no folder or capsule `nowhere`"),
        (&["."], 2, "no capsule is in `.`"),
        (&[".", "--tries", "many"], 2, "invalid value"),
    ] {
        let done = bench.triage(args);
        assert_eq!((done.code, done.stdout.as_str()), (Some(code), ""), "{args:?}: {}", done.stderr);
        assert!(done.stderr.contains(says), "{args:?}: {}", done.stderr);
    }
    capsule_of(BUGS[0]).save(&bench.path("sound.capsule")).unwrap();
    assert_eq!(bench.triage(&["."]).code, Some(0));
    assert_eq!(bench.triage(&["-q", "sound.capsule"]).stdout, "");
    let unwritable = bench.triage(&[".", "--json", "/proc/nonexistent/x.json"]);
    assert_eq!(unwritable.code, Some(3), "{}", unwritable.stderr);
    assert_eq!(fs::read_dir(bench.0.path()).unwrap().count(), 2, "nothing was written");
}

/// A name that is not UTF-8 is a file name like any other.
#[test]
fn a_name_that_is_no_text_is_told_in_json() {
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::new();
    let name = std::ffi::OsStr::from_bytes(b"\xFFbad.capsule");
    capsule_of(BUGS[0]).save(&bench.0.path().join(name)).unwrap();
    let done = bench.triage(&[".", "--json", "-"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let json: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(json["passing"][0].as_str(), Some("./\u{FFFD}bad.capsule"));
}
