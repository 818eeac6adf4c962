//! Every register of the unit, in the order of the RTL's `state_t`. All reset to zero.

use lwp_regs::lwp::{FilterWord, FlagsWord, LwpMsr0};

/// Events of version 1: EventId 1 to 3 at index 0 to 2.
pub const NUM_EVENTS: usize = 3;

/// The session: LWPMSR0, the LWPCB pointer and what was loaded from the block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// LWPMSR0; reserved bits are always 0.
    pub msr0: LwpMsr0,
    /// Internal LWPCB pointer (linear), 0 = none.
    pub lwpcb: u64,
    /// A session runs.
    pub active: bool,
    /// The session of `lwpcb` is to be loaded from its block in ring 3.
    pub init_pending: bool,
    /// Events that a slot selects, and INT as LWPMSR0\[31\] was when the block was loaded; EN is always 0 here.
    pub flags: FlagsWord,
    /// BufferBase, low 5 bits 0.
    pub base: u64,
    /// BufferSize in bytes, low 5 bits 0; 0 = the block is unusable.
    pub size: u32,
    /// Random: how many low bits of a reloaded counter are random.
    pub random: u8,
    /// BufferHeadOffset in bytes.
    pub head: u32,
    /// Last good BufferTailOffset in bytes.
    pub tail: u32,
    /// Threshold in bytes, low 5 bits 0.
    pub threshold: u32,
    /// Filter word; reserved bits 0.
    pub filter: FilterWord,
}

/// The counter of one event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounter {
    /// Slot of the LWPCB that selects the event.
    pub slot: u8,
    /// EventInterval, 26 bits.
    pub interval: u32,
    /// Current value, 26 bits; frozen at zero.
    pub counter: u32,
}

/// The load that brought the DCache-miss event to zero in an earlier `partial` cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// There is one.
    pub valid: bool,
    /// Its address is known.
    pub addr_valid: bool,
    /// Its source.
    pub source: u8,
    /// Its latency in cycles.
    pub latency: u32,
    /// Its linear address.
    pub addr: u64,
}

/// The event record in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// EventId.
    pub event: u8,
    /// Bits 31:28 of the first word.
    pub flags: u8,
    /// Bytes 4:7.
    pub data: u32,
    /// Bytes 8:15.
    pub ip: u64,
    /// Bytes 16:23.
    pub addr: u64,
}

/// Where the record in flight is on its way to memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum StoreState {
    /// None in flight.
    #[default]
    Idle = 0,
    /// Writing the record.
    Write = 1,
    /// Reading BufferTailOffset.
    Tail = 2,
    /// Writing BufferHeadOffset.
    Head = 3,
    /// Full: reading MissedEvents.
    MissRead = 4,
    /// Full: writing MissedEvents.
    MissWrite = 5,
    /// Comparing with the threshold.
    Report = 6,
    /// Reloading the counter.
    Reset = 7,
}

/// Commands of the memory port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum MemCmd {
    /// Read.
    #[default]
    Read = 0,
    /// Write.
    Write = 1,
    /// Is this writable? Nothing is written.
    Probe = 2,
}

/// Registers of the memory port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortRegs {
    /// A request stands.
    pub req: bool,
    /// Granted, response outstanding.
    pub wait: bool,
    /// That response belongs to nobody any more.
    pub drop: bool,
    /// Command.
    pub cmd: MemCmd,
    /// Byte enables.
    pub be: u8,
    /// Linear address, low 3 bits 0.
    pub addr: u64,
    /// Write data.
    pub wdata: u64,
}

/// States of the control machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CtlState {
    /// Nothing to do: operations and retirements are accepted.
    #[default]
    Idle = 0,
    /// Waiting for the record in flight.
    Wait = 1,
    /// Probing the new block.
    Probe = 2,
    /// Flushing head and counters to the old block.
    Flush = 3,
    /// Reading the new block.
    Load = 4,
    /// Writing Flags of the new block.
    Flags = 5,
    /// Answering.
    Done = 6,
}

/// How a control operation ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// Without fault.
    #[default]
    None = 0,
    /// #UD, invalid opcode.
    InvalidOpcode = 1,
    /// #GP(0), general protection.
    GeneralProtection = 2,
    /// #PF, page fault.
    PageFault = 3,
}

/// Registers of the control machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlRegs {
    /// State.
    pub st: CtlState,
    /// Operation, as coded on the port.
    pub op: super::CtlOp,
    /// No operation: the deferred initialisation.
    pub init: bool,
    /// The operation was issued in ring 3.
    pub ring3: bool,
    /// Step within probe, flush or load.
    pub idx: u8,
    /// Fault.
    pub fault: Fault,
    /// A write or a write probe page-faulted.
    pub fault_write: bool,
    /// New LWPCB pointer, or the value of a WRMSR.
    pub arg: u64,
    /// Answer.
    pub rdata: u64,
    /// First failing byte.
    pub fault_addr: u64,
}

/// Requests to the core that stand until acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// #PF trap requested.
    pub pf_valid: bool,
    /// A write failed.
    pub pf_write: bool,
    /// First failing byte.
    pub pf_addr: u64,
    /// Threshold interrupt requested.
    pub irq: bool,
}

/// Every register of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The session.
    pub session: Session,
    /// Event counters, EventId 1 first.
    pub events: [EventCounter; NUM_EVENTS],
    /// Randomisation LFSR; 0 stands for the strap `lfsr_seed`.
    pub lfsr: u32,
    /// DCache-miss candidate.
    pub candidate: Candidate,
    /// Record in flight.
    pub record: Record,
    /// Stage of that record.
    pub store_st: StoreState,
    /// Which 8 bytes of the record are being written.
    pub store_beat: u8,
    /// Memory port.
    pub port: PortRegs,
    /// Control machine.
    pub ctl: ControlRegs,
    /// Requests to the core.
    pub requests: Requests,
}
