//! The debug exceptions of a run: counted by class and cause, and written down if asked.

use crate::report::{JsonLines, Output, OutputError};
use crate::traces::ProgramMap;
use lwp_model::Choice;
use lwp_model::debug::DbClass;
use lwp_regs::debug::Dr6;
use serde::Serialize;
use serde_json::{Map, Value};

/// A debug exception that is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caught {
    /// The instruction that caused a trap, or before which a fault came.
    pub(super) instruction: u64,
    /// Address that the handler finds on its stack.
    pub(super) ip: u64,
    /// Address of `instruction`.
    pub(super) at: u64,
    /// Class of the exception.
    pub(super) class: DbClass,
}

/// Causes, in the order of the summary.
const CAUSES: [&str; 9] = [
    "breakpoint 0",
    "breakpoint 1",
    "breakpoint 2",
    "breakpoint 3",
    "step",
    "general detect",
    "task switch",
    "region",
    "none",
];

/// Takes the debug exceptions.
#[derive(Debug, Default)]
pub struct Recorder {
    lines: JsonLines,
    total: u64,
    classes: [u64; CLASSES],
    causes: [u64; CAUSES.len()],
}

const CLASSES: usize = DbClass::ALL.len();

/// A line of the file of records.
#[derive(Serialize)]
struct Line {
    instruction: u64,
    ip: String,
    class: &'static str,
    dr6: String,
    /// Function of `instruction`, with the offset in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    /// Its line in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
}

impl Recorder {
    /// Writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { lines: JsonLines::new(output), ..Self::default() }
    }

    /// The handler has read DR6.
    pub(super) fn caught(&mut self, caught: &Caught, dr6: Dr6, symbols: Option<&ProgramMap>) {
        self.lines.push(|| line(caught, dr6, symbols));
        self.total += 1;
        self.classes[usize::from(caught.class.code())] += 1;
        let b = dr6.conditions().bits();
        let told = [b & 1, b >> 1 & 1, b >> 2 & 1, b >> 3 & 1].map(|bit| bit != 0);
        let told =
            [told[0], told[1], told[2], told[3], dr6.bs(), dr6.bd(), dr6.bt(), dr6.in_transaction(), dr6.is_clear()];
        self.causes.iter_mut().zip(told).for_each(|(count, told)| *count += u64::from(told));
    }

    /// Debug exceptions that were handled.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Debug exceptions by cause, those that there were. One may have several.
    #[must_use]
    pub fn causes(&self) -> Vec<(&'static str, u64)> {
        CAUSES.into_iter().zip(self.causes).filter(|(_, count)| *count > 0).collect()
    }

    /// Debug exceptions by class, those that there were.
    #[must_use]
    pub fn classes(&self) -> Vec<(&'static str, u64)> {
        let named = DbClass::ALL.iter().map(|class| class.name()).zip(self.classes);
        named.filter(|(_, count)| *count > 0).collect()
    }

    /// The same as keys of a summary, with `total`.
    #[must_use]
    pub fn keys(&self) -> Map<String, Value> {
        let counts = |counts: Vec<(&'static str, u64)>| -> Map<String, Value> {
            counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect()
        };
        Map::from_iter([
            ("total".to_owned(), self.total.into()),
            ("classes".to_owned(), Value::Object(counts(self.classes()))),
            ("causes".to_owned(), Value::Object(counts(self.causes()))),
        ])
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If a record could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        self.lines.commit()
    }
}

fn line(caught: &Caught, dr6: Dr6, symbols: Option<&ProgramMap>) -> Line {
    let Caught { instruction, ip, at, class } = *caught;
    let function = symbols.and_then(|map| map.locate(at)).map(|place| place.to_string());
    let line = symbols.and_then(|map| map.source_line(at)).map(|(file, line)| format!("{file}:{line}"));
    Line {
        instruction,
        ip: format!("{ip:#x}"),
        class: class.name(),
        dr6: format!("{:#x}", dr6.into_bits()),
        function,
        line,
    }
}
