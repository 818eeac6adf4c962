//! `lwp-sim replay`, `shrink` and `report` before their shell: exit codes, and what they say of files that are none.

use crate::capsule_support::seal::{seal, text_and_body};
use crate::capsule_support::{BUGS, BUILD, capsule_of, producer, straps};
use sim_harness::capsule::{Capsule, Failure, Way, origin};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn lwp_sim(args: &[&str], capsule: &Path) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_lwp-sim")).args(args).arg(capsule).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let done = Done { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    done
}

const COMMANDS: [&str; 3] = ["replay", "shrink", "report"];

#[test]
fn files_that_are_no_capsules_are_2_and_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    let good = capsule_of(BUGS[0]).to_bytes();
    let (text, body) = text_and_body(&good);
    let replaced = |from: &str, to: &str| {
        let text = std::str::from_utf8(text).unwrap();
        assert!(text.contains(from));
        seal(text.replacen(from, to, 1).as_bytes(), body)
    };
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for (bytes, says, help) in [
        (Vec::new(), "the file is empty", "find the failure again"),
        (b"{\"ip\":\"0x1\"}\n".to_vec(), "this is no failure capsule", "goes to `lwp-sim cosim`"),
        (good[..good.len() / 2].to_vec(), "breaks off", "copy it again"),
        (flipped, "its checksum is wrong", "copy it again"),
        ([b"failure-capsule 2\n", &good[18..]].concat(), "version 2 of the format", "use the program that wrote it"),
        (replaced("\"lwp_w4\"", "\"lwp_w64\""), "the build `lwp_w64`", "all-sizes"),
        (replaced("in_words = 56", "in_words = 57"), "words of inputs", "the contract has changed since"),
    ] {
        fs::write(&path, bytes).unwrap();
        for command in COMMANDS {
            let Done { code, stdout, stderr } = lwp_sim(&[command], &path);
            // Lines are wrapped and framed.
            let words = stderr.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!((code, stdout.as_str()), (Some(2), ""), "{command}: {stderr}");
            assert!(words.contains(says) && words.contains(help), "{command}: {stderr}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
}

/// Neither a device without end nor a folder keeps it busy.
#[test]
fn what_is_no_file_is_told() {
    for command in COMMANDS {
        for (path, code) in [("/proc/nonexistent", 2), ("/dev/null", 2), ("/dev/zero", 2), ("/tmp", 3)] {
            let done = lwp_sim(&[command], Path::new(path));
            assert_eq!(done.code, Some(code), "{command} {path}: {}", done.stderr);
        }
    }
}

/// This program's RTL has none of the seeded bugs.
#[test]
fn a_capsule_that_does_not_fail_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    capsule_of(BUGS[0]).save(&path).unwrap();
    let replayed = lwp_sim(&["replay"], &path);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
    assert!(replayed.stdout.contains("model and RTL agree in all"), "{}", replayed.stdout);
    assert_eq!(lwp_sim(&["replay", "--quiet"], &path).stdout, "");
    let shrunk = lwp_sim(&["shrink"], &path);
    assert_eq!(shrunk.code, Some(4), "{}", shrunk.stderr);
    assert!(shrunk.stderr.contains("does not fail in the way that it says"), "{}", shrunk.stderr);
    let long = lwp_sim(&["shrink", "--longest", "10"], &path);
    assert_eq!(long.code, Some(2), "{}", long.stderr);
    assert!(long.stderr.contains("10 cycles are the most"), "{}", long.stderr);
    let reported = lwp_sim(&["report"], &path);
    assert_eq!((reported.code, reported.stdout.as_str()), (Some(0), ""), "{}", reported.stderr);
    assert!(reported.stderr.contains("there is nothing to report"), "{}", reported.stderr);
    assert!(!folder.path().join("x.small.capsule").exists());
}

/// A property's capsule whose report is asked for by a program that lies in a folder of its own, with or without `judge` next to it.
fn printed_command(judge: Option<&str>) -> (tempfile::TempDir, String) {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("the programs");
    fs::create_dir(&programs).unwrap();
    let program = programs.join("lwp-sim");
    symlink(env!("CARGO_BIN_EXE_lwp-sim"), &program).unwrap();
    if let Some(judge) = judge {
        fs::write(programs.join("judge"), judge).unwrap();
        fs::set_permissions(programs.join("judge"), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = folder.path().join("it's one.capsule");
    let failure = Failure::new(Way::Property { name: "monitors".to_owned() }, 40);
    let origin = origin("test", "cargo test", BTreeMap::new());
    Capsule::record(BUILD, &straps(), &mut producer(), failure, origin).unwrap().save(&path).unwrap();
    let output = Command::new(&program).arg("report").arg("it's one.capsule").current_dir(folder.path()).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    let line = text.lines().find_map(|line| line.trim().strip_prefix("again: ")).expect("a command").to_owned();
    (folder, line)
}

/// The last line of the report is a command that works: the program that judges properties, with the capsule as one word.
#[test]
fn the_command_in_the_report_of_a_property_runs() {
    let (folder, line) =
        printed_command(Some("#!/bin/sh\n[ \"$1\" = replay ] && [ -f \"$2\" ] && [ $# = 2 ] && exit 1\nexit 2\n"));
    let ran = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).status().unwrap();
    assert_eq!(ran.code(), Some(1), "{line}");
    // Without it next to this program, cargo builds and runs it.
    let (_folder, line) = printed_command(None);
    let command = line.strip_suffix(r" replay 'it'\''s one.capsule'").expect(&line);
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words, ["cargo", "run", "--release", "-p", "proptests", "--bin", "judge", "--"]);
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("../proptests/src/bin/judge/main.rs").is_file());
}

/// A property's failure can be reported without its judge, but neither replayed nor shrunk.
#[test]
fn a_property_needs_its_judge() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    let mut failure = Failure::new(Way::Property { name: "monitors".to_owned() }, 40);
    failure.text = "cycle 40: the head jumps".to_owned();
    let origin = origin("test", "cargo test", BTreeMap::new());
    let capsule = Capsule::record(BUILD, &straps(), &mut producer(), failure, origin).unwrap();
    capsule.save(&path).unwrap();
    for command in ["replay", "shrink"] {
        let done = lwp_sim(&[command], &path);
        assert_eq!(done.code, Some(2), "{command}: {}", done.stderr);
        assert!(done.stderr.contains("judge"), "{}", done.stderr);
    }
    let page = folder.path().join("why.html");
    let reported = lwp_sim(&["report", "--html", page.to_str().unwrap()], &path);
    assert_eq!(reported.code, Some(1), "{}", reported.stderr);
    assert!(
        reported.stdout.starts_with("cycle 40: property monitors: cycle 40: the head jumps"),
        "{}",
        reported.stdout
    );
    assert!(fs::read_to_string(&page).unwrap().contains("the head jumps"));
    let unwritable = lwp_sim(&["report", "-q", "--json", "/proc/nonexistent/x.json"], &path);
    assert_eq!(unwritable.code, Some(3), "{}", unwritable.stderr);
}
