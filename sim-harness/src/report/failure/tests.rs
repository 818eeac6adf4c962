//! A failure by hand: branches retired expires, its record has been stored, and the RTL reloads one too little.

use super::*;
use crate::lwp::flat::{OUT_WORDS, in_words, pack_expected, pack_inputs, pack_straps};
use crate::rtl::BuildId;
use lwp_model::lwp::{
    Block, BranchKind, Config, EventCounter, Inputs, Lane, Memory, Mode, Record, Ring, Session, State, StoreRegs,
    StoreState, StoreTiming,
};
use lwp_regs::lwp::FlagsWord;
use proptest::prelude::*;

fn inputs(change: impl FnOnce(&mut Inputs<4>)) -> Vec<u32> {
    let mut inputs = Inputs { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
    change(&mut inputs);
    let mut row = vec![0; in_words(4)];
    pack_inputs(&inputs, true, &mut row);
    row
}

fn registers(state: &State, straps: &Config) -> Vec<u32> {
    let mut row = vec![0; OUT_WORDS];
    pack_expected(state, straps, &mut row);
    row
}

fn branch(ip: u64, next: u64) -> Lane {
    let lane =
        Lane { valid: true, counts: true, ip, branch_kind: BranchKind::Jcc, branch_taken: true, ..Lane::default() };
    Lane { branch_pred_valid: true, branch_pred_ok: true, branch_next: next, ..lane }
}

/// Cycles 4709 to 4712; the failure is in 4711.
pub(super) fn by_hand() -> Evidence {
    let straps = Config { store_timing: StoreTiming::Async, core_id: 3, ..Config::default() };
    let flags = FlagsWord::new().with_en(true).with_ire(true).with_bre(true);
    let mut state = State {
        session: Session { lwpcb: 0x5000, active: true, ..Session::default() },
        block: Block { flags, base: 0x9000, size: 256, ..Block::default() },
        ring: Ring { head: 64, ..Ring::default() },
        store: StoreRegs { st: StoreState::Report, ..StoreRegs::default() },
        ..State::default()
    };
    state.session.msr0 = lwp_regs::lwp::LwpMsr0::from_bits(7);
    state.retire.was_ring3 = true;
    state.events[0] = EventCounter { slot: 0, interval: 1000, counter: 9 };
    state.events[1] = EventCounter { slot: 1, interval: 100, counter: 0 };
    state.records[0] = Record { event: 2, flags: 0b1110, data: 0, ip: 0x40_1000, addr: 0x40_2000 };
    let first = state;
    state.events[0].counter = 8;
    state.store.st = StoreState::Reset;
    let second = state;
    state.events[0].counter = 7;
    state.events[1].counter = 100;
    state.store.st = StoreState::Idle;
    state.records[0] = Record::default();
    state.lfsr = 0x1234;
    let third = state;
    let mut wrong = third;
    wrong.events[1].counter = 99;
    let row = |cycle, inputs, model: &State, rtl: &State| EvidenceRow {
        cycle,
        inputs,
        model: registers(model, &straps),
        rtl: registers(rtl, &straps),
    };
    let lanes = inputs(|inputs| inputs.lanes[2] = branch(0x40_2010, 0x40_1000));
    // An instruction retires in the cycle of the reset too: count acts in it, but has no say over this counter.
    let answer = inputs(|inputs| {
        inputs.mem = Memory { gnt: true, ..Memory::default() };
        inputs.lanes[0] = Lane { valid: true, counts: true, ip: 0x40_1000, ..Lane::default() };
    });
    let rows = vec![
        row(4709, lanes, &first, &first),
        row(4710, answer, &second, &second),
        row(4711, inputs(|_| ()), &third, &wrong),
        row(4712, inputs(|_| ()), &third, &wrong),
    ];
    Evidence {
        source: "trace ls.trace".to_owned(),
        repeat: Some("lwp-sim cosim --trace ls.trace --waves mismatch.fst".to_owned()),
        build: BuildId::LwpW4,
        straps: pack_straps(&straps).to_vec(),
        cause: Cause::Mismatch,
        cycle: 4711,
        rows,
        idle_from: None,
    }
}

#[test]
fn the_text_of_a_failure_by_hand() {
    let text = Analysis::of(&by_hand()).unwrap().plain_text();
    let golden = include_str!("tests/by_hand.txt");
    assert_eq!(text, golden, "if the new text is better, put it into tests/by_hand.txt");
}

#[test]
fn colours_come_and_go() {
    let analysis = Analysis::of(&by_hand()).unwrap();
    assert!(analysis.coloured_text().contains('\u{1b}'));
    assert!(!analysis.plain_text().contains('\u{1b}'));
}

#[test]
fn the_json_has_what_the_book_promises() {
    let json = serde_json::to_value(Analysis::of(&by_hand()).unwrap()).unwrap();
    let at = |pointer: &str| json.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in {json:#}")).clone();
    assert_eq!(at("/schema"), "failure/2");
    assert_eq!((at("/kind"), at("/cycle"), at("/cause_cycle")), ("mismatch".into(), 4711.into(), 4710.into()));
    assert_eq!(at("/field/name"), "state.events[1].counter");
    assert_eq!((at("/field/model/number"), at("/field/rtl/number")), (100.into(), 99.into()));
    assert_eq!(at("/field/model/hex"), "0x0000064");
    assert_eq!(at("/stage/name"), "reset");
    assert_eq!(at("/stage/rtl/0"), "rtl/lwp/lwp_reset.sv");
    assert_eq!(at("/requirements/0/id"), "LWP-RST-01");
    assert_eq!(at("/straps/0"), "core_id: 3");
    assert_eq!(at("/cycles/2/differing"), 1);
    // Every key of the table in the book, and no other.
    let chapter = include_str!("../../../../docs/src/harness/failures.md");
    let documented: Vec<&str> =
        chapter.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    for key in keys {
        assert!(documented.contains(&key.as_str()), "`{key}` is not in the chapter \"Reading a failure\"");
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let mut evidence = by_hand();
    evidence.source = "</title><script>alert(1)</script>".to_owned();
    let page = page(&evidence, &Analysis::of(&evidence).unwrap());
    for foreign in ["http:", "https:", "<script", " src=", "@import", "url(", "<link"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for part in ["<svg", "reset: state.events[1].counter differs in cycle 4711", "LWP-RST-01", "prefers-color-scheme"] {
        assert!(page.contains(part), "{part}");
    }
    let count = |tag: &str| page.matches(tag).count();
    for (open, close) in
        [("<p", "</p>"), ("<td", "</td>"), ("<div", "</div>"), ("<svg", "</svg>"), ("<code", "</code>")]
    {
        let others = if open == "<p" { count("<path") + count("<pre") } else { 0 };
        assert_eq!(count(open) - others, count(close), "{open}");
    }
}

#[test]
fn views_name_the_signals_of_the_file() {
    let evidence = by_hand();
    let analysis = Analysis::of(&evidence).unwrap();
    let gtkwave = gtkwave_view(&evidence, &analysis);
    assert!(gtkwave.contains("+{model events[1] counter} model.state.events_1.counter[25:0]\n[color] 1\n@24\n+{rtl events[1] counter} rtl.state"), "{gtkwave}");
    let surfer = surfer_view(&evidence, &analysis);
    assert!(surfer.ends_with("zoom_fit\ncursor_set 47110\n"), "{surfer}");
    assert!(surfer.contains("variable_add rtl.state.events_1.counter\n"), "{surfer}");
}

/// What is not of the run is marked in every form.
#[test]
fn cycles_after_the_capsule_are_marked() {
    let whole = by_hand();
    let evidence = Evidence { idle_from: Some(4712), ..by_hand() };
    let (before, analysis) = (Analysis::of(&whole).unwrap(), Analysis::of(&evidence).unwrap());
    assert!(analysis.plain_text().contains("the capsule ends before cycle 4712"));
    assert!(!before.plain_text().contains("the capsule ends"));
    assert_eq!(serde_json::to_value(&analysis).unwrap()["idle_from"], 4712);
    let marked = |evidence, analysis| page(evidence, analysis).matches(">after it</text>").count();
    assert_eq!((marked(&whole, &before), marked(&evidence, &analysis)), (0, 1));
    let shown = |evidence, analysis| gtkwave_view(evidence, analysis).contains("failure.idle");
    assert_eq!((shown(&whole, &before), shown(&evidence, &analysis)), (false, true));
}

#[test]
fn evidence_that_cannot_be_is_refused() {
    let refused = |change: fn(&mut Evidence)| {
        let mut evidence = by_hand();
        change(&mut evidence);
        Analysis::of(&evidence).unwrap_err().to_string()
    };
    assert!(refused(|evidence| evidence.cycle = 4713).starts_with("the failure is in cycle 4713"));
    assert!(refused(|evidence| drop(evidence.rows.remove(1))).contains("after cycle 4709 is that of cycle 4711"));
    assert!(refused(|evidence| evidence.rows[0].inputs.push(0)).contains("57 words"));
    assert!(refused(|evidence| evidence.rows[2].rtl.truncate(78)).contains("78"));
    assert!(refused(|evidence| evidence.rows.clear()).contains("no row"));
}

#[test]
fn assertions_and_properties_without_a_difference_have_a_headline() {
    let mut evidence = by_hand();
    evidence.rows.iter_mut().for_each(|row| row.rtl = row.model.clone());
    let headline = |evidence: &Evidence| Analysis::of(evidence).unwrap().headline;
    let text = Analysis::of(&evidence).unwrap().plain_text();
    assert!(text.contains("<- fails here") && !text.contains("<- differs here"), "{text}");
    evidence.cause = Cause::Assertion(Some("counter_freezes".to_owned()));
    assert_eq!(headline(&evidence), "cycle 4711: assertion counter_freezes fails in the RTL");
    evidence.cause = Cause::Assertion(Some("u_assert.gen_records[0].gen_frozen[1].Frozen".to_owned()));
    let found = headline(&evidence);
    assert!(found.starts_with("count: failed in cycle 4711: assertion u_assert.gen_records"), "{found}");
    assert!(
        found.contains("Frozen (rtl/lwp/lwp_assert.sv:") && found.contains("): LWP-CNT-06, LWP-STO-10: what"),
        "{found}"
    );
    let requirements = Analysis::of(&evidence).unwrap().requirements;
    assert_eq!(requirements.iter().map(|row| &row.id[..]).collect::<Vec<_>>(), ["LWP-CNT-06", "LWP-STO-10"]);
    evidence.cause = Cause::Property { name: "no_lost_record".to_owned(), message: "one is gone".to_owned() };
    assert_eq!(headline(&evidence), "cycle 4711: property no_lost_record: one is gone does not hold");
    evidence.cause = Cause::Mismatch;
    assert_eq!(headline(&evidence), "cycle 4711: model and RTL agree, although a mismatch was reported");
    assert!(page(&evidence, &Analysis::of(&evidence).unwrap()).contains("<svg"));
}

/// Inputs, model, and the RTL where it is not as the model.
type RandomRow = (Vec<u32>, Vec<u32>, Option<Vec<u32>>);

/// Whatever bits there are: unknown codes, impossible states, rows at both ends of time.
fn any_evidence() -> impl Strategy<Value = Evidence> {
    let builds = prop::sample::select(BuildId::ALL.to_vec());
    let cycle = prop_oneof![0_u64..100, u64::MAX - 10..u64::MAX - 5];
    (builds, 1_usize..6, cycle).prop_flat_map(|(build, count, first)| {
        let info = build.info();
        let words = |count| prop::collection::vec(any::<u32>(), count);
        let row = (words(info.in_words), words(info.out_words), prop::option::of(words(info.out_words)));
        (prop::collection::vec(row, count), 0..count).prop_map(move |(rows, failing)| {
            let row = |(at, (inputs, model, rtl)): (usize, RandomRow)| {
                let rtl = rtl.unwrap_or_else(|| model.clone());
                EvidenceRow { cycle: first + at as u64, inputs, model, rtl }
            };
            let rows = rows.into_iter().enumerate().map(row).collect();
            let straps = vec![0; info.strap_words];
            Evidence { cycle: first + failing as u64, build, straps, rows, ..by_hand() }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_bits_are_too_strange(evidence in any_evidence()) {
        let analysis = Analysis::of(&evidence).unwrap();
        let text = analysis.plain_text();
        prop_assert!(text.starts_with(&analysis.headline));
        prop_assert!(serde_json::to_string(&analysis).is_ok());
        prop_assert!(page(&evidence, &analysis).ends_with("</html>\n"));
        prop_assert!(wave_file(&evidence).is_ok());
        prop_assert!(!gtkwave_view(&evidence, &analysis).is_empty() && !surfer_view(&evidence, &analysis).is_empty());
    }
}
