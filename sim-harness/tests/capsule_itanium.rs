//! A planted difference in a counter of the event qualification, from the run that finds it to the report.

use crate::capsule_support::planted::{self, Planted, lwp_sim};
use sim_harness::capsule::{Capsule, Model, ShrinkOptions, Subject, Target, replay_on, shrink_on};
use sim_harness::itanium::UNIT;
use sim_harness::lockstep::{Field, Window};
use sim_harness::report::MismatchReport;
use sim_harness::report::failure::{Analysis, Evidence, page, wave_file};
use sim_harness::rtl::{BuildId, Divergence, Flavour};
use std::fmt::Write;

const BUILD: BuildId = BuildId::ItaniumB1e4;
const HERE: Window = Window { before: 30, after: 5 };

/// A unit that shows a lowest bit too few in PMD\[5\] when PMD\[5\] is 7 and monitoring is not frozen.
struct Buggy;

struct Instance(Box<dyn Model>);

fn field(name: &str) -> &'static Field {
    (UNIT.capsule.fields)(BUILD).iter().find(|field| field.name == name).unwrap()
}

impl Target for Buggy {
    fn build(&self) -> BuildId {
        BUILD
    }

    fn power_up(&self, _: Flavour, straps: &[u32]) -> Box<dyn Subject> {
        Box::new(Instance((UNIT.capsule.model)(BUILD, straps).expect("candidates have legal straps")))
    }
}

impl Subject for Instance {
    fn replay(&mut self, inputs: &[u32], expected: &[u32]) -> Result<(), Divergence> {
        planted::replay(self, BUILD, inputs, expected)
    }

    fn step(&mut self, inputs: &[u32], shown: &mut [u32]) {
        self.0.cycle(inputs, shown);
        let (count, fr) = (field("state.counter[1].count"), field("state.freeze.fr"));
        if count.of(shown) == 7 && fr.of(shown) == 0 {
            shown[count.word] ^= 1 << count.lsb;
        }
    }

    fn assertion_label(&mut self) -> Option<String> {
        None
    }
}

/// A program of which every second instruction loads.
fn trace() -> String {
    (0..100).fold(String::new(), |mut text, at: u64| {
        let loads = if at.is_multiple_of(2) { r#"{"addr":"0x2000","size":8}"# } else { "" };
        let _ = writeln!(text, r#"{{"ip":"0x401000","length":4,"loads":[{loads}]}}"#);
        text
    })
}

const PLANTED: Planted = Planted { unit: &UNIT, target: &Buggy, session: "", trace };

#[test]
fn a_wrong_count_is_kept_replayed_shrunk_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    PLANTED.capsule(folder.path()).save(&path).unwrap();
    let capsule = Capsule::load(&path).unwrap();
    assert_eq!((capsule.header().unit.as_str(), capsule.header().build.as_str()), ("itanium", "itanium_b1e4"));
    let replayed = replay_on(&Buggy, &capsule, HERE).unwrap();
    assert!(replayed.as_recorded);
    let text = MismatchReport::of_replay(&replayed).unwrap().to_string();
    assert!(text.contains("state.counter[1].count: model 0x00000007, RTL 0x00000006"), "{text}");

    let small = shrink_on(&Buggy, None, &capsule, &ShrinkOptions::default(), &mut |_| true).unwrap();
    let header = small.header();
    assert!(header.shrunk.unwrap().complete);
    assert_eq!(header.failure.way, capsule.header().failure.way);
    assert!(header.cycles < capsule.header().cycles && header.cycles <= 20, "{} cycles", header.cycles);

    let replayed = replay_on(&Buggy, &small, HERE).unwrap();
    let evidence = Evidence::of_replay(&small, &replayed, "a test".to_owned()).unwrap();
    let analysis = Analysis::of(&evidence).unwrap();
    let text = analysis.plain_text();
    assert!(text.starts_with("counter: state.counter[1].count differs in cycle "), "{text}");
    for part in ["rtl/itanium/itanium_counter.sv", "ITA-40", "itanium_b1e4 with Bundles 1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(page(&evidence, &analysis).contains("counter: state.counter[1].count"));
    assert!(wave_file(&evidence).unwrap().len() > 500);
}

/// The commands, on a unit that is right.
#[test]
fn the_commands_take_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    PLANTED.capsule(folder.path()).save(&path).unwrap();
    let (code, text) = lwp_sim("replay", &path);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("model and RTL agree"), "{text}");
    assert_eq!(lwp_sim("report", &path).0, Some(0));
    assert_eq!(lwp_sim("shrink", &path).0, Some(4));
}
