//! The three ways to run.

use super::cosim_args::{CosimArgs, Engine};
use super::exit::Failure;
use super::plan::{LwpWorld, Plan};
use super::progress::Progress;
use super::waves::WaveFile;
use sim_harness::lockstep::{self, Options, Threads};
use sim_harness::lwp::device::{ModelProducer, RtlDevice, run_closed_loop};
use sim_harness::lwp::fields::FIELDS;
use sim_harness::report::MismatchReport;
use sim_harness::rtl::{Flavour, Rtl};

/// Cycles that are shown before a mismatch, its own included.
pub(super) const HISTORY: usize = 6;

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) world: LwpWorld,
    pub(crate) cycles_compared: u64,
    pub(crate) mismatch: Option<MismatchReport>,
    /// An assertion failed in RTL that ran alone.
    pub(crate) asserted: Option<Failure>,
}

/// Runs to the end, to the first mismatch, or until Ctrl-C.
pub(crate) fn run(args: &CosimArgs, plan: &Plan, world: LwpWorld, progress: &Progress) -> Result<Outcome, Failure> {
    match args.engine {
        Engine::Lockstep => Ok(in_lockstep(args, plan, world, progress)),
        Engine::Model => Ok(model_alone(plan, world, progress)),
        Engine::Rtl => rtl_alone(args, plan, world, progress),
    }
}

fn in_lockstep(args: &CosimArgs, plan: &Plan, world: LwpWorld, progress: &Progress) -> Outcome {
    let mut producer = ModelProducer::new(plan.model(), world, |world: &mut LwpWorld| progress.visit(world));
    let mut rtl = plan.rtl(if args.assertions { Flavour::Traced } else { Flavour::Fast });
    let threads = if args.threads == 1 { Threads::One } else { Threads::Two };
    let options = Options { threads, history: HISTORY, ..Options::new(FIELDS) };
    let report = lockstep::run(&mut producer, &mut rtl, options);
    Outcome {
        world: producer.into_world(),
        cycles_compared: report.cycles,
        mismatch: report.divergence.as_ref().map(MismatchReport::from),
        asserted: None,
    }
}

fn model_alone(plan: &Plan, mut world: LwpWorld, progress: &Progress) -> Outcome {
    let mut model = plan.model();
    run_closed_loop(&mut model, &mut world, &mut |world| progress.visit(world));
    Outcome { world, cycles_compared: 0, mismatch: None, asserted: None }
}

fn rtl_alone(args: &CosimArgs, plan: &Plan, mut world: LwpWorld, progress: &Progress) -> Result<Outcome, Failure> {
    let waves = args.waves.as_deref().map(WaveFile::create).transpose()?;
    let flavour = if waves.is_some() || args.assertions { Flavour::Traced } else { Flavour::Fast };
    let mut rtl = plan.rtl(flavour);
    if let Some(waves) = &waves {
        rtl.open_waves(waves.path()).map_err(|error| waves.failure(error))?;
    }
    let mut device = RtlDevice::new(rtl);
    run_closed_loop(&mut device, &mut world, &mut |world| progress.visit(world));
    let mut rtl = device.into_rtl();
    if let Some(waves) = waves {
        rtl.close_waves();
        waves.commit()?;
    }
    Ok(Outcome { world, cycles_compared: 0, mismatch: None, asserted: asserted(&mut rtl) })
}

/// Nobody knows the inputs of RTL that ran alone, so there is no capsule.
fn asserted(rtl: &mut Rtl) -> Option<Failure> {
    let label = rtl.take_assertion().then(|| rtl.assertion_label().unwrap_or_default())?;
    let help = "`--engine lockstep --assertions` finds its cycle and leaves a failure capsule";
    Some(Failure::rtl(&format!("assertion {label} failed in the RTL"), help))
}
