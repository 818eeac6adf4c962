//! Capsules of properties; and the rules that shrinking keeps: they are those of every polite core, and a core put before any list of
//! inputs makes it keep them.

use lwp_model::lwp::{Config, StoreState};
use proptest::prelude::*;
use proptests::capsule::{forget, save};
use proptests::lwp::bench::{Recording, play};
use proptests::lwp::lockstep::{self, agree};
use proptests::lwp::monitor::watch;
use proptests::lwp::scenario::{Op, Scenario, scenario};
use proptests::lwp::{Properties, note_property};
use proptests::runner::{check, draw};
use sim_harness::capsule::{Capsule, Drive, Judge, Model, Played, ShrinkOptions, Verdict, Way, shrink_on};
use sim_harness::lwp::capsule::UNIT;
use sim_harness::lwp::flat::{OUT_WORDS, in_words, pack_straps};
use sim_harness::lwp::unflat::{unpack_state, unpack_straps};
use sim_harness::rtl::BuildId;
use sim_harness::triage::{Batch, Triage, bar, list};

const BUILD: BuildId = BuildId::LwpW4;

fn rows(recording: &Recording<4>) -> Vec<u32> {
    lockstep::rows(&Config::default(), recording).inputs
}

fn model(straps: &Config) -> Box<dyn Model> {
    (UNIT.model)(BUILD, &pack_straps(straps)).expect("legal straps")
}

fn drive(straps: &Config, rows: &[u32], how: Drive) -> Played {
    let (mut model, mut played) = (model(straps), Played::default());
    model.learn(rows);
    assert!(model.drive(rows, how, usize::MAX, &mut played));
    played
}

/// What the scenario's player and the rows' model show is the same: reading a row back loses nothing that matters.
#[test]
fn rows_of_inputs_hold_the_run() {
    check("capsule", "rows_of_inputs_hold_the_run", &scenario(100), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        let played = drive(&scenario.straps, &rows(&recording), Drive::Raw);
        let differs = |(row, cycle): &(&[u32], &proptests::lwp::bench::Cycle<4>)| unpack_state(row) != cycle.state;
        match played.expected.chunks_exact(OUT_WORDS).zip(&recording.cycles).position(|pair| differs(&pair)) {
            None => Ok(()),
            Some(cycle) => Err(format!("cycle {cycle} shows something else")),
        }
    });
}

/// The scenario, played by a polite core, without what no such core is told to do.
fn with_manners(scenario: &Scenario) -> Scenario {
    let mut polite = Scenario { polite: true, ..scenario.clone() };
    polite.ops.retain(|op| !matches!(op, Op::AckInterrupt | Op::AckPageFault | Op::Buffer(_)));
    for op in &mut polite.ops {
        let lanes = match op {
            Op::Retire(lanes) => &mut lanes[..],
            Op::Partial(lane) | Op::Miss(lane, ..) => std::slice::from_mut(lane),
            _ => &mut [],
        };
        lanes.iter_mut().flat_map(|lane| &mut lane.loads).for_each(|load| load.tagged = false);
    }
    polite
}

/// The two cores that play scenarios, with manners and without, and the rules.
#[test]
fn polite_cores_keep_the_rules_and_others_do_not() {
    let broken = |scenario: &Scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        drive(&scenario.straps, &rows(&recording), Drive::Raw).broken
    };
    check("capsule", "polite_cores_keep_the_rules_and_others_do_not", &scenario(100), |scenario| {
        let polite = with_manners(scenario);
        // The player takes traps between its operations, and not within one.
        let broken = broken(&polite).filter(|(_, rule)| !rule.contains("before a page-fault trap is taken"));
        broken.map_or(Ok(()), |(cycle, rule)| Err(format!("cycle {cycle}: {rule}")))
    });
    let rude = (0..300).filter(|&seed| broken(&Scenario { polite: false, ..draw(seed, &scenario(100)) }).is_some());
    assert!(rude.count() > 150, "most runs of a rude core break a rule");
}

/// Splitmix64.
fn noise(seed: u64) -> impl Iterator<Item = u32> {
    (1..).map(move |at: u64| {
        let mut z = seed.wrapping_add(at.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z >> 32) as u32
    })
}

/// Whatever the list of inputs, what the polite core makes of it keeps the rules; with model and RTL agreeing on it.
#[test]
fn driven_inputs_keep_the_rules() {
    let strategy = (scenario(60), any::<u64>(), 0..160_usize);
    check("capsule", "driven_inputs_keep_the_rules", &strategy, |(scenario, seed, cycles)| {
        let straps = scenario.straps;
        let (recording, _) = play::<4, 8, 31>(scenario);
        let mut list = rows(&recording);
        // Some rows of the run are lost, and noise follows it.
        let kept = list.chunks_exact(in_words(4)).enumerate().filter(|(at, _)| at % 7 != 6);
        list = kept.flat_map(|(_, row)| row).copied().collect();
        list.extend(noise(*seed).take(cycles * in_words(4)));
        for how in [Drive::Polite, Drive::Prompt] {
            let played = drive(&straps, &list, how);
            if let Some((cycle, rule)) = played.broken {
                return Err(format!("{how:?}, cycle {cycle}: {rule}"));
            }
            let again = drive(&straps, &played.inputs, Drive::Raw);
            if again != played {
                return Err(format!("{how:?}: what was driven does not replay"));
            }
        }
        Ok(())
    });
}

/// A judge of a unit that shows a wrong head once it stores a record: a monitor has to object.
#[derive(Debug)]
struct Forged;

impl Judge for Forged {
    fn judge(&self, name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
        let mut rows = rows.to_vec();
        for row in rows.chunks_exact_mut(OUT_WORDS) {
            if unpack_state(row).store.st == StoreState::Head {
                row[20] ^= 0x0400_0000;
            }
        }
        Properties.judge(name, build, straps, inputs, &rows)
    }
}

/// A recorded run of the bench in which a record is stored.
fn run() -> (Config, Recording<4>) {
    let stores = |seed: &u64| {
        let scenario = Scenario { polite: true, ..draw(*seed, &scenario(150)) };
        let (recording, _) = play::<4, 8, 31>(&scenario);
        let stored = recording.cycles.iter().filter(|cycle| cycle.state.store.st == StoreState::Head).count();
        (stored > 3).then_some((scenario.straps, recording))
    };
    (0..1000).find_map(|seed| stores(&seed)).expect("a scenario that stores")
}

#[test]
fn a_violated_property_becomes_a_capsule_and_shrinks() {
    let (straps, recording) = run();
    let (inputs, words) = (rows(&recording), pack_straps(&straps));
    let shown = drive(&straps, &inputs, Drive::Raw).expected;
    for name in ["monitors", "reading"] {
        assert_eq!(Properties.judge(name, BUILD, &words, &inputs, &shown), Verdict::Holds, "{name}");
    }
    assert_eq!(Properties.judge("manners", BUILD, &words, &inputs, &shown), Verdict::Unknown);
    let Verdict::Violated(cycle, reason) = Forged.judge("monitors", BUILD, &words, &inputs, &shown) else {
        panic!("no monitor objects to a head that jumps");
    };
    note_property("monitors", &straps, &recording, cycle, &reason);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sub/x.capsule");
    assert_eq!(save(&path, "test", "cargo test", &[("case", 1)]), Some(Ok(path.clone())));
    assert_eq!(save(&path, "test", "cargo test", &[("case", 1)]), None, "a note is written once");
    let capsule = Capsule::load(&path).expect("a capsule");
    assert_eq!(capsule.header().failure.way, Way::Property { name: "monitors".to_owned() });
    assert_eq!(capsule.header().failure.text, reason);
    let options = ShrinkOptions { tries: 3000, ..ShrinkOptions::default() };
    let small = shrink_on(&BUILD, Some(&Forged), &capsule, &options, &mut |_| true).expect("it fails");
    assert!(small.header().cycles < capsule.header().cycles / 2, "{} cycles", small.header().cycles);
    assert!(small.broken_rule().is_none());
    let straps = unpack_straps(&small.header().straps).expect("legal straps");
    let shown = drive(&straps, &small.inputs(), Drive::Raw).expected;
    let verdict = Forged.judge("monitors", BUILD, &small.header().straps, &small.inputs(), &shown);
    assert!(matches!(verdict, Verdict::Violated(cycle, _) if cycle == small.header().failure.cycle), "{verdict:?}");
}

/// Capsules of one property are one group, shrunk by its judge; those in which it holds pass.
#[test]
fn capsules_of_a_property_are_grouped_and_shrunk() {
    let (straps, recording) = run();
    let (inputs, words) = (rows(&recording), pack_straps(&straps));
    let shown = drive(&straps, &inputs, Drive::Raw).expected;
    let Verdict::Violated(cycle, reason) = Forged.judge("monitors", BUILD, &words, &inputs, &shown) else {
        panic!("no monitor objects to a head that jumps");
    };
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.capsule", "b.capsule"] {
        note_property("monitors", &straps, &recording, cycle, &reason);
        save(&folder.path().join(name), "test", "cargo test", &[]).expect("a note").expect("a capsule");
    }
    let grouped = |judge: &dyn Judge| {
        let options = ShrinkOptions { tries: 1000, ..ShrinkOptions::default() };
        let batch = Batch { judge: Some(judge), options: Some(options) };
        let mut triage = Triage::default();
        let capsules = list(&[folder.path().to_owned()]).expect("two capsules").capsules;
        capsules.iter().for_each(|path| batch.add(&mut triage, path, &mut |_| true));
        triage
    };
    let mut triage = grouped(&Forged);
    assert_eq!((triage.groups.len(), triage.passing.len(), triage.exit_code()), (1, 0, 1), "{triage}");
    let group = &triage.groups[0];
    assert_eq!((group.capsules.len(), group.key.kind), (2, "property"));
    assert!(group.key.field.starts_with("monitors: "), "{triage}");
    assert!(group.cycles < recording.cycles.len() as u64 / 2, "{triage}");
    triage.keep(None).expect("it can be written");
    assert!(folder.path().join("a.small.capsule").exists());
    // As they are found they are judged too, and the shrunk one is left out as a copy.
    let as_found = |judge: &dyn Judge| {
        let listed = list(&[folder.path().to_owned()]).expect("two capsules");
        Batch { judge: Some(judge), options: None }.run(&listed, &bar(listed.capsules.len()), &|| false)
    };
    let (fails, holds) = (as_found(&Forged), as_found(&Properties));
    assert_eq!((fails.groups.len(), fails.left_out, holds.groups.len(), holds.passing.len()), (1, 1, 0, 2), "{holds}");
    // The unit itself keeps the property.
    let triage = grouped(&Properties);
    assert_eq!(
        (triage.groups.len(), triage.passing.len(), triage.left_out, triage.exit_code()),
        (0, 2, 0, 0),
        "{triage}"
    );
}

/// Properties judge the output ports as they are shown, whatever the registers hold.
#[test]
fn outputs_are_judged_by_themselves() {
    let (straps, recording) = run();
    let (inputs, words) = (rows(&recording), pack_straps(&straps));
    let shown = drive(&straps, &inputs, Drive::Raw).expected;
    // Words 0 to 11 are the outputs: 5 and 6 the address of a request (bit 5 of word 0).
    let mut forged = shown.clone();
    forged.chunks_exact_mut(OUT_WORDS).filter(|row| row[0] >> 5 & 1 == 1).for_each(|row| row[5] ^= 0x0800_0000);
    for name in ["monitors", "reading"] {
        assert_eq!(Properties.judge(name, BUILD, &words, &inputs, &shown), Verdict::Holds, "{name}");
        let verdict = Properties.judge(name, BUILD, &words, &inputs, &forged);
        assert!(matches!(verdict, Verdict::Violated(..)), "{name}: {verdict:?}");
    }
}

/// The properties note what they find; one that holds notes nothing.
#[test]
fn properties_note_their_failures() {
    let (straps, mut recording) = run();
    let path = std::path::Path::new("/proc/nonexistent/x.capsule");
    forget();
    assert!(watch(&straps, &recording).is_ok() && agree(BUILD, &straps, &recording).is_ok());
    assert_eq!(save(path, "", "", &[]), None);
    let at = recording.cycles.iter().position(|cycle| cycle.state.store.st == StoreState::Head).expect("a store");
    recording.cycles[at].state.ring.head ^= 0x0400_0000;
    assert!(watch(&straps, &recording).is_err());
    assert!(save(path, "", "", &[]).is_some(), "monitors");
    assert!(agree(BUILD, &straps, &recording).is_err());
    // The model that a capsule is played beside does not show the forged head.
    let folder = tempfile::tempdir().expect("a folder");
    let saved =
        save(&folder.path().join("x.capsule"), "", "", &[]).expect("a note").expect_err("it does not fail again");
    assert!(saved.contains("does not fail again as it did"), "{saved}");
    assert!(folder.path().join("x.capsule").is_file(), "and is kept all the same");
}
