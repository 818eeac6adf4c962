//! A planted difference in a memory of the shared cache, which no row shows until it is read: from the run that finds it to the report. It
//! is replayed from reset, since a row does not show what the memories hold.

use crate::capsule_support::planted::{self, Planted, lwp_sim};
use crate::capsule_support::seal::{seal, text_and_body};
use sim_harness::capsule::{Capsule, Model, ShrinkError, ShrinkOptions, Start, Subject, Target, replay_on, shrink_on};
use sim_harness::lockstep::{Field, Window};
use sim_harness::rdt::UNIT;
use sim_harness::report::MismatchReport;
use sim_harness::report::failure::{Analysis, Evidence, page, wave_file};
use sim_harness::rtl::{BuildId, Divergence, Flavour};
use std::fmt::Write;
use std::fs;

const BUILD: BuildId = BuildId::RdtS8w4;
const HERE: Window = Window { before: 30, after: 5 };
/// The set of the L3 cache whose word is damaged.
const SET: u64 = 5;

/// A unit whose memory of the L3 cache loses a bit of an age in the second line that a set gets: whoever looks into the set finds it.
struct Buggy;

struct Instance {
    model: Box<dyn Model>,
    /// Words with a valid line that were written to the set.
    written: u32,
}

fn field(name: &str) -> &'static Field {
    (UNIT.capsule.fields)(BUILD).iter().find(|field| field.name == name).unwrap()
}

impl Target for Buggy {
    fn build(&self) -> BuildId {
        BUILD
    }

    fn power_up(&self, _: Flavour, straps: &[u32]) -> Box<dyn Subject> {
        let model = (UNIT.capsule.model)(BUILD, straps).expect("candidates have legal straps");
        Box::new(Instance { model, written: 0 })
    }
}

impl Subject for Instance {
    fn replay(&mut self, inputs: &[u32], expected: &[u32]) -> Result<(), Divergence> {
        planted::replay(self, BUILD, inputs, expected)
    }

    fn step(&mut self, inputs: &[u32], shown: &mut [u32]) {
        self.model.cycle(inputs, shown);
        if inputs[0] & 1 == 0 {
            self.written = 0;
        }
        let is = |name: &str, value: u64| field(name).of(shown) == value;
        if !is("state.l3.index", SET) || !is("state.l3.word.line[0].valid", 1) {
            return;
        }
        let looks = is("state.job.step", 5);
        self.written += u32::from(is("state.l3.written", 1));
        if looks && self.written >= 2 {
            let age = field("state.l3.word.line[1].age");
            shown[age.word] ^= 1 << age.lsb;
        }
    }

    fn assertion_label(&mut self) -> Option<String> {
        None
    }
}

/// A program that loads from a set in every fifth instruction, and from the next line otherwise.
fn trace() -> String {
    (0..60).fold(String::new(), |mut text, at: u64| {
        let line = if at.is_multiple_of(5) { SET + 8 * (at / 5 % 3) } else { SET + 1 + 8 * (at % 7) };
        let _ = writeln!(text, r#"{{"ip":"0x401000","length":4,"loads":[{{"addr":"{:#x}","size":8}}]}}"#, 64 * line);
        text
    })
}

const PLANTED: Planted = Planted { unit: &UNIT, target: &Buggy, session: "[[sample]]\nevery = 500\n", trace };

#[test]
fn damage_in_a_memory_is_kept_replayed_shrunk_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.capsule");
    PLANTED.capsule(folder.path()).save(&path).unwrap();
    let capsule = Capsule::load(&path).unwrap();
    assert_eq!((capsule.header().unit.as_str(), capsule.header().build.as_str()), ("rdt", "rdt_s8w4"));
    assert!(capsule.broken_rule().is_none());
    let replayed = replay_on(&Buggy, &capsule, HERE).unwrap();
    assert!(replayed.as_recorded);
    let text = MismatchReport::of_replay(&replayed).unwrap().to_string();
    assert!(text.contains("state.l3.word.line[1].age: model 0x0, RTL 0x1"), "{text}");

    let small = shrink_on(&Buggy, None, &capsule, &ShrinkOptions::default(), &mut |_| true).unwrap();
    let header = small.header();
    assert!(header.shrunk.unwrap().complete);
    assert_eq!((header.start, header.checkpoint.as_ref()), (Start::Reset, None));
    assert_eq!(header.failure.way, capsule.header().failure.way);
    // Eight cycles of clear, then two accesses that fill the set and one that looks into it.
    assert!(header.cycles <= 36, "{} of {} cycles", header.cycles, capsule.header().cycles);
    assert!(header.shrunk.unwrap().fields <= 12, "{} fields", header.shrunk.unwrap().fields);

    let replayed = replay_on(&Buggy, &small, HERE).unwrap();
    assert!(replayed.as_recorded);
    let evidence = Evidence::of_replay(&small, &replayed, "a test".to_owned()).unwrap();
    let analysis = Analysis::of(&evidence).unwrap();
    let text = analysis.plain_text();
    assert!(text.starts_with("set: state.l3.word.line[1].age differs in cycle "), "{text}");
    for part in ["rtl/rdt/rdt_set.sv", "RDTM-02", "rdt_s8w4 with Classes 4", "job.step"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(page(&evidence, &analysis).contains("set: state.l3.word.line[1].age"));
    assert!(wave_file(&evidence).unwrap().len() > 500);
}

/// A row does not show the memories, so there is no state to begin in, and a file that says otherwise is refused.
#[test]
fn it_begins_at_reset() {
    let folder = tempfile::tempdir().unwrap();
    let capsule = PLANTED.capsule(folder.path());
    assert_eq!(capsule.from_checkpoint(10).unwrap(), capsule);
    let options = ShrinkOptions { checkpoint: Some(10), ..ShrinkOptions::default() };
    let error = shrink_on(&Buggy, None, &capsule, &options, &mut |_| true).unwrap_err();
    assert!(matches!(error, ShrinkError::NoCheckpoint { .. }), "{error}");

    let good = capsule.to_bytes();
    let (text, body) = text_and_body(&good);
    let row = vec!["\"0x00000000\""; BUILD.info().out_words].join(", ");
    let forged = std::str::from_utf8(text).unwrap().replacen("start = \"reset\"", "start = \"checkpoint\"", 1)
        + &format!("\n[checkpoint]\ncycle = 7\nrow = [{row}]\n");
    let path = folder.path().join("forged.capsule");
    fs::write(&path, seal(forged.as_bytes(), body)).unwrap();
    for name in ["replay", "report", "shrink", "waves"] {
        let (code, text) = lwp_sim(name, &path);
        assert_eq!(code, Some(2), "{name}: {text}");
        assert!(text.contains("the capsule begins in a state of a run, and the model"), "{name}: {text}");
    }
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
