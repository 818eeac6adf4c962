//! Capsules of units with seeded bugs, replayed and shrunk.

use crate::capsule_support::{BUGS, BUILD, Bug, Buggy, capsule_of, capsule_under, producer, straps};
use sim_harness::capsule::{
    Capsule, Failure, ReplayError, ShrinkError, ShrinkOptions, Subject, Target, Way, origin, replay_on, shrink_on,
};
use sim_harness::lockstep::Window;
use sim_harness::rtl::{BuildId, Flavour};
use std::collections::BTreeMap;
use std::time::Instant;

const HERE: Window = Window { before: 0, after: 0 };

fn bug(name: &str) -> Bug {
    *BUGS.iter().find(|bug| bug.name == name).expect("a bug of the table")
}

fn small(bug: Bug, capsule: &Capsule, options: ShrinkOptions) -> Capsule {
    shrink_on(&Buggy(bug), None, capsule, &options, &mut |_| true).unwrap()
}

/// Prints a table: `cargo test --release -p sim-harness --test suite -- --nocapture ten_seeded_bugs`.
#[test]
fn ten_seeded_bugs_shrink_to_runs_that_keep_the_rules() {
    println!("| seeded bug | written in | cycles | set fields | shrunk in | tries | cycles | set fields |");
    println!("|---|---|---|---|---|---|---|---|");
    for bug in BUGS {
        let began = Instant::now();
        let capsule = capsule_of(bug);
        let made = began.elapsed().as_secs_f64() * 1e3;
        let began = Instant::now();
        let small = small(bug, &capsule, ShrinkOptions::default());
        let (whole, of) = (&capsule.header().failure, small.header().shrunk.unwrap());
        assert_eq!(of.cycles_before, whole.cycle + 1, "{}", bug.name);
        let (seconds, shrunk, header) = (began.elapsed().as_secs_f64(), small.header().shrunk.unwrap(), small.header());
        println!(
            "| {} | {made:.0} ms | {} | {} | {seconds:.1} s | {} | {} | {} |",
            bug.name, shrunk.cycles_before, shrunk.fields_before, shrunk.tries, header.cycles, shrunk.fields
        );
        assert_eq!(header.failure.way, capsule.header().failure.way, "{}", bug.name);
        assert!(small.broken_rule().is_none(), "{}: {:?}", bug.name, header.protocol);
        assert!(shrunk.complete && header.cycles == header.failure.cycle + 1, "{}", bug.name);
        assert!(8 * shrunk.fields < shrunk.fields_before && header.cycles < shrunk.cycles_before, "{}", bug.name);
        assert!(replay_on(&Buggy(bug), &small, HERE).unwrap().as_recorded, "{}", bug.name);
        assert_eq!(Capsule::from_bytes(&small.to_bytes()).unwrap(), small);
    }
}

#[test]
fn the_same_capsule_shrinks_to_the_same_one() {
    let bug = bug("head does not wrap");
    let capsule = capsule_of(bug);
    let once = small(bug, &capsule, ShrinkOptions::default());
    assert_eq!(small(bug, &capsule, ShrinkOptions::default()).to_bytes(), once.to_bytes());
    let again = small(bug, &once, ShrinkOptions::default());
    assert_eq!(again.header().cycles, once.header().cycles, "what is small stays as it is");
    assert_eq!(again.header().shrunk.unwrap().cycles_before, once.header().shrunk.unwrap().cycles_before);
}

/// The failure needs forty cycles in which nothing retires: these stay, and of 5,000 others none.
#[test]
fn a_gap_that_matters_stays_and_no_other() {
    let bug = bug("SLWPCB after forty quiet cycles");
    let capsule = capsule_of(bug);
    let small = small(bug, &capsule, ShrinkOptions::default());
    assert!(capsule.header().cycles > 2000, "{}", capsule.header().cycles);
    assert_eq!(small.header().cycles, 40);
    let active = small.inputs().chunks_exact(56).filter(|row| row[0] >> 8 & 1 == 1 || row[12] & 1 == 1).count();
    assert_eq!(active, 1, "the operation itself");
}

/// A bug that shows with one strap only keeps that strap; the others go back to their defaults.
#[test]
fn straps_that_do_not_matter_become_the_default() {
    let bug = Bug {
        name: "lazy tail",
        field: "state.tail_skip",
        shows: |seen| seen.now.session.active && seen.now.ring.tail_skip == 2,
    };
    let session = "[[lwpcb.event]]\nid = 1\ninterval = 20\n[consumer]\nmode = \"periodic\"\nperiod = 500\n[lwpcb]\nthreshold = 64\n\
                   [straps]\ntail_reread = \"lazy\"\ntail_nth = 3\ncore_id = 9\nirq_delay = 5\ngather_policy = \"all\"\nmissed_mode = \"cached\"\n";
    let capsule = capsule_under(bug, session);
    let small = small(bug, &capsule, ShrinkOptions::default());
    let straps = sim_harness::lwp::unflat::unpack_straps(&small.header().straps).unwrap();
    let wanted = lwp_model::lwp::Config {
        tail_reread: lwp_model::lwp::TailReread::Lazy,
        tail_nth: 3,
        ..lwp_model::lwp::Config::default()
    };
    assert_eq!(straps, wanted);
}

/// A shrunk capsule ends with its failure. What both show after it is shown all the same, under inputs that say nothing: the mode
/// stays, nothing retires, memory keeps silent.
#[test]
fn waves_go_on_after_the_last_cycle() {
    let bug = bug("head does not wrap");
    let small = small(bug, &capsule_of(bug), ShrinkOptions::default());
    let (cycles, of_inputs) = (small.header().cycles, small.inputs());
    let replayed = replay_on(&Buggy(bug), &small, Window { before: 5, after: 20 }).unwrap();
    assert!(replayed.as_recorded, "the verdict is that of the capsule's own cycles");
    let shown: Vec<u64> = replayed.rows.iter().map(|row| row.cycle).collect();
    assert_eq!(shown, (cycles - 6..cycles + 20).collect::<Vec<_>>());
    let last = &of_inputs[of_inputs.len() - 56..];
    let (last, rst_n) = sim_harness::lwp::unflat::unpack_inputs::<4>(last);
    assert!(rst_n);
    for row in replayed.rows.iter().filter(|row| row.cycle >= cycles) {
        let expected = lwp_model::lwp::Inputs { mode: last.mode, ..lwp_model::lwp::Inputs::default() };
        assert_eq!(sim_harness::lwp::unflat::unpack_inputs::<4>(&row.inputs), (expected, true), "cycle {}", row.cycle);
    }
    let evidence = sim_harness::report::failure::Evidence::of_replay(&small, &replayed, String::new()).unwrap();
    assert_eq!(evidence.idle_from, Some(cycles));
    // Cycles beyond the capsule's end are no failure of it: this RTL has none.
    let sound = replay_on(&BUILD, &small, Window { before: 5, after: 20 }).unwrap();
    assert_eq!((sound.found, sound.cycles, sound.rows.len()), (None, cycles, 26));
}

#[test]
fn a_budget_ends_the_search_with_what_there_is() {
    let bug = bug("the twentieth record");
    let capsule = capsule_of(bug);
    let options = ShrinkOptions { tries: 30, ..ShrinkOptions::default() };
    let some = small(bug, &capsule, options);
    let shrunk = some.header().shrunk.unwrap();
    assert!(!shrunk.complete && shrunk.tries <= 31, "{shrunk:?}");
    assert!(some.header().cycles < capsule.header().cycles && replay_on(&Buggy(bug), &some, HERE).unwrap().as_recorded);
    let mut left = 5;
    let stopped = shrink_on(&Buggy(bug), None, &capsule, &ShrinkOptions::default(), &mut |_| {
        left -= 1;
        left > 0
    });
    assert!(!stopped.unwrap().header().shrunk.unwrap().complete, "the caller may stop it");
}

/// A bug that only inputs against the rules reach keeps them, and the capsule says so.
#[test]
fn what_needs_broken_rules_keeps_them_and_says_so() {
    let bug = Bug {
        name: "a lane beside a stall",
        field: "stall",
        shows: |seen| seen.before_inputs.lanes[0].valid && seen.before.ctl.st != lwp_model::lwp::CtlState::Idle,
    };
    let mut rows = sim_harness::lockstep::Recording::of(&mut producer(), 56, 79, 400).inputs().to_vec();
    // Instructions in every cycle, whatever the unit says.
    rows.chunks_exact_mut(56).for_each(|row| row[12] |= 1);
    let mut writer = sim_harness::capsule::RowWriter::new(56);
    rows.chunks_exact(56).for_each(|row| writer.push(row));
    let failure = Failure::new(Way::Mismatch { field: "stall".to_owned() }, 399);
    let origin = origin("test", "cargo test", BTreeMap::new());
    let mut capsule = Capsule::new(BUILD, &straps(), writer, failure, origin).unwrap();
    assert!(capsule.confirm(&Buggy(bug)).unwrap());
    let small = small(bug, &capsule, ShrinkOptions::default());
    let broken = small.broken_rule().unwrap();
    assert!(broken.contains("retires while the unit stalls"), "{broken}");
    assert!(small.header().cycles < 10, "{}", small.header().cycles);
}

/// Leave to break rules makes it no larger, and what then breaks none says so.
#[test]
fn any_inputs_are_a_choice() {
    let bug = bug("a second page fault in one session");
    let capsule = capsule_of(bug);
    let options = ShrinkOptions { any_inputs: true, ..ShrinkOptions::default() };
    let (any, kept) = (small(bug, &capsule, options), small(bug, &capsule, ShrinkOptions::default()));
    assert!(kept.broken_rule().is_none());
    assert!(replay_on(&Buggy(bug), &any, HERE).unwrap().as_recorded);
}

#[test]
fn a_capsule_that_does_not_fail_is_told() {
    let capsule = capsule_of(BUGS[0]);
    let other = Buggy(BUGS[3]);
    let replayed = replay_on(&other, &capsule, HERE).unwrap();
    assert!(!replayed.as_recorded && replayed.found.is_some(), "another bug, another way");
    let error = shrink_on(&other, None, &capsule, &ShrinkOptions::default(), &mut |_| true).unwrap_err();
    assert!(matches!(error, ShrinkError::DoesNotFail { .. }), "{error}");
    // This program's RTL has no bug.
    let sound = replay_on(&BUILD, &capsule, HERE).unwrap();
    assert_eq!((sound.found, sound.as_recorded, sound.cycles), (None, false, capsule.header().cycles));
}

/// A property needs somebody to judge it.
#[test]
fn a_property_is_not_shrunk_without_its_judge() {
    let origin = origin("test", "cargo test", BTreeMap::new());
    let failure = Failure::new(Way::Property { name: "monitors".to_owned() }, 9);
    let capsule = Capsule::record(BUILD, &straps(), &mut producer(), failure, origin).unwrap();
    let error = shrink_on(&BUILD, None, &capsule, &ShrinkOptions::default(), &mut |_| true).unwrap_err();
    assert!(matches!(error, ShrinkError::NoJudge { .. }), "{error}");
}

/// Two builds that do not fail alike.
struct Two(Bug, Bug);

impl Target for Two {
    fn build(&self) -> BuildId {
        BUILD
    }

    fn power_up(&self, flavour: Flavour, straps: &[u32]) -> Box<dyn Subject> {
        Buggy(if flavour == Flavour::Fast { self.0 } else { self.1 }).power_up(flavour, straps)
    }
}

#[test]
fn builds_that_disagree_are_an_error_of_their_own() {
    let never = Bug { name: "none", field: "stall", shows: |_| false };
    let capsule = capsule_of(BUGS[0]);
    for (fast, traced) in [(BUGS[0], never), (never, BUGS[0]), (BUGS[0], BUGS[8])] {
        let error = replay_on(&Two(fast, traced), &capsule, HERE).unwrap_err();
        assert!(matches!(error, ReplayError::BuildsDisagree { .. }), "{error}");
        assert!(error.to_string().starts_with("the two builds of the RTL do not fail alike: the fast one "), "{error}");
    }
    let error = shrink_on(&Two(BUGS[0], never), None, &capsule, &ShrinkOptions::default(), &mut |_| true).unwrap_err();
    assert!(matches!(error, ShrinkError::Replay(ReplayError::BuildsDisagree { .. })), "{error}");
}

/// A property that only one of the two violates is a mismatch; one that shows before they differ is not.
#[test]
fn a_property_behind_a_mismatch_is_a_mismatch() {
    let differs = capsule_of(BUGS[0]).header().failure.clone();
    let violated = |cycle| {
        let mut failure = Failure::new(Way::Property { name: "monitors".to_owned() }, cycle);
        failure.text = "the head jumps".to_owned();
        let origin = origin("test", "cargo test", BTreeMap::new());
        let mut capsule = Capsule::record(BUILD, &straps(), &mut producer(), failure, origin).unwrap();
        assert!(capsule.confirm(&Buggy(BUGS[0])).unwrap());
        capsule.header().failure.clone()
    };
    let behind = violated(differs.cycle + 3);
    assert_eq!((behind.way, behind.cycle, behind.rows_crc), (differs.way, differs.cycle, differs.rows_crc));
    assert_eq!(behind.text, format!("property monitors is violated: the head jumps\n{}", differs.text));
    let before = violated(differs.cycle - 1);
    assert!(matches!(before.way, Way::Property { .. }) && before.text == "the head jumps", "{before:?}");
}
