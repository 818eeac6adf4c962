//! Ranges, opcodes, and the table of tags.

use super::crosses::Cover;
use super::flight::{bundle, matcher};
use super::moment::{Moment, few};
use crate::coverage::Bins;
use lwp_model::itanium::{Issue, MEM_PORTS};
use lwp_regs::itanium::SlotType;

/// Counts what a cycle does with tags.
pub(super) fn sample<const BUNDLES: usize, const ENTRIES: usize>(
    moment: &Moment<'_, BUNDLES, ENTRIES>,
    bins: &mut Bins,
) {
    moment.ranges(bins);
    moment.pairs(bins);
    if !moment.inputs.psr_is {
        moment.inputs.issue.iter().filter(|issue| issue.valid).for_each(|issue| moment.issued(issue, bins));
    }
    moment.entries(bins);
    moment.twice(bins);
    moment.carried(bins);
}

/// Returns the place of a kind on its axis.
const fn place(kind: SlotType) -> usize {
    match kind {
        SlotType::M => 0,
        SlotType::I => 1,
        SlotType::F => 2,
        SlotType::B => 3,
    }
}

impl<const BUNDLES: usize, const ENTRIES: usize> Moment<'_, BUNDLES, ENTRIES> {
    /// Counts fetches and records in ranges and outside of them.
    fn ranges(&self, bins: &mut Bins) {
        let code = usize::from(self.inputs.psr_is);
        for fetch in self.inputs.fetch.iter().filter(|fetch| fetch.valid) {
            let (ranges, breakpoints) = self.ibrs(fetch);
            let (ta, level) = (usize::from(self.now.pmc13.ta), usize::from(fetch.cpl));
            bins.hit(Cover::Range, [ta, few(ranges), usize::from(breakpoints != 0), level, code]);
        }
        for mem in self.records() {
            let (pt, level) = (usize::from(self.now.pmc11.pt), usize::from(self.inputs.cpl));
            bins.hit(Cover::Data, [pt, few(self.dbrs(mem)), level, code]);
        }
    }

    /// Counts in which bits addresses differ from those of the pairs, while IA-64 code runs.
    fn pairs(&self, bins: &mut Bins) {
        if self.inputs.psr_is {
            return;
        }
        let fetches = self.inputs.fetch.iter().filter(|fetch| fetch.valid);
        for (fetch, pair) in fetches.flat_map(|fetch| self.now.ibr.iter().map(move |pair| (fetch, pair))) {
            let difference = difference(fetch.addr ^ pair.addr, pair.mask & !0xF);
            let level = usize::from(pair.plm >> fetch.cpl & 1);
            bins.hit(Cover::Address, [0, difference, level, pair.x.into()]);
        }
        for (mem, pair) in self.records().flat_map(|mem| self.now.dbr.iter().map(move |pair| (mem, pair))) {
            let difference = difference(mem.addr ^ pair.addr, pair.mask);
            let level = usize::from(self.in_plm(pair.plm));
            bins.hit(Cover::Address, [1, difference, level, usize::from(pair.w || pair.r)]);
        }
    }

    /// Counts the slots of a bundle that is issued.
    fn issued(&self, issue: &Issue, bins: &mut Bins) {
        let (bundle, template) = (bundle(issue), usize::from(issue.template_code));
        let range = usize::from(self.now.tag[self.entry(issue.id)].range);
        for which in 0..2 {
            let (state, register) = (&self.now.matcher[which], matcher(self.now, which));
            let matched = bundle.matches(register);
            for s in 0..3 {
                bins.hit(Cover::Template, [template, s, which, range, usize::from(matched >> s & 1)]);
            }
            for instruction in bundle.instructions().into_iter().flatten() {
                let differs = (instruction.matched_bits() ^ state.match_value) & !state.mask & 0x7FF_FFFF;
                let mask = match state.mask {
                    0x7FF_FFFF => 0,
                    0 => 2,
                    _ => 1,
                };
                let bit = usize::from(register.has_slot(instruction.slot));
                bins.hit(Cover::Matcher, [which, place(instruction.slot), bit, usize::from(differs == 0), mask]);
            }
            if let 4 | 5 = template {
                let kind = usize::from(issue.slot2 >> 40 & 1 != 0);
                let kinds = usize::from(state.i) + 2 * usize::from(state.b);
                bins.hit(Cover::Long, [template - 4, kind, kinds, which, usize::from(matched >> 2 & 1)]);
            }
        }
    }

    /// Counts what happens to each entry in the cycle.
    fn entries(&self, bins: &mut Bins) {
        let code = usize::from(self.inputs.psr_is);
        for entry in 0..ENTRIES {
            let is = |valid: bool, id: u8| valid && self.entry(id) == entry;
            let fetched = self.inputs.fetch.iter().any(|fetch| is(fetch.valid, fetch.id));
            let issued = self.inputs.issue.iter().any(|issue| is(issue.valid, issue.id));
            let retires = self.inputs.retire.iter().any(|retire| is(retire.valid && retire.slots != 0, retire.id));
            let record = self.inputs.mem.iter().any(|mem| is(mem.valid, mem.id));
            bins.hit(Cover::Entry, [fetched.into(), issued.into(), retires.into(), record.into(), code]);
        }
    }

    /// Counts two bundles, or two records, of one entry or of two.
    fn twice(&self, bins: &mut Bins) {
        let inputs = self.inputs;
        if inputs.psr_is {
            return;
        }
        let mut hit =
            |what: usize, same: bool, alike: bool| bins.hit(Cover::Two, [what, usize::from(!same), alike.into()]);
        let same = |one: u8, other: u8| self.entry(one) == self.entry(other);
        if let [one, other] = &inputs.fetch[..]
            && one.valid
            && other.valid
        {
            hit(0, same(one.id, other.id), self.range(one) == self.range(other));
        }
        if let [one, other] = &inputs.issue[..]
            && one.valid
            && other.valid
        {
            let [first, second] = [one, other].map(|issue| bundle(issue).matches(matcher(self.now, 0)));
            hit(1, same(one.id, other.id), first == second);
        }
        if let [one, other] = &inputs.retire[..]
            && one.valid
            && other.valid
        {
            hit(2, same(one.id, other.id), one.slots == other.slots);
        }
        const { assert!(MEM_PORTS == 2) };
        if let [one, other] = &inputs.mem
            && one.valid
            && other.valid
        {
            hit(3, same(one.id, other.id), one.slot.min(2) == other.slot.min(2));
        }
    }

    /// Counts tags that events ask for, and what they would be if they were made only now.
    fn carried(&self, bins: &mut Bins) {
        if self.inputs.psr_is {
            return;
        }
        let instructions = self.retiring().map(|(retire, s)| (0, retire.id, s));
        let records = self.records().map(|mem| (1, mem.id, mem.slot.min(2)));
        for (by, id, s) in instructions.chain(records) {
            let bundle_in_flight = &self.flight[self.entry(id)];
            let (Some(fetch), Some((issue, _))) = (bundle_in_flight.fetch, bundle_in_flight.issue) else { continue };
            let tag = usize::from(self.now.tag[self.entry(id)].pmc8 >> s & 1);
            let opcode = bundle(&issue).matches(matcher(self.now, 0)) >> s & 1;
            bins.hit(Cover::Carried, [by, tag, usize::from(self.range(&fetch)), usize::from(opcode)]);
        }
    }
}

/// Returns in which bits two addresses differ that are compared in bits 63:56 and in those of `mask`.
const fn difference(bits: u64, mask: u64) -> usize {
    if bits == 0 {
        0
    } else if bits & !0xF == 0 && bits & mask == 0 {
        1
    } else if bits & (mask | 0xFF << 56) == 0 {
        2
    } else if bits & mask == 0 {
        3
    } else {
        4
    }
}
