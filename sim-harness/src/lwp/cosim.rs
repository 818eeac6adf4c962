//! The unit in `lwp-sim cosim`.

use super::records::Recorder;
use super::session::{EVENT_SLOTS, Session};
use super::summary::{LwpSummary, Operations};
use super::world::{GuestMemory, Remains, Setup, World};
use crate::cosim::{Dump, Entry, Finished, Plan, Planned, Request, RunFailure, Stream, Watched};
use crate::frontend::FrontEndConfig;
use crate::report::Output;
use crate::rtl::BuildId;
use crate::session::SessionError;
use lwp_model::lwp::{Config, Lwp};
use lwp_regs::lwp::offset;
use std::collections::BTreeMap;

/// Retire lanes of the build that runs.
const LANES: usize = 4;
/// Latency bits of that build.
const LATENCY_BITS: u32 = 31;
/// Addresses in the list of the hottest.
const HOTTEST: usize = 10;

const DUMP_LWPCB: &str = "dump-lwpcb";
const DUMP_BUFFER: &str = "dump-buffer";

/// How the unit takes part.
pub(super) const ENTRY: Entry = Entry {
    plan,
    check: |text| Session::parse("", text).map(drop),
    example: EXAMPLE,
    dumps: &[
        Dump { option: DUMP_LWPCB, help: "Write the bytes of the control block as they are after the last SLWPCB" },
        Dump { option: DUMP_BUFFER, help: "Write the bytes of the ring buffer as they are after the last SLWPCB" },
    ],
};

const EXAMPLE: &str = r#"  [lwpcb]
  buffer_size = 131072
  random = 4
  threshold = 98304
  [[lwpcb.event]]
  id = 1                 # 1 instructions retired, 2 branches retired, 3 DCache misses
  interval = 10007
  [consumer]
  mode = "interrupt"     # never, periodic (with period = N cycles), interrupt
  [memory]
  latency = [4, 20]      # cycles
  fault = 0.001          # probability
  [straps]               # every choice of the contract: store_timing, fault_policy, address_policy, ...
  store_timing = "sync"
  [system]
  start = "lwpmsr1"      # llwpcb (the default), or lwpmsr1: the session is loaded on the way into ring 3
  switch_every = 100000  # cycles from one thread switch to the next"#;

fn plan(request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let mut session = request.session.map_or_else(|| Ok(Session::default()), Session::load)?;
    if let Some(seed) = request.seed {
        session.memory.seed = seed;
    }
    let setup = session.setup(request.lanes, request.spacing, LATENCY_BITS);
    Ok(Box::new(LwpPlan { session, setup }))
}

/// A run in the unit's world.
#[derive(Debug)]
struct LwpPlan {
    session: Session,
    setup: Setup,
}

impl Plan for LwpPlan {
    type Unit = Lwp<LANES, EVENT_SLOTS, LATENCY_BITS>;
    type Environment = World<LANES, Stream, Recorder>;

    fn build(&self) -> BuildId {
        BuildId::LwpW4
    }

    fn straps(&self) -> &Config {
        &self.session.straps
    }

    fn environment(&self, instructions: Stream, records: Option<Output>) -> Self::Environment {
        World::new(&self.setup, instructions, Recorder::new(records))
    }

    fn finish(&self, world: Self::Environment, _shown: &[u32], dumps: &[&'static str]) -> Finished {
        let mut summary = LwpSummary::of(world.stats());
        summary.operations = Operations::of(&world.answers());
        let Remains { instructions, records, memory } = world.finish();
        summary.records = *records.counts();
        summary.missed = self.missed(&memory);
        summary.hottest = records.ips().hottest(HOTTEST, instructions.symbols());
        Finished {
            instructions,
            summary: summary.into_summary(),
            records: records.commit(),
            dumps: dumps.iter().map(|&dump| (dump, self.dump(dump, &memory))).collect(),
        }
    }

    fn front_end(&self) -> Option<&FrontEndConfig> {
        Some(&self.session.frontend)
    }

    fn seeds(&self) -> BTreeMap<String, u64> {
        BTreeMap::from([
            ("memory".to_owned(), self.session.memory.seed),
            ("lfsr".to_owned(), self.session.straps.lfsr_seed.into()),
        ])
    }

    fn warnings(&self) -> Vec<String> {
        self.session.warnings()
    }
}

impl LwpPlan {
    /// MissedEvents, as it is in memory.
    fn missed(&self, memory: &GuestMemory) -> u64 {
        let mut bytes = [0; 8];
        memory.read(self.setup.block().wrapping_add(offset::MISSED as u64), &mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn dump(&self, dump: &str, memory: &GuestMemory) -> Vec<u8> {
        let setup = &self.setup;
        let (address, length) = match dump {
            DUMP_LWPCB => (setup.block(), setup.lwpcb_bytes()),
            _ => (setup.buffer(), setup.image.size.buffer_size().get() as usize),
        };
        let mut bytes = vec![0; length];
        memory.read(address, &mut bytes);
        bytes
    }
}

impl Watched for World<LANES, Stream, Recorder> {
    fn stream(&self) -> &Stream {
        self.instructions()
    }

    fn instructions(&self) -> u64 {
        self.stats().instructions
    }

    fn cycles(&self) -> u64 {
        self.stats().cycles
    }

    fn take_failure(&mut self) -> Option<RunFailure> {
        let trace = self.take_trace_failure().map(RunFailure::Trace);
        trace.or_else(|| Some(RunFailure::Environment(Box::new(self.failure()?.clone()))))
    }
}
