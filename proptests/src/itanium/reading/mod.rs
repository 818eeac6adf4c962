//! The specification checker of event qualification on an Itanium processor, written independently from the documents: it checks what a
//! core and its software see of the unit `itanium`.
//!
//! It is written from the document on event qualification (section 6.1.3), the numbered requirements ITA, the facts about real hardware,
//! the architecture manual (volume 2, sections 3.3.2, 7.1 and 7.2; volume 3) and the chapter of the unit's ports. It knows no register
//! of the unit, only the straps, the inputs and the outputs.
//!
//! The checker repeats every write of a register, gives every bundle its tags when it is fetched and issued, and counts. A count is checked
//! when it is read, and by the overflow that it leads to: interrupt, pin, PMC\[0\], and the freeze that stops the other counters. What
//! the documents leave open is not known, and neither is what follows from it, until software writes it or reads it.
//!
//! # Order in a cycle
//!
//! Events count first, with the registers as they are; then the request is done. The answer and all that it changes are seen in the next
//! cycle. Bundles that are fetched or issued are tagged by the registers before the request. A read shows the events of its own cycle or it
//! does not, the same in all cycles: the manual asks software to serialise before it reads a count.
//!
//! # What the documents leave open
//!
//! - **All registers after reset**, until they are written or read.
//! - **Events** that no public table lists or that need more than the ports show; unit masks without a meaning; instructions retired, and
//!   predicated off, on PMC\[6\] and PMC\[7\], which the tables leave out.
//! - **Whether an overflow without PMC\[i\].oi sets its bit in PMC\[0\]**.
//! - **PMC\[0\] after a write in a cycle with an overflow**: the bits that the overflow sets and the write clears.
//! - **Whether a semaphore instruction is one reference or two**.
//! - **Long instructions** with the matcher's bits i and b different, and reserved templates: which of the bits is theirs.
//! - **IBRs with x = 1**, which are breakpoints: whether they are ranges, too. **DBR.plm**: whether the data range check knows it.
//! - **Data ranges for IA-32 code**: Figure 6-4 asks for an IA-64 address. An address in range qualifies in any case.
//! - **Interrupts after the freeze bit was cleared with overflow bits set** while PSR.up or PSR.pp was 1: the manual promises that there
//!   is no second interrupt only if software does not do this.
//! - **PMD\[0\] to PMD\[3\] and PMD\[8\] to PMD\[17\]**, which are not in the unit; bits 63:1 of PMC\[13\]; bits of DCR other than pp.
//! - **The branch trace buffer in a cycle with an interruption**, of which nothing retires.

mod around;
mod coverage;
mod events;
mod monitor;
mod registers;
mod row;
mod tags;
mod truth;
mod values;

#[cfg(test)]
mod tests;

pub use around::{Around, Random, straps};
pub use coverage::Coverage;
pub use row::outputs;

use events::{Event, Happening, event};
use lwp_model::itanium::{Config, Inputs, Outputs, RegOp, RegResult, UpOnInterruption};
use monitor::{Enable, Mode};
use registers::{Answer, Registers, Status};
use tags::Tag;
use truth::{Bits, NO, Span, Truth, YES, and, or};

/// The specification checker of a unit with this many bundles in a cycle and bundles in flight.
#[derive(Clone, Debug)]
pub struct Reading<const BUNDLES: usize, const ENTRIES: usize> {
    straps: Config,
    registers: Registers,
    tags: Vec<Tag>,
    due: Due,
    /// Whether a read shows the events of its own cycle; `None` until a read has told.
    late: Truth,
    coverage: Coverage,
}

/// What the outputs of the next cycle are.
#[derive(Clone, Copy, Debug, Default)]
struct Due {
    irq: Truth,
    pins: [Truth; 4],
    status: Option<Status>,
    /// `iear_on`, `dear_on`, `btb_on`.
    on: [Truth; 3],
    answer: Option<Answer>,
    /// Whether it is known if there is an answer.
    answered: Truth,
    /// What is read if a read does not show the events of its own cycle.
    early: Bits,
    /// The file and the index of the register that the answer shows, and what its counter has added in the cycle of the request.
    shows: Option<(u32, usize, Option<u32>)>,
}

/// What the counters do in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Counting {
    added: [Option<u32>; 4],
    overflow: [Truth; 4],
    interrupt: Truth,
}

impl<const BUNDLES: usize, const ENTRIES: usize> Reading<BUNDLES, ENTRIES> {
    /// Returns the checker of a unit with these straps, at reset.
    #[must_use]
    pub fn new(straps: &Config) -> Self {
        Self {
            straps: *straps,
            registers: Registers::default(),
            tags: vec![Tag::default(); ENTRIES],
            due: Due::default(),
            late: None,
            coverage: Coverage::default(),
        }
    }

    /// Returns how much was checked.
    #[must_use]
    pub const fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Checks one cycle: its inputs, and the outputs `out` before the clock edge that ends the cycle. In a cycle with `rst_n` = 0 nothing
    /// is checked: the documents define the state after reset, not during it.
    ///
    /// # Errors
    ///
    /// Describes what the unit shows and what the documents define instead.
    pub fn cycle(&mut self, rst_n: bool, inputs: &Inputs<BUNDLES>, out: &Outputs) -> Result<(), String> {
        if !rst_n {
            *self = Self { coverage: self.coverage, late: self.late, ..Self::new(&self.straps) };
            return Ok(());
        }
        self.check(out)?;
        let status = Status { up: out.psr_up, sp: out.psr_sp, pp: out.psr_pp };
        let mode = Mode { cpl: inputs.cpl & 3, psr_is: inputs.psr_is, status, frozen: self.registers.frozen() };
        let mut due = Due { on: self.on(&mode, inputs.int_valid), ..Due::default() };
        let before = self.registers.clone();
        let counting = self.count(inputs, &mode);
        due.irq = or(counting.interrupt, Some(out.irq && !inputs.irq_ack));
        self.coverage.interrupts_at_acknowledgement += u64::from(inputs.irq_ack && counting.interrupt == YES);
        for (counter, pin) in due.pins.iter_mut().enumerate() {
            *pin = and(counting.overflow[counter], self.registers.pmc[4 + counter].bit(4));
            self.coverage.pins += u64::from(*pin == YES);
        }
        self.tag(inputs);
        self.request(inputs, status, (&before, &counting), &mut due);
        self.due = due;
        Ok(())
    }

    /// Checks the outputs of a cycle.
    fn check(&mut self, out: &Outputs) -> Result<(), String> {
        let Due { irq, pins, status, on, .. } = self.due;
        let shown = Status { up: out.psr_up, sp: out.psr_sp, pp: out.psr_pp };
        if let Some(status) = status
            && shown != status
        {
            return Err(format!("the PSR is {shown:?}, not {status:?}"));
        }
        let pin = |counter: usize| out.pin >> counter & 1 == 1;
        let outputs = [
            ("iear_on", out.iear_on, on[0]),
            ("dear_on", out.dear_on, on[1]),
            ("btb_on", out.btb_on, on[2]),
            ("pin[0]", pin(0), pins[0]),
            ("pin[1]", pin(1), pins[1]),
            ("pin[2]", pin(2), pins[2]),
            ("pin[3]", pin(3), pins[3]),
        ];
        for (name, shown, due) in outputs {
            self.coverage.unjudged_outputs += u64::from(due.is_none());
            if due == Some(!shown) {
                return Err(format!("{name} is {shown}"));
            }
        }
        let again = self.registers.stale && irq == NO;
        self.coverage.unjudged_interrupts += u64::from(again);
        if irq == Some(!out.irq) && !(again && out.irq) {
            return Err(format!("irq is {}", out.irq));
        }
        self.check_answer(out)
    }

    /// Checks the answer to the request of the last cycle, or that there is none.
    fn check_answer(&mut self, out: &Outputs) -> Result<(), String> {
        let Outputs { reg_done, reg_result, reg_rdata, .. } = *out;
        let Some(answer) = self.due.answer else {
            let silent = !reg_done && reg_result == RegResult::Done && reg_rdata == 0;
            return if silent || self.due.answered.is_none() {
                Ok(())
            } else {
                Err("an answer without a request".into())
            };
        };
        if !reg_done || !answer.results.contains(&reg_result) {
            return Err(format!("the result is {reg_result:?} (done: {reg_done}), not one of {:?}", answer.results));
        }
        if reg_result != RegResult::Done {
            return if reg_rdata == 0 {
                Ok(())
            } else {
                Err(format!("what is read is {reg_rdata:#x} without a register"))
            };
        }
        let (data, early) = (answer.data, self.due.early);
        match (data.allows(reg_rdata), early.allows(reg_rdata)) {
            (true, true) => (),
            (late, early) if late != early && self.late != Some(early) => self.late = Some(late),
            _ => {
                let text = |bits: Bits| format!("{:#x} in {:#x}", bits.value, bits.known);
                return Err(format!("what is read is {reg_rdata:#x}, not {} ({})", text(data), text(early)));
            }
        }
        self.learn(reg_rdata)
    }

    /// Learns what the answer to the request of the last cycle shows.
    fn learn(&mut self, value: u64) -> Result<(), String> {
        let Some((file, index, added)) = self.due.shows else { return Ok(()) };
        let added = match (self.late, added) {
            (YES, _) => 0,
            (NO, Some(added)) if file == 1 => added,
            (_, Some(0)) => 0,
            _ => return Ok(()),
        };
        self.registers.learn(file, index, value, added)
    }

    /// Returns whether event address registers and branch trace buffer are on.
    fn on(&mut self, mode: &Mode, interruption: bool) -> [Truth; 3] {
        let [iear, dear, btb] = [10, 11, 12].map(|index| self.registers.pmc[index]);
        let instruction = Enable::of(iear, mode, &self.straps);
        let data = Enable::of(dear, mode, &self.straps);
        let branches = Enable::of_branches(btb, mode, &self.straps);
        for enable in [instruction, data, branches] {
            self.coverage.registers_on += u64::from(enable.all() == YES);
            let otherwise = Enable { set: YES, ..enable }.all() == YES;
            self.coverage.registers_off_in_ia32 += u64::from(mode.psr_is && otherwise && enable.all() == NO);
        }
        let branches = branches.all();
        [instruction.all(), data.all(), if interruption && branches != NO { None } else { branches }]
    }

    /// Counts the events of a cycle.
    fn count(&mut self, inputs: &Inputs<BUNDLES>, mode: &Mode) -> Counting {
        let happening = Happening {
            retire: &inputs.retire,
            mem: &inputs.mem,
            ia32: inputs.ia32,
            clock: inputs.core_clock,
            psr_is: mode.psr_is,
            cpl: mode.cpl,
            interruption: inputs.int_valid,
            tags: &self.tags,
            registers: &self.registers,
        };
        self.coverage.memory(&happening);
        let mut counting = Counting { interrupt: NO, ..Counting::default() };
        let mut counts = self.registers.count;
        for (counter, count) in counts.iter_mut().enumerate() {
            let pmc = self.registers.pmc[4 + counter];
            let enable = Enable::of(pmc, mode, &self.straps);
            let events = event_of(counter, pmc);
            let happens = events.map(|event| happening.count(event));
            self.coverage.held(happens, &enable);
            let added = added(pmc, counter, happens, enable.all());
            self.coverage.counted(events, happens, added, pmc, enable.all());
            counting.added[counter] = added.and_then(Span::exact);
            counting.overflow[counter] = advance(count, added);
            counting.interrupt = or(counting.interrupt, and(counting.overflow[counter], pmc.bit(5)));
        }
        self.registers.count = counts;
        self.overflow(&counting);
        counting
    }

    /// Sets overflow bits and freeze bit.
    fn overflow(&mut self, counting: &Counting) {
        for counter in 0..4 {
            let (overflow, pmc) = (counting.overflow[counter], self.registers.pmc[4 + counter]);
            let (at, freezes) = (4 + counter as u32, or(pmc.bit(5), Some(self.straps.freeze_always)));
            let bit = self.registers.pmc[0].bit(at);
            // Without oi the manual does not say whether the bit is set.
            let sets = match (overflow, pmc.bit(5)) {
                (NO, _) => NO,
                (YES, YES) => YES,
                _ => None,
            };
            self.registers.pmc[0].set(at, or(bit, sets));
            let frozen = self.registers.frozen();
            self.registers.pmc[0].set(0, or(frozen, and(overflow, freezes)));
            self.coverage.unjudged_overflow_bits += u64::from(bit == NO && sets.is_none());
            self.coverage.overflowed(overflow, pmc);
        }
        let overflows = counting.overflow.iter().filter(|overflow| **overflow == YES).count() as u64;
        self.coverage.overflows_at_once += if overflows > 1 { overflows } else { 0 };
        self.coverage.interrupts += u64::from(counting.interrupt == YES);
    }

    /// Tags the bundles that are fetched and issued.
    fn tag(&mut self, inputs: &Inputs<BUNDLES>) {
        for fetch in inputs.fetch.iter().filter(|fetch| fetch.valid) {
            let tag = Tag::fetched(fetch, &self.registers);
            self.coverage.fetched(tag, &self.registers);
            self.tags[usize::from(fetch.id) % ENTRIES] = tag;
        }
        for issue in inputs.issue.iter().filter(|issue| issue.valid) {
            let tag = &mut self.tags[usize::from(issue.id) % ENTRIES];
            tag.issued(issue, &self.registers);
            let now = tags::range(&tag.fetch, &self.registers);
            self.coverage.issued(tag, now, &self.registers);
        }
    }

    /// Forgets the bits of PMC\[0\] that are written as 0 in a cycle in which an overflow sets them.
    fn meet(&mut self, counting: &Counting) {
        for (counter, overflow) in counting.overflow.iter().enumerate().filter(|(_, overflow)| **overflow != NO) {
            let freezes = or(self.registers.pmc[4 + counter].bit(5), Some(self.straps.freeze_always)) != NO;
            for (at, sets) in [(0, freezes), (4 + counter as u32, true)] {
                let bit = self.registers.pmc[0].bit(at);
                self.registers.pmc[0].set(at, if sets { or(bit, None) } else { bit });
            }
            self.coverage.unjudged_overflows_at_write += u64::from(*overflow == YES);
        }
    }

    /// Does the request of a cycle, or the interruption.
    fn request(
        &mut self,
        inputs: &Inputs<BUNDLES>,
        status: Status,
        (before, counting): (&Registers, &Counting),
        due: &mut Due,
    ) {
        let mut next = status;
        due.answered = YES;
        if inputs.int_valid {
            next.up &= self.straps.up_on_interruption == UpOnInterruption::Kept;
            next.sp = false;
            due.status = self.registers.dcr.bit(0).map(|pp| Status { pp, ..next });
            self.coverage.interruptions += u64::from(due.status.is_some_and(|due| due.pp != status.pp));
            return;
        }
        if inputs.reg.valid {
            let answer = self.registers.request(&inputs.reg, inputs.cpl & 3, &mut next);
            self.coverage.answered(&inputs.reg, inputs.cpl & 3, &answer, (status, next));
            if inputs.reg.op == RegOp::WriteFile && inputs.reg.number & 0x7FF == 0 && inputs.cpl & 3 == 0 {
                self.meet(counting);
            }
            due.answer = Some(answer);
            due.early = answer.data;
            if inputs.reg.op == RegOp::ReadFile {
                due.early = before.clone().request(&inputs.reg, inputs.cpl & 3, &mut status.clone()).data;
                due.shows = (inputs.cpl & 3 == 0).then(|| counting.shown(inputs.reg.number));
            }
        }
        due.status = Some(next);
    }
}

impl Counting {
    /// Returns the file and the index of a register, and what the events of the cycle have added to it.
    fn shown(&self, number: u32) -> (u32, usize, Option<u32>) {
        let (file, index) = (number >> 8 & 7, (number & 0xFF) as usize);
        let added = match (file, index) {
            (1, 4..=7) => self.added[index - 4],
            (0, 0) => (self.overflow == [NO; 4]).then_some(0),
            _ => Some(0),
        };
        (file, index, added)
    }
}

/// Returns the event of a counter, if it is defined.
fn event_of(counter: usize, pmc: Bits) -> Option<Event> {
    event(counter, pmc.field(8, 7)?, pmc.field(16, 4)?)
}

/// Returns what a counter adds in a cycle in which its event happens so often; `None` if nothing is known of the event.
fn added(pmc: Bits, counter: usize, happens: Option<Span>, enabled: Truth) -> Option<Span> {
    let threshold = pmc.field(20, if counter < 2 { 3 } else { 2 });
    let value = match (happens, threshold) {
        _ if enabled == NO => Some(Span::ZERO),
        (Some(Span::ZERO), _) => Some(Span::ZERO),
        (Some(happens), Some(0)) => Some(happens),
        (Some(happens), Some(limit)) => Some(Span::of(1, happens.above(limit as u32))),
        _ => None,
    };
    value.map(|value| if enabled == YES { value } else { Span { least: 0, ..value } })
}

/// Adds to a count, and returns whether it overflows: a carry out of bit 31.
fn advance(count: &mut Option<u32>, added: Option<Span>) -> Truth {
    let Some(Span { least, most }) = added else {
        *count = None;
        return None;
    };
    let Some(value) = *count else {
        return if most == 0 { NO } else { None };
    };
    let [low, high] = [least, most].map(|added| value.checked_add(added).is_none());
    *count = (least == most).then(|| value.wrapping_add(least));
    if low == high { Some(low) } else { None }
}
