//! The answers of a run: counted by what was asked, and written down if asked.

use super::environment::Ask;
use crate::report::{JsonLines, Output, OutputError};
use crate::session::register_name;
use lwp_model::Choice;
use lwp_model::retire::{RegOp, RegResult};
use lwp_model::tsc::Outputs;
use lwp_regs::tsc::MSRS;
use serde::Serialize;
use serde_json::{Map, Value};

/// A request that was made and is not answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The instruction with which it was made, if it was not due in a cycle.
    pub(super) instruction: Option<u64>,
    /// The cycle.
    pub(super) cycle: u64,
    /// The logical processor that asks.
    pub(super) lp: u8,
    /// What it asks.
    pub(super) ask: Ask,
}

/// Takes the answers.
#[derive(Debug, Default)]
pub struct Recorder {
    lines: JsonLines,
    total: u64,
    /// By operation and result.
    counts: [[u64; RESULTS]; OPS],
}

const OPS: usize = RegOp::ALL.len();
const RESULTS: usize = RegResult::ALL.len();

/// A line of the file of records.
#[derive(Serialize)]
struct Line {
    seq: u64,
    instruction: Option<u64>,
    cycle: u64,
    lp: u8,
    op: &'static str,
    register: Option<String>,
    result: &'static str,
    value: Option<String>,
    aux: Option<u32>,
}

/// The name of an operation in sessions and records.
pub(super) const fn op_name(op: RegOp) -> &'static str {
    match op {
        RegOp::Rdmsr => "rdmsr",
        RegOp::Wrmsr => "wrmsr",
        RegOp::Rdtsc => "rdtsc",
        RegOp::Rdtscp => "rdtscp",
        _ => "other",
    }
}

impl Recorder {
    /// Writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { lines: JsonLines::new(output), ..Self::default() }
    }

    /// An answer.
    pub(super) fn answered(&mut self, asked: &Asked, out: &Outputs) {
        let seq = self.total;
        self.lines.push(|| line(seq, asked, out));
        self.total += 1;
        self.counts[usize::from(asked.ask.op.code())][usize::from(out.reg_result.code())] += 1;
    }

    /// Requests answered.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Requests by operation and result, those that there were.
    #[must_use]
    pub fn counts(&self) -> Vec<(&'static str, Vec<(&'static str, u64)>)> {
        let results = |counts: &[u64; RESULTS]| -> Vec<_> {
            let named = RegResult::ALL.iter().zip(counts).filter(|(_, count)| **count > 0);
            named.map(|(result, &count)| (result.name(), count)).collect()
        };
        let ops = RegOp::ALL.iter().zip(&self.counts).map(|(&op, counts)| (op_name(op), results(counts)));
        ops.filter(|(_, results)| !results.is_empty()).collect()
    }

    /// The same as keys of a summary, with `total`.
    #[must_use]
    pub fn keys(&self) -> Map<String, Value> {
        let mut keys = Map::from_iter([("total".to_owned(), self.total.into())]);
        for (op, results) in self.counts() {
            let results = results.into_iter().map(|(result, count)| (result.to_owned(), count.into()));
            keys.insert(op.to_owned(), Value::Object(results.collect()));
        }
        keys
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If an answer could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        self.lines.commit()
    }
}

fn line(seq: u64, asked: &Asked, out: &Outputs) -> Line {
    let Asked { instruction, cycle, lp, ask } = *asked;
    let done = out.reg_result == RegResult::Done;
    let register = matches!(ask.op, RegOp::Rdmsr | RegOp::Wrmsr).then(|| register_name(ask.number, MSRS));
    let value = (done && ask.op != RegOp::Wrmsr).then(|| format!("{:#x}", out.reg_rdata));
    let aux = (done && ask.op == RegOp::Rdtscp).then_some(out.reg_aux);
    Line { seq, instruction, cycle, lp, op: op_name(ask.op), register, result: out.reg_result.name(), value, aux }
}
