//! Plan of a run: everything that is needed to repeat the run.

use super::finished::Finished;
use super::run::{Job, Run, Visited, Watched};
use super::situations::Situations;
use super::stream::Stream;
use crate::device::{ModelProducer, Shows};
use crate::frontend::FrontEndConfig;
use crate::lockstep::Producer;
use crate::report::Output;
use crate::rtl::{BuildId, Flavour, Rtl};
use crate::session::SessionError;
use lwp_model::Unit;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

/// Most cycles from one group of instructions to the next that a command line may ask for. Cycles are counted with 64 bits.
pub const MOST_CPI: u64 = u32::MAX as u64;

/// Options on the command line for a run of any unit.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Session file; without it the unit's default session is used.
    pub session: Option<&'a Path>,
    /// Seed of all random decisions, in place of the session file's.
    pub seed: Option<u64>,
    /// Maximum number of instructions that retire in one cycle.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
}

/// Support of a unit for co-simulation.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Reads the session file, and returns the planned run.
    pub plan: fn(&Request<'_>) -> Result<Box<dyn Planned>, SessionError>,
    /// Checks the text of a session file.
    pub check: fn(&str) -> Result<(), SessionError>,
    /// Session file with the most important keys, for the help.
    pub example: &'static str,
    /// Dumps that the unit's environment can write at the end, in addition to records and summary.
    pub dumps: &'static [Dump],
}

/// Dump that a run can write at its end.
#[derive(Clone, Copy, Debug)]
pub struct Dump {
    /// Name of the option, without `--`.
    pub option: &'static str,
    /// Content of the dump, for the help.
    pub help: &'static str,
}

/// Run of a unit, as the command line and the session file describe it.
pub trait Plan: Debug + Send + Sync {
    /// Unit of the run.
    type Unit: Shows;
    /// Environment of the unit.
    type Environment: Watched<Inputs = Inputs<Self>, Outputs = Outputs<Self>>;

    /// Returns the build of the RTL.
    fn build(&self) -> BuildId;

    /// Returns the straps, which are legal.
    fn straps(&self) -> &<Self::Unit as Unit>::Config;

    /// Returns the environment at reset. It writes its records to `records`.
    fn environment(&self, instructions: Stream, records: Option<Output>) -> Self::Environment;

    /// Returns the result of the environment. `shown` is the row of outputs and registers after the last cycle; `dumps` are the names of
    /// the dumps that were requested.
    fn finish(&self, environment: Self::Environment, shown: &[u32], dumps: &[&'static str]) -> Finished;

    /// What counts the situations that a lockstep run meets, if the unit names some.
    fn situations(&self) -> Option<Box<dyn Situations>> {
        None
    }

    /// Returns the configuration of cache and predictor, if the unit watches the outcomes of loads and branches.
    fn front_end(&self) -> Option<&FrontEndConfig> {
        None
    }

    /// Returns the seeds of random decisions, by name.
    fn seeds(&self) -> BTreeMap<String, u64> {
        BTreeMap::new()
    }

    /// Returns a warning, one sentence, for each value of the session file that makes no sense.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Inputs of the unit of a plan.
type Inputs<P> = <<P as Plan>::Unit as lwp_model::Moore>::Inputs;
/// Outputs of the unit of a plan.
type Outputs<P> = <<P as Plan>::Unit as lwp_model::Moore>::Outputs;

/// A [`Plan`] of any unit.
pub trait Planned: Debug {
    /// Returns the build of the RTL.
    fn build(&self) -> BuildId;

    /// Returns the words of the straps.
    fn strap_words(&self) -> Vec<u32>;

    /// Returns the configuration of cache and predictor, if the unit watches the outcomes of loads and branches.
    fn front_end(&self) -> Option<&FrontEndConfig>;

    /// Returns the seeds of random decisions, by name.
    fn seeds(&self) -> BTreeMap<String, u64>;

    /// Returns a warning, one sentence, for each value of the session file that makes no sense.
    fn warnings(&self) -> Vec<String>;

    /// Returns model and environment at reset.
    fn begin(&self, instructions: Stream, records: Option<Output>) -> Box<dyn Run + '_>;

    /// Returns model and environment at reset as the producer of a lockstep run without records and summary. `visit` is called before
    /// each batch.
    fn producer(&self, instructions: Stream, visit: fn(&mut dyn Visited)) -> Box<dyn Producer + '_>;

    /// Returns RTL at power-up.
    fn rtl(&self, flavour: Flavour) -> Rtl {
        Rtl::new(self.build(), flavour, &self.strap_words())
    }
}

impl<P: Plan> Planned for P {
    fn build(&self) -> BuildId {
        Plan::build(self)
    }

    fn strap_words(&self) -> Vec<u32> {
        let mut words = vec![0; P::Unit::STRAP_WORDS];
        P::Unit::pack_straps(self.straps(), &mut words);
        words
    }

    fn front_end(&self) -> Option<&FrontEndConfig> {
        Plan::front_end(self)
    }

    fn seeds(&self) -> BTreeMap<String, u64> {
        Plan::seeds(self)
    }

    fn warnings(&self) -> Vec<String> {
        Plan::warnings(self)
    }

    fn begin(&self, instructions: Stream, records: Option<Output>) -> Box<dyn Run + '_> {
        Box::new(Job::new(self, instructions, records))
    }

    fn producer(&self, instructions: Stream, visit: fn(&mut dyn Visited)) -> Box<dyn Producer + '_> {
        let look = move |environment: &mut P::Environment| visit(environment);
        Box::new(ModelProducer::new(model(self), self.environment(instructions, None), look))
    }
}

/// Returns the model of a plan at reset.
pub(super) fn model<P: Plan>(plan: &P) -> P::Unit {
    P::Unit::new(plan.straps().clone()).unwrap_or_else(|error| panic!("a session checks its straps: {error}"))
}
