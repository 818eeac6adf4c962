//! A planted difference in a time-stamp counter, from the run that finds it to the report.

use crate::capsule_support::planted::{self, Planted, lwp_sim};
use crate::capsule_support::seal::{seal, text_and_body};
use sim_harness::capsule::{
    Capsule, CapsuleError, Failure, Model, ShrinkOptions, Subject, Target, Way, origin, replay_on, shrink_on,
};
use sim_harness::lockstep::{Field, Window};
use sim_harness::report::MismatchReport;
use sim_harness::report::failure::{Analysis, Evidence, gtkwave_view, page, surfer_view, wave_file};
use sim_harness::rtl::{BuildId, Divergence, Flavour};
use sim_harness::tsc::UNIT;
use std::collections::BTreeMap;

const BUILD: BuildId = BuildId::TscLp2;

/// A unit that shows an aux register with another lowest bit, once the one of processor 1 is 5 and the counter is not small.
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
        let (aux, counter) = (field("state.processors[1].aux"), field("state.processors[0].counter"));
        if aux.of(shown) == 5 && counter.of(shown) > 200 {
            shown[aux.word] ^= 1 << aux.lsb;
        }
    }

    fn assertion_label(&mut self) -> Option<String> {
        None
    }
}

const SESSION: &str = "[[request]]\ninstruction = 900\nop = \"wrmsr\"\nregister = \"IA32_TSC_AUX\"\nvalue = 5\nlp = 1\ncpl = 0\n\
                       [[request]]\nevery = 50\nop = \"rdtscp\"\n";

const PLANTED: Planted =
    Planted { unit: &UNIT, target: &Buggy, session: SESSION, trace: || crate::cosim_bench::plain(2000) };

#[test]
fn a_difference_is_kept_replayed_shrunk_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    PLANTED.capsule(folder.path()).save(&path).unwrap();
    let capsule = Capsule::load(&path).unwrap();
    assert_eq!((capsule.header().unit.as_str(), capsule.header().build.as_str()), ("tsc", "tsc_lp2"));
    assert!(capsule.broken_rule().is_none());
    let replayed = replay_on(&Buggy, &capsule, Window { before: 30, after: 5 }).unwrap();
    assert!(replayed.as_recorded);
    let text = MismatchReport::of_replay(&replayed).unwrap().to_string();
    assert!(text.contains("state.processors[1].aux: model 0x00000005, RTL 0x00000004"), "{text}");
    assert!(text.contains("reg.reg_op WRMSR, reg.reg_lp 1, reg.reg_number 0xc0000103, reg.reg_wdata 0x5"), "{text}");

    // The counter passes 200 with the third tick of the crystal.
    let small = shrink_on(&Buggy, None, &capsule, &ShrinkOptions::default(), &mut |_| true).unwrap();
    assert!(small.header().shrunk.unwrap().complete);
    assert_eq!(small.header().failure.way, capsule.header().failure.way);
    assert_eq!(small.header().cycles, 5, "three ticks, the write, and the cycle that shows it");

    let replayed = replay_on(&Buggy, &small, Window { before: 30, after: 5 }).unwrap();
    let evidence = Evidence::of_replay(&small, &replayed, "a test".to_owned()).unwrap();
    let analysis = Analysis::of(&evidence).unwrap();
    let text = analysis.plain_text();
    let beginning = "processor: state.processors[1].aux differs in cycle 4: model 0x00000005, RTL 0x00000004";
    assert!(text.starts_with(beginning), "{text}");
    for part in ["rtl/tsc/tsc_processor.sv", "TSC-17", "tsc_lp2 with LogicalProcessors 2", "reg.reg_op WRMSR"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(page(&evidence, &analysis).contains("processor: state.processors[1].aux"));
    assert!(wave_file(&evidence).unwrap().len() > 500);
    assert!(gtkwave_view(&evidence, &analysis).contains("model.state.processors_1.aux"));
    assert!(!surfer_view(&evidence, &analysis).is_empty());
    let json = serde_json::to_value(&analysis).unwrap();
    assert_eq!((&json["unit"], &json["stage"]["name"]), (&"tsc".into(), &"processor".into()));
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
    // Where a property fails, both agree, and there is something to report.
    let plan = PLANTED.plan(folder.path());
    let failure = Failure::new(Way::Property { name: "monitors".to_owned() }, 40);
    let origin = origin("test", "cargo test", BTreeMap::new());
    let mut producer = PLANTED.producer(plan.as_ref(), folder.path());
    let property = Capsule::record(BUILD, &plan.strap_words(), producer.as_mut(), failure, origin).unwrap();
    property.save(&path).unwrap();
    let (code, text) = lwp_sim("report", &path);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("cycle 40: property monitors does not hold"), "{text}");
}

/// Another unit, another size, another time: one message each, with what to do.
#[test]
fn capsules_that_do_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let good = PLANTED.capsule(folder.path()).to_bytes();
    let (text, body) = text_and_body(&good);
    let text = std::str::from_utf8(text).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        let error = Capsule::from_bytes(&seal(text.replacen(from, to, 1).as_bytes(), body)).unwrap_err();
        let help = miette::Diagnostic::help(&error).expect("what to do").to_string();
        assert!(!help.is_empty());
        (error.to_string(), error)
    };
    let (said, error) = refused("unit = \"tsc\"", "unit = \"pmu\"");
    assert_eq!(
        said,
        "the capsule is of the unit `pmu`, and this program knows `lwp`, `tsc`, `perf`, `debug`, `trace`, `rdt`, `itanium`"
    );
    assert!(matches!(error, CapsuleError::Unit { .. }));
    let (said, _) = refused("unit = \"tsc\"", "unit = \"lwp\"");
    assert!(said.contains("unit of the build: lwp, where this program has tsc"), "{said}");
    let (said, _) = refused("\"tsc_lp2\"", "\"tsc_lp3\"");
    assert!(said.contains("the build `tsc_lp3`"), "{said}");
    let words = format!("in_words = {}", BUILD.info().in_words);
    let (said, _) = refused(&words, "in_words = 3");
    assert!(said.contains("words of inputs: 3, where this program has"), "{said}");
    let (said, _) = refused("LogicalProcessors = 2", "LogicalProcessors = 4");
    assert!(said.contains("parameters"), "{said}");
    let old = [b"failure-capsule 0\n", &good[18..]].concat();
    let error = Capsule::from_bytes(&old).unwrap_err();
    assert_eq!(error.to_string(), "the capsule has version 0 of the format, and this program reads version 1");
    assert!(miette::Diagnostic::help(&error).unwrap().to_string().contains("find the failure again"));
}
