//! Coverage counts what it says, merges in any order, is not contradicted, and steers deterministically.

use lwp_model::lwp::{BranchKind, Config, CtlOp, Lane};
use proptest::prelude::*;
use proptests::coverage::report::Report;
use proptests::coverage::rtl::{Place, RtlClaims};
use proptests::coverage::{Campaign, Claims, MergeError, Totals};
use proptests::lwp::bench::play;
use proptests::lwp::coverage::{
    Access, Cover, Ending, OpEnding, Operation, RTL_LIST, RecordEnd, RingState, Sampler, claims, layout,
};
use proptests::lwp::scenario::{
    Bias, Block, MemoryBehaviour, Op, Scenario, SlotChoice, narrow_scenario_with, scenario, scenario_with,
};
use proptests::lwp::steer::{self, Steer};
use proptests::runner::{check, draw};
use std::sync::Arc;

/// A session that counts instructions, two a record, in a ring of three places with a threshold of one record.
fn by_hand(ops: Vec<Op>) -> Scenario {
    let block = Block {
        size: 96,
        random: 0,
        head: 0,
        tail: 0,
        missed: 0,
        threshold: 32,
        filter: 0,
        slots: vec![SlotChoice { id: 1, interval: 2, counter: 2 }],
    };
    Scenario {
        straps: Config::default(),
        seed: 1,
        memory: MemoryBehaviour { stall: 0, latency: 1, fault: 0 },
        polite: true,
        boot: true,
        blocks: [block.clone(), block],
        ops,
    }
}

fn instruction() -> Lane {
    Lane { valid: true, counts: true, branch_kind: BranchKind::None, ..Lane::default() }
}

fn sampled(scenario: &Scenario) -> Sampler {
    let mut sampler = Sampler::new();
    sampler.run(&scenario.straps, 31, &play::<4, 8, 31>(scenario).0);
    sampler
}

#[test]
fn a_run_by_hand_meets_these_bins() {
    // Four times two instructions, each with time to be stored: two records fit, and two are missed.
    let retire = || [Op::Retire(vec![instruction(); 2]), Op::Idle(40)];
    let met = sampled(&by_hand((0..4).flat_map(|_| retire()).collect()));
    let end = |end: RecordEnd, ring: RingState| met.count(Cover::RecordEnd, [end.into(), ring.into(), 0]);
    assert_eq!(end(RecordEnd::Published, RingState::Empty), 1, "the first");
    assert_eq!(end(RecordEnd::Published, RingState::AtThreshold), 1, "the second");
    assert_eq!(end(RecordEnd::Missed, RingState::Full), 2, "MissedEvents is brought up to date in between");
    let fate = |name: &str| {
        let cross = layout().cross("COV-EVT-01").unwrap();
        let index = (0..cross.bins()).find(|index| cross.name(*index) == format!("event=instructions, fate={name}"));
        met.counts()[cross.offset + index.unwrap()]
    };
    assert_eq!(["counted", "expired", "gathered", "published", "missed"].map(fate), [4, 4, 4, 2, 2]);
    let answered = |access: Access| met.count(Cover::AccessEnding, [access.into(), Ending::Answered.into()]);
    assert_eq!(answered(Access::FirstBeat), 4, "written into the slot even if the ring is full");
    assert_eq!(answered(Access::LaterBeat), 12);
    assert_eq!([Access::Tail, Access::Head, Access::MissRead, Access::MissWrite].map(answered), [4, 2, 2, 2]);
    assert_eq!([Access::ProbeFirst, Access::LoadHeader, Access::LoadSlot, Access::Flags].map(answered), [1, 4, 8, 1]);
    // Enabled, and begun.
    let done = |operation: Operation| met.count(Cover::OperationEnding, [operation.into(), OpEnding::Done.into()]);
    assert_eq!([Operation::WriteMsr0, Operation::Start, Operation::Stop].map(done), [1, 1, 0]);
    assert_eq!(met.runs(), 1);
}

#[test]
fn a_fault_and_the_second_try() {
    // The page of the buffer goes; the record is dropped, the next instruction is gathered and stored.
    let retire = || [Op::Retire(vec![instruction(); 2]), Op::Idle(40)];
    let ops = [vec![Op::PageOut(2)], retire().into(), retire().into()].concat();
    let met = sampled(&by_hand(ops));
    let beat = |ending: Ending| met.count(Cover::AccessEnding, [Access::FirstBeat.into(), ending.into()]);
    assert_eq!([Ending::Trapped, Ending::Retried, Ending::Answered].map(beat), [1, 1, 0]);
}

#[test]
fn a_stop_in_ring_3_flushes() {
    let met = sampled(&by_hand(vec![Op::Control(CtlOp::Slwpcb, proptests::lwp::scenario::Argument::Zero, 0)]));
    assert_eq!(met.count(Cover::OperationEnding, [Operation::Store.into(), OpEnding::Done.into()]), 1);
    let answered = |access: Access| met.count(Cover::AccessEnding, [access.into(), Ending::Answered.into()]);
    assert_eq!([Access::FlushHead, Access::FlushCounter, Access::FlushMissRead].map(answered), [1, 1, 0]);
}

#[test]
fn nothing_that_is_listed_as_out_of_reach_is_met() {
    let claims = claims();
    check("coverage", "nothing_that_is_listed_as_out_of_reach_is_met", &scenario(400), |scenario| {
        let met = sampled(scenario);
        match claims.disproved(met.counts()).first() {
            None => Ok(()),
            Some(bin) => Err(format!("met, though listed as out of reach: {}", layout().name(*bin))),
        }
    });
}

#[test]
fn a_wrong_claim_is_named() {
    let wrong =
        "[[unreachable]]\ncross = \"COV-STG-01\"\nonly = { store = [\"head\"], then = [\"report\"] }\nreason = \"x\"\n";
    let claims = Claims::parse(layout(), "a list", wrong).unwrap();
    let met = sampled(&by_hand(vec![Op::Retire(vec![instruction(); 2]), Op::Idle(40)]));
    let named: Vec<String> = claims.disproved(met.counts()).iter().map(|bin| layout().name(*bin)).collect();
    assert_eq!(named, ["COV-STG-01: store=head, then=report"]);
    for (text, says) in [
        (wrong.replace("COV-STG-01", "COV-STG-99"), "no cross COV-STG-99"),
        (wrong.replace("then =", "thus ="), "no axis \"thus\""),
        (wrong.replace("\"report\"", "\"rapport\""), "no value \"rapport\""),
        (wrong.replace("\"x\"", "\" \""), "without a reason"),
        (wrong.replace("reason", "reasons"), "reasons"),
    ] {
        let error = Claims::parse(layout(), "a list", &text).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
}

fn totals() -> impl Strategy<Value = Totals> {
    let count = || prop_oneof![3 => 0_u64..5, 1 => any::<u64>()];
    let some = prop::collection::vec((0..layout().total(), count()), 0..40);
    (count(), count(), some).prop_map(|(runs, cycles, some)| {
        let mut totals = Totals { runs, cycles, ..Totals::new(layout()) };
        for (place, count) in some {
            totals.counts[place] = count;
        }
        totals
    })
}

#[test]
fn merging_knows_no_order() {
    check("coverage", "merging_knows_no_order", &(totals(), totals(), totals()), |(a, b, c)| {
        let sum = |parts: &[&Totals]| {
            let mut all = Totals::new(layout());
            parts.iter().for_each(|part| all.merge(part));
            all
        };
        let grouped = sum(&[a, &sum(&[b, c])]);
        let same = sum(&[a, b, c]) == grouped && sum(&[c, a, b]) == grouped && sum(&[a]) == *a;
        let stored = Totals::from_json(layout(), &grouped.to_json()).map_err(|why| why.to_string())?;
        if same && stored == grouped { Ok(()) } else { Err("sums differ".to_owned()) }
    });
}

#[test]
fn files_of_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts.json");
    let one = Totals { runs: 1, ..Totals::new(layout()) };
    assert_eq!(one.add_to(&path).unwrap().runs, 1);
    assert_eq!(one.add_to(&path).unwrap().runs, 2);
    let version = layout().version();
    std::fs::write(&path, one.to_json().replace(version, "0123456789abcdef")).unwrap();
    let error = one.add_to(&path).unwrap_err();
    assert!(matches!(error, MergeError::OtherVersion { .. }), "{error}");
    assert!(error.to_string().contains("0123456789abcdef") && error.to_string().contains(version), "{error}");
    std::fs::write(&path, &one.to_json()[..500]).unwrap();
    assert!(matches!(one.add_to(&path).unwrap_err(), MergeError::Damaged(_)));
    std::fs::write(&path, one.to_json().replacen("COV-STR-01", "COV-STR-99", 1)).unwrap();
    assert!(matches!(one.add_to(&path).unwrap_err(), MergeError::Damaged(_)));
}

#[test]
fn writers_at_a_time_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts.json");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                (0..5).for_each(|_| drop(Totals { runs: 1, ..Totals::new(layout()) }.add_to(&path).unwrap()));
            });
        }
    });
    assert_eq!(Totals::read(layout(), &path).unwrap().runs, 20);
}

fn campaign(seed: u64, cases: u64, steered: bool, threads: usize) -> Campaign {
    Campaign {
        unit: &proptests::lwp::Checks,
        seed,
        first: 0,
        cases,
        round: steered.then_some(50),
        threads,
        lockstep: false,
    }
}

fn met(campaign: &Campaign) -> Totals {
    campaign.play(&Totals::new(layout()), &|_, _| true).unwrap_or_else(|failure| panic!("{failure:?}")).met
}

#[test]
fn steering_is_a_function_of_seed_and_counts() {
    // Not assert_eq: the counts are too many to print.
    assert!(
        met(&campaign(7, 150, true, 1)) == met(&campaign(7, 150, true, 2)),
        "the number of threads makes a difference"
    );
    let counts = met(&campaign(7, 50, false, 2));
    let strategy = |counts: &Totals| steer::scenario(100, Arc::new(Steer::new(counts)));
    let cases = |counts: &Totals| (0..40).map(|seed| draw(seed, &strategy(counts))).collect::<Vec<_>>();
    assert!(cases(&counts) == cases(&counts));
    assert!(cases(&counts) != cases(&Totals::new(layout())));
    // The file that a repeat command names leads to the same cases, and is refused once it has changed.
    let folder = tempfile::tempdir().unwrap();
    let path = counts.save_to_steer(folder.path()).unwrap();
    let again = Arc::new(steer::read(&path).unwrap());
    assert_eq!(draw(3, &steer::scenario(100, again)), draw(3, &strategy(&counts)));
    Totals { runs: 1, ..counts }.write(&path).unwrap();
    assert!(steer::read(&path).unwrap_err().contains("has changed"));
}

#[test]
fn a_bin_that_should_not_be_met_is_told_with_its_case() {
    let before = Totals::new(layout());
    let campaign = campaign(7, 60, true, 2);
    let rarest = met(&campaign);
    // The bin whose only visit is latest stands for one that is out of reach.
    let rare: Vec<usize> = (0..layout().total()).filter(|&place| rarest.counts[place] == 1).collect();
    let played = campaign.play_watching(&before, &rare, &|_, _| true).unwrap();
    assert_eq!(played.sightings.iter().map(|sighting| sighting.place).collect::<Vec<_>>(), rare);
    for sighting in played.sightings.iter().filter(|sighting| sighting.number >= 50).take(3) {
        let alone = proptests::coverage::Campaign { first: sighting.number, cases: 1, ..campaign.clone() };
        let again =
            alone.play_watching(sighting.steered_by.as_ref().unwrap(), &[sighting.place], &|_, _| true).unwrap();
        assert_eq!(again.sightings.len(), 1, "case {} alone does not meet it", sighting.number);
    }
    assert!(played.sightings.iter().any(|sighting| sighting.number >= 50), "none in the second round");
    assert_eq!(campaign.sightings(3, None), Ok(Vec::new()), "bins that are really out of reach");
}

#[test]
fn steering_meets_more() {
    let (plain, steered) = (met(&campaign(2007, 400, false, 2)).hit(), met(&campaign(2007, 400, true, 2)).hit());
    assert!(steered > plain + 50, "{steered} bins met with steering, {plain} without");
}

/// What the property tests draw does not depend on any of this.
#[test]
fn unsteered_cases_are_as_ever() {
    for seed in 0..50 {
        assert_eq!(draw(seed, &scenario(60)), draw(seed, &scenario_with(60, &Bias::default())));
    }
    // These digests are those of the cases before anything could be steered, or begin wide.
    let narrow = narrow_scenario_with(120, &Bias::default());
    assert_eq!([2007, 2008].map(|seed| digest(&format!("{:?}", draw(seed, &narrow)))), UNSTEERED);
}

/// One case in four begins wide, and the others are what they would be without.
#[test]
fn one_case_in_four_begins_wide() {
    let (narrow, all) = (narrow_scenario_with(60, &Bias::default()), scenario_with(60, &Bias::default()));
    let wide = (0..400).filter(|seed| draw(*seed, &narrow) != draw(*seed, &all)).count();
    assert!((70..130).contains(&wide), "{wide} of 400 cases");
}

const UNSTEERED: [&str; 2] = ["b82df6dff5c84449", "8e58dcc3e544c78e"];

fn digest(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_book_lists_every_cross_with_its_size() {
    let book = include_str!("../../docs/src/coverage.md");
    let (layout, claims) = (layout(), claims());
    for (at, cross) in layout.crosses.iter().enumerate() {
        let sizes: Vec<String> = cross.axes.iter().map(|axis| format!("{} {}", axis.name, axis.values.len())).collect();
        let out = (0..cross.bins())
            .filter(|&index| claims.about(proptests::coverage::Bin { cross: at, index }).is_some())
            .count();
        let row = format!("| {} | {} | {} | {} | {out} |", cross.id, cross.title, sizes.join(" × "), cross.bins());
        assert!(book.contains(&row), "docs/src/coverage.md lacks the row\n{row}");
    }
    let sum = format!("{} bins, {} of them out of reach", layout.total(), layout.total() - claims.reachable());
    assert!(book.contains(&sum), "docs/src/coverage.md lacks \"{sum}\"");
}

#[test]
fn the_report_says_what_was_counted() {
    let totals = met(&campaign(7, 30, false, 2));
    let report = Report::new(&totals, &claims(), None).unwrap();
    assert_eq!((report.bins().all, report.bins().met), (layout().total(), totals.hit()));
    assert!(report.text(5).contains("were not counted"));
    let html = report.html();
    assert!(html.contains("COV-RNG-03") && !html.contains("http"), "nothing is fetched");
}

#[test]
fn places_of_the_rtl_that_are_out_of_reach_are_there() {
    let claims = RtlClaims::new(&RTL_LIST).unwrap();
    let place = |file: &str, line: u32| Place {
        kind: proptests::coverage::rtl::Kind::Line,
        file: format!("lwp/{file}"),
        line,
        column: 1,
        what: "case".to_owned(),
    };
    let source = |file: &str| {
        let path = format!("{}/../rtl/{file}", env!("CARGO_MANIFEST_DIR"));
        Some(std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let lines = source("lwp/lwp_store.sv").unwrap().len() as u32;
    assert_eq!((1..=lines).filter(|line| claims.about(&place("lwp_store.sv", *line), &source).is_some()).count(), 1);
}
