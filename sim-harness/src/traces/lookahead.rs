//! One instruction of look-ahead, for properties that only the following instruction shows.

use lwp_model::retire::IntKind;

use super::{BranchKind, Part, ProgramMap, Retired, TraceError, TraceNotes, TraceReader};

/// One instruction as a format gives it; its successor may still be missing.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The retired instruction.
    pub retired: Retired,
    /// Whether `branch.next` is to be taken from the following instruction.
    pub next_unknown: bool,
    /// Whether `from` of the first interruption is to be taken from the previous instruction.
    pub from_unknown: bool,
}

/// The reader of a format, before look-ahead.
pub trait RecordSource {
    /// Reads the next record into `into`; `Ok(false)` at the end.
    ///
    /// # Errors
    /// As [`TraceReader::next`].
    fn read(&mut self, into: &mut Record) -> Result<bool, TraceError>;

    /// Decides about the last branch of the trace if its successor is unknown: completes it and returns `Ok(true)`, or
    /// returns `Ok(false)` to leave it out.
    ///
    /// # Errors
    /// If the format requires the trace itself to give the successor.
    fn complete_last(&mut self, last: &mut Retired) -> Result<bool, TraceError>;

    /// See [`TraceReader::annotated`].
    fn annotated(&self) -> bool;

    /// See [`TraceReader::lacks`].
    fn lacks(&self) -> &'static [Part] {
        &[]
    }

    /// See [`TraceReader::total`].
    fn total(&self) -> Option<u64>;

    /// See [`TraceReader::position`].
    fn position(&self) -> (u64, u64);

    /// See [`TraceReader::symbols`].
    fn symbols(&self) -> Option<&ProgramMap>;

    /// See [`TraceReader::notes`].
    fn notes(&self) -> TraceNotes;
}

/// A reader that reads one record ahead. It supplies successors and places of interruption that a format leaves out. It
/// turns far transfers into [`BranchKind::System`] if the following instruction runs at another privilege level or with
/// another SMM: such a transfer is a mode switch and never a branch event (AMB-61). If an interruption follows, the
/// change of mode cannot be determined, and the transfer keeps its class.
#[derive(Debug)]
pub struct Lookahead<S> {
    source: S,
    ahead: Record,
    state: State,
    failure: Option<TraceError>,
    notes: TraceNotes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing has been read.
    Start,
    /// `ahead` holds the record that is returned next.
    Running,
    /// No record is left.
    Done,
}

impl<S: RecordSource> Lookahead<S> {
    /// Wraps a format's reader.
    pub fn new(source: S) -> Self {
        Self { source, ahead: Record::default(), state: State::Start, failure: None, notes: TraceNotes::default() }
    }

    /// Reads the record after `current` and completes `current` with it.
    #[inline]
    fn advance(&mut self, current: &mut Retired, next_unknown: bool) -> Result<bool, TraceError> {
        match self.source.read(&mut self.ahead) {
            Ok(true) => {}
            Ok(false) => {
                self.state = State::Done;
                return if next_unknown { self.source.complete_last(current) } else { Ok(true) };
            }
            Err(error) => {
                self.state = State::Done;
                // An instruction that is already complete is returned first.
                if next_unknown || current.branch.is_some_and(|branch| branch.kind.is_far()) {
                    return Err(error);
                }
                self.failure = Some(error);
                return Ok(true);
            }
        }
        let follower = &self.ahead.retired;
        if !follower.interruptions.is_empty() {
            self.interrupted(current, next_unknown);
            return Ok(true);
        }
        let Some(branch) = &mut current.branch else { return Ok(true) };
        if next_unknown {
            branch.next = follower.ip;
        }
        if branch.kind.is_far() && (follower.cpl != current.cpl || follower.smm != current.smm) {
            branch.kind = BranchKind::System;
            self.notes.mode_switches += 1;
        }
        Ok(true)
    }

    /// Completes `current` and the record after it, which begins with an interruption: each supplies what the other
    /// leaves out.
    #[cold]
    fn interrupted(&mut self, current: &mut Retired, next_unknown: bool) {
        let follower = self.ahead.retired.ip;
        let Some(first) = self.ahead.retired.interruptions.first_mut() else { return };
        let mut known = true;
        if self.ahead.from_unknown {
            let from = went_on(current, next_unknown, first.kind);
            known = from.is_some();
            first.from = from.unwrap_or(0);
            self.notes.interruptions_from_unknown += u64::from(!known);
        }
        if let Some(branch) = current.branch.as_mut().filter(|_| next_unknown) {
            branch.next = match first.kind {
                // RSM itself leads to the address that it interrupted.
                IntKind::Rsm => first.to,
                _ if known => first.from,
                _ => follower,
            };
        }
    }

    /// Completes the first record: the source of its interruption is unknown.
    fn begin(&mut self) {
        if let Some(first) = self.ahead.retired.interruptions.first_mut().filter(|_| self.ahead.from_unknown) {
            first.from = 0;
            self.notes.interruptions_from_unknown += 1;
        }
    }
}

/// Returns the address at which the instruction would have continued, which the interruption left; `None` if unknown.
fn went_on(current: &Retired, next_unknown: bool, kind: IntKind) -> Option<u64> {
    match current.branch {
        _ if kind == IntKind::Rsm => current.neighbour(),
        Some(branch) if !next_unknown => Some(branch.next),
        Some(branch) if branch.taken => None,
        // Between two iterations, a string instruction is itself resumed.
        None if !current.flags.rep.counts() => Some(current.ip),
        _ => current.neighbour(),
    }
}

impl<S: RecordSource> TraceReader for Lookahead<S> {
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError> {
        if self.state == State::Start {
            self.state = if self.source.read(&mut self.ahead)? { State::Running } else { State::Done };
            self.begin();
        }
        if self.state == State::Done {
            return self.failure.take().map_or(Ok(false), Err);
        }
        std::mem::swap(into, &mut self.ahead.retired);
        let next_unknown = self.ahead.next_unknown;
        self.advance(into, next_unknown)
    }

    fn annotated(&self) -> bool {
        self.source.annotated()
    }

    fn lacks(&self) -> &'static [Part] {
        self.source.lacks()
    }

    fn total(&self) -> Option<u64> {
        self.source.total()
    }

    fn position(&self) -> (u64, u64) {
        self.source.position()
    }

    fn symbols(&self) -> Option<&ProgramMap> {
        self.source.symbols()
    }

    fn notes(&self) -> TraceNotes {
        let mut notes = self.source.notes();
        notes.mode_switches += self.notes.mode_switches;
        notes.interruptions_from_unknown += self.notes.interruptions_from_unknown;
        notes
    }
}
