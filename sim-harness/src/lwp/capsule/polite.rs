//! A core and a memory that keep the rules of the ports, whatever list of inputs they are given.

use super::model::{Answers, asked, key};
use super::rules::{Rules, retires};
use crate::capsule::{Drive, Played};
use crate::lwp::flat::{in_words, pack_inputs};
use crate::lwp::unflat::unpack_inputs;
use lwp_model::lwp::{Control, Inputs, Lane, Lwp, Memory, Mode, Outputs, StoreTiming};
use std::collections::HashMap;

/// The model and its referee.
type RowModel<const W: usize, const S: usize, const LAT: u32> = crate::capsule::RowModel<Lwp<W, S, LAT>, Rules>;

/// Cycles that the core waits before it gives up what it wanted to do.
const PATIENCE: usize = 256;

/// Plays rows from reset on. False: there are more than `limit` cycles.
pub(super) fn drive<const W: usize, const S: usize, const LAT: u32>(
    run: &mut RowModel<W, S, LAT>,
    rows: &[u32],
    how: Drive,
    answers: &Answers,
    limit: usize,
    into: &mut Played,
) -> bool {
    let row = vec![0; in_words(W)];
    let mut driver = Driver { run, prompt: how == Drive::Prompt, answers, given: HashMap::new(), owed: None, row };
    // An access that was granted before the list begins.
    if driver.prompt && driver.run.rules.awaited() {
        driver.owed = Some(driver.answer(&driver.run.unit.outputs()));
    }
    for inputs in rows.chunks_exact(in_words(W)) {
        if into.inputs.len() / in_words(W) >= limit {
            return false;
        }
        let (inputs, rst_n) = unpack_inputs::<W>(inputs);
        if rst_n {
            driver.apart(inputs, limit, into);
        } else {
            driver.owed = None;
            driver.emit(&inputs, false, into);
        }
    }
    into.inputs.len() / in_words(W) <= limit
}

struct Driver<'a, const W: usize, const S: usize, const LAT: u32> {
    run: &'a mut RowModel<W, S, LAT>,
    prompt: bool,
    answers: &'a Answers,
    /// How many of the answers to an access were given.
    given: HashMap<(u8, u64), usize>,
    /// The answer to the access that was granted.
    owed: Option<Memory>,
    row: Vec<u32>,
}

impl<const W: usize, const S: usize, const LAT: u32> Driver<'_, W, S, LAT> {
    /// An operation comes alone where the group before it may be cut.
    fn apart(&mut self, wanted: Inputs<W>, limit: usize, into: &mut Played) {
        if self.run.unit.config().store_timing == StoreTiming::Async || !wanted.ctl.valid || !retires(&wanted) {
            return self.present(wanted, limit, into);
        }
        self.present(Inputs { ctl: Control::default(), ..wanted }, limit, into);
        let Inputs { mode, ctl, entropy, .. } = wanted;
        self.present(Inputs { mode, ctl, entropy, ..Inputs::default() }, limit, into);
    }

    /// Shows the unit what a row wants, once that is allowed; what never is, is left out.
    fn present(&mut self, mut wanted: Inputs<W>, limit: usize, into: &mut Played) {
        let before = self.run.rules.mode().unwrap_or(wanted.mode);
        let waiting = |run: &RowModel<W, S, LAT>| {
            let out = run.unit.outputs();
            let leaves = before.ring3() && !wanted.mode.ring3() && out.drain;
            leaves || before == wanted.mode && must_wait(&wanted, &out, run.rules.trapped())
        };
        self.wait(before, limit, into, waiting);
        if self.run.unit.outputs().drain && before.ring3() {
            wanted.mode = before;
        }
        if before != wanted.mode && (retires(&wanted) || wanted.ctl.valid && self.run.unit.outputs().stall) {
            // The first cycle of the new mode, and those in which nothing may happen.
            let mode = wanted.mode;
            self.idle(mode, into);
            self.wait(mode, limit, into, |run| must_wait(&wanted, &run.unit.outputs(), run.rules.trapped()));
        }
        let out = self.run.unit.outputs();
        self.correct(&mut wanted, &out);
        let recorded = wanted.mem;
        wanted.mem = self.memory(&out, Some(recorded));
        self.emit(&wanted, true, into);
    }

    /// Idle cycles as long as there is something to wait for, and patience.
    fn wait(&mut self, mode: Mode, limit: usize, into: &mut Played, waiting: impl Fn(&RowModel<W, S, LAT>) -> bool) {
        let mut patience = PATIENCE;
        while waiting(self.run) && patience > 0 && into.inputs.len() / in_words(W) < limit {
            self.idle(mode, into);
            patience -= 1;
        }
    }

    fn idle(&mut self, mode: Mode, into: &mut Played) {
        let mem = self.memory(&self.run.unit.outputs(), None);
        self.emit(&Inputs { mode, mem, ..Inputs::default() }, true, into);
    }

    /// Leaves out what answers nothing, and what would come at a wrong time.
    fn correct(&self, wanted: &mut Inputs<W>, out: &Outputs) {
        let rules = &self.run.rules;
        wanted.irq_ack &= out.irq;
        wanted.pf_ack &= out.pf_valid && !rules.operating();
        if !rules.tagged(out) {
            wanted.buffer.replay_abort = false;
            wanted.lanes.iter_mut().flat_map(|lane| &mut lane.loads).for_each(|load| load.tagged = false);
        }
        if must_wait(wanted, out, rules.trapped()) {
            wanted.partial = false;
            wanted.lanes = [Lane::default(); W];
            wanted.ctl.valid &= !out.stall;
        }
    }

    /// The memory's side of a cycle. In a cycle of the list it does what the list says, if that answers anything; else, and
    /// always if it is prompt, it grants at once and answers in the next cycle.
    fn memory(&mut self, out: &Outputs, recorded: Option<Memory>) -> Memory {
        if let (false, Some(mut mem)) = (self.prompt, recorded) {
            mem.rvalid &= self.run.rules.awaited();
            if mem.rvalid {
                self.owed = None;
            } else {
                mem = Memory { gnt: mem.gnt, ..Memory::default() };
            }
            mem.gnt &= out.mem_req;
            if mem.gnt {
                self.owed = Some(self.answer(out));
            }
            return mem;
        }
        if let Some(answer) = self.owed.take() {
            return answer;
        }
        if out.mem_req {
            self.owed = Some(self.answer(out));
        }
        Memory { gnt: out.mem_req, ..Memory::default() }
    }

    /// What was learnt of this access: the next of its answers, or the last that was no page fault.
    fn answer(&mut self, out: &Outputs) -> Memory {
        let key = key(asked(out));
        let learnt = self.answers.get(&key).map_or(&[][..], Vec::as_slice);
        let next = self.given.entry(key).or_default();
        let answer = learnt.get(*next).map(|answer| answer.data);
        *next += 1;
        let answer = answer.unwrap_or_else(|| Some(learnt.iter().rev().find_map(|answer| answer.data).unwrap_or(0)));
        Memory { rvalid: true, err: answer.is_none(), rdata: answer.unwrap_or(0), ..Memory::default() }
    }

    fn emit(&mut self, inputs: &Inputs<W>, rst_n: bool, into: &mut Played) {
        let mut row = std::mem::take(&mut self.row);
        pack_inputs(inputs, rst_n, &mut row);
        self.run.record(&row, into);
        self.row = row;
    }
}

/// An instruction, or an operation, that must not come now.
fn must_wait<const W: usize>(wanted: &Inputs<W>, out: &Outputs, trapped: bool) -> bool {
    let retires = retires(wanted);
    retires && (out.stall || trapped) || wanted.ctl.valid && out.stall
}
