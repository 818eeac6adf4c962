//! Every register of the unit, in the order of the RTL's `state_t`. All reset to zero.

use lwp_regs::lwp::{FilterWord, FlagsWord, LwpMsr0};

/// Events of version 1: EventId 1 to 3 at index 0 to 2.
pub const NUM_EVENTS: usize = 3;

/// LWPMSR0, the LWPCB pointer, and the state of the session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// LWPMSR0; reserved bits are always 0.
    pub msr0: LwpMsr0,
    /// Linear address of the LWPCB; 0 if there is none.
    pub lwpcb: u64,
    /// Whether a session is active: the registers contain it.
    pub active: bool,
    /// Whether the session of `lwpcb` is to be loaded from its block in ring 3.
    pub init_pending: bool,
    /// With `init_pending`: head, counters, `missed` and the record are restored; the rest is to be loaded from the block.
    pub reload: bool,
}

/// Fields of the LWPCB that were read when the session was loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Events that a slot selects, and INT as LWPMSR0\[31\] was when the block was loaded; EN is always 0.
    pub flags: FlagsWord,
    /// BufferBase, linear address; low 5 bits 0.
    pub base: u64,
    /// BufferSize in bytes, low 5 bits 0; 0 if the block is unusable.
    pub size: u32,
    /// Random: number of low bits of a reloaded counter that are random.
    pub random: u8,
    /// Threshold in bytes, low 5 bits 0; 0 if there is none.
    pub threshold: u32,
    /// Filter word; reserved bits 0.
    pub filter: FilterWord,
    /// Bit EventId - 1: a slot of the block being loaded may select the event.
    pub allow: u8,
}

/// Position in the ring buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// BufferHeadOffset in bytes.
    pub head: u32,
    /// Last valid BufferTailOffset in bytes.
    pub tail: u32,
    /// Number of increments that MissedEvents in memory lacks.
    pub missed: u16,
    /// Records until the tail is read again, 4 bits.
    pub tail_skip: u8,
}

/// Counter of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounter {
    /// Number of the slot that selects the event.
    pub slot: u8,
    /// EventInterval of that slot, 26 bits.
    pub interval: u32,
    /// Occurrences until the event expires, 26 bits.
    pub counter: u32,
}

/// Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Whether an earlier `partial` cycle presented the load to be recorded.
    pub valid: bool,
    /// Whether `addr` is known.
    pub addr_valid: bool,
    /// Source of the data, 3 bits.
    pub source: u8,
    /// Latency of the load in cycles.
    pub latency: u32,
    /// Linear address of the data.
    pub addr: u64,
}

/// Tag: the load that is being replayed for its address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// Whether a load is tagged and being replayed.
    pub valid: bool,
    /// Source of the data, from the first execution.
    pub source: u8,
    /// Latency of the load in cycles.
    pub latency: u32,
    /// Linear address of the instruction.
    pub ip: u64,
}

/// What is needed to undo an instruction; used with `fault_policy` = fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undo {
    /// Whether the instruction in lane 0 has begun with `partial` cycles.
    pub split: bool,
    /// Whether the instruction that gathered the record can still be undone.
    pub valid: bool,
    /// Counters before that instruction.
    pub counters: [u32; NUM_EVENTS],
}

/// Entries of the record queue: each event has at most one record.
pub const RECORD_QUEUE: usize = NUM_EVENTS;

/// Event record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// EventId; 0 if the entry is empty.
    pub event: u8,
    /// Bits 31:28 of the first word.
    pub flags: u8,
    /// Bytes 4 to 7: the latency of a DCache miss.
    pub data: u32,
    /// Bytes 8 to 15: linear address of the instruction.
    pub ip: u64,
    /// Bytes 16 to 23: target of a branch, or data address of a DCache miss.
    pub addr: u64,
}

/// State of the store state machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum StoreState {
    /// Waiting for a record.
    #[default]
    Idle = 0,
    /// Reading EventInterval.
    Interval = 1,
    /// Writing the record.
    Write = 2,
    /// Reading BufferTailOffset.
    Tail = 3,
    /// Writing BufferHeadOffset, to publish the record.
    Head = 4,
    /// Full: writing a deferred BufferHeadOffset.
    FullHead = 5,
    /// Comparing with the threshold.
    Report = 6,
    /// Reloading the counter.
    Reset = 7,
    /// Reading MissedEvents.
    MissRead = 8,
    /// Writing MissedEvents.
    MissWrite = 9,
}

/// Registers of the store state machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreRegs {
    /// State.
    pub st: StoreState,
    /// Which 8 bytes of the first record are being written.
    pub beat: u8,
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
    /// Write probe: tests for write permission, and writes nothing.
    Probe = 2,
}

/// Registers of the memory port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortRegs {
    /// Whether a request is pending.
    pub req: bool,
    /// Whether the access was granted, and its response is outstanding.
    pub wait: bool,
    /// Whether the outstanding response will be discarded.
    pub drop: bool,
    /// Command of the request.
    pub cmd: MemCmd,
    /// Bytes of the aligned 8 that are accessed.
    pub be: u8,
    /// Linear address, low 3 bits 0.
    pub addr: u64,
    /// Data to write.
    pub wdata: u64,
}

/// State of the control state machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CtlState {
    /// Idle: operations and retirement are accepted.
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
    /// The result is valid.
    Done = 6,
}

/// Fault of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// The operation has no fault.
    #[default]
    None = 0,
    /// #UD, invalid opcode.
    InvalidOpcode = 1,
    /// #GP(0), general protection.
    GeneralProtection = 2,
    /// #PF, page fault.
    PageFault = 3,
}

/// Registers of the control state machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlRegs {
    /// State.
    pub st: CtlState,
    /// Operation, as coded on the port.
    pub op: super::CtlOp,
    /// Whether the state machine runs a deferred initialisation or a reload, not an operation.
    pub init: bool,
    /// Whether the operation was issued in ring 3.
    pub ring3: bool,
    /// Step within probe, flush or load; number of the context word.
    pub idx: u8,
    /// Whether the operation has flushed a session: only its block in memory contains the session now.
    pub old: bool,
    /// Fault of the operation.
    pub fault: Fault,
    /// Whether a write or a write probe page-faulted.
    pub fault_write: bool,
    /// New LWPCB pointer, or the value of a WRMSR or of a restore.
    pub arg: u64,
    /// Result of the operation.
    pub rdata: u64,
    /// First failing byte.
    pub fault_addr: u64,
}

/// Page-fault request to the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageFaultRegs {
    /// Whether a #PF trap is requested.
    pub valid: bool,
    /// Whether a write failed.
    pub write: bool,
    /// Whether it is a fault rather than a trap: the instruction in lane `cut_lane` was undone.
    pub abort: bool,
    /// Linear address of the first failing byte.
    pub addr: u64,
}

/// Threshold interrupt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterruptRegs {
    /// Whether the threshold interrupt is requested.
    pub valid: bool,
    /// Cycles until the delayed interrupt is requested; 0 if none is delayed.
    pub count: u8,
}

/// Retirement in the last cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetireRegs {
    /// Whether the last cycle was in ring 3.
    pub was_ring3: bool,
    /// Whether a load was tagged in the last cycle.
    pub flush_req: bool,
    /// Whether the group of the last cycle was cut.
    pub cut_valid: bool,
    /// Last accepted lane of the group that was cut last.
    pub cut_lane: u8,
}

/// Entries of the miss address buffer.
pub const MAB_ENTRIES: usize = 8;

/// An entry of the miss address buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MabEntry {
    /// Whether the load of this entry waits for its data.
    pub counting: bool,
    /// Latency of the load so far, in cycles.
    pub latency: u32,
}

/// Miss address buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mab {
    /// Free-running cycle counter, 4 bits.
    pub phase: u8,
    /// Entries, by their numbers.
    pub entries: [MabEntry; MAB_ENTRIES],
}

/// Every register of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// LWPMSR0, the LWPCB pointer, and the state of the session.
    pub session: Session,
    /// Fields of the LWPCB.
    pub block: Block,
    /// Position in the ring buffer.
    pub ring: Ring,
    /// Event counters, EventId 1 first.
    pub events: [EventCounter; NUM_EVENTS],
    /// Randomisation LFSR; 0 stands for the strap `lfsr_seed`.
    pub lfsr: u32,
    /// Event index chosen last, if the choice rotates.
    pub rotate: u8,
    /// DCache-miss candidate.
    pub cand: Candidate,
    /// Tagged load.
    pub tag: Tag,
    /// What is needed to undo an instruction.
    pub undo: Undo,
    /// Record queue; the first record is being stored.
    pub records: [Record; RECORD_QUEUE],
    /// Whether the first record faulted, and is stored before the next instruction retires.
    pub pending: bool,
    /// Store state machine.
    pub store: StoreRegs,
    /// Memory port.
    pub port: PortRegs,
    /// Control state machine.
    pub ctl: ControlRegs,
    /// Page-fault request.
    pub pf: PageFaultRegs,
    /// Threshold interrupt.
    pub irq: InterruptRegs,
    /// Retirement in the last cycle.
    pub retire: RetireRegs,
    /// Miss address buffer.
    pub mab: Mab,
}
