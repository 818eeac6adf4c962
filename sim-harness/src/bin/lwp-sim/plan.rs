//! What is to run: everything that can be made anew for a second run.

use super::cosim_args::CosimArgs;
use super::exit::Failure;
use super::units;
use sim_harness::cosim::{Planned, Request, Stream, plan_of};
use sim_harness::frontend::FrontEnd;
use sim_harness::lockstep::Field;
use sim_harness::traces;
use sim_harness::unit::Unit;
use std::path::PathBuf;

/// A run, as the command line and the session describe it.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) unit: &'static Unit,
    trace: PathBuf,
    limit: Option<u64>,
    pub(crate) run: Box<dyn Planned>,
}

impl Plan {
    /// Reads the session.
    pub(crate) fn new(args: &CosimArgs) -> Result<Self, Failure> {
        let unit = units::named(&args.unit)?;
        args.dumps.check(unit)?;
        let session = args.session.as_deref();
        let request = Request { session, seed: args.seed, lanes: args.lanes(), spacing: args.spacing() };
        Ok(Self { unit, trace: args.trace.clone(), limit: args.limit, run: plan_of(unit, &request)? })
    }

    /// The trace at its beginning.
    pub(crate) fn stream(&self) -> Result<Stream, Failure> {
        let reader = traces::open(&self.trace)?;
        let front_end = self.run.front_end().map(FrontEnd::new).transpose().map_err(Failure::usage)?;
        Ok(Stream::new(reader, front_end, self.limit))
    }

    /// The unit's outputs and registers.
    pub(crate) fn fields(&self) -> &'static [Field] {
        (self.unit.capsule.fields)(self.run.build())
    }

    /// Whether the trace can be read a second time.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.trace.metadata().is_ok_and(|metadata| metadata.is_file())
    }
}
