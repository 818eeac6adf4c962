//! The three ways to run.

use super::cosim_args::{CosimArgs, Engine};
use super::exit::Failure;
use super::plan::Plan;
use super::progress::Progress;
use super::waves::WaveFile;
use sim_harness::cosim::{Run, Visited};
use sim_harness::lockstep::{Options, Threads};
use sim_harness::report::MismatchReport;
use sim_harness::rtl::{Flavour, Rtl};

/// Cycles that are shown before a mismatch, its own included.
pub(super) const HISTORY: usize = 6;

/// What a run found.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) cycles_compared: u64,
    pub(crate) mismatch: Option<MismatchReport>,
    /// An assertion failed in RTL that ran alone.
    pub(crate) asserted: Option<Failure>,
}

/// Runs to the end, to the first mismatch, or until Ctrl-C.
pub(crate) fn run(args: &CosimArgs, plan: &Plan, run: &mut dyn Run, progress: &Progress) -> Result<Outcome, Failure> {
    let visit = |run: &mut dyn Visited| progress.visit(run);
    match args.engine {
        Engine::Lockstep => {
            let mut rtl = plan.run.rtl(if args.assertions { Flavour::Traced } else { Flavour::Fast });
            // The report names the assertion.
            rtl.mute();
            let threads = if args.threads == 1 { Threads::One } else { Threads::Two };
            let options = Options { threads, history: HISTORY, ..Options::new(plan.fields()) };
            let report = run.in_lockstep(&mut rtl, options, &visit);
            let mismatch = report.divergence.as_ref().map(|found| MismatchReport::of(found, plan.run.build()));
            Ok(Outcome { cycles_compared: report.cycles, mismatch, asserted: None })
        }
        Engine::Model => {
            run.model_alone(&visit);
            Ok(Outcome::default())
        }
        Engine::Rtl => rtl_alone(args, plan, run, progress),
    }
}

fn rtl_alone(args: &CosimArgs, plan: &Plan, run: &mut dyn Run, progress: &Progress) -> Result<Outcome, Failure> {
    let waves = args.waves.as_deref().map(WaveFile::create).transpose()?;
    let flavour = if waves.is_some() || args.assertions { Flavour::Traced } else { Flavour::Fast };
    let mut rtl = plan.run.rtl(flavour);
    rtl.mute();
    if let Some(waves) = &waves {
        rtl.open_waves(waves.path()).map_err(|error| waves.failure(error))?;
    }
    let mut rtl = run.rtl_alone(rtl, &|run| progress.visit(run));
    if let Some(waves) = waves {
        rtl.close_waves();
        waves.commit()?;
    }
    Ok(Outcome { asserted: asserted(&mut rtl), ..Outcome::default() })
}

/// Nobody knows the inputs of RTL that ran alone, so there is no capsule.
fn asserted(rtl: &mut Rtl) -> Option<Failure> {
    let label = rtl.take_assertion().then(|| rtl.assertion_label().unwrap_or_default())?;
    let help = "`--engine lockstep --assertions` finds its cycle and leaves a failure capsule";
    Some(Failure::rtl(&format!("assertion {label} failed in the RTL"), help))
}
