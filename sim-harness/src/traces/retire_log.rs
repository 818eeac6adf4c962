//! The retire log: JSON Lines, one retired instruction per line, for traces that contain everything.
//!
//! ```json
//! {"ip":"0x401000","cpl":3,"smm":false,"branch":{"kind":"jcc","taken":true,"next":"0x401020","predicted":true},"loads":[{"addr":"0x7ff0","size":8,"miss":true,"latency":200,"source":3}]}
//! ```
//!
//! | key | meaning | if absent |
//! |---|---|---|
//! | `ip` | linear address of the instruction | error |
//! | `cpl` | privilege level, 0 to 3 | 3 |
//! | `smm` | in System Management Mode | `false` |
//! | `branch` | `null`, or the outcome of the transfer of control | no branch |
//! | `branch.kind` | `jmp`, `jcc` (also `LOOPx` and `JCXZ`), `jmp_ind`, `call`, `call_ind`, `ret`, `far_jmp`, `far_call`, `far_ret`, `system` | error |
//! | `branch.taken` | whether it was taken | `true`; an error for `jcc` |
//! | `branch.next` | linear address of the instruction executed next | the `ip` of the following line, or where that line was interrupted |
//! | `branch.predicted` | whether it was predicted correctly, `null` if not known | not known |
//! | `loads` | the loads, in program order | none |
//! | `addr` | linear address of the data, `null` if not known | not known |
//! | `size` | bytes | 0: not known |
//! | `miss` | whether it missed the data cache | `false` |
//! | `latency` | cycles, 32 bits | 0 |
//! | `source` | source of the data, 0 to 7, as in the event record | 0 |
//!
//! The other keys and their effects are defined in the chapter "The retire log" of the book (`docs/src/retire/log.md`).
//!
//! Addresses are strings of hexadecimal digits after `0x`; unsigned JSON numbers are accepted too. Unknown and repeated
//! keys are errors. Blank lines are not errors. Comments are not JSON. Lines end with LF or CRLF; the last line may
//! have no end of line.
//!
//! The last branch has no following line, so there `next` must be given. Only `system`, which no event ever shows, may
//! leave it out; it then gets its own `ip`, and the [notes](super::TraceNotes::system_without_next) report this.

use miette::NamedSource;

use super::error::LineError;
use super::input::Input;
use super::lookahead::{Lookahead, Record, RecordSource};
use super::retire_log_line::{self as line, Fault};
use super::{BranchKind, ProgramMap, Retired, TraceError, TraceNotes};

/// The number of bytes of the longest line that is read.
pub const MAX_LINE: u64 = 1 << 24;

/// A reader of a retire log, line by line.
#[derive(Debug)]
pub(super) struct RetireLog {
    input: Input,
    /// The current line, including its end.
    text: Vec<u8>,
    /// The number of the current line, from 1.
    line: u64,
    /// The line of the last record and its number, for an error that is found after it.
    last: (Vec<u8>, u64),
    notes: TraceNotes,
}

impl RetireLog {
    /// Creates a reader of the lines of `input`.
    pub(super) fn new(input: Input) -> Lookahead<Self> {
        let source = Self { input, text: Vec::new(), line: 0, last: (Vec::new(), 0), notes: TraceNotes::default() };
        Lookahead::new(source)
    }

    /// Returns the error for a fault in a line.
    fn complain(&self, text: &[u8], line: u64, fault: Fault) -> TraceError {
        let shown = String::from_utf8_lossy(text).trim_end().to_owned();
        let mut start = fault.column.saturating_sub(1).min(shown.len());
        while !shown.is_char_boundary(start) {
            start -= 1;
        }
        let length = shown[start..].chars().next().map_or(0, char::len_utf8);
        TraceError::Line(Box::new(LineError {
            path: self.input.path().to_owned(),
            line,
            column: fault.column,
            what: fault.what,
            help: fault.help.to_owned(),
            text: NamedSource::new(format!("{} (line {line})", self.input.path().display()), shown),
            here: (start, length).into(),
        }))
    }

    /// Reads one line into `text`; returns `Ok(false)` at the end.
    fn read_line(&mut self) -> Result<bool, TraceError> {
        self.text.clear();
        let what = format!("line {}", self.line + 1);
        let count = self.input.line(&mut self.text, MAX_LINE, &what)?;
        if count == 0 {
            return Ok(false);
        }
        self.line += 1;
        if count as u64 == MAX_LINE && !self.text.ends_with(b"\n") {
            let what = format!("line {} is longer than {MAX_LINE} bytes", self.line);
            return Err(self.input.corrupt(what));
        }
        Ok(true)
    }

    /// Returns the error for a fault in the line just read. A last line without an end of line that breaks off is
    /// truncated, not wrong.
    fn refuse(&self, fault: Fault) -> TraceError {
        if fault.breaks_off && !self.text.ends_with(b"\n") {
            let begins = self.input.offset() - self.text.len() as u64;
            return self.input.truncated(format!("line {}, which begins at byte {begins}", self.line));
        }
        self.complain(&self.text, self.line, fault)
    }
}

impl RecordSource for RetireLog {
    fn read(&mut self, into: &mut Record) -> Result<bool, TraceError> {
        while self.read_line()? {
            if self.text.trim_ascii().is_empty() {
                continue;
            }
            if let Err(fault) = line::parse(&self.text, into) {
                return Err(self.refuse(fault));
            }
            if into.next_unknown {
                std::mem::swap(&mut self.last.0, &mut self.text);
                self.last.1 = self.line;
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn complete_last(&mut self, last: &mut Retired) -> Result<bool, TraceError> {
        let ip = last.ip;
        match &mut last.branch {
            Some(branch) if branch.kind == BranchKind::System => {
                branch.next = ip;
                self.notes.system_without_next += 1;
                Ok(true)
            }
            _ => {
                let fault = Fault {
                    column: 1,
                    what: "expected `next` in the branch of the last line, found neither it nor a following line"
                        .to_owned(),
                    help: "give `next`, or add the instruction that was executed next",
                    breaks_off: false,
                };
                Err(self.complain(&self.last.0, self.last.1, fault))
            }
        }
    }

    fn annotated(&self) -> bool {
        true
    }

    fn total(&self) -> Option<u64> {
        None
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
