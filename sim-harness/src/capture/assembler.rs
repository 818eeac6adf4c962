//! Makes retired instructions of the plugin's records.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use iced_x86::InstructionInfoFactory;

use super::CaptureError;
use super::instruction::{Access, Static};
use crate::trace::capture_file::MAX_LOADS;
use crate::trace::{BranchKind, CaptureWriter, Retired};

/// Marks of a record, as the plugin sets them.
const MARK: u32 = 3 << 30;
const EXECUTE: u32 = 0;
const LOAD: u32 = 1 << 30;
const NEW: u32 = 2 << 30;
/// Words of the record that announces an instruction.
const NEW_WORDS: usize = 8;

/// Why records cannot be made into a file.
#[derive(Debug)]
pub(super) enum AssembleError {
    /// The plugin's records make no sense.
    Stream(String),
    /// The file cannot be written.
    Write(io::Error),
}

impl AssembleError {
    /// The same for the user.
    pub(super) fn in_file(self, path: &Path) -> CaptureError {
        match self {
            Self::Stream(what) => CaptureError::Stream { what },
            Self::Write(error) => CaptureError::write(path, error),
        }
    }
}

/// Puts records together. An instruction is complete when the next one begins, because only that
/// shows where a branch went and that a repeated string instruction has ended.
pub(super) struct Assembler<W: Write> {
    writer: CaptureWriter<W>,
    limit: u64,
    factory: InstructionInfoFactory,
    statics: Vec<(Static, [u32; 4])>,
    /// The latest static for an address, to recognise what was only translated again.
    by_ip: HashMap<u64, u32>,
    /// For each of the plugin's numbers the static.
    numbers: Vec<u32>,
    /// The instruction that is being executed, and what it loaded so far.
    current: Option<u32>,
    accesses: Vec<Access>,
    retired: Retired,
}

impl<W: Write> Assembler<W> {
    /// Writes at most `limit` instructions to `writer`.
    pub(super) fn new(writer: CaptureWriter<W>, limit: u64) -> Self {
        Self {
            writer,
            limit,
            factory: InstructionInfoFactory::new(),
            statics: Vec::new(),
            by_ip: HashMap::new(),
            numbers: Vec::new(),
            current: None,
            accesses: Vec::new(),
            retired: Retired::default(),
        }
    }

    /// Takes whole records from the front of `bytes`; returns how many words that were.
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
                LOAD => {
                    let (Some(low), Some(high)) = (word(at + 1), word(at + 2)) else { break };
                    self.load(first, u64::from(low) | u64::from(high) << 32)?;
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
                _ => return Err(AssembleError::Stream(format!("word {first:#010x}"))),
            };
        }
        Ok(at)
    }

    /// Whether the limit is reached.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.instructions() >= self.limit
    }

    /// Instructions so far.
    #[inline]
    pub(super) fn instructions(&self) -> u64 {
        self.writer.totals().instructions
    }

    /// The program has ended by itself. Its last instruction is complete if that was a system call;
    /// any other one was cut off by a signal.
    pub(super) fn finish(&mut self) -> Result<(), AssembleError> {
        let Some(current) = self.current else { return Ok(()) };
        let instruction = &self.statics[current as usize].0;
        if instruction.kind == Some(BranchKind::System) && !self.is_full() {
            self.retire(current, instruction.neighbour())?;
        }
        self.current = None;
        Ok(())
    }

    /// The file, still to be finished.
    pub(super) fn into_writer(self) -> CaptureWriter<W> {
        self.writer
    }

    /// The instruction with this number of the plugin's is executed.
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

    /// Writes an instruction that is complete.
    #[inline]
    fn retire(&mut self, current: u32, follower: u64) -> Result<(), AssembleError> {
        let instruction = &self.statics[current as usize].0;
        self.retired.reset(instruction.ip);
        self.retired.branch = instruction.branch(follower);
        instruction.loads(&self.accesses, &mut self.retired.loads);
        self.accesses.clear();
        let (length, vary) = (instruction.length, instruction.loads_vary());
        self.writer.push(&self.retired, length, vary).map_err(AssembleError::Write)
    }

    #[inline]
    fn load(&mut self, first: u32, address: u64) -> Result<(), AssembleError> {
        let size = 1u16.checked_shl(first & 0xff);
        let size = size.ok_or_else(|| AssembleError::Stream(format!("an access of size 2^{}", first & 0xff)))?;
        if self.accesses.len() == MAX_LOADS {
            self.writer.leave_out_loads(1);
        } else {
            self.accesses.push(Access { address, size });
        }
        Ok(())
    }

    /// A new instruction, or an old one that was translated again.
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
        // Numbers come in order, and start again when they have run out.
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
