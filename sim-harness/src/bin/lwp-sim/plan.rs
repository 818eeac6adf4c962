//! What is to run: everything that can be made anew for a second run.

use super::cosim_args::CosimArgs;
use super::exit::Failure;
use super::stream::Stream;
use lwp_model::lwp::Lwp;
use sim_harness::frontend::FrontEnd;
use sim_harness::lwp::flat;
use sim_harness::lwp::session::{EVENT_SLOTS, Session};
use sim_harness::lwp::world::{Setup, World};
use sim_harness::report::Recorder;
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use sim_harness::trace;
use std::path::PathBuf;

/// Retire lanes of the build that the program uses.
pub(crate) const LANES: usize = 4;
/// Latency bits of that build.
const LATENCY_BITS: u32 = 31;
/// That build.
pub(crate) const BUILD: BuildId = BuildId::LwpW4;

/// The model of that build.
pub(crate) type Model = Lwp<LANES, EVENT_SLOTS, LATENCY_BITS>;
/// The world around it.
pub(crate) type LwpWorld = World<LANES, Stream, Recorder>;

/// A run, as the command line and the session describe it.
#[derive(Debug)]
pub(crate) struct Plan {
    trace: PathBuf,
    limit: Option<u64>,
    pub(crate) session: Session,
    pub(crate) setup: Setup,
}

impl Plan {
    /// Reads the session.
    pub(crate) fn new(args: &CosimArgs) -> Result<Self, Failure> {
        let mut session = match &args.session {
            Some(path) => Session::load(path)?,
            None => Session::default(),
        };
        if let Some(seed) = args.seed {
            session.memory.seed = seed;
        }
        let setup = session.setup(args.lanes(), args.spacing(), LATENCY_BITS);
        Ok(Self { trace: args.trace.clone(), limit: args.limit, session, setup })
    }

    /// A world at reset, with the trace at its beginning.
    pub(crate) fn world(&self, recorder: Recorder) -> Result<LwpWorld, Failure> {
        let reader = trace::open(&self.trace)?;
        let front_end = FrontEnd::new(&self.session.frontend).map_err(Failure::usage)?;
        Ok(World::new(&self.setup, Stream::new(reader, front_end, self.limit), recorder))
    }

    /// A model at reset.
    pub(crate) fn model(&self) -> Model {
        Lwp::new(self.session.straps).expect("the session has checked its straps")
    }

    /// RTL at power-up.
    pub(crate) fn rtl(&self, flavour: Flavour) -> Rtl {
        Rtl::new(BUILD, flavour, &flat::pack_straps(&self.session.straps))
    }

    /// Whether the trace can be read a second time.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.trace.metadata().is_ok_and(|metadata| metadata.is_file())
    }
}
