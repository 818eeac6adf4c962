//! The records of a run: counted, and written down if asked, in the order in which software or the bus has them.

use crate::report::{JsonLines, Output, OutputError};
use lwp_regs::trace::{BtsRecord, LbrRecord, PebsRecord};
use serde::Serialize;
use serde_json::{Map, Value};

/// Kinds of records, as the file names them.
const KINDS: [&str; 5] = ["bts", "btm", "lbr", "ler", "pebs"];

/// Takes the records.
#[derive(Debug, Default)]
pub struct Recorder {
    lines: JsonLines,
    counts: [u64; KINDS.len()],
    stored: u64,
    lost: u64,
    interrupts: u64,
}

/// A line of the file of records.
#[derive(Serialize)]
struct Line {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_tsx: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tsx_abort: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u16>,
    /// Of a sample: the address behind the instruction with the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    ip: Option<String>,
    /// Of the stack: instructions that had retired when it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    instruction: Option<u64>,
}

impl Line {
    const fn of(kind: usize) -> Self {
        Self {
            kind: KINDS[kind],
            from: None,
            to: None,
            predicted: None,
            in_tsx: None,
            tsx_abort: None,
            cycles: None,
            ip: None,
            instruction: None,
        }
    }

    fn branch(kind: usize, from: u64, to: u64) -> Self {
        Self { from: Some(format!("{from:#x}")), to: Some(format!("{to:#x}")), ..Self::of(kind) }
    }
}

impl Recorder {
    /// Writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { lines: JsonLines::new(output), ..Self::default() }
    }

    /// A record of the BTS buffer.
    pub(super) fn branch(&mut self, record: &BtsRecord) {
        self.counts[0] += 1;
        let predicted = Some(record.flags.predicted());
        self.lines.push(|| Line { predicted, ..Line::branch(0, record.from, record.to) });
    }

    /// A message on the bus.
    #[inline]
    pub(super) fn message(&mut self, from: u64, to: u64, predicted: bool) {
        self.counts[1] += 1;
        self.lines.push(|| Line { predicted: Some(predicted), ..Line::branch(1, from, to) });
    }

    /// A record of the LBR stack, or the last exception record.
    pub(super) fn stack(&mut self, instruction: u64, exception: bool, record: &LbrRecord) {
        let kind = if exception { 3 } else { 2 };
        self.counts[kind] += 1;
        let LbrRecord { from, to, mispredicted, in_tsx, tsx_abort, cycles } = *record;
        self.lines.push(|| Line {
            predicted: mispredicted.map(|mispredicted| !mispredicted),
            in_tsx,
            tsx_abort,
            cycles,
            instruction: Some(instruction),
            ..Line::branch(kind, from, to)
        });
    }

    /// A record of the PEBS buffer.
    pub(super) fn precise(&mut self, record: &PebsRecord) {
        self.counts[4] += 1;
        self.lines.push(|| Line { ip: Some(format!("{:#x}", record.ip)), ..Line::of(4) });
    }

    /// What the unit says of its store.
    #[inline]
    pub(super) fn store(&mut self, stored: bool, lost: bool) {
        self.stored += u64::from(stored);
        self.lost += u64::from(lost);
    }

    /// A performance interrupt is delivered.
    pub(super) fn interrupt(&mut self) {
        self.interrupts += 1;
    }

    /// Performance interrupts that were delivered.
    #[must_use]
    pub const fn interrupts(&self) -> u64 {
        self.interrupts
    }

    /// Records that the unit has stored, and that it has lost.
    #[must_use]
    pub const fn stores(&self) -> (u64, u64) {
        (self.stored, self.lost)
    }

    /// Records by kind, those that there were.
    #[must_use]
    pub fn kinds(&self) -> Vec<(&'static str, u64)> {
        KINDS.into_iter().zip(self.counts).filter(|(_, count)| *count > 0).collect()
    }

    /// The same as keys of a summary.
    #[must_use]
    pub fn keys(&self) -> Map<String, Value> {
        self.kinds().into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect()
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If a record could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        self.lines.commit()
    }
}
