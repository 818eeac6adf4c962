//! The model against a recording.

use lwp_model::lwp::flat::fields::FIELDS;
use lwp_model::lwp::flat::{OUT_WORDS, Shown, pack_expected, pack_inputs, unpack_inputs, unpack_straps};
use lwp_model::lwp::{Config, Digest, Inputs, Lwp};
use recording::{Reader, RecordingError, Run};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The first cycle in which the model is not the RTL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The run, numbered from 0.
    pub number: u32,
    /// What it is.
    pub run: Run,
    /// The cycle of the run, numbered from 0.
    pub cycle: u32,
    /// The field of the flat image, `inputs` or `straps` if these do not come back as they were, `counting` or `skipping` if a
    /// short way leads elsewhere than a step, or `panic`.
    pub field: String,
}

/// What a replay has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Runs that were begun.
    pub runs: u32,
    /// Cycles of all runs up to the end or the first difference, which is counted.
    pub cycles: u64,
    /// The first difference.
    pub difference: Option<Difference>,
}

/// Replays a recording up to the first difference.
///
/// # Errors
/// If the recording cannot be read to its end, or to the difference.
pub fn replay(mut reader: Reader) -> Result<Outcome, RecordingError> {
    let mut outcome = Outcome { runs: 0, cycles: 0, difference: None };
    while let Some(run) = reader.run()? {
        outcome.runs += 1;
        let mut played = 0;
        // A model that panics differs from hardware, which cannot.
        let result = catch_unwind(AssertUnwindSafe(|| of_size(&mut reader, &run, &mut played)));
        let field = result.unwrap_or_else(|_| Ok(Some("panic".to_owned())))?;
        outcome.cycles += u64::from(played);
        if let Some(field) = field {
            let cycle = played.saturating_sub(1);
            outcome.difference = Some(Difference { number: outcome.runs - 1, run, cycle, field });
            break;
        }
    }
    Ok(outcome)
}

fn of_size(reader: &mut Reader, run: &Run, played: &mut u32) -> Result<Option<String>, RecordingError> {
    // Not the model's own functions, which may be what is wrong.
    let words = |lanes: usize| (12 + 11 * lanes, OUT_WORDS);
    let fits = |lanes| words(lanes) == (run.input_words, run.output_words);
    match (run.unit.as_str(), run.sizes.as_slice()) {
        ("lwp", [1, 3, 10]) if fits(1) => play::<1, 3, 10>(reader, run, played),
        ("lwp", [4, 8, 31]) if fits(4) => play::<4, 8, 31>(reader, run, played),
        (unit, sizes) => {
            Err(reader.unknown(format!("no model of the unit {unit} with the sizes {sizes:?} is built in")))
        }
    }
}

/// The field in which the cycle `played` - 1 differs.
fn play<const W: usize, const S: usize, const LAT: u32>(
    reader: &mut Reader,
    run: &Run,
    played: &mut u32,
) -> Result<Option<String>, RecordingError> {
    // The recording holds what the true model has packed, so that words which are refused are a difference.
    let Ok(straps) = unpack_straps(&run.straps) else { return Ok(Some("straps".to_owned())) };
    let Ok(mut unit) = Lwp::<W, S, LAT>::new(straps) else { return Ok(Some("straps".to_owned())) };
    let mut short = ShortWays::from(&unit);
    let mut cycle = run.power_up();
    let mut packed = vec![0; cycle.input.len()];
    for _ in 0..run.cycles {
        reader.advance(&mut cycle)?;
        *played += 1;
        let (inputs, rst_n) = unpack_inputs::<W>(&cycle.input);
        if !rst_n {
            unit.reset();
            short = ShortWays::from(&unit);
        }
        if let Some(field) = differs(&unit, &straps, &cycle.output).or_else(|| short.differ(&unit, &cycle.output)) {
            return Ok(Some(field));
        }
        pack_inputs(&inputs, rst_n, &mut packed);
        if packed != cycle.input {
            return Ok(Some("inputs".to_owned()));
        }
        if rst_n {
            unit.step(&inputs);
            short.step(&inputs, &cycle.input);
        }
    }
    Ok(None)
}

/// Cycles that are run at a time.
const STRETCH: usize = 24;

/// The ways of the model past a step: cycle by cycle where it only counts, and many cycles at a stride.
struct ShortWays<const W: usize, const S: usize, const LAT: u32> {
    counting: Shown<W, S, LAT>,
    skipping: Lwp<W, S, LAT>,
    /// What it has not run yet.
    inputs: Vec<Inputs<W>>,
}

impl<const W: usize, const S: usize, const LAT: u32> ShortWays<W, S, LAT> {
    fn from(unit: &Lwp<W, S, LAT>) -> Self {
        Self { counting: Shown::new(unit.clone()), skipping: unit.clone(), inputs: Vec::with_capacity(STRETCH) }
    }

    fn step(&mut self, inputs: &Inputs<W>, row: &[u32]) {
        self.counting.step_row(row);
        self.inputs.push(*inputs);
    }

    fn differ(&mut self, unit: &Lwp<W, S, LAT>, shown: &[u32]) -> Option<String> {
        if self.counting.row() != shown {
            return Some("counting".to_owned());
        }
        if self.inputs.len() < STRETCH {
            return None;
        }
        let digests: Vec<Digest> = self.inputs.iter().map(Digest::of).collect();
        self.skipping.run(&self.inputs, &digests);
        self.inputs.clear();
        (self.skipping != *unit).then(|| "skipping".to_owned())
    }
}

fn differs<const W: usize, const S: usize, const LAT: u32>(
    unit: &Lwp<W, S, LAT>,
    straps: &Config,
    shown: &[u32],
) -> Option<String> {
    let mut row = [0; OUT_WORDS];
    pack_expected(unit.state(), straps, &mut row);
    if row == *shown {
        return None;
    }
    let word = (0..OUT_WORDS).find(|&word| row[word] != shown[word]).unwrap_or_default();
    let bits = row[word] ^ shown[word];
    let field = FIELDS.iter().find(|field| covers(field.word, field.lsb, field.width, word, bits));
    Some(field.map_or_else(|| format!("word {word}"), |field| field.name.to_owned()))
}

/// Whether a field has one of these bits of a word. Written without the model's own functions, which may be what is wrong.
fn covers(first: usize, lsb: u32, width: u32, word: usize, bits: u32) -> bool {
    let mask = ((1_u128 << width) - 1) << lsb;
    word.checked_sub(first).is_some_and(|at| at < 4 && (mask >> (32 * at)) as u32 & bits != 0)
}
