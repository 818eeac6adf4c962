//! The assembly of retired instructions from the plugin's records.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use iced_x86::InstructionInfoFactory;
use lwp_model::retire::{IntKind, Interruption};

use super::CaptureError;
use super::instruction::{Access, AccessPlan, Departure, Static};
use crate::traces::capture_file::MAX_LOADS;
use crate::traces::{Branch, BranchKind, CaptureWriter, Retired};

/// The marks of a record, as the plugin sets them.
const MARK: u32 = 3 << 30;
const EXECUTE: u32 = 0;
const LOAD: u32 = 1 << 30;
const NEW: u32 = 2 << 30;
const STORE: u32 = 3 << 30;
/// The number of words in the record that announces an instruction.
const NEW_WORDS: usize = 8;

/// The reason why records cannot be turned into a file.
#[derive(Debug)]
pub(super) enum AssembleError {
    /// The plugin's records are inconsistent.
    Stream(String),
    /// The file cannot be written.
    Write(io::Error),
}

impl AssembleError {
    /// Returns the error for the user, where `path` is the file that cannot be written.
    pub(super) fn in_file(self, path: &Path) -> CaptureError {
        match self {
            Self::Stream(what) => CaptureError::Stream { what },
            Self::Write(error) => CaptureError::write(path, error),
        }
    }
}

/// The assembler of the records. An instruction is complete when the next one begins, because only the next one shows
/// where a branch went and that a repeated string instruction has ended.
pub(super) struct Assembler<W: Write> {
    writer: CaptureWriter<W>,
    limit: u64,
    factory: InstructionInfoFactory,
    statics: Vec<(Static, [u32; 4])>,
    /// The latest static part for each address, to recognise an instruction that was only translated again.
    by_ip: HashMap<u64, u32>,
    /// The index of the static part for each of the plugin's numbers.
    numbers: Vec<u32>,
    /// The instruction that is being executed; `loads` and `stores` hold its accesses so far.
    current: Option<u32>,
    loads: Vec<Access>,
    stores: Vec<Access>,
    /// Interruptions that were delivered after the last written instruction.
    interruptions: Vec<Interruption>,
    retired: Retired,
}

impl<W: Write> Assembler<W> {
    /// Creates an assembler that writes at most `limit` instructions to `writer`.
    pub(super) fn new(writer: CaptureWriter<W>, limit: u64) -> Self {
        Self {
            writer,
            limit,
            factory: InstructionInfoFactory::new(),
            statics: Vec::new(),
            by_ip: HashMap::new(),
            numbers: Vec::new(),
            current: None,
            loads: Vec::new(),
            stores: Vec::new(),
            interruptions: Vec::new(),
            retired: Retired::default(),
        }
    }

    /// Processes whole records from the front of `bytes` and returns the number of words processed.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<usize, AssembleError> {
        let (words, _) = bytes.as_chunks::<4>();
        let word = |at: usize| words.get(at).map(|word| u32::from_le_bytes(*word));
        let mut at = 0;
        while let Some(first) = word(at).filter(|_| !self.is_full()) {
            at += match first & MARK {
                EXECUTE => {
                    self.execute(first)?;
                    1
                }
                LOAD | STORE => {
                    let (Some(low), Some(high)) = (word(at + 1), word(at + 2)) else { break };
                    self.access(first, u64::from(low) | u64::from(high) << 32)?;
                    3
                }
                NEW => {
                    let Some(record) = words.get(at..at + NEW_WORDS) else { break };
                    let mut fields = [0; NEW_WORDS];
                    for (field, word) in fields.iter_mut().zip(record) {
                        *field = u32::from_le_bytes(*word);
                    }
                    self.announce(fields)?;
                    NEW_WORDS
                }
                mark => return Err(AssembleError::Stream(format!("a record of kind {mark:#010x}"))),
            };
        }
        Ok(at)
    }

    /// Whether the limit is reached.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.instructions() >= self.limit
    }

    /// Returns the number of instructions so far.
    #[inline]
    pub(super) fn instructions(&self) -> u64 {
        self.writer.totals().instructions
    }

    /// Completes the input after the program has ended by itself. Its last instruction is complete if it was a system
    /// call; any other one was cut off by a signal.
    pub(super) fn finish(&mut self) -> Result<(), AssembleError> {
        let Some(current) = self.current else { return Ok(()) };
        let instruction = &self.statics[current as usize].0;
        if instruction.kind == Some(BranchKind::System) && !self.is_full() {
            self.retire(current, instruction.neighbour())?;
        }
        self.current = None;
        Ok(())
    }

    /// Returns the writer of the file, which is still to be finished.
    pub(super) fn into_writer(self) -> CaptureWriter<W> {
        self.writer
    }

    /// Records that the instruction with this number of the plugin is executed.
    #[inline]
    fn execute(&mut self, number: u32) -> Result<(), AssembleError> {
        let Some(&next) = self.numbers.get(number as usize) else {
            return Err(AssembleError::Stream(format!("instruction {number} was never announced")));
        };
        if let Some(current) = self.current {
            let instruction = &self.statics[current as usize].0;
            let follower = self.statics[next as usize].0.ip;
            if instruction.repeats && instruction.ip == follower {
                return Ok(());
            }
            self.retire(current, follower)?;
        }
        self.current = Some(next);
        Ok(())
    }

    /// Writes an instruction that is complete, unless control left it before its end.
    #[inline]
    fn retire(&mut self, current: u32, follower: u64) -> Result<(), AssembleError> {
        let instruction = &self.statics[current as usize].0;
        let branch = instruction.branch(follower);
        let expected = branch.map_or(instruction.neighbour(), |branch| branch.next);
        // An indirect branch can go anywhere, but not without its loads.
        let doubtful = branch.is_some() && self.loads.is_empty() && instruction.loads != AccessPlan::None;
        if expected != follower || doubtful {
            return self.leave(current, follower, branch);
        }
        self.write(current, branch)
    }

    #[inline]
    fn write(&mut self, current: u32, branch: Option<Branch>) -> Result<(), AssembleError> {
        let instruction = &self.statics[current as usize].0;
        if instruction.atomic {
            self.loads.extend_from_slice(&self.stores);
            self.stores.clone_from(&self.loads);
        }
        self.retired.reset(instruction.ip);
        self.retired.length = instruction.length;
        self.retired.flags.ss_load = instruction.ss_load;
        self.retired.branch = branch;
        instruction.loads(&self.loads, &mut self.retired.loads);
        instruction.stores(&self.stores, &mut self.retired.stores);
        self.retired.interruptions.append(&mut self.interruptions);
        self.loads.clear();
        self.stores.clear();
        let vary = instruction.accesses_vary();
        self.writer.push(&self.retired, vary).map_err(AssembleError::Write)
    }

    /// Handles an instruction whose follower is not its successor. Either it raised an exception and has not retired,
    /// or an interrupt was delivered after it or between its iterations. The vector of an interrupt is not known.
    #[cold]
    fn leave(&mut self, current: u32, follower: u64, branch: Option<Branch>) -> Result<(), AssembleError> {
        let instruction = &self.statics[current as usize].0;
        let (ip, neighbour) = (instruction.ip, instruction.neighbour());
        let expected = branch.map_or(neighbour, |branch| branch.next);
        let (kind, vector, from) = match instruction.departure(&self.loads, &self.stores) {
            Departure::ByItself => return self.write(current, branch),
            Departure::Behind => {
                self.write(current, branch)?;
                if expected == follower {
                    return Ok(());
                }
                (IntKind::Interrupt, 0, expected)
            }
            Departure::Before(vector) => {
                // The iterations so far are not executed again.
                if instruction.repeats {
                    self.writer.leave_out_loads(self.loads.len() as u64);
                    self.writer.leave_out_stores(self.stores.len() as u64);
                }
                self.loads.clear();
                self.stores.clear();
                (if vector.is_some() { IntKind::Exception } else { IntKind::Interrupt }, vector.unwrap_or(0), ip)
            }
        };
        self.interruptions.push(Interruption { valid: true, kind, vector, from, to: follower });
        Ok(())
    }

    #[inline]
    fn access(&mut self, first: u32, address: u64) -> Result<(), AssembleError> {
        let size = 1u16.checked_shl(first & 0xff);
        let size = size.ok_or_else(|| AssembleError::Stream(format!("an access of size 2^{}", first & 0xff)))?;
        let store = first & MARK == STORE;
        let accesses = if store { &mut self.stores } else { &mut self.loads };
        if accesses.len() < MAX_LOADS {
            accesses.push(Access { address, size });
        } else if store {
            self.writer.leave_out_stores(1);
        } else {
            self.writer.leave_out_loads(1);
        }
        Ok(())
    }

    /// Adds a new instruction, or an old one that was translated again.
    #[cold]
    fn announce(&mut self, record: [u32; NEW_WORDS]) -> Result<(), AssembleError> {
        let [first, low, high, length, code @ ..] = record;
        let number = (first & !MARK) as usize;
        let mut bytes = [0; 16];
        for (four, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(code) {
            *four = word.to_le_bytes();
        }
        let Some(bytes) = bytes.get(..length as usize).filter(|bytes| !bytes.is_empty()) else {
            return Err(AssembleError::Stream(format!("an instruction of {length} bytes")));
        };
        let ip = u64::from(low) | u64::from(high) << 32;
        let known = self.by_ip.get(&ip).copied().filter(|known| {
            let (instruction, old) = &self.statics[*known as usize];
            usize::from(instruction.length) == bytes.len() && *old == code
        });
        let place = known.unwrap_or_else(|| {
            let place = self.statics.len() as u32;
            self.statics.push((Static::decode(ip, bytes, &mut self.factory), code));
            self.by_ip.insert(ip, place);
            place
        });
        // Numbers are assigned in order, and are reused when they have run out.
        if number < self.numbers.len() {
            self.numbers[number] = place;
        } else if number == self.numbers.len() {
            self.numbers.push(place);
        } else {
            return Err(AssembleError::Stream(format!("instruction {number} announced out of order")));
        }
        Ok(())
    }
}
