//! Samples and answers of a run: counted, and written down if asked.

use super::environment::{Ask, Which};
use crate::report::{IpCounts, JsonLines, Output, OutputError};
use crate::session::register_name;
use lwp_model::Choice;
use lwp_model::retire::{RegOp, RegResult};
use lwp_regs::perf::MSRS;
use serde::Serialize;
use std::collections::BTreeMap;

/// A request that was made and is not answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Instruction with which it was made.
    pub(super) instruction: Option<u64>,
    /// Cycle of the request.
    pub(super) cycle: u64,
    /// Logical processor that asks.
    pub(super) lp: u8,
    /// What it asks.
    pub(super) ask: Ask,
}

/// An overflow whose interrupt was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Cycle of the interrupt.
    pub(super) cycle: u64,
    /// Instructions that had retired.
    pub(super) instruction: u64,
    /// Counter that overflowed.
    pub(super) which: Which,
    /// Address of the last instruction before the interrupt.
    pub(super) ip: u64,
    /// Address of the last instruction of the cycle whose events overflowed the counter.
    pub(super) overflow_ip: u64,
    /// Instructions that retired between the two.
    pub(super) skid: u64,
}

/// Takes samples and answers.
#[derive(Debug, Default)]
pub struct Recorder {
    lines: JsonLines,
    seq: u64,
    answers: [u64; RegResult::ALL.len()],
    skids: Skids,
    /// Samples by the address at which the interrupt was taken.
    addresses: IpCounts,
}

/// Distances between overflow and interrupt, in instructions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Skids {
    pub(super) samples: u64,
    pub(super) least: u64,
    pub(super) greatest: u64,
    pub(super) sum: u64,
}

#[derive(Serialize)]
struct SampleLine {
    seq: u64,
    kind: &'static str,
    cycle: u64,
    instruction: u64,
    counter: String,
    ip: String,
    overflow_ip: String,
    skid: u64,
}

#[derive(Serialize)]
struct AnswerLine {
    seq: u64,
    kind: &'static str,
    cycle: u64,
    instruction: Option<u64>,
    lp: u8,
    op: &'static str,
    register: String,
    result: &'static str,
    value: Option<String>,
}

/// Name of an operation in sessions and records.
pub(super) const fn op_name(op: RegOp) -> &'static str {
    match op {
        RegOp::Rdmsr => "rdmsr",
        RegOp::Wrmsr => "wrmsr",
        RegOp::Rdpmc => "rdpmc",
        _ => "other",
    }
}

/// Name of a counter in summaries and records.
pub(super) fn counter_name(which: Which) -> String {
    match which {
        Which::General(index) => index.to_string(),
        Which::Fixed(index) => format!("fixed {index}"),
    }
}

impl Recorder {
    /// Returns a recorder that writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { lines: JsonLines::new(output), ..Self::default() }
    }

    pub(super) fn answered(&mut self, asked: &Asked, result: RegResult, rdata: u64) {
        let Asked { instruction, cycle, lp, ask } = *asked;
        let seq = self.next();
        self.answers[usize::from(result.code())] += 1;
        self.lines.push(|| AnswerLine {
            seq,
            kind: "answer",
            cycle,
            instruction,
            lp,
            op: op_name(ask.op),
            register: if ask.op == RegOp::Rdpmc {
                format!("{:#x}", ask.number)
            } else {
                register_name(ask.number, MSRS)
            },
            result: result.name(),
            value: (result == RegResult::Done && ask.op != RegOp::Wrmsr).then(|| format!("{rdata:#x}")),
        });
    }

    pub(super) fn sampled(&mut self, sample: &Sample) {
        let Sample { cycle, instruction, which, ip, overflow_ip, skid } = *sample;
        let seq = self.next();
        let skids = &mut self.skids;
        skids.least = if skids.samples == 0 { skid } else { skids.least.min(skid) };
        skids.greatest = skids.greatest.max(skid);
        (skids.samples, skids.sum) = (skids.samples + 1, skids.sum + skid);
        self.addresses.add(ip);
        self.lines.push(|| SampleLine {
            seq,
            kind: "sample",
            cycle,
            instruction,
            counter: counter_name(which),
            ip: format!("{ip:#x}"),
            overflow_ip: format!("{overflow_ip:#x}"),
            skid,
        });
    }

    fn next(&mut self) -> u64 {
        self.seq += 1;
        self.seq - 1
    }

    /// Answers by result, those that there were.
    pub(super) fn answers(&self) -> BTreeMap<&'static str, u64> {
        let named = RegResult::ALL.iter().zip(self.answers).filter(|(_, count)| *count > 0);
        named.map(|(result, count)| (result.name(), count)).collect()
    }

    pub(super) const fn skids(&self) -> Skids {
        self.skids
    }

    /// Samples by the address at which the interrupt was taken.
    pub(super) const fn addresses(&self) -> &IpCounts {
        &self.addresses
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If a line could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        self.lines.commit()
    }
}
