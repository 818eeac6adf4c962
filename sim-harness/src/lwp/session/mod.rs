//! The session file: the software's use of the unit, and the behaviour of the environment around it. The format is
//! TOML.
//!
//! ```toml
//! [lwpcb]                       # the control block whose address LLWPCB takes
//! address = 0x7fff_0000         # linear address of the block
//! buffer_base = 0x1000_0000     # linear address of the ring buffer; addresses above 2^63 as strings: "0xffff_8000_0000_0000"
//! buffer_size = 131072          # bytes
//! random = 4                    # number of random low bits of a reloaded counter, 0 to 15
//! threshold = 98304             # bytes in the ring at which to interrupt, 0 for never
//! min_latency = 0               # shortest miss that counts, in units of 16 cycles
//! clf = false                   # count only misses whose source is selected by: nbc, rdc, ram, oth
//! ndb = false                   # do not count direct jumps
//!
//! [[lwpcb.event]]               # up to eight
//! id = 1                        # 1 instructions retired, 2 branches retired, 3 DCache misses
//! interval = 10007
//!
//! [consumer]
//! mode = "interrupt"            # or "never" (the default), or "periodic" with period = N cycles
//!
//! [memory]
//! latency = [4, 20]             # cycles, a number or a range
//! stall = 0.1                   # probability that a request waits one more cycle
//! fault = 0.001                 # probability that an access page-faults
//! seed = 1
//!
//! [msr0]                        # features that the operating system allows; by default all that the straps offer
//! dme = true
//!
//! [straps]                      # features that the hardware implements, and their variants
//! core_id = 7
//! store_timing = "sync"
//!
//! [system]                      # further actions of the operating system
//! start = "lwpmsr1"             # the operating system starts the session; by default the program does, with LLWPCB
//! switch_every = 100000         # cycles from one switch of the program out and in again to the next
//!
//! [core]                        # further actions of the core
//! replay_abort = 0.01           # probability that the replay of a tagged load is aborted
//!
//! [frontend]                    # cache and predictor, for traces without the outcomes of loads and branches
//! l1d_bytes = 32768
//! ```
//!
//! A value that cannot be encoded is rejected. A value that can be encoded but makes no sense is passed to the
//! hardware, with a [warning](Session::warnings).

mod consumer;
mod lwpcb;
mod memory;
mod msr0;
mod system;
mod warnings;

pub use crate::session::{InvalidSession, SessionError};

use crate::frontend::FrontEndConfig;
use crate::lwp::environment::{Drain, MemoryTiming, Setup, Start};
use crate::session::{self, Complaint, StrapsTable};
use lwp_model::lwp::{Config, Lwp};
use lwp_regs::lwp::{LwpMsr0, LwpcbImage};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// The number of event slots of the hardware that sessions are for.
pub const EVENT_SLOTS: usize = 8;

/// A session file: everything of a run but its trace and the pace at which the trace retires.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The linear address of the control block.
    pub lwpcb: u64,
    /// The control block.
    pub image: LwpcbImage,
    /// The number of slots of the block that the file gives.
    pub events: usize,
    /// The value of the WRMSR to LWPMSR0.
    pub msr0: u64,
    /// The schedule on which the ring buffer is drained.
    pub drain: Drain,
    /// The timing of memory.
    pub memory: MemoryTiming,
    /// The features that the hardware implements, and their variants.
    pub straps: Config,
    /// The way in which the session begins.
    pub start: Start,
    /// The number of cycles from one thread switch to the next, if the thread is switched.
    pub switch_every: Option<u64>,
    /// The probability that the replay of a tagged load is aborted.
    pub replay_abort: f64,
    /// The cache and the predictor, for traces that are not annotated.
    pub frontend: FrontEndConfig,
}

/// The tables of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    lwpcb: Option<lwpcb::LwpcbTable>,
    #[serde(default)]
    consumer: consumer::ConsumerTable,
    #[serde(default)]
    memory: memory::MemoryTable,
    msr0: Option<Spanned<msr0::Msr0Table>>,
    straps: Option<Spanned<StrapsTable>>,
    #[serde(default)]
    system: system::SystemTable,
    #[serde(default)]
    core: system::CoreTable,
    frontend: Option<Spanned<FrontEndConfig>>,
}

impl Default for Session {
    /// Returns a session that samples all three events into 4096 records; the interrupt handler drains the ring when it
    /// is three quarters full.
    fn default() -> Self {
        let block = lwpcb::LwpcbTable::default();
        let straps = Config::default();
        Self {
            lwpcb: block.address(),
            image: block.image(),
            events: block.events(),
            msr0: all_features(&straps).into_bits(),
            drain: Drain::Interrupt,
            memory: MemoryTiming::default(),
            straps,
            start: Start::default(),
            switch_every: None,
            replay_abort: 0.0,
            frontend: FrontEndConfig::default(),
        }
    }
}

impl Session {
    /// Reads a session file.
    ///
    /// # Errors
    /// [`SessionError`] if the file cannot be read, is not TOML, has an unknown key, or has a value that cannot be
    /// encoded.
    pub fn load(path: &Path) -> Result<Self, SessionError> {
        session::load(path, Self::parse)
    }

    /// Reads a session file from text; `name` is its name in error messages.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(name: &str, text: &str) -> Result<Self, SessionError> {
        let refuse = |complaint| SessionError::invalid(name, text, complaint);
        let file: File = session::tables(name, text)?;
        let block = file.lwpcb.unwrap_or_default();
        let straps = session::straps::<Lwp<4, 8, 31>>(file.straps).map_err(refuse)?;
        let msr0 = match file.msr0 {
            Some(table) => msr0::value(table, &straps).map_err(refuse)?,
            None => all_features(&straps).into_bits(),
        };
        let frontend = match file.frontend {
            Some(table) => frontend(table).map_err(refuse)?,
            None => FrontEndConfig::default(),
        };
        Ok(Self {
            lwpcb: block.address(),
            image: block.image(),
            events: block.events(),
            msr0,
            drain: file.consumer.drain().map_err(refuse)?,
            memory: file.memory.timing(),
            straps,
            start: file.system.start(),
            switch_every: file.system.switch_every().map_err(refuse)?,
            replay_abort: file.core.replay_abort(),
            frontend,
        })
    }

    /// Returns one sentence for each value that the hardware does not use unchanged.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        warnings::of(self)
    }

    /// Returns the environment's part of the session: groups of up to `lanes` instructions, `cpi` cycles apart, and
    /// latencies of `latency_bits` bits.
    #[must_use]
    pub fn setup(&self, lanes: usize, cpi: u64, latency_bits: u32) -> Setup {
        Setup {
            lwpcb: self.lwpcb,
            image: self.image,
            slots: EVENT_SLOTS,
            msr0: self.msr0,
            drain: self.drain,
            memory: self.memory,
            lanes,
            cpi,
            latency_bits,
            straps: self.straps,
            start: self.start,
            switch_every: self.switch_every,
            replay_abort: self.replay_abort,
        }
    }
}

/// Returns LWPMSR0 with every feature enabled that the straps offer.
fn all_features(straps: &Config) -> LwpMsr0 {
    LwpMsr0::from_bits(LwpMsr0::writable_mask(straps.available()))
}

fn frontend(table: Spanned<FrontEndConfig>) -> Result<FrontEndConfig, Complaint> {
    let span = table.span();
    let config = table.into_inner();
    config.validate().map_err(|error| (error.to_string(), Some(span)))?;
    Ok(config)
}
