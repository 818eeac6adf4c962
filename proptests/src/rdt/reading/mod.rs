//! The specification checker of the shared cache, written independently from the documents: it checks what the core, memory and software
//! see of the unit `rdt`.
//!
//! It is written from the document on debugging, branch records, TSC and RDT (sections 8 and 9), the numbered requirements of the
//! monitoring and of the allocation, the facts about real hardware, the chapter of the unit's ports and the decisions RDT-01 to RDT-17. It knows no register of
//! the unit: only the straps, the inputs and the outputs.
//!
//! It is untimed. Accesses are taken up one at a time, so the order in which they are completed, and the order of the memory transfers
//! between two completions, is the order in which they are done. The checker repeats them with caches of its own: for each set the
//! lines in the order of their use. So it knows whether an access hits, what memory is asked for and what is written back, and
//! how many lines each RMID has. Bandwidth follows from the transfers alone.
//!
//! # What the documents leave open
//!
//! The choices that a unit makes once for the whole run are `world::Choices`: which uses of the L2 cache are uses of the line
//! in the L3 cache, and whether the L2 cache chooses its way before or after a line leaves it for the sake of the L3 cache. The
//! checker holds a state for each combination, and what is shown leaves those that agree.
//!
//! - **When an access is taken up** between its acceptance and its completion: with the masks, CDP and power of any moment between the
//!   last completion and the first request to memory. Where these differ, the checker holds a state for each.
//! - **An occupancy that is read while an access is in progress** is that of before it, after its victim has left, or after its fill;
//!   what is read later is not earlier.
//! - **When lines leave that lose their power**: at any time until the walk is over. An access in between decides. Occupancies are then
//!   bounded.
//! - **The order of the transfers** of one access.
//! - **The class of a write that fills nothing**: 0, or that of the access.
//! - **When a delayed access is let through**: not before the last completion, and not long before it asks memory or is complete. Of the
//!   bound on its pace this leaves what the ports can show.
//!
//! - **Which moment decides that an access misses the L2 cache**: any since its acceptance. If another access has filled the line there since,
//!   the line hits the L3 cache.
//! - **Whose delay**: that of the thread which made the request, or of the thread that runs now. Where they differ, the pace is not
//!   checked, and the longer wait is allowed.
//! - **Credit that was earned with an earlier delay**: the first access with a new delay does not count (`pace`).
//!
//! # Not checked
//!
//! Masks and bandwidths that are read as 0 before the unit is ready for the first time after reset; `mem_local` without a grant; and whatever cycles an access needs besides its delay and memory, up to a margin.

mod alive;
mod bandwidth;
mod cache;
mod coverage;
mod leaving;
mod pace;
mod package;
mod plain;
mod ports;
mod registers;
mod row;
mod world;

#[cfg(test)]
mod tests;

pub use coverage::Coverage;
pub use row::outputs;

use alive::Alive;
use bandwidth::Bandwidth;
use lwp_model::rdt::{Config, Inputs, Outputs};
use pace::Pace;
use package::Package;
use plain::{In, Out, Straps, Told, Transfer};
use registers::{Answer, Data, Register, Registers};
use world::{Access, Choices};

/// The specification checker, for a unit with `LPS` logical processors.
#[derive(Clone, Debug)]
pub struct Reading<const LPS: usize> {
    core: Core,
}

impl<const LPS: usize> Reading<LPS> {
    /// Returns the checker of a unit with these straps, at reset.
    #[must_use]
    pub fn new(straps: &Config) -> Self {
        Self { core: Core::new(&ports::straps(straps, LPS)) }
    }

    /// Checks one cycle: its inputs, and the outputs `out` before the clock edge that ends the cycle. In a cycle with `rst_n` = 0 nothing
    /// is checked: the documents define the state after reset, not during it.
    ///
    /// # Errors
    ///
    /// Describes what the unit shows and what the documents define instead.
    pub fn cycle(&mut self, rst_n: bool, inputs: &Inputs<LPS>, out: &Outputs<LPS>) -> Result<(), String> {
        if !rst_n {
            self.core.reset();
            return Ok(());
        }
        self.core.cycle(&ports::input(inputs), &ports::out(out))
    }

    /// Returns how much was checked.
    #[must_use]
    pub const fn coverage(&self) -> &Coverage {
        &self.core.coverage
    }
}

/// What follows from a request of the last cycle.
#[derive(Clone, Debug)]
struct Pending {
    answer: Answer,
    read: bool,
    /// Lines leave: occupancies are bounded.
    leaving: bool,
    /// An access was in progress.
    busy: bool,
    /// The unit had not been ready since reset.
    fresh: bool,
}

/// The checker, in plain numbers.
#[derive(Clone, Debug)]
struct Core {
    straps: Straps,
    now: u64,
    registers: Registers,
    package: Package,
    bandwidth: Bandwidth,
    pace: Pace,
    alive: Alive,
    pending: Option<Pending>,
    /// The memory request that was shown in the last cycle and not taken.
    asking: Option<Transfer>,
    /// A line was asked for and has not arrived.
    reading: bool,
    /// No request was accepted or could have been since reset.
    fresh: bool,
    coverage: Coverage,
}

impl Core {
    fn new(straps: &Straps) -> Self {
        let registers = Registers::new(straps);
        let package = Package::new(straps, Choices::all(), registers.limits.clone());
        Self {
            straps: *straps,
            now: 0,
            registers,
            package,
            bandwidth: Bandwidth::default(),
            pace: Pace::default(),
            alive: Alive::default(),
            pending: None,
            asking: None,
            reading: false,
            fresh: true,
            coverage: Coverage::default(),
        }
    }

    /// Resets the state. The choices that were seen remain.
    fn reset(&mut self) {
        let coverage = self.coverage;
        let mut choices: Vec<Choices> = Vec::new();
        for world in &self.package.worlds {
            if !choices.contains(&world.choices) {
                choices.push(world.choices);
            }
        }
        let mut new = Self::new(&self.straps);
        if !choices.is_empty() {
            new.package = Package::new(&self.straps, choices.into_iter(), new.registers.limits.clone());
        }
        *self = new;
        self.coverage = coverage;
        self.coverage.resets += 1;
    }

    fn cycle(&mut self, input: &In, out: &Out) -> Result<(), String> {
        self.now += 1;
        self.check_answer(out)?;
        self.check_shape(out)?;
        self.package.power(&self.straps, self.now, out, &mut self.coverage)?;
        for lp in 0..self.straps.processors {
            if out.lp[lp].done {
                self.complete(lp, out.lp[lp])?;
            }
        }
        let busy = self.package.accesses.map(|access| access.is_some());
        self.alive.cycle(&self.straps, input, out, &self.pace, busy)?;
        if out.mem_req {
            self.package.memory(&self.straps, self.now, &out.mem, input.gnt)?;
        }
        self.fresh &= !out.lp.iter().any(|told| told.ready);
        self.accept(input, out)?;
        self.request(input);
        self.pace.limit(&self.straps, self.now + 1, &self.registers, &self.package.accesses);
        self.transfer(input, out);
        self.package.ask_power(&self.straps, input.power);
        self.coverage.smis += u64::from(input.smi);
        Ok(())
    }

    /// Checks what holds of the outputs of any cycle.
    fn check_shape(&self, out: &Out) -> Result<(), String> {
        let Straps { processors, line, .. } = self.straps;
        let done = out.lp.iter().filter(|told| told.done).count();
        if done > 1 || out.lp[processors..].iter().any(|told| *told != Told::default()) {
            return Err(format!("{done} accesses are complete at once"));
        }
        for (lp, told) in out.lp.iter().enumerate() {
            if (told.l2_hit || told.l3_hit) && !told.done || told.l2_hit && told.l3_hit {
                return Err(format!("logical processor {lp} is told of a hit that it cannot have: {told:?}"));
            }
        }
        if !out.mem_req && out.mem != Transfer::default() {
            return Err(format!("without a request to memory its fields are {:x?}", out.mem));
        }
        if out.mem_req && (self.reading || out.mem.addr & registers::ones(line) != 0) {
            return Err(format!("memory is asked for {:x?}, a line being read: {}", out.mem, self.reading));
        }
        match self.asking {
            Some(asking) if !out.mem_req || out.mem != asking => {
                Err(format!("memory was asked for {asking:x?}, and before it has taken that for {:x?}", out.mem))
            }
            _ => Ok(()),
        }
    }

    fn complete(&mut self, lp: usize, told: Told) -> Result<(), String> {
        let (access, span) = self.package.complete(&self.straps, self.now, lp, told, &mut self.coverage)?;
        if !told.l2_hit {
            let span = [span[0].max(access.accepted).max(span[1].saturating_sub(alive::STEPS)), span[1]];
            self.coverage.paced += u64::from(self.pace.pass(&self.straps, lp, span)?);
        }
        Ok(())
    }

    // RDTM-10, RDTM-17, RDTA-08: RMID and class are those of the thread in the cycle of the request.
    fn accept(&mut self, input: &In, out: &Out) -> Result<(), String> {
        for lp in 0..self.straps.processors {
            let wanted = input.lp[lp];
            if wanted.valid && out.lp[lp].ready {
                let (rmid, class) = self.registers.thread(lp);
                let number = (wanted.addr & registers::ones(52)) >> self.straps.line;
                let code = wanted.code && !wanted.write;
                self.package
                    .accept(lp, Access { write: wanted.write, code, number, rmid, class, accepted: self.now })?;
            }
        }
        Ok(())
    }

    fn request(&mut self, input: &In) {
        let Some(ask) = input.ask else { return };
        let read = ask.op == plain::Op::Read;
        let before = self.registers.limits.clone();
        let answer = self.registers.request(&self.straps, &ask, self.now, input.unavailable);
        self.coverage.answer(&answer, ask.level, !read);
        self.count_bandwidth(&answer);
        let leaving = self.package.walking || self.package.worlds.iter().any(|world| world.walked(self.package.on));
        self.pending =
            Some(Pending { answer: self.value(answer), read, leaving, busy: self.package.busy(), fresh: self.fresh });
        if self.registers.limits != before {
            self.package.limit(self.now + 1, &self.registers.limits);
        }
    }

    /// Returns an answer with the value of a bandwidth.
    fn value(&self, answer: Answer) -> Answer {
        match answer.data {
            Data::Bandwidth(rmid, local) => {
                Answer { data: Data::Value(self.bandwidth.value(&self.straps, rmid, local)), ..answer }
            }
            _ => answer,
        }
    }

    fn count_bandwidth(&mut self, answer: &Answer) {
        if let Data::Bandwidth(rmid, local) = answer.data {
            let lines = self.bandwidth.lines(rmid, local);
            let Straps { start, scale, width, .. } = self.straps;
            self.coverage.bandwidths += u64::from(lines > 0);
            self.coverage.local_bandwidths += u64::from(lines > 0 && local);
            let turn = |lines: u64| lines >> scale >> width;
            self.coverage.wrapped += u64::from(turn(start + lines) != turn(start));
        }
    }

    fn transfer(&mut self, input: &In, out: &Out) {
        self.asking = (out.mem_req && !input.gnt).then_some(out.mem);
        if out.mem_req && input.gnt {
            self.bandwidth.count(&self.straps, &out.mem, input.local);
            self.reading = !out.mem.write;
        } else if input.rvalid {
            self.reading = false;
        }
    }

    /// Checks the answer to the request of the last cycle, or that there is none.
    fn check_answer(&mut self, out: &Out) -> Result<(), String> {
        let Some(Pending { answer, read, leaving, busy, fresh }) = self.pending.take() else {
            let silent = !out.reg_done && out.reg_result == 0 && out.reg_rdata == 0;
            return if silent { Ok(()) } else { Err("an answer without a request".into()) };
        };
        if !out.reg_done || out.reg_result != answer.result {
            let Out { reg_done, reg_result, .. } = out;
            return Err(format!("the answer is {reg_result} (done: {reg_done}), not {answer:x?}"));
        }
        match answer.data {
            Data::Occupancy(rmid) if read => self.occupancy(rmid, out.reg_rdata, leaving, busy),
            Data::Value(_) if fresh && out.reg_rdata == 0 && late(answer.register) => {
                self.coverage.early += 1;
                Ok(())
            }
            Data::Value(value) if out.reg_rdata != value => {
                Err(format!("{:?} is {:#x}, not {value:#x}", answer.register, out.reg_rdata))
            }
            _ => Ok(()),
        }
    }

    /// Checks an occupancy that was read.
    fn occupancy(&mut self, rmid: u64, value: u64, leaving: bool, busy: bool) -> Result<(), String> {
        let (scale, on) = (self.straps.scale, self.package.on);
        if self.package.lost {
            self.coverage.unjudged += 1;
            return Ok(());
        }
        if leaving {
            self.coverage.occupancies_bounded += 1;
            // The line that memory has just taken may be counted still.
            let margin = u64::from(busy);
            return self.package.each(|world| {
                let [least, most] = world.bounds(on, rmid);
                let bounds = least.saturating_sub(margin) >> scale..=(most + margin + 1) >> scale;
                let text = || format!("the occupancy of RMID {rmid} is {value}, not of {bounds:?}");
                bounds.contains(&value).then_some(()).ok_or_else(text)
            });
        }
        if busy {
            self.package.worlds.iter_mut().for_each(|world| world.reads.push((rmid, value)));
            return Ok(());
        }
        self.coverage.occupancies += u64::from(value > 0);
        self.package.each(|world| {
            let lines = world.occupancy(rmid);
            let text = || format!("the occupancy of RMID {rmid} is {value}; it has {lines} lines");
            (lines >> scale == value).then_some(()).ok_or_else(text)
        })
    }
}

/// Returns whether a register may have its value only when the unit has become ready after reset.
const fn late(register: Option<Register>) -> bool {
    matches!(register, Some(Register::Mask(..) | Register::Counter))
}
