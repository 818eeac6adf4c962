//! What is to run: everything that can be made anew for a second run.

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

/// What the command line says of a run of any unit.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The session file; without it the unit's default session.
    pub session: Option<&'a Path>,
    /// Seed of all that is drawn, in place of the session's.
    pub seed: Option<u64>,
    /// Instructions that retire in one cycle at most.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
}

/// How a unit takes part in co-simulation.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Reads the session.
    pub plan: fn(&Request<'_>) -> Result<Box<dyn Planned>, SessionError>,
    /// Checks the text of a session.
    pub check: fn(&str) -> Result<(), SessionError>,
    /// A session that shows the most important keys, for the help.
    pub example: &'static str,
    /// What the unit's environment can write down at the end, besides records and summary.
    pub dumps: &'static [Dump],
}

/// Something that can be written down at the end of a run.
#[derive(Clone, Copy, Debug)]
pub struct Dump {
    /// Name of the option, without `--`.
    pub option: &'static str,
    /// What is written, for the help.
    pub help: &'static str,
}

/// A run of a unit, as the command line and the session describe it.
pub trait Plan: Debug + Send + Sync {
    /// The unit.
    type Unit: Shows;
    /// What surrounds it.
    type Environment: Watched<Inputs = Inputs<Self>, Outputs = Outputs<Self>>;

    /// The build of the RTL.
    fn build(&self) -> BuildId;

    /// The straps, which are legal.
    fn straps(&self) -> &<Self::Unit as Unit>::Config;

    /// The environment at reset. Its records go to `records`.
    fn environment(&self, instructions: Stream, records: Option<Output>) -> Self::Environment;

    /// What is left after the run. `shown` is the row of outputs and registers behind the last cycle; `dumps` are the options of
    /// the dumps that are asked for.
    fn finish(&self, environment: Self::Environment, shown: &[u32], dumps: &[&'static str]) -> Finished;

    /// What counts the situations that a lockstep run meets, if the unit names some.
    fn situations(&self) -> Option<Box<dyn Situations>> {
        None
    }

    /// Cache and predictor, if the unit wants to know how loads and branches went.
    fn front_end(&self) -> Option<&FrontEndConfig> {
        None
    }

    /// Seeds of what is drawn, by name.
    fn seeds(&self) -> BTreeMap<String, u64> {
        BTreeMap::new()
    }

    /// One sentence for each value of the session that makes no sense.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What the unit of a plan sees.
type Inputs<P> = <<P as Plan>::Unit as lwp_model::Moore>::Inputs;
/// What it shows.
type Outputs<P> = <<P as Plan>::Unit as lwp_model::Moore>::Outputs;

/// A [`Plan`] of any unit.
pub trait Planned: Debug {
    /// The build of the RTL.
    fn build(&self) -> BuildId;

    /// The words of the straps.
    fn strap_words(&self) -> Vec<u32>;

    /// Cache and predictor, if the unit wants to know how loads and branches went.
    fn front_end(&self) -> Option<&FrontEndConfig>;

    /// Seeds of what is drawn, by name.
    fn seeds(&self) -> BTreeMap<String, u64>;

    /// One sentence for each value of the session that makes no sense.
    fn warnings(&self) -> Vec<String>;

    /// Model and environment at reset.
    fn begin(&self, instructions: Stream, records: Option<Output>) -> Box<dyn Run + '_>;

    /// The same as the producer of a lockstep run whose records and summary nobody wants. `visit` is called before each batch.
    fn producer(&self, instructions: Stream, visit: fn(&mut dyn Visited)) -> Box<dyn Producer + '_>;

    /// RTL at power-up.
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

/// The model of a plan at reset.
pub(super) fn model<P: Plan>(plan: &P) -> P::Unit {
    P::Unit::new(plan.straps().clone()).unwrap_or_else(|error| panic!("a session checks its straps: {error}"))
}
