//! Supplies of instructions for the feeder.

use crate::trace::{Branch, Load, Retired, Store, TraceError};
use lwp_model::retire::{Flags, Interruption, Io, OpMode, Transaction};
use std::ops::Range;

/// Supply of retired instructions, annotated with misses and predictions.
pub trait Instructions {
    /// Writes the next instruction to `into`, whose memory is reused. Returns `Ok(false)` at the end.
    ///
    /// # Errors
    /// If the trace cannot be read further. The caller does not call again after an error.
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError>;
}

/// Instructions in memory, for tests and benchmarks. All loads are in one array and all stores in another, in the order of use.
#[derive(Clone, Debug, Default)]
pub struct ReplayList {
    list: Vec<Kept>,
    loads: Vec<Load>,
    stores: Vec<Store>,
    rare: Vec<Rare>,
    at: usize,
    rounds: u64,
}

impl ReplayList {
    /// Returns a supply of the whole list, `rounds` times.
    #[must_use]
    pub fn new(list: Vec<Retired>, rounds: u64) -> Self {
        let mut all = Self { list: Vec::with_capacity(list.len()), rounds, ..Self::default() };
        for retired in list {
            let Retired { ip, length, cpl, smm, branch, loads, stores, .. } = &retired;
            let (ip, length, cpl, smm, branch) = (*ip, *length, *cpl, *smm, *branch);
            let (loads, stores) = (append(&mut all.loads, loads), append(&mut all.stores, stores));
            let rare = Rare::of(&retired).map(|rare| {
                all.rare.push(rare);
                all.rare.len() - 1
            });
            all.list.push(Kept { ip, length, cpl, smm, branch, loads, stores, rare });
        }
        all
    }
}

/// Appends a list, and returns its range.
fn append<T: Copy>(all: &mut Vec<T>, list: &[T]) -> Range<usize> {
    let first = all.len();
    all.extend_from_slice(list);
    first..all.len()
}

/// Instruction, and the ranges of its loads and stores.
#[derive(Clone, Debug)]
struct Kept {
    ip: u64,
    length: u8,
    cpl: u8,
    smm: bool,
    branch: Option<Branch>,
    loads: Range<usize>,
    stores: Range<usize>,
    /// Index of the parts that few instructions have.
    rare: Option<usize>,
}

/// Parts that few instructions have.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rare {
    op_mode: Option<OpMode>,
    cs_base: u64,
    io: Io,
    flags: Flags,
    transaction: Transaction,
    interruptions: Vec<Interruption>,
}

impl Rare {
    /// Returns these parts; `None` if the instruction has none of them.
    fn of(retired: &Retired) -> Option<Self> {
        let Retired { op_mode, cs_base, io, flags, transaction, interruptions, .. } = retired.clone();
        Some(Self { op_mode, cs_base, io, flags, transaction, interruptions }).filter(|rare| *rare != Self::default())
    }
}

impl Instructions for ReplayList {
    #[inline]
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError> {
        if self.at == self.list.len() {
            self.at = 0;
            self.rounds = self.rounds.saturating_sub(1);
        }
        if self.rounds == 0 || self.list.is_empty() {
            return Ok(false);
        }
        let Kept { ip, length, cpl, smm, branch, loads, stores, rare } = &self.list[self.at];
        into.reset(*ip);
        (into.length, into.cpl, into.smm, into.branch) = (*length, *cpl, *smm, *branch);
        into.loads.extend_from_slice(&self.loads[loads.clone()]);
        into.stores.extend_from_slice(&self.stores[stores.clone()]);
        if let Some(rare) = *rare {
            let Rare { op_mode, cs_base, io, flags, transaction, interruptions } = &self.rare[rare];
            (into.op_mode, into.cs_base, into.io) = (*op_mode, *cs_base, *io);
            (into.flags, into.transaction) = (*flags, *transaction);
            into.interruptions.extend_from_slice(interruptions);
        }
        self.at += 1;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_come_back_whole() {
        let full = Retired {
            ip: 1,
            length: 2,
            cpl: 0,
            smm: true,
            op_mode: Some(OpMode::Real),
            cs_base: 3,
            branch: None,
            loads: vec![Load { addr: Some(4), size: 8, ..Load::default() }],
            stores: vec![Store { addr: 5, size: 8 }, Store { addr: 6, size: 1 }],
            io: Io { valid: true, port: 7, ..Io::default() },
            flags: Flags { tf: true, ..Flags::default() },
            transaction: Transaction { in_tx: true, ..Transaction::default() },
            interruptions: vec![Interruption { valid: true, from: 8, to: 1, ..Interruption::default() }],
        };
        let list = vec![full, Retired { ip: 9, cpl: 3, ..Retired::default() }];
        let (mut replay, mut one) = (ReplayList::new(list.clone(), 2), Retired::default());
        for expected in list.iter().chain(&list) {
            assert!(replay.next(&mut one).unwrap());
            assert_eq!(one, *expected);
        }
        assert!(!replay.next(&mut one).unwrap());
    }
}
