//! A small unit that is written from the documents, and is right or wrong.

use super::super::around::Random;
use super::bugs::{Bug, Choice};
use super::model::Shows;
use lwp_model::itanium::{Config, Inputs, IsmOrder, Issue, Mem, Outputs, RegResult, UpOnInterruption};

/// Bits of PMC\[0\] to PMC\[13\] that are not ignored.
pub(super) const PMC_BITS: [u64; 14] = [
    0xF1,
    0,
    0,
    0,
    0x037F_7F7F,
    0x037F_7F7F,
    0x033F_7F7F,
    0x033F_7F7F,
    0xFFFF_FFFE_3FFF_FFF8,
    0xFFFF_FFFE_3FFF_FFF8,
    0x030F_00CF,
    0x130F_00CF,
    0xFFCF,
    1,
];
/// The slots of each pair of templates. `x` is a long instruction, `l` its first half.
const TEMPLATES: [&[u8; 3]; 16] = [
    b"mii", b"mii", b"mlx", b"   ", b"mmi", b"mmi", b"mfi", b"mmf", b"mib", b"mbb", b"   ", b"bbb", b"mmb", b"   ",
    b"mfb", b"   ",
];

/// What a bundle carries.
#[derive(Clone, Copy, Debug, Default)]
struct Carried {
    addr: u64,
    cpl: u8,
    range: bool,
    tags: [u8; 2],
}

/// The unit.
#[derive(Clone, Debug)]
pub(super) struct Fake<const B: usize, const E: usize> {
    straps: Config,
    pub(super) bug: Bug,
    pub(super) choice: Choice,
    pub(super) pmc: [u64; 14],
    pub(super) pmd: [u32; 4],
    pub(super) ibr: [u64; 16],
    pub(super) dbr: [u64; 16],
    pub(super) dcr: u64,
    carried: [Carried; 16],
    /// The freeze of the last cycle comes now.
    late_freeze: bool,
    pub(super) out: Outputs,
}

impl<const B: usize, const E: usize> Fake<B, E> {
    pub(super) fn new(straps: &Config, bug: Bug, seed: u64) -> Self {
        let choice = Choice::new(&mut Random::new(seed + 77));
        let fill = |bits: u64| choice.reset & bits;
        Self {
            straps: *straps,
            bug,
            choice,
            pmc: PMC_BITS.map(fill),
            pmd: [choice.reset as u32; 4],
            ibr: [choice.reset & !(7 << 60); 16],
            dbr: [choice.reset & !(3 << 60); 16],
            dcr: choice.reset & 1,
            carried: [Carried::default(); 16],
            late_freeze: false,
            out: Outputs { psr_up: choice.reset & 1 == 1, irq: choice.reset & 2 == 2, ..Outputs::default() },
        }
    }

    /// Returns whether the unit has a bug.
    pub(super) fn is(&self, bug: Bug) -> bool {
        self.bug == bug
    }

    fn entry(&self, id: u8) -> usize {
        usize::from(id) % if self.is(Bug::LongId) { 16 } else { E }
    }

    /// Returns whether a monitor is enabled.
    fn enabled(&self, pmc: u64, inputs: &Inputs<B>, ear: bool) -> bool {
        let Outputs { psr_up, psr_pp, .. } = self.out;
        let ignored = self.is(if ear { Bug::FreezeLeavesEars } else { Bug::FreezeIgnored });
        let frozen = self.pmc[0] & 1 == 1 && !ignored;
        let level = if self.is(Bug::LevelsReversed) { 3 - inputs.cpl } else { inputs.cpl };
        let process = match (pmc >> 6 & 1, self.bug) {
            (_, Bug::EitherEnables) => psr_up || psr_pp,
            (0, Bug::UserNeedsPp) => psr_pp,
            (1, Bug::SystemNeedsUp) => psr_up,
            (0, _) => psr_up,
            _ => psr_pp,
        };
        let swapped = self.straps.ism_order == IsmOrder::Printed && !self.is(Bug::OrderIgnored);
        let out = pmc >> (24 + u64::from(inputs.psr_is != swapped)) & 1 == 1;
        let ignored = self.is(Bug::SetIgnored) || self.is(Bug::EarsOfBoth) && ear;
        !frozen && (pmc >> level & 1 == 1 || self.is(Bug::LevelIgnored)) && process && (!out || ignored)
    }

    /// Returns whether an address matches a pair of breakpoint registers.
    fn matches(&self, pair: &[u64], addr: u64, code: bool) -> bool {
        let given = if self.is(Bug::MaskInverted) { !pair[1] } else { pair[1] };
        let high = if self.is(Bug::HighBits) { 0 } else { 0xFF << 56 };
        let mask = given & u64::MAX >> 8 | high;
        let low = if code && !self.is(Bug::LowBits) { 15 } else { 0 };
        (pair[0] ^ addr) & mask & !low == 0
    }

    fn in_range(&self, addr: u64, cpl: u8) -> bool {
        let pairs = if self.is(Bug::OneRange) { 1 } else { 4 };
        let all = (self.pmc[13] & 1 == 1) != self.is(Bug::TagAllInverted);
        all || self.ibr.chunks(2).take(pairs).any(|pair| {
            let level = pair[1] >> (56 + cpl) & 1 == 1 || self.is(Bug::RangeOfAllLevels);
            self.matches(pair, addr, true) && level && (pair[1] >> 63 == 0 || self.choice.breakpoints)
        })
    }

    fn data_in_range(&self, mem: &Mem, inputs: &Inputs<B>) -> bool {
        let all = self.pmc[11] >> 28 & 1 == 1 || self.is(Bug::DataUnchecked);
        let open = inputs.psr_is && !self.choice.data_of_ia32;
        all || open
            || self.dbr[..8].chunks(2).any(|pair| {
                let level = pair[1] >> (56 + inputs.cpl) & 1 == 1 || !self.choice.data_level;
                let flags = pair[1] >> 62 != 0 || !self.is(Bug::DataNeedsFlags);
                self.matches(pair, mem.addr, false) && level && flags
            })
    }

    /// Returns whether a matcher matches an instruction.
    fn opcode(&self, pmc: u64, kind: u8, word: u64) -> bool {
        let left_out = match self.bug {
            Bug::OpcodeWithoutBit12 => 1 << 12,
            Bug::OpcodeWithoutBit27 => 1 << 13,
            _ => 0,
        };
        let encoding = (word >> 27 & 0x3FFF) << 13 | word & 0x1FFF;
        let mask = if self.is(Bug::OpcodeMaskInverted) { !(pmc >> 3) } else { pmc >> 3 };
        let bits = (encoding ^ pmc >> 33) & 0x07FF_FFFF & !mask & !left_out == 0;
        let kind = match kind {
            b'x' if self.choice.long_is_i => b'i',
            b'x' => b'b',
            b'm' if self.is(Bug::KindsExchanged) => b'i',
            b'i' if self.is(Bug::KindsExchanged) => b'm',
            kind => kind,
        };
        let at = b"bfim".iter().position(|other| *other == kind).map(|at| 60 + at);
        bits && (at.is_none_or(|at| pmc >> at & 1 == 1) || self.is(Bug::AnyKind))
    }

    fn issue(&mut self, issue: &Issue) {
        let kinds = TEMPLATES[usize::from(issue.template_code >> 1)];
        let words = [issue.slot0, issue.slot1, issue.slot2];
        let at = self.entry(issue.id);
        let mut carried = self.carried[at];
        if self.is(Bug::RangeAtIssue) {
            carried.range = self.in_range(carried.addr, carried.cpl);
        }
        let registers = [self.pmc[8], self.pmc[if self.is(Bug::OneMatcher) { 8 } else { 9 }]];
        carried.tags = [0; 2];
        for (tag, pmc) in registers.into_iter().enumerate() {
            let range = carried.range || tag == 1 && self.is(Bug::Pmc9WithoutRange);
            for slot in (0..3).filter(|slot| range && self.opcode(pmc, kinds[*slot], words[*slot])) {
                carried.tags[tag] |= 1 << slot;
            }
        }
        self.carried[at] = carried;
    }

    /// Returns the tag of an instruction for downstream events.
    fn tag(&self, id: u8, slot: u8) -> bool {
        let tags = self.carried[self.entry(id)].tags;
        let both = if self.is(Bug::BothTags) { tags[1] } else { 7 };
        (tags[0] & both) >> slot & 1 == 1 || self.is(Bug::Untagged)
    }

    fn retired(&self, inputs: &Inputs<B>, is: impl Fn(u8, u8, u8) -> bool) -> u32 {
        if inputs.int_valid && !self.is(Bug::RetireInInterruption) {
            return 0;
        }
        let mut sum = 0;
        for (at, retire) in inputs.retire.iter().enumerate().filter(|(_, retire)| retire.valid) {
            let mut of_bundle = 0;
            for slot in (0..3).filter(|slot| retire.slots >> slot & 1 == 1) {
                let off = retire.off >> slot & 1 == 1 && self.is(Bug::NotSquashed);
                of_bundle += u32::from(is(retire.id, slot, at as u8) && !off);
            }
            sum += if self.is(Bug::OneSlot) { of_bundle.min(1) } else { of_bundle };
        }
        sum
    }

    /// Returns how often an event happens.
    fn happens(&self, counter: usize, es: u64, umask: u64, inputs: &Inputs<B>) -> u32 {
        let data = !self.is(Bug::DataForAll) || self.pmc[11] >> 28 & 1 == 1;
        let bit = |field: u8, slot: u8| field >> slot & 1 == 1;
        let wide = counter < 2;
        match (es, umask) {
            (8, 0 | 2 | 3) | (0x31, 0) if !wide => u32::from(self.choice.others),
            (8, 0 | 3) => self.retired(inputs, |id, slot, _| data && self.tag(id, slot)),
            (8, 2) => self.retired(inputs, |id, slot, _| bit(self.carried[self.entry(id)].tags[1], slot)),
            (0x31, 0) => {
                self.retired(inputs, |id, slot, at| bit(inputs.retire[usize::from(at)].off, slot) && self.tag(id, slot))
            }
            (0x0D, 1..) => self.retired(inputs, |id, slot, at| {
                let retire = inputs.retire[usize::from(at)];
                let taken = bit(retire.taken, slot) || self.is(Bug::AllTaken);
                bit(retire.branch, slot) && umask >> if taken { slot } else { 3 } & 1 == 1 && self.tag(id, slot)
            }),
            (0x12, 0) => u32::from(inputs.core_clock),
            (0x15, 0) if inputs.int_valid && !self.is(Bug::RetireInInterruption) => 0,
            (0x15, 0) => u32::from(inputs.ia32),
            (0x60..=0x6D, _) => self.records(es, umask, inputs),
            (0..=7 | 0x40..=0x56 | 0x7B..=0x7F, 0) => 0,
            _ => u32::from(self.choice.others),
        }
    }

    fn records(&self, es: u64, umask: u64, inputs: &Inputs<B>) -> u32 {
        if inputs.int_valid && self.is(Bug::NoRecordInInterruption) {
            return 0;
        }
        let mut sum = 0;
        for mem in inputs.mem.iter().filter(|mem| mem.valid) {
            let slot = if self.is(Bug::SlotThree) { mem.slot } else { mem.slot.min(2) };
            let tagged = self.tag(mem.id, slot) || inputs.psr_is && !self.is(Bug::TaggedIa32);
            if !tagged || !self.data_in_range(mem, inputs) {
                continue;
            }
            let both = |read: bool, write: bool| {
                if self.choice.twice { u32::from(read) + u32::from(write) } else { u32::from(read || write) }
            };
            sum += match (es, umask) {
                (0x60, 0) => u32::from(mem.dtc_miss),
                (0x61, 0) => u32::from(mem.dtlb_miss),
                (0x63, 0) => both(mem.read, mem.write),
                (0x64, 0) => u32::from(mem.l1d_read),
                (0x66, 0) => u32::from(mem.l1d_miss),
                (0x69, 1..=3) => both(mem.l2_read && umask & 1 == 1, mem.l2_write && umask & 2 == 2),
                (0x6A, 0) => u32::from(mem.l2_miss),
                (0x6C, 0) => u32::from(mem.read),
                (0x6D, 0) => u32::from(mem.write),
                _ => u32::from(self.choice.others),
            };
            if self.is(Bug::OneRecord) {
                return sum;
            }
        }
        sum
    }

    /// Counts, and returns the counters that overflow.
    fn count(&mut self, inputs: &Inputs<B>) -> u8 {
        let mut overflows = 0;
        for counter in 0..4 {
            let pmc = self.pmc[4 + counter];
            if !self.enabled(pmc, inputs, false) {
                continue;
            }
            let happens = self.happens(counter, pmc >> 8 & 127, pmc >> 16 & 15, inputs);
            let wide = counter < 2 || self.is(Bug::ThresholdWide);
            let threshold = (pmc >> 20 & if wide { 7 } else { 3 }) as u32;
            let above = if self.is(Bug::ThresholdReached) { happens >= threshold } else { happens > threshold };
            let added = match threshold {
                0 => happens,
                _ if self.is(Bug::ThresholdAddsAll) && above => happens,
                _ => u32::from(above),
            };
            let (count, carry) = self.pmd[counter].overflowing_add(added);
            self.pmd[counter] = count;
            let overflow = match self.bug {
                Bug::Narrow => carry || added > 0 && count == 1 << 31,
                Bug::OverflowAtZero => added > 0 && count == 0,
                _ => carry,
            };
            overflows |= u8::from(overflow) << counter;
        }
        overflows
    }

    /// Sets overflow bits, freeze bit and interrupt. Returns the bits that are set.
    fn overflow(&mut self, overflows: u8, acknowledged: bool) -> u64 {
        let mut sets = 0;
        let mut interrupt = false;
        self.out.pin = if self.is(Bug::PinStays) { self.out.pin } else { 0 };
        for counter in (0..4).filter(|counter| overflows >> counter & 1 == 1) {
            let pmc = self.pmc[4 + counter];
            let oi = pmc >> 5 & 1 == 1;
            let at = if self.is(Bug::OtherOverflowBit) { 7 - counter } else { 4 + counter };
            sets |= u64::from(oi || self.choice.bit_without_oi) << at;
            let always = self.straps.freeze_always && !self.is(Bug::AlwaysIgnored);
            sets |= u64::from((oi || always) && !self.is(Bug::NoFreeze));
            interrupt |= (oi || self.is(Bug::InterruptAlways)) && !self.is(Bug::NoInterrupt);
            self.out.pin |= u8::from(pmc >> 4 & 1 == 1 || self.is(Bug::PinAlways)) << counter;
        }
        let acknowledged = acknowledged && !self.is(Bug::NoAcknowledgement);
        self.out.irq = self.out.irq && !acknowledged || interrupt && !(acknowledged && self.is(Bug::AcknowledgesNew));
        if self.is(Bug::FreezeLate) {
            let now = self.late_freeze;
            self.late_freeze = sets & 1 == 1;
            sets = sets & !1 | u64::from(now);
        }
        sets
    }

    fn interruption(&mut self) {
        let clears = self.straps.up_on_interruption == UpOnInterruption::Cleared && !self.is(Bug::UpIgnored);
        self.out.psr_up &= !clears;
        self.out.psr_sp &= self.is(Bug::SpKept);
        self.out.psr_pp = if self.is(Bug::PpKept) { self.out.psr_pp } else { self.dcr & 1 == 1 };
    }
}

impl<const B: usize, const E: usize> Shows<B> for Fake<B, E> {
    fn shown(&self) -> Outputs {
        self.out
    }

    fn take(&mut self, inputs: &Inputs<B>) {
        let (pmc, pmd) = (self.pmc, self.pmd);
        let ears = if self.is(Bug::EarsExchanged) { [11, 10] } else { [10, 11] };
        let on = ears.map(|index| self.enabled(self.pmc[index], inputs, true));
        let sets = !(3 << 24);
        let btb = self.enabled(self.pmc[12] & sets, inputs, true) && (!inputs.psr_is || self.is(Bug::BranchesOfIa32));
        let overflows = self.count(inputs);
        let sets = self.overflow(overflows, inputs.irq_ack);
        self.pmc[0] |= sets;
        for fetch in inputs.fetch.iter().filter(|fetch| fetch.valid) {
            let cpl = if self.is(Bug::RangeLevelAtIssue) { inputs.cpl } else { fetch.cpl };
            let range = self.in_range(fetch.addr, cpl);
            self.carried[self.entry(fetch.id)] = Carried { addr: fetch.addr, cpl, range, tags: [0; 2] };
        }
        inputs.issue.iter().filter(|issue| issue.valid).for_each(|issue| self.issue(issue));
        (self.out.reg_done, self.out.reg_result, self.out.reg_rdata) = (false, RegResult::Done, 0);
        if inputs.reg.valid && (!inputs.int_valid || self.is(Bug::RequestInInterruption)) {
            let (result, rdata) = self.request(&inputs.reg, inputs.cpl, (&pmc, &pmd), sets);
            (self.out.reg_done, self.out.reg_result, self.out.reg_rdata) = (true, result, rdata);
        }
        if inputs.int_valid {
            self.interruption();
        }
        (self.out.iear_on, self.out.dear_on, self.out.btb_on) = (on[0], on[1], btb);
    }
}
