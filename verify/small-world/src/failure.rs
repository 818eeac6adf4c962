//! A disagreement, as small as the graph can make it, in a file.

use crate::graph::Graph;
use crate::machine::Machine;
use crate::play::{Played, shortest_rows};
use crate::tour::Tour;
use crate::world::World;
use lwp_model::Unit;
use sim_harness::capsule::{Capsule, Failure, RowWriter, Way, origin};
use sim_harness::lockstep::{Batch, Flow, Producer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What model and RTL do not agree on.
#[derive(Debug)]
pub struct Disagreement {
    /// Fields and values in the first cycle that differs.
    pub text: String,
    /// The first field that differs.
    pub field: String,
    /// Steps from the root to it by the shortest way; 0: it shows on the walk alone.
    pub steps: usize,
    /// The file, and what could not be done with it.
    pub capsule: Result<PathBuf, String>,
}

/// Looks for the disagreement on the shortest way, and writes it down.
pub fn describe<W: World>(
    world: &W,
    graph: &Graph,
    tour: &Tour,
    root: Machine<W::Unit>,
    played: &Played,
    folder: &Path,
) -> Disagreement {
    let divergence = played.report.divergence.as_ref();
    let field = divergence.and_then(|at| at.first()).map_or_else(String::new, |first| first.field.name.to_owned());
    let text = divergence.map_or_else(String::new, ToString::to_string);
    let steps = played.edge.map_or(0, |edge| graph.way(edge).len());
    let short = played.edge.map(|edge| shortest_rows(world, graph, edge, root.clone()));
    let path = folder.join(format!("small-world-{}.capsule", world.name().replace(' ', "-")));
    let way = Way::Mismatch { field: field.clone() };
    let capsule = match short.map(|rows| save(world, &rows, &way, &path)) {
        Some(Ok(true)) => Ok(path),
        Some(Err(error)) => Err(error),
        Some(Ok(false)) | None => whole(world, graph, tour, root, played, &way, &path),
    };
    Disagreement { text, field, steps, capsule }
}

/// The walk as it was played.
fn whole<W: World>(
    world: &W,
    graph: &Graph,
    tour: &Tour,
    root: Machine<W::Unit>,
    played: &Played,
    way: &Way,
    path: &Path,
) -> Result<PathBuf, String> {
    let mut walk = crate::play::producer(world, graph, tour, root);
    let mut rows = Vec::new();
    let mut batch = Batch::new(
        <W::Unit as Unit>::INPUT_WORDS,
        <W::Unit as Unit>::OUTPUT_WORDS,
        sim_harness::lockstep::BATCH_CYCLES,
    );
    let wanted = played.report.cycles as usize + 1;
    while rows.len() < wanted {
        batch.clear();
        let flow = walk.fill(&mut batch);
        rows.extend((0..batch.cycles()).map(|cycle| batch.input_row(cycle).to_vec()));
        if flow == Flow::End {
            break;
        }
    }
    rows.truncate(wanted);
    match save(world, &rows, way, path) {
        Ok(true) => Ok(path.to_owned()),
        Ok(false) => Err(format!("{} was written, but does not fail again: the model in it agrees", path.display())),
        Err(error) => Err(error),
    }
}

/// Whether it fails again.
fn save<W: World>(world: &W, rows: &[Vec<u32>], way: &Way, path: &Path) -> Result<bool, String> {
    let mut writer = RowWriter::new(<W::Unit as Unit>::INPUT_WORDS);
    rows.iter().for_each(|row| writer.push(row));
    let repeat = again(world.name());
    let origin = origin(&format!("small-world {}", world.name()), &repeat, BTreeMap::new());
    let failure = Failure::new(way.clone(), rows.len() as u64 - 1);
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let mut capsule =
        Capsule::new(W::build(), &world.strap_words(), writer, failure, origin).map_err(|error| text(&error))?;
    let again = capsule.confirm(&W::build()).map_err(|error| text(&error))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    capsule.save(path).map_err(|error| text(&error))?;
    Ok(again)
}

/// The command that runs a world again. A name of two words is quoted.
#[must_use]
pub fn again(name: &str) -> String {
    let quote = if name.contains(' ') { "'" } else { "" };
    format!("cargo run --release -p small-world -- --world {quote}{name}{quote}")
}

#[cfg(test)]
mod tests {
    use super::again;

    #[test]
    fn a_name_of_two_words_is_one_argument() {
        assert!(again("tiny").ends_with("-- --world tiny"));
        assert!(again("global control").ends_with("-- --world 'global control'"));
    }
}
