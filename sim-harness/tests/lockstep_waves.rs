//! Wave files of failing runs.

use crate::lockstep_support::{fresh, inputs, recording};
use sim_harness::lockstep::{Recording, WaveError, Window, replay_with_waves};
use sim_harness::rtl::{BuildId, Flavour};
use std::fs;
use std::path::Path;

const WINDOW: Window = Window { before: 100, after: 10 };

fn build() -> BuildId {
    BuildId::ALL[0]
}

/// A recording of 3000 cycles that is wrong in one.
fn wrong_in(cycle: usize) -> Recording {
    let mut recording = recording(build(), &inputs(build(), 20, 3000));
    recording.expected_mut()[cycle * build().info().out_words] ^= 1;
    recording
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes[..8].iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// First and last time of an FST file, whose blocks must follow each other to its end: type, length, content.
fn times_of_fst(path: &Path) -> (u64, u64) {
    const HEADER: u8 = 0;
    const GEOMETRY: u8 = 3;
    let bytes = fs::read(path).unwrap();
    assert_eq!((bytes[0], big_endian(&bytes[1..])), (HEADER, 329), "header block");
    let (mut at, mut kinds) = (0, Vec::new());
    while at < bytes.len() {
        kinds.push(bytes[at]);
        at += 1 + usize::try_from(big_endian(&bytes[at + 1..])).unwrap();
    }
    assert_eq!(at, bytes.len(), "blocks end with the file");
    let holds = |wanted: &[u8]| kinds.iter().any(|kind| wanted.contains(kind));
    assert!(holds(&[GEOMETRY]) && holds(&[4, 6, 7]) && holds(&[1, 5, 8]), "geometry, hierarchy, changes: {kinds:?}");
    (big_endian(&bytes[9..]), big_endian(&bytes[17..]))
}

#[test]
fn waves_surround_the_divergence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failing.fst");
    for (cycle, first, last) in [(1500, 1400, 1510), (50, 0, 60), (2995, 2895, 2999), (1024, 924, 1034), (0, 0, 10)] {
        let mut rtl = fresh(build(), Flavour::Traced);
        let report = replay_with_waves(&mut wrong_in(cycle), &mut rtl, cycle as u64, WINDOW, &path).unwrap();
        assert_eq!((report.first_cycle, report.cycles), (first, last - first + 1));
        // A cycle begins with the rising edge at ten times its number; the falling edge comes five later.
        assert_eq!(times_of_fst(&path), (first * 10, last * 10 + 5));
    }
}

#[test]
fn one_instance_may_write_several_files() {
    let folder = tempfile::tempdir().unwrap();
    let ins = inputs(build(), 21, 100);
    let mut rtl = fresh(build(), Flavour::Traced);
    for (index, name) in ["a.fst", "b.fst"].into_iter().enumerate() {
        let path = folder.path().join(name);
        rtl.open_waves(&path).unwrap();
        rtl.run(&ins);
        rtl.close_waves();
        let first = index as u64 * 1000;
        assert_eq!(times_of_fst(&path), (first, first + 995));
    }
}

#[test]
fn another_cycle_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elsewhere.fst");
    for claimed in [400, 600, 2999] {
        let mut rtl = fresh(build(), Flavour::Traced);
        let error = replay_with_waves(&mut wrong_in(500), &mut rtl, claimed, WINDOW, &path).unwrap_err();
        let traced = (claimed >= 490).then_some(500);
        assert!(matches!(error, WaveError::Elsewhere { fast, traced: found } if fast == claimed && found == traced));
    }
}

#[test]
fn files_that_cannot_be_written_are_errors() {
    let ins = inputs(build(), 22, 10);
    let mut rtl = fresh(build(), Flavour::Traced);
    assert!(rtl.open_waves(Path::new("/nowhere/at/all.fst")).is_err());
    rtl.run(&ins);
    assert!(fresh(build(), Flavour::Fast).open_waves(Path::new("unused.fst")).is_err());
    assert!(!Path::new("unused.fst").exists());
}
