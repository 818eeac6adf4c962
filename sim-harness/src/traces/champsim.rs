//! ChampSim traces: 64-byte records without a header.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `ip`, little endian like all numbers |
//! | 8 | `is_branch`, 0 or 1 |
//! | 9 | `branch_taken`, 0 or 1 |
//! | 10..12 | destination registers, 0 for none |
//! | 12..16 | source registers, 0 for none |
//! | 16..32 | destination memory: 2 addresses, 0 for none |
//! | 32..64 | source memory: 4 addresses, 0 for none |
//!
//! Records name registers, not instructions. The class of a branch is therefore inferred, as in ChampSim
//! (`inc/instruction.h`), from the reads and writes of the stack pointer (6), the flags (25) and the instruction
//! pointer (26). One correction: a branch that looks direct but loads is indirect, because `JMP *x(%rip)` names no
//! register but the instruction pointer.
//!
//! The successor of a branch is the next record. If the last record is a branch, it has no successor and is left out;
//! the [notes](super::TraceNotes::last_left_out) report this. Consecutive records of the same instruction that is not a
//! branch are iterations of a repeated string instruction: one retirement. Sizes of loads and stores are not known, and
//! everything is in user mode.

use super::capture_file::MAX_LOADS;
use super::input::Input;
use super::lookahead::{Lookahead, Record, RecordSource};
use super::{Branch, BranchKind, Load, Part, ProgramMap, Retired, Store, TraceError, TraceNotes};

/// The number of bytes of a record.
pub const RECORD_BYTES: usize = 64;

/// The length of the longest x86 instruction: the neighbour begins at most this many bytes further.
const MAX_INSTRUCTION: u64 = 15;

const STACK_POINTER: u8 = 6;
const FLAGS: u8 = 25;
const INSTRUCTION_POINTER: u8 = 26;

/// The number of bytes read from the input at once.
const CHUNK: usize = 1024 * RECORD_BYTES;

/// One record, still with ChampSim's fields.
#[derive(Clone, Copy, Debug)]
struct Raw {
    ip: u64,
    is_branch: bool,
    taken: bool,
    writes: [u8; 2],
    reads: [u8; 4],
    stores: [u64; 2],
    loads: [u64; 4],
}

impl Raw {
    /// Decodes a record; returns `None` if a flag is neither 0 nor 1.
    fn parse(bytes: &[u8; RECORD_BYTES]) -> Option<Self> {
        let flag = |byte: u8| (byte <= 1).then_some(byte == 1);
        Some(Self {
            ip: word(bytes, 0),
            is_branch: flag(bytes[8])?,
            taken: flag(bytes[9])?,
            writes: [bytes[10], bytes[11]],
            reads: [bytes[12], bytes[13], bytes[14], bytes[15]],
            stores: [word(bytes, 16), word(bytes, 24)],
            loads: [word(bytes, 32), word(bytes, 40), word(bytes, 48), word(bytes, 56)],
        })
    }

    /// Returns the class of a branch; `None` for instructions that do not change the flow.
    fn kind(&self) -> Option<BranchKind> {
        let writes_ip = self.writes.contains(&INSTRUCTION_POINTER);
        if !writes_ip {
            return self.is_branch.then_some(BranchKind::System);
        }
        let writes_sp = self.writes.contains(&STACK_POINTER);
        let reads_sp = self.reads.contains(&STACK_POINTER);
        let reads_ip = self.reads.contains(&INSTRUCTION_POINTER);
        let reads_flags = self.reads.contains(&FLAGS);
        let special = [0, STACK_POINTER, FLAGS, INSTRUCTION_POINTER];
        let reads_other = self.reads.iter().any(|register| !special.contains(register));
        let loads = self.loads.iter().any(|address| *address != 0);

        Some(if reads_sp && writes_sp {
            match (reads_ip, reads_flags, reads_other || loads) {
                (false, ..) => BranchKind::Ret,
                (true, false, false) => BranchKind::Call,
                (true, false, true) => BranchKind::CallInd,
                (true, true, _) => BranchKind::System,
            }
        } else if reads_sp {
            BranchKind::System
        } else if reads_flags {
            if reads_ip && !writes_sp { BranchKind::Jcc } else { BranchKind::System }
        } else if loads || (reads_other && !reads_ip) {
            BranchKind::JmpInd
        } else if reads_other {
            // LOOPx and JCXZ read a counter and the instruction pointer.
            if writes_sp { BranchKind::System } else { BranchKind::Jcc }
        } else {
            BranchKind::Jmp
        })
    }
}

/// Returns the eight bytes at `offset`.
fn word(bytes: &[u8; RECORD_BYTES], offset: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[offset..offset + 8]);
    u64::from_le_bytes(word)
}

/// Whether bytes without a magic can be the beginning of such a trace: in every record among them, the flags are 0 or 1
/// and the instruction pointer is a valid address.
#[must_use]
pub fn is_plausible(first: &[u8]) -> bool {
    let plausible = |raw: &Raw| {
        let upper = raw.ip >> 47;
        raw.ip != 0 && (upper == 0 || upper == (1 << 17) - 1) && (raw.is_branch || !raw.taken)
    };
    let (records, rest) = first.as_chunks::<RECORD_BYTES>();
    if records.is_empty() {
        // The content is shorter than a record: only its beginning can be checked.
        let mut padded = [0; RECORD_BYTES];
        padded[..rest.len()].copy_from_slice(rest);
        return rest.len() >= 10 && Raw::parse(&padded).as_ref().is_some_and(plausible);
    }
    records.iter().all(|record| Raw::parse(record).as_ref().is_some_and(plausible))
}

/// A reader of ChampSim records.
pub(super) struct ChampSim {
    input: Input,
    chunk: Box<[u8; CHUNK]>,
    /// The part of `chunk` that is still to be read.
    unread: std::ops::Range<usize>,
    /// The number of the record read next, from 0.
    index: u64,
    ahead: Option<Raw>,
    total: Option<u64>,
    notes: TraceNotes,
}

impl ChampSim {
    /// Creates a reader of the records in `input`.
    pub(super) fn new(input: Input) -> Lookahead<Self> {
        let (_, size) = input.position();
        // Merged iterations make the number smaller, so this is an upper bound, good enough for the progress display.
        let total = (input.is_plain() && size > 0).then_some(size / RECORD_BYTES as u64);
        let chunk = vec![0; CHUNK].into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([0; CHUNK]));
        let notes = TraceNotes::default();
        Lookahead::new(Self { input, chunk, unread: 0..0, index: 0, ahead: None, total, notes })
    }

    /// Returns the next record as it is in the file.
    fn read_raw(&mut self) -> Result<Option<Raw>, TraceError> {
        if self.unread.is_empty() {
            let what = format!("record {}", self.index);
            self.unread = 0..self.input.fill(&mut self.chunk[..], &what)?;
        }
        let bytes = &self.chunk[self.unread.clone()];
        let Some(record) = bytes.first_chunk::<RECORD_BYTES>() else {
            if bytes.is_empty() {
                return Ok(None);
            }
            let at = format!(
                "record {}, which begins at byte {} and has {} of {RECORD_BYTES} bytes",
                self.index,
                self.index * RECORD_BYTES as u64,
                bytes.len()
            );
            return Err(self.input.truncated(at));
        };
        let Some(raw) = Raw::parse(record) else {
            let what = format!(
                "record {} at byte {} has the branch flags {} and {}, and only 0 and 1 exist",
                self.index,
                self.index * RECORD_BYTES as u64,
                record[8],
                record[9]
            );
            return Err(self.input.corrupt(what));
        };
        self.unread.start += RECORD_BYTES;
        self.index += 1;
        Ok(Some(raw))
    }

    /// Appends the loads and stores of one record.
    fn push_accesses(&mut self, raw: &Raw, into: &mut Retired) {
        for &address in raw.loads.iter().filter(|address| **address != 0) {
            if into.loads.len() == MAX_LOADS {
                self.notes.loads_left_out += 1;
            } else {
                into.loads.push(Load { addr: Some(address), ..Load::default() });
            }
        }
        for &addr in raw.stores.iter().filter(|address| **address != 0) {
            if into.stores.len() == MAX_LOADS {
                self.notes.stores_left_out += 1;
            } else {
                into.stores.push(Store { addr, size: 0 });
            }
        }
    }
}

impl RecordSource for ChampSim {
    fn read(&mut self, into: &mut Record) -> Result<bool, TraceError> {
        let raw = match self.ahead.take() {
            Some(raw) => raw,
            None => match self.read_raw()? {
                Some(raw) => raw,
                None => return Ok(false),
            },
        };
        into.retired.reset(raw.ip);
        self.push_accesses(&raw, &mut into.retired);
        into.retired.branch = raw.kind().map(|kind| Branch {
            kind,
            taken: raw.taken || kind != BranchKind::Jcc,
            next: 0,
            predicted: None,
        });
        into.next_unknown = into.retired.branch.is_some();

        self.ahead = self.read_raw()?;
        while let Some(next) = self.ahead.filter(|next| next.ip == raw.ip && !into.next_unknown) {
            self.push_accesses(&next, &mut into.retired);
            self.notes.merged_iterations += 1;
            self.ahead = self.read_raw()?;
        }
        let goes_on = into.retired.branch.is_none_or(|branch| !branch.taken);
        let neighbour = |next: &Raw| (1..=MAX_INSTRUCTION).contains(&next.ip.wrapping_sub(raw.ip));
        if goes_on && self.ahead.as_ref().is_some_and(|next| !neighbour(next)) {
            self.notes.gaps += 1;
        }
        Ok(true)
    }

    fn complete_last(&mut self, _last: &mut Retired) -> Result<bool, TraceError> {
        self.notes.last_left_out += 1;
        Ok(false)
    }

    fn annotated(&self) -> bool {
        false
    }

    fn lacks(&self) -> &'static [Part] {
        &[Part::Interruptions]
    }

    fn total(&self) -> Option<u64> {
        self.total
    }

    fn position(&self) -> (u64, u64) {
        self.input.position()
    }

    fn symbols(&self) -> Option<&ProgramMap> {
        None
    }

    fn notes(&self) -> TraceNotes {
        self.notes
    }
}

impl std::fmt::Debug for ChampSim {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "ChampSim(record {} of {:?})", self.index, self.input)
    }
}
