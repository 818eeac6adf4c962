//! A recording tells the first cycle that differs, and never passes when it is not whole.

use lwp_model::Unit;
use lwp_model::lwp::{Config, Control, CtlOp, Inputs, Lwp};
use lwp_model::retire::Processor;
use lwp_model::tsc::{self, Tsc};
use model_replay::{Outcome, replay};
use recording::{Reader, Recording, RecordingError, Rows, Writer};
use std::path::PathBuf;

const CYCLES: usize = 40;

type Small = Lwp<1, 3, 10>;
const OUT_WORDS: usize = Small::OUTPUT_WORDS;

/// A unit that is enabled in cycle 2, as rows.
fn rows() -> Rows {
    let inputs = (0..CYCLES).map(|cycle| {
        let ctl = Control { valid: cycle == 2, op: CtlOp::WriteMsr0, wdata: 0b11, ..Control::default() };
        (cycle > 0, Inputs::<1> { entropy: cycle as u32, ctl, ..Inputs::default() })
    });
    let straps = Config::default();
    Recording::of::<Small>(&straps, inputs).unwrap().rows::<Small>(&straps)
}

fn recording(rows: &Rows) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes).unwrap();
    for seed in 0..2 {
        writer.run::<Small>(("by_hand", seed), &[1, 3, 10], &Config::default(), rows).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), (2, 2 * CYCLES as u64));
    bytes
}

/// A file of this test, which goes with it.
struct Kept(PathBuf);

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn replayed(name: &str, bytes: &[u8]) -> Result<Outcome, RecordingError> {
    let file = Kept(std::env::temp_dir().join(format!("model-replay-{}-{name}", std::process::id())));
    std::fs::write(&file.0, bytes).unwrap();
    Reader::open(&file.0).and_then(replay)
}

#[test]
fn the_model_is_what_was_recorded() {
    let outcome = replayed("whole", &recording(&rows())).unwrap();
    assert_eq!(outcome, Outcome { runs: 2, cycles: 2 * CYCLES as u64, difference: None });
}

#[test]
fn the_first_difference_is_told() {
    let mut rows = rows();
    // The word of LWPMSR0 in the probe, and one later that does not matter any more.
    rows.outputs[17 * OUT_WORDS + 12] ^= 4;
    rows.outputs[18 * OUT_WORDS] ^= 1;
    let outcome = replayed("different", &recording(&rows)).unwrap();
    let found = outcome.difference.unwrap();
    assert_eq!((found.cycle, found.number, found.field.as_str(), outcome.cycles), (17, 0, "state.msr0", 18));
}

#[test]
fn no_part_of_a_recording_passes() {
    let bytes = recording(&rows());
    for length in 0..bytes.len() {
        assert!(replayed("cut", &bytes[..length]).is_err(), "cut after {length} bytes of {}", bytes.len());
    }
}

/// Runs of several units in one file, of which the second one differs.
#[test]
fn units_follow_each_other() {
    let straps = tsc::Config::default();
    let tick = Processor { crystal_tick: true, ..Processor::default() };
    let inputs = (0..4).map(|cycle| (cycle > 0, tsc::Inputs { processor: tick, ..tsc::Inputs::default() }));
    let mut of_tsc = Recording::of::<Tsc<2>>(&straps, inputs).unwrap().rows::<Tsc<2>>(&straps);
    for differs in [false, true] {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes).unwrap();
        writer.run::<Small>(("by_hand", 0), &[1, 3, 10], &Config::default(), &rows()).unwrap();
        if differs {
            let field =
                Tsc::<2>::OUTPUT_FIELDS.iter().find(|field| field.name == "state.processors[1].counter").unwrap();
            of_tsc.outputs[3 * Tsc::<2>::OUTPUT_WORDS + field.word] ^= 1;
        }
        writer.run::<Tsc<2>>(("by_hand", 0), &[2], &straps, &of_tsc).unwrap();
        writer.finish().unwrap();
        let found = replayed("units", &bytes).unwrap().difference.map(|found| (found.number, found.cycle, found.field));
        assert_eq!(found, differs.then(|| (1, 3, "state.processors[1].counter".to_owned())));
    }
}

/// A run of a build that the program does not have is an error, not a difference.
#[test]
fn a_run_of_an_unknown_build_is_refused() {
    let straps = tsc::Config::default();
    let inputs = (0..4).map(|cycle| (cycle > 0, tsc::Inputs::default()));
    let rows = Recording::of::<Tsc<2>>(&straps, inputs).unwrap().rows::<Tsc<2>>(&straps);
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes).unwrap();
    writer.run::<Tsc<2>>(("by_hand", 0), &[3], &straps, &rows).unwrap();
    writer.finish().unwrap();
    let text = replayed("other", &bytes).unwrap_err().to_string();
    assert!(text.contains("the unit tsc with the sizes [3]"), "{text}");
}

#[test]
fn what_is_no_recording_is_refused() {
    let nothing = Reader::open(&std::env::temp_dir().join("model-replay/no such folder/recording"));
    assert!(matches!(nothing, Err(RecordingError::File(..))));
    assert!(matches!(replayed("foreign", b"something else"), Err(RecordingError::Foreign(_))));
    let mut empty = Vec::new();
    assert_eq!(Writer::new(&mut empty).unwrap().finish().unwrap(), (0, 0));
    assert!(matches!(replayed("empty", &empty), Err(RecordingError::Miscounted(_))), "nothing shows nothing");
    let mut damaged = recording(&rows());
    let end = damaged.len();
    damaged[end - 8] ^= 1;
    assert!(matches!(replayed("miscounted", &damaged), Err(RecordingError::Miscounted(_))));
    assert!(replayed("miscounted", &damaged).unwrap_err().to_string().contains("--bin record"));
}
