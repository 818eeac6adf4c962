//! The capsule that a failing `lwp-sim cosim` leaves.

use super::cosim_args::CosimArgs;
use super::exit::Failure;
use super::plan::Plan;
use super::repeat;
use super::units;
use super::waves;
use sim_harness::capsule::{Capsule, Failure as Failed, Way, origin};
use sim_harness::command::shown;
use sim_harness::report::MismatchReport;
use std::path::{Path, PathBuf};

/// The capsule of a run, and its file.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) path: PathBuf,
    pub(crate) capsule: Capsule,
    /// Why it may not be what it says. It is kept in any case: it is all that there is of the failure.
    pub(crate) unconfirmed: Option<Failure>,
}

/// Runs again up to the mismatch, keeps the inputs, and replays them in both builds of the RTL.
pub(crate) fn write(args: &CosimArgs, plan: &Plan, mismatch: &MismatchReport) -> Result<Written, Failure> {
    let first = mismatch.first();
    let path = args.capsule.clone().unwrap_or_else(|| name(args, first.cycle));
    let way = match first.field.as_str() {
        "assertion" => Way::Assertion { label: String::new() },
        _ => Way::Mismatch { field: first.field },
    };
    let command = repeat::command(args, None);
    let origin = origin("lwp-sim cosim", &command, plan.run.seeds());
    let (build, straps) = (plan.run.build(), plan.run.strap_words());
    let mut producer = waves::producer(plan, "a capsule needs the run a second time")?;
    let mut capsule = Capsule::record(build, &straps, producer.as_mut(), Failed::new(way, first.cycle), origin)?;
    let confirmed = capsule.confirm(&build);
    let path = shown(&capsule.keep(&path)?);
    let unconfirmed = match confirmed {
        Ok(true) => None,
        Ok(false) => {
            let message = format!("the run did not fail again as it did; `{}` holds its inputs", path.display());
            let help = "the trace may have changed meanwhile, or the machine is at fault: run it again";
            Some(Failure::option(&message, help))
        }
        Err(error) => Some(error.into()),
    };
    Ok(Written { path, capsule, unconfirmed })
}

/// In the current folder, after trace, session, unit and cycle.
fn name(args: &CosimArgs, cycle: u64) -> PathBuf {
    let trace = stem(&args.trace).unwrap_or_else(|| "trace".to_owned());
    let session = args.session.as_deref().and_then(stem).map_or_else(String::new, |session| format!("-{session}"));
    let unit = if args.unit == units::default() { String::new() } else { format!("-{}", args.unit) };
    let seed = args.seed.map_or_else(String::new, |seed| format!("-seed{seed}"));
    format!("{trace}{unit}{session}{seed}-cycle{cycle}.capsule").into()
}

/// The name of a file without its endings.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    name.split('.').find(|part| !part.is_empty()).map(ToOwned::to_owned)
}
