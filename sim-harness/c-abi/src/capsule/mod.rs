//! Failure capsules of a foreign test bench: what its unit was given, and the first row in which it differs from the model.

pub mod exports;

use crate::abi::RowKind;
use crate::builds::Build;
use crate::difference::{difference, first};
use crate::failure::Failure;
use crate::recorder::Recorder;
use crate::unit::AnyUnit;
use capsule_file::{Failure as Failed, Header, Origin, RowsCrc, Start, Way, file, free_name, stored};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A failure: the row that the other unit shows in the present cycle, and the inputs of that cycle, if they are known.
pub(crate) struct Shown<'a> {
    pub(crate) row: &'a [u32],
    pub(crate) inputs: Option<&'a [u32]>,
    pub(crate) found_by: &'a str,
}

/// The bytes of a capsule, and the cycle of its failure.
pub(crate) fn capsule(
    unit: &dyn AnyUnit,
    build: &Build,
    recorder: Option<&Recorder>,
    shown: &Shown<'_>,
) -> Result<(Vec<u8>, u64), Failure> {
    let refuse = |text: &str| Err(Failure::Capsule(text.to_owned()));
    let Some(recorder) = recorder else {
        return refuse("the model is not recorded: call lwp_model_record after it is made");
    };
    let Some((deltas, recorded)) = recorder.recorded() else {
        return refuse("the inputs since reset are more than a gigabyte, which is the most that is recorded");
    };
    if build.name.is_empty() {
        return refuse("lwp-sim has no build of these sizes, so it could not replay the capsule");
    }
    let mut model = vec![0; unit.words(RowKind::Shown)];
    unit.row(&mut model);
    let fields = unit.fields(RowKind::Shown);
    let Some(text) = difference(fields, &model, shown.row) else {
        return refuse("the unit shows what the model shows: nothing has failed");
    };
    let (mut deltas, mut bytes) = (deltas.clone(), recorded.to_vec());
    let cycle = deltas.cycles();
    let last = shown.inputs.map_or_else(|| deltas.last().to_vec(), <[u32]>::to_vec);
    deltas.push(&last, &mut bytes);
    deltas.finish(&mut bytes);
    let mut straps = vec![0; unit.words(RowKind::Straps)];
    unit.straps(&mut straps);
    let field = first(fields, &model, shown.row);
    let values = field.map_or([0; 2], |field| [field.of(&model), field.of(shown.row)]);
    let way = Way::Mismatch { field: field.map_or("(nothing)", |field| field.name).to_owned() };
    let rows_crc = crc(unit.fresh(), &bytes, cycle, shown.row)?;
    let header = Header {
        unit: unit.name().to_owned(),
        build: format!("{}_{}", unit.name(), build.name),
        start: Start::Reset,
        cycles: cycle + 1,
        in_words: unit.words(RowKind::Inputs),
        straps,
        parameters: build.parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        checkpoint: None,
        failure: Failed { way, cycle, values, rows_crc, text },
        // Who reads it knows the rules of the ports.
        protocol: None,
        origin: origin(shown.found_by),
        shrunk: None,
    };
    Ok((file(&header, &stored(&bytes)), cycle))
}

/// The checksum of what the other unit has shown: what the model shows, up to the present cycle.
fn crc(mut unit: Box<dyn AnyUnit>, bytes: &[u8], cycle: u64, shown: &[u32]) -> Result<u32, Failure> {
    let mut rows = capsule_file::DeltaReader::new(bytes, unit.words(RowKind::Inputs));
    let (mut crc, mut row) = (RowsCrc::default(), vec![0; unit.words(RowKind::Shown)]);
    for _ in 0..cycle {
        let inputs = rows.next_row().map_err(|error| Failure::Internal(error.to_string()))?;
        // Without reset, what is shown precedes the edge; in reset, every register is 0 at once.
        let in_reset = inputs[0] & 1 == 0;
        if in_reset {
            unit.reset();
        }
        unit.row(&mut row);
        crc.take(&row);
        if !in_reset {
            unit.step_words(inputs);
        }
    }
    crc.take(shown);
    Ok(crc.sum())
}

/// The program that loaded this library, and how it was called.
fn origin(found_by: &str) -> Origin {
    let quoted = |word: String| if word.contains([' ', '\'', '"', '$', '\\']) { format!("{word:?}") } else { word };
    let words: Vec<String> = std::env::args_os().map(|word| quoted(word.to_string_lossy().into_owned())).collect();
    let version = (env!("CARGO_PKG_NAME").to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    Origin {
        found_by: found_by.to_owned(),
        repeat: words.join(" "),
        seeds: BTreeMap::new(),
        versions: BTreeMap::from([version]),
        // The RTL is the caller's, and no file of it is known here.
        sources: BTreeMap::new(),
    }
}

/// Writes a new file: under this name, or, where another file has it, under the name with a number; in a folder under `name`.
pub(crate) fn keep(path: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let path = if path.is_dir() { path.join(name) } else { path.to_owned() };
    loop {
        let path = free_name(&path, |path| fs::symlink_metadata(path).is_err());
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                return file.write_all(bytes).map(|()| path.clone()).map_err(|error| unwritten(&path, &error));
            }
            // Somebody was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unwritten(&path, &error)),
        }
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::File(format!("{}: {error}", path.display()))
}
