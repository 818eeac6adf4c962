//! Capsules that begin in a state of the run, shortly before the failure.

use crate::capsule_support::seal::{seal, text_and_body};
use crate::capsule_support::{BUGS, Buggy, capsule_of};
use crate::checkpoint_rtl::builds;
use crate::lockstep_support::{RESET, inputs, recording, straps};
use sim_harness::capsule::{
    Capsule, CapsuleError, Failure, ReplayError, ShrinkError, ShrinkOptions, Start, Way, origin, replay, replay_on,
    shrink_on, waves,
};
use sim_harness::lockstep::{Window, differences};
use sim_harness::rtl::BuildId;
use sim_harness::unit::{UNITS, Unit};
use std::collections::BTreeMap;

const HERE: Window = Window { before: 30, after: 5 };

/// A bug without a memory of its own, which shows late.
const BUG: usize = 0;

fn from(before: u64) -> (Capsule, Capsule) {
    let whole = capsule_of(BUGS[BUG]);
    let mut late = whole.from_checkpoint(before).unwrap();
    assert!(late.confirm(&Buggy(BUGS[BUG])).unwrap());
    (whole, late)
}

#[test]
fn it_fails_from_a_checkpoint_as_from_reset() {
    let (whole, late) = from(200);
    let (all, rest) = (&whole.header().failure, &late.header().failure);
    let checkpoint = late.header().checkpoint.clone().unwrap();
    assert_eq!((checkpoint.cycle, rest.cycle), (all.cycle - 200, 200));
    assert_eq!((&rest.way, rest.values, &rest.text), (&all.way, all.values, &all.text));
    assert_eq!(
        (late.header().start, late.header().cycles),
        (Start::Checkpoint, whole.header().cycles - checkpoint.cycle)
    );
    assert_eq!(late.start(), format!("the state of the run in cycle {}", checkpoint.cycle));
    assert_eq!(Capsule::from_bytes(&late.to_bytes()).unwrap(), late);
    let replayed = replay_on(&Buggy(BUGS[BUG]), &late, HERE).unwrap();
    assert!(replayed.as_recorded);
    // The same rows in the same cycles, counted from the checkpoint on.
    let whole = replay_on(&Buggy(BUGS[BUG]), &whole, HERE).unwrap();
    let rows = |rows: &[sim_harness::capsule::WindowRow], start: u64| -> Vec<_> {
        rows.iter().map(|row| (row.cycle + start, row.inputs.clone(), row.model.clone(), row.rtl.clone())).collect()
    };
    assert_eq!(rows(&replayed.rows, checkpoint.cycle), rows(&whole.rows, 0));
    // A later one of one that has one; and none that begins before reset.
    let later = late.from_checkpoint(50).unwrap();
    assert_eq!(later.header().checkpoint.as_ref().unwrap().cycle, checkpoint.cycle + 150);
    assert_eq!(late.from_checkpoint(5000).unwrap(), late);
}

/// What is in flight at a checkpoint is no broken rule.
#[test]
fn the_referee_knows_what_is_in_flight() {
    let whole = capsule_of(BUGS[BUG]);
    assert!(whole.broken_rule().is_none());
    for before in (1..whole.header().failure.cycle).step_by(3) {
        let late = whole.from_checkpoint(before).unwrap();
        assert_eq!(late.broken_rule(), None, "{before} cycles before");
    }
}

#[test]
fn a_late_failure_shrinks() {
    let whole = capsule_of(BUGS[BUG]);
    let late = whole.header().failure.cycle;
    for options in [
        ShrinkOptions { checkpoint: Some(500), ..ShrinkOptions::default() },
        ShrinkOptions { longest: late, ..ShrinkOptions::default() },
        ShrinkOptions { longest: 300, ..ShrinkOptions::default() },
    ] {
        let mut most = 0;
        let small = shrink_on(&Buggy(BUGS[BUG]), None, &whole, &options, &mut |now| {
            most = most.max(now.cycles);
            true
        });
        let small = small.unwrap();
        let shrunk = small.header().shrunk.unwrap();
        assert!(most <= options.checkpoint.unwrap_or(late) + 1, "{most} cycles were held");
        assert!(shrunk.complete && small.broken_rule().is_none());
        assert_eq!((shrunk.cycles_before, &small.header().failure.way), (late + 1, &whole.header().failure.way));
        assert!(small.header().cycles < 200, "{}", small.header().cycles);
        assert!(small.header().checkpoint.is_some());
        assert_eq!(small.header().straps, whole.header().straps, "a state belongs to its straps");
        assert!(replay_on(&Buggy(BUGS[BUG]), &small, HERE).unwrap().as_recorded);
        // Once more: it begins where it began.
        let again = shrink_on(&Buggy(BUGS[BUG]), None, &small, &ShrinkOptions::default(), &mut |_| true).unwrap();
        assert_eq!(again.header().checkpoint, small.header().checkpoint);
        assert_eq!(again.header().shrunk.unwrap().cycles_before, late + 1);
    }
}

/// A unit that holds more than a row shows: its capsules begin at reset.
#[test]
fn a_unit_with_memories_begins_at_reset() {
    let with_memories: Vec<&str> =
        UNITS.iter().filter(|unit| !unit.capsule.checkpoints).map(|unit| unit.name).collect();
    assert_eq!(with_memories, ["rdt"]);
    for &build in BuildId::ALL.iter().filter(|build| !Unit::of(**build).capsule.checkpoints) {
        let failure = Failure::new(Way::Mismatch { field: "reg_done".to_owned() }, 200);
        let origin = origin("test", "cargo test", BTreeMap::new());
        let mut run = recording(build, &inputs(build, 5, 300));
        let capsule = Capsule::record(build, &straps(build), &mut run, failure, origin).unwrap();
        assert_eq!(capsule.from_checkpoint(100).unwrap(), capsule);
        let options = ShrinkOptions { checkpoint: Some(10), ..ShrinkOptions::default() };
        let error = shrink_on(&build, None, &capsule, &options, &mut |_| true).unwrap_err();
        assert!(matches!(error, ShrinkError::NoCheckpoint { .. }), "{error}");
        let mut model = (Unit::of(build).capsule.model)(build, &straps(build)).unwrap();
        let mut row = vec![0; build.info().out_words];
        model.cycle(&inputs(build, 5, 1), &mut row);
        assert!(!model.resume(&row), "{}", build.name());
    }
}

/// Assertions and properties remember what no row shows.
#[test]
fn other_failures_are_refused() {
    let build = BuildId::ALL[0];
    let failure = Failure::new(Way::Property { name: "none".to_owned() }, 200);
    let origin = origin("test", "cargo test", BTreeMap::new());
    let mut run = recording(build, &inputs(build, 5, 300));
    let capsule = Capsule::record(build, &straps(build), &mut run, failure, origin).unwrap();
    let options = ShrinkOptions { checkpoint: Some(10), ..ShrinkOptions::default() };
    let error = shrink_on(&build, None, &capsule, &options, &mut |_| true).unwrap_err();
    assert!(matches!(error, ShrinkError::NoCheckpoint { .. }), "{error}");
}

/// Every build of every unit, on the RTL of this program: model and RTL go on alike from a checkpoint, and there are waves.
#[test]
fn every_unit_begins_in_a_state() {
    let folder = tempfile::tempdir().unwrap();
    for build in builds() {
        let failure = Failure::new(Way::Property { name: "none".to_owned() }, 900);
        let origin = origin("test", "cargo test", BTreeMap::new());
        let mut run = recording(build, &inputs(build, 6, 1000));
        let whole = Capsule::record(build, &straps(build), &mut run, failure, origin).unwrap();
        let replayed = replay(&whole, HERE).unwrap();
        assert_eq!(replayed.found, None, "{} from reset", build.name());
        for before in (1..900 - RESET as u64).step_by(101) {
            let late = whole.from_checkpoint(before).unwrap();
            let replayed = replay(&late, HERE).unwrap();
            assert_eq!((replayed.found, replayed.cycles), (None, late.header().cycles), "{}", build.name());
        }
        let late = whole.from_checkpoint(300).unwrap();
        for window in [HERE, Window { before: 1000, after: 10 }] {
            let written = waves(&late, window, &folder.path().join("x.fst")).unwrap();
            let first = 300_u64.saturating_sub(window.before);
            assert_eq!((written.first_cycle, written.cycles, written.fails), (first, 301 + window.after - first, None));
        }
    }
}

/// The same in sessions that record, with page faults and a busy memory port.
#[test]
fn the_rtl_begins_in_states_of_sessions() {
    let whole = capsule_of(BUGS[9]);
    for before in (1..whole.header().failure.cycle).step_by(23) {
        let replayed = replay(&whole.from_checkpoint(before).unwrap(), HERE).unwrap();
        assert_eq!(replayed.found, None, "{before} cycles before");
    }
}

/// A state that is none, and a table that does not fit.
#[test]
fn a_wrong_checkpoint_is_refused() {
    let (_, late) = from(200);
    let bytes = late.to_bytes();
    let (text, body) = text_and_body(&bytes);
    let text = std::str::from_utf8(text).unwrap();
    let row = &late.header().checkpoint.as_ref().unwrap().row;
    let read = |text: &str| Capsule::from_bytes(&seal(text.as_bytes(), body));
    assert_eq!(read(text).unwrap(), late);
    // The first word has outputs, which follow from registers.
    let first = format!("row = [\n    \"{:#010x}\"", row[0]);
    let first = if text.contains(&first) { first } else { format!("row = [\"{:#010x}\"", row[0]) };
    assert!(text.contains(&first), "{text}");
    let flipped = first.replace(&format!("{:#010x}", row[0]), &format!("{:#010x}", row[0] ^ 1));
    let error = read(&text.replacen(&first, &flipped, 1)).unwrap_err();
    assert!(matches!(error, CapsuleError::Checkpoint { who: "model" }), "{error}");
    let more = format!("{first}, \"0x00000000\"");
    let error = read(&text.replacen(&first, &more, 1)).unwrap_err();
    assert!(matches!(error, CapsuleError::Sizes { what: "words of a checkpoint", .. }), "{error}");
    let error = read(&text.replacen("start = \"checkpoint\"", "start = \"reset\"", 1)).unwrap_err();
    assert!(error.to_string().contains("do not belong together"), "{error}");
    // RTL that cannot begin there: a target without the means.
    struct Never;
    impl sim_harness::capsule::Target for Never {
        fn build(&self) -> BuildId {
            crate::capsule_support::BUILD
        }
        fn power_up(&self, _: sim_harness::rtl::Flavour, _: &[u32]) -> Box<dyn sim_harness::capsule::Subject> {
            unreachable!("it begins in a state")
        }
    }
    let error = replay_on(&Never, &late, HERE).unwrap_err();
    assert!(matches!(error, ReplayError::Capsule(CapsuleError::Checkpoint { who: "RTL" })), "{error}");
}

/// The model of every build goes on from each state of a run as it went on there.
#[test]
fn every_model_goes_on() {
    for build in builds() {
        let (unit, info, ins) = (Unit::of(build).capsule, build.info(), inputs(build, 6, 1000));
        let mut model = (unit.model)(build, &straps(build)).unwrap();
        let mut rows = vec![vec![0; info.out_words]; 1000];
        let inputs: Vec<&[u32]> = ins.chunks_exact(info.in_words).collect();
        for (inputs, row) in inputs.iter().zip(&mut rows) {
            model.cycle(inputs, row);
        }
        let mut shown = vec![0; info.out_words];
        for start in (RESET..1000).step_by(29) {
            assert!(model.resume(&rows[start]), "{} cycle {start}", build.name());
            for cycle in start..1000 {
                model.cycle(inputs[cycle], &mut shown);
                let found = differences((unit.fields)(build), &rows[cycle], &shown);
                assert!(found.is_empty(), "{} cycle {cycle} from {start}: {found:?}", build.name());
            }
        }
    }
}
