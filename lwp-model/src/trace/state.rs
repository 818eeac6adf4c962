//! Every register of the unit, in the order of the RTL's `state_t`.

use crate::choice::choice;
use crate::retire::{MemCmd, RegResult};

/// Records that the queue of the largest build holds. The queue of a build holds two per lane.
pub const QUEUE_ENTRIES: usize = 16;

/// IA32_DEBUGCTL and the registers of the debug store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// IA32_DEBUGCTL\[15:0\].
    pub debugctl: u16,
    /// Whether an SMI has saved and cleared `debugctl`.
    pub smm_frozen: bool,
    /// Copy of the last such SMI; 0 without `smm_frozen`.
    pub smm_debugctl: u16,
    /// Whether a performance interrupt has frozen the LBR stack, and IA32_DEBUGCTL has not been written since.
    pub lbr_frozen: bool,
    /// IA32_DS_AREA.
    pub ds_area: u64,
    /// IA32_PEBS_ENABLE\[3:0\].
    pub pebs_enable: u8,
}

/// An entry of the LBR stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Source register, as software reads it.
    pub from: u64,
    /// Destination register, as software reads it.
    pub to: u64,
    /// Core clocks since the previous record.
    pub cycles: u16,
    /// Whether the branch is the abort of a transaction.
    pub tsx_abort: bool,
    /// Whether the branch was taken in a transaction.
    pub in_tx: bool,
    /// Whether the branch was mispredicted.
    pub mispredicted: bool,
}

/// The LBR stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lbr<const ENTRIES: usize> {
    /// Number of the newest entry.
    pub tos: u8,
    /// Core clocks since the last record, saturated.
    pub elapsed: u16,
    /// Source of the last exception record.
    pub ler_from: u64,
    /// Destination of the last exception record.
    pub ler_to: u64,
    /// The entries.
    pub entry: [Entry; ENTRIES],
}

/// A branch record that waits for the bus or for memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Whether the record is for the debug store, rather than a message.
    pub store: bool,
    /// Whether the record has the 64-bit format.
    pub wide: bool,
    /// Whether BTINT was 0: the buffer is circular.
    pub circular: bool,
    /// Whether the branch was predicted correctly.
    pub predicted: bool,
    /// Source.
    pub from: u64,
    /// Destination.
    pub to: u64,
}

/// Branch records that wait, the oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Number of records.
    pub count: u8,
    /// The records; 0 from `count` on.
    pub record: [Record; QUEUE_ENTRIES],
}

/// Step of storing a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Step {
    /// No record is being stored.
    #[default]
    Idle,
    /// Reads the buffer's base.
    Base,
    /// Reads the index.
    Index,
    /// Reads the absolute maximum.
    Maximum,
    /// Reads the interrupt threshold.
    Threshold,
    /// Decides where the record goes.
    Place,
    /// Writes the fields of the record.
    Record,
    /// Writes the index.
    Publish,
    /// Reads the reset value of the counter.
    Reset,
}

choice!(Step {
    Idle = "idle",
    Base = "base",
    Index = "index",
    Maximum = "maximum",
    Threshold = "threshold",
    Place = "place",
    Record = "record",
    Publish = "publish",
    Reset = "reset",
});

/// The record that is being stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Store {
    /// Step.
    pub step: Step,
    /// Whether the record is a PEBS record.
    pub pebs: bool,
    /// Whether the record has the 64-bit format.
    pub wide: bool,
    /// Whether the buffer is circular.
    pub circular: bool,
    /// Counter of the PEBS record.
    pub counter: u8,
    /// Next field of the record.
    pub field: u8,
    /// First byte of the buffer.
    pub base: u64,
    /// Where the record goes.
    pub index: u64,
    /// First byte behind the buffer.
    pub maximum: u64,
    /// Interrupt threshold.
    pub threshold: u64,
}

/// The memory port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// Whether a request is pending. The fields up to `mem_wdata` are 0 without it.
    pub mem_req: bool,
    /// Command.
    pub mem_cmd: MemCmd,
    /// Bytes of the aligned 8 that are accessed, a bit for each.
    pub mem_be: u8,
    /// Linear address.
    pub mem_addr: u64,
    /// Data of a write, in the bytes of `mem_be`.
    pub mem_wdata: u64,
    /// Whether an access is granted and its response is outstanding.
    pub mem_wait: bool,
}

/// PEBS: counters whose records are to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pebs {
    /// Counters whose next event stores a record, 4 bits.
    pub armed: u8,
    /// Counters whose record is to be stored, 4 bits.
    pub pending: u8,
    /// Whether these records have the 64-bit format.
    pub pending_wide: bool,
}

/// What has happened to a record in the last cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// A buffer has reached its threshold.
    pub ds_pmi: bool,
    /// A record is in memory and its index is written.
    pub stored: bool,
    /// A record was dropped.
    pub lost: bool,
}

/// The reset of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reload {
    /// A counter is to be set.
    pub reload_valid: bool,
    /// The counter.
    pub reload_counter: u8,
    /// Its new value.
    pub reload_value: u64,
}

/// The answer to a register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The result of the last cycle's request is valid.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// Value of a RDMSR that is done; otherwise 0.
    pub reg_rdata: u64,
}

/// Every register of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State<const ENTRIES: usize> {
    /// IA32_DEBUGCTL and the registers of the debug store.
    pub control: Control,
    /// The LBR stack.
    pub lbr: Lbr<ENTRIES>,
    /// Branch records that wait.
    pub queue: Queue,
    /// The record that is being stored.
    pub store: Store,
    /// The memory port.
    pub port: Port,
    /// Counters whose records are to come.
    pub pebs: Pebs,
    /// What has happened to a record in the last cycle.
    pub notice: Notice,
    /// The reset of a counter.
    pub reload: Reload,
    /// The answer to a register request.
    pub answer: Answer,
}

impl<const ENTRIES: usize> Default for Lbr<ENTRIES> {
    fn default() -> Self {
        Self { tos: 0, elapsed: 0, ler_from: 0, ler_to: 0, entry: [Entry::default(); ENTRIES] }
    }
}

impl<const ENTRIES: usize> State<ENTRIES> {
    /// Whether no record is waiting, so that a register request can be accepted.
    #[inline]
    pub(super) const fn is_at_rest(&self) -> bool {
        self.queue.count == 0 && matches!(self.store.step, Step::Idle) && self.pebs.pending == 0
    }

    /// Whether the core of a unit with so many lanes has to wait.
    #[inline]
    pub(super) const fn stalls(&self, lanes: usize) -> bool {
        self.queue.count as usize > lanes || self.pebs.pending != 0
    }
}
