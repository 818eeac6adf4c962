//! Events, qualifiers, monitors, thresholds and overflows.

use super::crosses::Cover;
use super::events::{of_instruction, of_record};
use super::moment::{Moment, few};
use crate::coverage::Bins;
use lwp_model::itanium::{Counter, IsmOrder, Mem, RegOp, RegResult};
use lwp_regs::itanium::Event;

/// Counts what the counters do in a cycle.
pub(super) fn sample<const BUNDLES: usize, const ENTRIES: usize>(
    moment: &Moment<'_, BUNDLES, ENTRIES>,
    bins: &mut Bins,
) {
    let mut over = [false; 4];
    for (c, counter) in moment.now.counter.iter().enumerate() {
        let on = moment.on(counter.plm, counter.pm, counter.ism);
        let number = moment.events(counter, on, bins);
        let (pair, threshold) = (c / 2, usize::from(counter.threshold));
        if on {
            bins.hit(Cover::Threshold, [pair, threshold, number.min(5)]);
        }
        let add = if threshold == 0 { number } else { usize::from(number > threshold) };
        moment.agrees(c, if on { add } else { 0 });
        over[c] = on && u64::from(counter.count) + add as u64 > u64::from(u32::MAX);
        moment.qualifiers(counter, bins);
        moment.conditions(counter, bins);
    }
    moment.overflows(over, bins);
    moment.which(bins);
}

impl<const BUNDLES: usize, const ENTRIES: usize> Moment<'_, BUNDLES, ENTRIES> {
    /// Counts what of the cycle a counter selects, and returns how many events pass.
    fn events(&self, counter: &Counter, on: bool, bins: &mut Bins) -> usize {
        let at = usize::from(on);
        let event = Event::from_es(counter.es);
        let number = match event {
            None => 0,
            Some(Event::CpuCycles) => self.inputs.core_clock.into(),
            Some(Event::Ia32InstRetired) if self.inputs.psr_is && !self.inputs.int_valid => self.inputs.ia32.into(),
            Some(Event::Ia32InstRetired) => 0,
            Some(event) => {
                self.instructions(event, counter.umask, at, bins) + self.accesses(event, counter.umask, at, bins)
            }
        };
        let which = event.and_then(|event| Event::ALL.iter().position(|one| *one == event)).unwrap_or(14);
        bins.hit(Cover::Event, [which, usize::from(counter.umask.min(4)), few(number), at]);
        number
    }

    /// Counts the tags of the instructions that retire, and returns how many an event of theirs counts.
    fn instructions(&self, event: Event, umask: u8, on: usize, bins: &mut Bins) -> usize {
        let which = match (event, umask) {
            (Event::Ia64InstRetired, 0) => 0,
            (Event::Ia64InstRetired, 3) => 1,
            (Event::Ia64InstRetired, 2) => 2,
            (Event::BranchTakenSlot, _) => 3,
            (Event::PredicateSquashedRetired, _) => 4,
            _ => return 0,
        };
        let mut number = 0;
        for (retire, s) in self.retiring() {
            let tag = &self.now.tag[self.entry(retire.id)];
            let hit = |tags: u8| usize::from(tags >> s & 1);
            let (first, second) = (hit(tag.pmc8), hit(tag.pmc9));
            let occurs = usize::from(of_instruction(event, umask, retire, s));
            bins.hit(Cover::InstructionTags, [which, first, second, occurs, on]);
            number += occurs * if which == 2 { second } else { first };
        }
        number
    }

    /// Counts the tags of the memory records, and returns how many events of theirs count.
    fn accesses(&self, event: Event, umask: u8, on: usize, bins: &mut Bins) -> usize {
        let mut number = 0;
        for mem in self.records() {
            let Some(occurs) = of_record(event, umask, mem) else { return 0 };
            let (tag, data) = if self.inputs.psr_is { (2, 2) } else { (self.tagged(mem), self.data(mem).into()) };
            let which = Event::ALL.iter().position(|one| *one == event).expect("one of all") - 5;
            bins.hit(Cover::RecordTags, [which, tag, data, usize::from(occurs != 0), on]);
            number += usize::from(occurs) * usize::from(tag != 0 && data != 0);
        }
        number
    }

    /// Whether Tag(PMC\[8\]) of a record's instruction is hit, while IA-64 code runs.
    fn tagged(&self, mem: &Mem) -> usize {
        usize::from(self.now.tag[self.entry(mem.id)].pmc8 >> mem.slot.min(2) & 1)
    }

    /// Counts the qualifiers of what a bundle in flight does, apart from the process, while IA-64 code runs.
    fn qualifiers(&self, counter: &Counter, bins: &mut Bins) {
        let Some(event) = Event::from_es(counter.es) else { return };
        if self.inputs.psr_is || !self.process(counter.pm) {
            return;
        }
        let level = usize::from(self.in_plm(counter.plm));
        let set = usize::from(self.monitors_code(counter.ism));
        let fr = usize::from(self.now.freeze.fr);
        let carried = |id: u8, s: u8| {
            let entry = self.entry(id);
            let (_, matched) = self.flight[entry].issue?;
            self.flight[entry].fetch?;
            Some((usize::from(self.now.tag[entry].range), usize::from(matched >> s & 1)))
        };
        for mem in self.records() {
            let Some(occurs) = of_record(event, counter.umask, mem) else { break };
            let Some((range, opcode)) = carried(mem.id, mem.slot.min(2)) else { continue };
            let data = usize::from(self.data(mem));
            let occurs = usize::from(occurs != 0);
            bins.hit(Cover::SevenQualifiers, [range + 2 * opcode, data, occurs, level, set, fr]);
        }
        let pipeline = match event {
            Event::Ia64InstRetired => counter.umask != 2,
            event => matches!(event, Event::BranchTakenSlot | Event::PredicateSquashedRetired),
        };
        for (retire, s) in self.retiring().filter(|_| pipeline) {
            let Some((range, opcode)) = carried(retire.id, s) else { continue };
            let occurs = usize::from(of_instruction(event, counter.umask, retire, s));
            bins.hit(Cover::SixQualifiers, [range, opcode, occurs, level, set, fr]);
        }
    }

    /// Counts the conditions of a counter's monitor.
    fn conditions(&self, counter: &Counter, bins: &mut Bins) {
        let status = &self.now.status;
        let (process, ism) = (usize::from(status.up) + 2 * usize::from(status.pp), usize::from(counter.ism));
        let order = usize::from(self.straps.ism_order == IsmOrder::Printed) + 2 * usize::from(self.inputs.psr_is);
        let (fr, pm) = (usize::from(self.now.freeze.fr), usize::from(counter.pm));
        bins.hit(Cover::Monitor, [fr, pm, process, usize::from(self.in_plm(counter.plm)), ism, order]);
        if fr == 0 && self.process(counter.pm) && self.monitors_code(counter.ism) {
            bins.hit(Cover::Level, [usize::from(counter.plm), usize::from(self.inputs.cpl)]);
        }
    }

    /// Returns file and index of the register that is written.
    fn written(&self) -> Option<(u32, u32)> {
        let reg = &self.inputs.reg;
        let done = self.next.answer.reg_done && self.next.answer.reg_result == RegResult::Done;
        (done && reg.op == RegOp::WriteFile).then_some((reg.number >> 8 & 7, reg.number & 0xFF))
    }

    /// Checks that a counter adds this: a bin with another number would be a wrong one.
    fn agrees(&self, c: usize, add: usize) {
        let (before, after) = (self.now.counter[c].count, self.next.counter[c].count);
        let written = self.written() == Some((1, 4 + c as u32));
        assert!(
            written || after == before.wrapping_add(add as u32),
            "counter {c}: {before:#x}, {after:#x}, not {add} more"
        );
    }

    /// Counts the overflows of a cycle.
    fn overflows(&self, over: [bool; 4], bins: &mut Bins) {
        let (reg, now, written) = (&self.inputs.reg, self.now, self.written());
        let always = usize::from(self.straps.freeze_always);
        let others = usize::from(over.iter().filter(|over| **over).count() > 1);
        let (mut overflow, mut raised) = (0, false);
        for (c, counter) in now.counter.iter().enumerate().filter(|(c, _)| over[*c]) {
            let what = match written {
                Some((1, index)) if index as usize == 4 + c => 1,
                Some((0, index)) if index as usize == 4 + c => 2,
                Some((0, 0)) => 3,
                _ => 0,
            };
            bins.hit(Cover::Overflow, [counter.oi.into(), counter.ev.into(), always, what, others]);
            overflow = overflow.max(if counter.oi || self.straps.freeze_always { 2 } else { 1 });
            raised |= counter.oi;
        }
        let pmc0 = if written == Some((0, 0)) { 1 + (reg.wdata & 1) as usize } else { 0 };
        let before = usize::from(now.freeze.overflow != 0);
        bins.hit(Cover::Freeze, [now.freeze.fr.into(), overflow, pmc0, before]);
        let irq = usize::from(now.freeze.irq);
        bins.hit(Cover::Interrupt, [irq, self.inputs.irq_ack.into(), raised.into(), always]);
    }

    /// Counts all seven monitors.
    fn which(&self, bins: &mut Bins) {
        let now = self.now;
        let counters = now.counter.iter().map(|counter| (counter.pm, self.on(counter.plm, counter.pm, counter.ism)));
        let (ear, next) = ([now.pmc10.pm, now.pmc11.pm, now.pmc12.pm], &self.next.ear);
        let others = ear.into_iter().zip([next.iear_on, next.dear_on, next.btb_on]);
        let (code, fr) = (usize::from(self.inputs.psr_is), usize::from(now.freeze.fr));
        for (which, (pm, on)) in counters.chain(others).enumerate() {
            bins.hit(Cover::WhichMonitor, [which, pm.into(), code, fr, on.into()]);
        }
    }
}
