//! The contestants of this project, which run in this program.

use crate::work::Work;
use sim_harness::lockstep::{self, Options, Producer, Threads};
use sim_harness::lwp::device::RecordedProducer;
use sim_harness::lwp::fields::FIELDS;
use std::time::Instant;

/// The seconds that the RTL alone takes, its inputs ready in memory, its outputs thrown away.
pub(crate) fn bare(work: &Work) -> f64 {
    let mut rtl = work.rtl();
    seconds(|| rtl.run(work.recording.inputs()))
}

/// Where the inputs of a lockstep come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inputs {
    /// The environment answers the model, as in every real run.
    Environment,
    /// The recorded rows, as for the peers.
    Recorded,
}

/// The seconds that the lockstep takes.
pub(crate) fn in_lockstep(work: &Work, inputs: Inputs, threads: Threads) -> Result<f64, String> {
    let mut environment;
    let mut recorded;
    let producer: &mut dyn Producer = match inputs {
        Inputs::Environment => {
            environment = work.producer();
            &mut environment
        }
        Inputs::Recorded => {
            recorded = RecordedProducer::new(work.model(), work.recording.inputs());
            &mut recorded
        }
    };
    let mut rtl = work.rtl();
    let options = Options { threads, ..Options::new(FIELDS) };
    let mut report = None;
    let seconds = seconds(|| report = Some(lockstep::run(producer, &mut rtl, options)));
    match report.and_then(|report| report.divergence) {
        Some(divergence) => Err(format!("lockstep: {divergence}")),
        None => Ok(seconds),
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
