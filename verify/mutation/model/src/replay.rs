//! The model against a recording.

use lwp_model::Unit;
use lwp_model::flat::Field;
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
    /// The field of the flat image, `words` if rows have others, `inputs` or `straps` if these do not come back as they were, the name of a short way that
    /// leads elsewhere than a step, or `panic`.
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
        let result = catch_unwind(AssertUnwindSafe(|| of_unit(&mut reader, &run, &mut played)));
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

/// What the replay of a run needs to know: where it is in the file, the run, the cycles that were played.
type Play = fn(&mut Reader, &Run, &mut u32) -> Result<Option<String>, RecordingError>;

/// A build of a unit.
pub(crate) struct Build {
    unit: &'static str,
    sizes: &'static [u32],
    play: Play,
}

include!(concat!(env!("OUT_DIR"), "/builds.rs"));

fn of_unit(reader: &mut Reader, run: &Run, played: &mut u32) -> Result<Option<String>, RecordingError> {
    let fits = |build: &&Build| (build.unit, build.sizes) == (run.unit.as_str(), run.sizes.as_slice());
    match BUILDS.iter().find(fits) {
        Some(build) => (build.play)(reader, run, played),
        None => {
            let (unit, sizes) = (&run.unit, &run.sizes);
            Err(reader.unknown(format!("no model of the unit {unit} with the sizes {sizes:?} is built in")))
        }
    }
}

/// The ways of a model past a step, which have to lead where steps lead. A unit without any takes [`NoShortWays`].
pub(crate) trait ShortWays<U: Unit> {
    /// They begin where the model is.
    fn from(unit: &U) -> Self;
    /// A cycle, its inputs also as a row.
    fn step(&mut self, inputs: &U::Inputs, row: &[u32]);
    /// The name of one that leads elsewhere than the model, which shows this row, is.
    fn differ(&mut self, unit: &U, shown: &[u32]) -> Option<String>;
}

/// There are none.
pub(crate) struct NoShortWays;

impl<U: Unit> ShortWays<U> for NoShortWays {
    fn from(_: &U) -> Self {
        Self
    }

    fn step(&mut self, _: &U::Inputs, _: &[u32]) {}

    fn differ(&mut self, _: &U, _: &[u32]) -> Option<String> {
        None
    }
}

/// The field in which the cycle `played` - 1 differs.
pub(crate) fn play<U: Unit, W: ShortWays<U>>(
    reader: &mut Reader,
    run: &Run,
    played: &mut u32,
) -> Result<Option<String>, RecordingError> {
    // The rows of the recording are those of the true model.
    if (U::INPUT_WORDS, U::OUTPUT_WORDS) != (run.input_words, run.output_words) {
        return Ok(Some("words".to_owned()));
    }
    // The recording holds what the true model has packed, so that words which are refused are a difference.
    let Ok(straps) = U::unpack_straps(&run.straps) else { return Ok(Some("straps".to_owned())) };
    let Ok(mut unit) = U::new(straps.clone()) else { return Ok(Some("straps".to_owned())) };
    let mut short = W::from(&unit);
    let mut cycle = run.power_up();
    let (mut packed, mut shown) = (vec![0; cycle.input.len()], vec![0; cycle.output.len()]);
    for _ in 0..run.cycles {
        reader.advance(&mut cycle)?;
        *played += 1;
        let (inputs, rst_n) = U::unpack_inputs(&cycle.input);
        if !rst_n {
            unit.reset();
            short = W::from(&unit);
        }
        U::pack_expected(unit.state(), &straps, &mut shown);
        let differs = || difference(U::OUTPUT_FIELDS, &shown, &cycle.output);
        if let Some(field) = differs().or_else(|| short.differ(&unit, &cycle.output)) {
            return Ok(Some(field));
        }
        U::pack_inputs(&inputs, rst_n, &mut packed);
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

fn difference(fields: &[Field], row: &[u32], shown: &[u32]) -> Option<String> {
    let word = (0..row.len()).find(|&word| row[word] != shown[word])?;
    let bits = row[word] ^ shown[word];
    let field = fields.iter().find(|field| covers(field.word, field.lsb, field.width, word, bits));
    Some(field.map_or_else(|| format!("word {word}"), |field| field.name.to_owned()))
}

/// Whether a field has one of these bits of a word. Written without the model's own functions, which may be what is wrong.
fn covers(first: usize, lsb: u32, width: u32, word: usize, bits: u32) -> bool {
    let mask = ((1_u128 << width) - 1) << lsb;
    word.checked_sub(first).is_some_and(|at| at < 4 && (mask >> (32 * at)) as u32 & bits != 0)
}
