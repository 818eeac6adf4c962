//! Capsules as files: there and back, and everything that can be wrong with one.

use crate::capsule_support::seal::{seal, text_and_body};
use crate::capsule_support::{BUGS, Buggy, capsule_of};
use sim_harness::capsule::{Capsule, CapsuleError, Start, Way, replay_on};
use sim_harness::lockstep::Window;
use std::sync::LazyLock;

static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| capsule_of(BUGS[0]).to_bytes());

/// The capsule with another text, sealed anew.
fn with_text(change: impl Fn(&str) -> String) -> Vec<u8> {
    let (text, body) = text_and_body(&GOOD);
    seal(change(std::str::from_utf8(text).unwrap()).as_bytes(), body)
}

fn replaced(from: &str, to: &str) -> CapsuleError {
    let bytes = with_text(|text| {
        assert!(text.contains(from), "{from} is not in\n{text}");
        text.replacen(from, to, 1)
    });
    Capsule::from_bytes(&bytes).unwrap_err()
}

#[test]
fn there_and_back() {
    let capsule = capsule_of(BUGS[3]);
    let again = Capsule::from_bytes(&capsule.to_bytes()).unwrap();
    assert_eq!(again, capsule);
    assert_eq!(again.inputs(), capsule.inputs());
    assert_eq!(with_text(str::to_owned), *GOOD, "the test's own sealing");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    capsule.save(&path).unwrap();
    assert_eq!(Capsule::load(&path).unwrap(), capsule);
    assert_eq!(std::fs::read(&path).unwrap(), capsule_of(BUGS[3]).to_bytes(), "the same failure is the same file");
}

#[test]
fn the_text_says_what_is_needed() {
    let capsule = Capsule::from_bytes(&GOOD).unwrap();
    let header = capsule.header();
    assert_eq!((header.unit.as_str(), header.build.as_str(), header.start), ("lwp", "lwp_w4", Start::Reset));
    assert_eq!(header.failure.way, Way::Mismatch { field: "state.head".to_owned() });
    assert_eq!(header.parameters["RetireLanes"], 4);
    assert_eq!(header.origin.seeds["memory"], 7);
    assert_eq!(header.origin.sources["rtl"].len(), 64);
    assert!(
        header.origin.versions["verilator"].contains('.') && header.origin.versions["rustc"].starts_with("rustc 1")
    );
    assert!(capsule.broken_rule().is_none() && header.cycles > header.failure.cycle);
    let text = String::from_utf8_lossy(&GOOD);
    assert!(text.contains("field = \"state.head\"") && text.contains("repeat = \"cargo test\""), "for `head`");
}

/// Each bit of the file, flipped, is noticed; here, one bit of each byte.
#[test]
fn damage_is_noticed_wherever_it_is() {
    let mut seen = [0; 4];
    for at in 0..GOOD.len() {
        let mut bytes = GOOD.clone();
        bytes[at] ^= 1 << (at % 8);
        let place = match Capsule::from_bytes(&bytes).expect_err("damaged") {
            CapsuleError::NotACapsule => 0,
            CapsuleError::Version { .. } => 1,
            CapsuleError::Truncated { .. } => 2,
            CapsuleError::Damaged { .. } => 3,
            other => panic!("byte {at}: {other}"),
        };
        seen[place] += 1;
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn a_file_that_breaks_off_or_goes_on_is_noticed() {
    for length in 0..GOOD.len() {
        let error = Capsule::from_bytes(&GOOD[..length]).expect_err("truncated");
        let right =
            matches!(error, CapsuleError::NotACapsule | CapsuleError::Truncated { .. } | CapsuleError::Damaged { .. });
        assert!(right, "{length}: {error}");
    }
    let error = Capsule::from_bytes(&GOOD[..GOOD.len() - 1]).unwrap_err();
    assert!(matches!(error, CapsuleError::Truncated { expected, found } if expected == found + 1), "{error}");
    let error = Capsule::from_bytes(&[&GOOD[..], b"x"].concat()).unwrap_err();
    assert!(error.to_string().contains("1 bytes follow"), "{error}");
}

#[test]
fn other_files_and_versions_are_named() {
    let empty = Capsule::from_bytes(b"").unwrap_err();
    assert_eq!(empty.to_string(), "the capsule is damaged: the file is empty");
    for bytes in [&b"x"[..], b"{\"ip\":1}\n", &[0; 1000]] {
        assert!(matches!(Capsule::from_bytes(bytes), Err(CapsuleError::NotACapsule)));
    }
    let newer = [b"failure-capsule 2\n", &GOOD[18..]].concat();
    let error = Capsule::from_bytes(&newer).unwrap_err();
    assert_eq!(error.to_string(), "the capsule has version 2 of the format, and this program reads version 1");
    let missing = Capsule::load(std::path::Path::new("/proc/nonexistent")).unwrap_err();
    assert!(matches!(missing, CapsuleError::Missing { .. }), "{missing}");
    let folder = Capsule::load(std::path::Path::new("/tmp")).unwrap_err();
    assert!(matches!(folder, CapsuleError::Unreadable { .. }), "{folder}");
}

#[test]
fn a_text_that_does_not_fit_this_program_is_refused() {
    let error = replaced("unit = \"lwp\"", "unit = \"pmu\"");
    assert_eq!(
        error.to_string(),
        "the capsule is of the unit `pmu`, and this program knows `lwp`, `tsc`, `perf`, `debug`, `trace`, `rdt`, `itanium`"
    );
    let error = replaced("build = \"lwp_w4\"", "build = \"lwp_w16\"");
    assert!(matches!(&error, CapsuleError::Build { build, .. } if build == "lwp_w16"), "{error}");
    let error = replaced("build = \"lwp_w4\"", "build = \"lwp_w1\"");
    assert!(matches!(error, CapsuleError::Sizes { what: "words of inputs", .. }), "{error}");
    let error = replaced("RetireLanes = 4", "RetireLanes = 3");
    assert!(matches!(error, CapsuleError::Sizes { what: "parameters", .. }), "{error}");
    let error = replaced("straps = [\"0x2002", "straps = [\"0x1\", \"0x2002");
    assert!(matches!(error, CapsuleError::Sizes { what: "words of straps", .. }), "{error}");
    let error = replaced("\"0x00000001\"", "\"0x00000000\"");
    assert!(matches!(&error, CapsuleError::Straps { reason } if reason.contains("LFSR")), "{error}");
    let error = replaced("start = \"reset\"", "start = \"checkpoint\"");
    assert!(error.to_string().contains("checkpoint"), "{error}");
    let error = replaced("in_words = 56", "in_words = \"many\"");
    assert!(matches!(error, CapsuleError::Text { .. }), "{error}");
    let error = replaced("unit = \"lwp\"", "unit = \"lwp\"\nmore = 1");
    assert!(error.to_string().contains("more"), "{error}");
}

#[test]
fn rows_that_are_not_there_are_missed() {
    let cycles = Capsule::from_bytes(&GOOD).unwrap().header().cycles;
    let error = replaced(&format!("cycles = {cycles}"), &format!("cycles = {}", cycles + 100_000));
    assert!(error.to_string().contains("rows cannot be read"), "{error}");
    let error = replaced(&format!("cycles = {cycles}"), &format!("cycles = {}", (1_u64 << 40) + 1));
    assert!(error.to_string().contains("are the most"), "{error}");
    let error = replaced(&format!("cycles = {cycles}"), "cycles = 3");
    assert!(error.to_string().contains("no inputs"), "{error}");
}

#[test]
fn a_replay_shows_the_rows_around_the_failure() {
    let capsule = Capsule::from_bytes(&GOOD).unwrap();
    let replayed = replay_on(&Buggy(BUGS[0]), &capsule, Window { before: 20, after: 5 }).unwrap();
    let found = replayed.found.as_ref().unwrap();
    assert!(replayed.as_recorded && replayed.changed.is_empty());
    let cycles: Vec<u64> = replayed.rows.iter().map(|row| row.cycle).collect();
    assert_eq!(cycles, (found.cycle - 20..=found.cycle + 5).collect::<Vec<_>>());
    let (before, at) = replayed.rows.split_at(20);
    assert!(before.iter().all(|row| row.model == row.rtl));
    assert_ne!(at[0].model, at[0].rtl);
    let evidence = sim_harness::report::failure::Evidence::of_replay(&capsule, &replayed, String::new()).unwrap();
    assert_eq!(evidence.idle_from, None, "the capsule goes on for long enough");
    let inputs = capsule.inputs();
    for row in &replayed.rows {
        assert_eq!(row.inputs, inputs[row.cycle as usize * 56..][..56], "cycle {}", row.cycle);
    }
}
