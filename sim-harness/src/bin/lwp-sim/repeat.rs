//! The command that repeats a run.

use super::cosim_args::CosimArgs;
use super::units;
use sim_harness::capsule::Way;
use sim_harness::command::{program, quoted, sibling};
use std::path::Path;

/// The command line of this run, with waves. `instructions` is given if the run was cut short.
pub(crate) fn command(args: &CosimArgs, instructions: Option<u64>) -> String {
    let mut words = vec![program(), "cosim --trace".to_owned(), quoted(&args.trace)];
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_owned(), value]);
        }
    };
    option("--unit", (args.unit != units::default()).then(|| args.unit.clone()));
    option("--session", args.session.as_deref().map(quoted));
    option("--engine", Some(args.engine.name().to_owned()));
    option("--limit", instructions.or(args.limit).map(|limit| limit.to_string()));
    option("--cpi", args.cpi.map(|cpi| cpi.to_string()));
    option("--retire-lanes", args.retire_lanes.map(|lanes| lanes.to_string()));
    option("--seed", args.seed.map(|seed| seed.to_string()));
    let waves = args.waves.as_deref().unwrap_or(Path::new("mismatch.fst"));
    option("--waves", Some(quoted(waves)));
    if args.assertions {
        words.push("--assertions".to_owned());
    }
    words.join(" ")
}

/// The command that repeats the failure of a capsule: properties are checked by a program of their own.
pub(crate) fn replay(path: &Path, way: &Way) -> String {
    let program = match way {
        Way::Property { .. } => sibling("proptests", "judge"),
        _ => program(),
    };
    format!("{program} replay {}", quoted(path))
}
