//! The environment that every possible state shares (straps, LWPMSR0, time), and the meaning of an instruction's
//! events.

use super::bytes::Session;
use super::happening::{Fill, Instruction, Miss};
use lwp_model::lwp::{AddressPolicy, BranchKind, Config, Mode, Prediction};

/// The number of events: instructions retired, branches retired, DCache misses.
pub(super) const EVENTS: usize = 3;
/// The mask of a counter or an interval.
pub(super) const FIELD26: u32 = 0x03FF_FFFF;
/// The index of DCache misses.
pub(super) const MISSES: usize = 2;
/// The number of cycles without any access after which nothing can still be in progress. The text gives no time; this
/// one is long for any machine that does only one thing after another.
pub(super) const SLACK: u64 = 12;

/// The first three words of a record; the fourth is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Record {
    pub(super) event: usize,
    pub(super) words: [u64; 3],
    /// The bits of the first word that the text leaves open.
    pub(super) open: u64,
}

/// The disputed points that the checker may permit, each against the letter of a decision. By default it permits none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disputed {
    /// Whether a page fault of LLWPCB after its flush may leave the old session to be initialised again from its block,
    /// not active. Against AMB-29: "any #PF before commit leaves the old session active", and LWP-LLW-26.
    pub reload_after_fault: bool,
    /// Whether a read of the tail that met a page fault counts as one of every n, so that the record is stored without
    /// one. Against "re-executes the memory transaction that faulted" and "avoid updating LWP internal state" (5.5.6),
    /// LWP-ACC-08.
    pub fault_counts_as_look: bool,
    /// Whether, with policy trap+pending, a record is dropped if its store fails while an operation is in progress,
    /// also if the operation does not concern the session. Against "the memory transaction information is kept around"
    /// (5.5.6), LWP-FLT-07; LWP-STO-16 allows it for LLWPCB and SLWPCB only.
    pub drops_pending_record: bool,
}

/// The environment that every possible state shares.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub(super) disputed: Disputed,
    pub(super) straps: Config,
    pub(super) slots: usize,
    pub(super) bits: u32,
    pub(super) msr0: u32,
    pub(super) now: u64,
    pub(super) ring3: bool,
    /// Whether an access was granted and has no response yet.
    pub(super) awaited: bool,
    /// Whether an operation came between that access and its response.
    pub(super) operated: bool,
    /// The last time at which the memory was seen to be active.
    pub(super) touched: u64,
    /// The time at which the state was found again after it had been lost. Requests until then may have earlier causes.
    pub(super) found: Option<u64>,
    pub(super) irq: bool,
    pub(super) pf: bool,
    pub(super) drain: bool,
}

impl Env {
    /// Returns a mask of the bits of LWPMSR0 that exist.
    pub(super) fn writable(&self) -> u64 {
        let straps = &self.straps;
        1 | u64::from(straps.avail_ire) << 1
            | u64::from(straps.avail_bre) << 2
            | u64::from(straps.avail_dme) << 3
            | u64::from(straps.avail_int) << 31
    }

    /// Returns the number of bytes in a control block.
    pub(super) fn block_size(&self) -> u64 {
        40 + 8 * self.slots as u64
    }

    /// Whether threshold interrupts are enabled.
    pub(super) fn interrupts(&self) -> bool {
        self.msr0 >> 31 == 1
    }

    /// Whether the event is counted now.
    pub(super) fn live(&self, session: &Session, event: usize) -> bool {
        self.msr0 & 1 == 1 && session.flags & self.msr0 & 1 << (event + 1) != 0
    }

    /// Whether a miss passes the filters.
    pub(super) fn eligible(&self, session: &Session, latency: u32, source: u8) -> bool {
        let filter = session.filter;
        let least = ((filter & 0xFF) * 16).min((1 << self.bits) - 16);
        let level = match source {
            1 => filter >> 9 & 1 == 1,
            2 => filter >> 10 & 1 == 1,
            3 => filter >> 11 & 1 == 1,
            7 => filter >> 12 & 1 == 1,
            _ => false,
        };
        (!self.straps.latency_filter || latency >= least)
            && (!self.straps.level_filter || filter >> 8 & 1 == 0 || level)
    }

    /// Whether the instruction is a counted transfer of control.
    pub(super) fn branches(session: &Session, instruction: &Instruction) -> bool {
        match instruction.kind {
            BranchKind::None | BranchKind::System => false,
            BranchKind::Jmp => session.filter >> 13 & 1 == 0,
            _ => true,
        }
    }

    fn first_word(&self, event: usize, flags: u64, data: u32) -> u64 {
        (event as u64 + 1) | u64::from(self.straps.core_id) << 8 | flags << 28 | u64::from(data) << 32
    }

    /// Returns the record of a retired instruction (Figure 2).
    pub(super) fn instruction_record(&self, instruction: &Instruction) -> Record {
        Record { event: 0, words: [self.first_word(0, 0, 0), instruction.mode.linear(instruction.ip), 0], open: 0 }
    }

    /// Returns the record of a branch (Figure 3). Bit 29 is valid, 30 predicted correctly, 31 taken.
    pub(super) fn branch_record(&self, instruction: &Instruction) -> Record {
        use BranchKind::{Call, FarCall, FarJmp, Jcc, Jmp};
        let valid = match self.straps.prediction {
            Prediction::Some => instruction.pred_valid,
            Prediction::All => true,
            Prediction::None => false,
        };
        let direct = matches!(instruction.kind, Jmp | Call);
        let right = valid && (direct || instruction.pred_ok);
        let taken = instruction.kind != Jcc || instruction.taken;
        let flags = u64::from(valid) << 1 | u64::from(right) << 2 | u64::from(taken) << 3;
        // A far jump or call may be direct or not; the port does not indicate which.
        let open = if valid && matches!(instruction.kind, FarJmp | FarCall) { 1 << 30 } else { 0 };
        let linear = |address| instruction.mode.linear(address);
        let words = [self.first_word(1, flags, 0), linear(instruction.ip), linear(instruction.next)];
        Record { event: 1, words, open }
    }

    /// Returns the record of a miss (Figure 4). Bit 28 is address valid, 31:29 the source.
    pub(super) fn miss_record(&self, mode: Mode, ip: u64, miss: &Miss) -> Record {
        let known = miss.addr_valid && self.straps.address_policy != AddressPolicy::None;
        let source = if self.straps.data_source && !(4..=6).contains(&miss.source) { miss.source } else { 0 };
        let flags = u64::from(known) | u64::from(source) << 1;
        let addr = if known { mode.linear(miss.addr) } else { 0 };
        Record { event: MISSES, words: [self.first_word(MISSES, flags, miss.latency), mode.linear(ip), addr], open: 0 }
    }

    /// Returns the record of a load that was tagged at its fill: latency, source and instruction are from the fill, the
    /// address is from the second pass.
    pub(super) fn replay_record(&self, fill: &Tag, mode: Mode, miss: &Miss) -> Record {
        let first = Miss { latency: fill.latency, source: fill.source, ..miss.clone() };
        self.miss_record(mode, fill.ip, &first)
    }
}

/// A load that was tagged when its data returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tag {
    pub(super) ip: u64,
    pub(super) latency: u32,
    pub(super) source: u8,
}

impl From<&Fill> for Tag {
    fn from(fill: &Fill) -> Self {
        Self { ip: fill.mode.linear(fill.ip), latency: fill.latency, source: fill.source }
    }
}

impl Record {
    /// Returns a word of the record as it is in the ring.
    pub(super) fn word(&self, index: u64) -> u64 {
        self.words.get(index as usize).copied().unwrap_or_default()
    }
}
