//! Every input of every corpus keeps the promises: those that are seeds, and those that once did not.
use fuzz_inputs::seeds::seeds;
use fuzz_inputs::{TARGETS, corpus, limits};
use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;

/// Bytes of all corpora: they are cloned by everybody.
const LARGEST: usize = 200_000;

#[test]
fn every_input_keeps_the_promises() {
    let (mut bytes, mut broken) = (0, Vec::new());
    for target in &TARGETS {
        let inputs = corpus::of(target.name);
        assert!(!inputs.is_empty(), "{} has no corpus", target.name);
        for (name, input) in inputs {
            bytes += input.len();
            let Ok(cost) = catch_unwind(|| limits::call(target, &input)) else {
                broken.push(format!("{}/{name}", target.name));
                continue;
            };
            println!(
                "{:14} {name:24} {:7} bytes {:9} bytes of memory {:?}",
                target.name,
                input.len(),
                cost.memory,
                cost.time
            );
        }
    }
    assert!(broken.is_empty(), "a promise is broken (see above) by {broken:?}");
    assert!(bytes < LARGEST, "{bytes} bytes of corpora");
}

#[test]
fn the_seeds_are_those_of_the_program() {
    for seed in seeds() {
        let kept = corpus::of(seed.target).into_iter().find(|(name, _)| name == seed.name);
        assert!(
            kept.is_some_and(|(_, bytes)| bytes == seed.bytes),
            "{}/{}: run `cargo run --release -p fuzz-inputs`",
            seed.target,
            seed.name
        );
    }
}

/// A target that only one of the two sides knows would never be run.
#[test]
fn the_fuzzer_has_the_same_targets() {
    let names: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let folder = corpus::folder().join("../fuzz_targets");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: BTreeSet<String> = files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, files);
    let corpora = fs::read_dir(corpus::folder()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names, corpora.map(|name| name.to_string_lossy().into_owned()).collect());
    let manifest = fs::read_to_string(corpus::folder().join("../Cargo.toml")).unwrap();
    assert!(
        names.iter().all(|name| manifest.contains(&format!("name = \"{name}\""))),
        "verify/fuzz/Cargo.toml lacks one"
    );
}

/// Seeds that are refused at once would leave the code behind unseen.
#[test]
fn traces_among_the_seeds_are_read_to_their_ends() {
    use fuzz_inputs::file::with_file;
    use fuzz_inputs::targets::{capture, reading};
    for (name, bytes) in corpus::of("trace").into_iter().filter(|(name, _)| !name.starts_with("found-")) {
        let read = with_file(&bytes, |path| reading::read(path, u64::MAX));
        assert!(read.error.is_none() && read.count > 4, "{name}: {read:?}");
    }
    let seed = seeds().into_iter().find(|seed| seed.target == "capture" && seed.name == "blocks").unwrap();
    let read = with_file(&capture::file(&seed.bytes), |path| reading::read(path, u64::MAX));
    assert!(read.error.is_none() && read.count == 9, "{:?} after {}", read.error, read.count);
}

#[test]
fn sessions_and_capsules_among_the_seeds_are_taken() {
    use sim_harness::capsule::Capsule;
    use sim_harness::lwp::session::Session;
    for seed in seeds() {
        if seed.target.starts_with("session") {
            let text = String::from_utf8(seed.bytes.clone()).unwrap();
            assert!(Session::parse(seed.name, &text).is_ok(), "{}: {:?}", seed.name, Session::parse(seed.name, &text));
        }
        if seed.target == "capsule" {
            Capsule::from_bytes(&seed.bytes).unwrap();
        }
        if seed.target == "plugin_records" && seed.name == "loop" {
            sim_harness::capture::assemble(&seed.bytes).unwrap();
        }
    }
}
