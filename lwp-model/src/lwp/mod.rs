//! The Lightweight Profiling unit, from the *Lightweight Profiling Proposal* (2007-07-20) and the chapter
//! "The Lightweight Profiling unit" of the book.

mod block;
mod collect;
mod config;
mod context;
mod control;
mod count;
mod cpuid;
mod decode;
mod digest;
mod event;
mod filter;
pub mod flat;
mod gather;
mod inputs;
mod lfsr;
mod mab;
mod now;
mod outputs;
mod port;
mod queue;
mod replay;
mod report;
mod requests;
mod reset;
mod ring;
mod select;
mod session;
mod skip;
mod state;
mod store;
mod straps;
mod undo;
mod unit;
mod unit_trait;

pub use config::{Config, ConfigError};
pub use context::CONTEXT_WORDS;
pub use digest::Digest;
pub use inputs::{BranchKind, Buffer, Control, CtlOp, Inputs, LOAD_PORTS, Lane, Load, Memory, Mode, OpMode};
pub use lfsr::Lfsr;
pub use outputs::Outputs;
pub use state::{
    Block, Candidate, ControlRegs, CtlState, EventCounter, Fault, InterruptRegs, MAB_ENTRIES, Mab, MabEntry, MemCmd,
    NUM_EVENTS, PageFaultRegs, PortRegs, RECORD_QUEUE, Record, RetireRegs, Ring, Session, State, StoreRegs, StoreState,
    Tag, Undo,
};
pub use straps::{
    AddressPolicy, Collision, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect, GatherTarget, HeadFlush,
    IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned, MissedMode, Prediction,
    StoreTiming, TailReread, WriteOnFull,
};
pub use unit::Lwp;
