//! Failure capsules of cases that fail.
//!
//! A property notes its failure together with the inputs. The caller, which knows the name of the case, writes the note to a file
//! ([`save`]). Each thread keeps its latest note.

use lwp_model::Unit;
use sim_harness::capsule::{AFTER, Capsule, Failure, RowWriter, Way, origin};
use sim_harness::command::{quoted, shown, sibling};
use sim_harness::rtl::{BuildId, strap_words};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Failure, and the inputs that led to it.
#[derive(Clone, Debug)]
struct Note {
    build: BuildId,
    straps: Vec<u32>,
    rows: Vec<u32>,
    failure: Failure,
}

thread_local! {
    static NOTE: RefCell<Option<Note>> = const { RefCell::new(None) };
}

/// Notes that a run with these straps and rows of inputs fails in this way, in this cycle. Rows long after the cycle are left out.
///
/// # Panics
///
/// If the rows are not those of the build.
pub fn note(build: BuildId, straps: Vec<u32>, rows: &[u32], failure: Failure) {
    let words = build.info().in_words;
    assert!(rows.len().is_multiple_of(words), "whole rows of {}", build.name());
    let last = usize::try_from(failure.cycle.saturating_add(AFTER)).unwrap_or(usize::MAX);
    let kept = last.saturating_add(1).saturating_mul(words).min(rows.len());
    NOTE.set(Some(Note { build, straps, rows: rows[..kept].to_vec(), failure }));
}

/// Notes that a run with these straps and rows of inputs violates a property, and the cycle that shows it.
///
/// # Panics
///
/// If the rows are not those of the build.
pub fn note_property<U: Unit>(
    name: &str,
    build: BuildId,
    straps: &U::Config,
    inputs: &[u32],
    (cycle, reason): (u64, &str),
) {
    let mut failure = Failure::new(Way::Property { name: name.to_owned() }, cycle);
    reason.clone_into(&mut failure.text);
    note(build, strap_words::<U>(straps), inputs, failure);
}

/// Drops the note.
pub fn forget() {
    NOTE.set(None);
}

/// Replays the noted failure in both flavours of the RTL, writes it to a file, and drops the note. Returns `None` if nothing was noted.
///
/// # Errors
/// A description, if the file cannot be written, or the failure is not the same in the replay. In the second case the file is written.
#[must_use]
pub fn save(path: &Path, found_by: &str, repeat: &str, seeds: &[(&str, u64)]) -> Option<Result<PathBuf, String>> {
    let note = NOTE.take()?;
    Some(write(&note, path, found_by, repeat, seeds))
}

fn write(note: &Note, path: &Path, found_by: &str, repeat: &str, seeds: &[(&str, u64)]) -> Result<PathBuf, String> {
    let words = note.build.info().in_words;
    let mut rows = RowWriter::new(words);
    note.rows.chunks_exact(words).for_each(|row| rows.push(row));
    let seeds: BTreeMap<String, u64> = seeds.iter().map(|&(name, seed)| (name.to_owned(), seed)).collect();
    let origin = origin(found_by, repeat, seeds);
    let capsule = Capsule::new(note.build, &note.straps, rows, note.failure.clone(), origin);
    let mut capsule = capsule.map_err(|error| error.to_string())?;
    let confirmed = capsule.confirm(&note.build).map_err(|error| error.to_string());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let path = capsule.keep(path).map_err(|error| error.to_string())?;
    match confirmed {
        Ok(true) => Ok(path),
        Ok(false) => Err(format!("{} does not fail again as it did", path.display())),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// Returns the message about a capsule that was, or was not, written.
#[must_use]
pub fn advice(saved: Option<Result<PathBuf, String>>) -> String {
    match saved {
        None => String::new(),
        Some(Ok(path)) => {
            let file = quoted(&shown(&path));
            // `lwp-sim` knows no properties.
            let of_property =
                Capsule::load(&path).is_ok_and(|capsule| matches!(capsule.header().failure.way, Way::Property { .. }));
            let simulator = sibling("sim-harness", "lwp-sim");
            let program = if of_property { sibling("proptests", "judge") } else { simulator.clone() };
            format!(
                "\nthe failure as one file: {file}\n  {program} replay {file}\n  {program} shrink {file}\n  {simulator} report {file}"
            )
        }
        Some(Err(reason)) => format!("\nno capsule: {reason}"),
    }
}

/// Returns the directory of the tests' capsules: `LWP_CAPSULES`, or `target/capsules` of the workspace.
#[must_use]
pub fn folder() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/capsules");
    std::env::var_os("LWP_CAPSULES").map_or(workspace, PathBuf::from)
}
