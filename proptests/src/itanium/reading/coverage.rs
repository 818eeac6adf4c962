//! What the checker has checked.

use super::events::{Event, Happening};
use super::monitor::Enable;
use super::registers::{Answer, Registers, Status};
use super::tags::{Tag, data};
use super::truth::{Bits, NO, Span, Truth, YES, not};
use crate::reading_counts::reading_counts;
use lwp_model::itanium::{RegOp, RegRequest, RegResult};

reading_counts! {
    /// Cycles in which a counter counted.
    counted,
    /// Cycles in which a counter with a threshold counted.
    counted_above,
    /// Cycles in which a counter did not count because the threshold was not exceeded.
    held_by_threshold,
    /// Cycles in which monitoring was frozen although a counter's event happened.
    held_by_freeze,
    /// The same because of the privilege level.
    held_by_level,
    /// The same because of PSR.up or PSR.pp.
    held_by_process,
    /// The same because of the instruction set.
    held_by_set,
    /// Bundles fetched inside a range.
    in_range,
    /// Bundles fetched outside all ranges.
    out_of_range,
    /// Bundles whose range check would differ when they are issued.
    carried,
    /// Slots that the opcode matcher of PMC\[8\] matched, with an opcode to match.
    opcode_hits,
    /// Slots that it did not match.
    opcode_misses,
    /// Memory records in a data range.
    data_hits,
    /// Memory records outside all data ranges.
    data_misses,
    /// Memory records of IA-32 code.
    data_of_ia32,
    /// Cycles in which tagged instructions were counted by the tag of PMC\[9\].
    tagged_by_pmc9,
    /// Cycles in which branches were counted.
    branches,
    /// Cycles in which IA-32 instructions were counted.
    ia32,
    /// Counters that overflowed.
    overflows,
    /// Counters that overflowed in the same cycle as another.
    overflows_at_once,
    /// Counters that overflowed without an interrupt.
    overflows_without_interrupt,
    /// Interrupts.
    interrupts,
    /// Interrupts that were requested in the cycle of an acknowledgement.
    interrupts_at_acknowledgement,
    /// Pulses on a pin.
    pins,
    /// Reads of a count that is not 0.
    counts_read,
    /// Reads of a count that the level or PSR.sp hides.
    counts_hidden,
    /// Reads of other registers.
    registers_read,
    /// Requests that the privilege level refuses.
    refused,
    /// Requests for registers that do not exist.
    reserved,
    /// Requests that are not the unit's.
    not_mine,
    /// Changes of PSR.up by sum, rum and mov psr.um.
    user_masks,
    /// Such instructions without effect because of PSR.sp.
    user_masks_secured,
    /// Changes of the PSR by ssm, rsm, mov psr.l and rfi.
    system_masks,
    /// Interruptions that change PSR.pp.
    interruptions,
    /// Cycles in which an event address register or the branch trace buffer is on.
    registers_on,
    /// Cycles in which it is off because of IA-32 code.
    registers_off_in_ia32,
    /// Reads of a count that is not known.
    unjudged_counts,
    /// Cycles of a counter in which it is not known how much it counted.
    unjudged_events,
    /// Overflows whose bit in PMC\[0\] is not defined.
    unjudged_overflow_bits,
    /// Overflows in a cycle in which PMC\[0\] is written.
    unjudged_overflows_at_write,
    /// Cycles in which an interrupt may be requested again for an overflow bit that was left set.
    unjudged_interrupts,
    /// Other outputs that are not defined.
    unjudged_outputs,
}

impl Coverage {
    /// Counts what held an event back that happened, if one qualifier alone did.
    pub(super) fn held(&mut self, happens: Option<Span>, enable: &Enable) {
        if happens.is_none_or(|happens| happens.least == 0) {
            return;
        }
        let held = |other: Enable| u64::from(other.all() == YES && enable.all() == NO);
        self.held_by_freeze += held(Enable { running: YES, ..*enable });
        self.held_by_level += held(Enable { level: YES, ..*enable });
        self.held_by_process += held(Enable { process: YES, ..*enable });
        self.held_by_set += held(Enable { set: YES, ..*enable });
    }

    /// Counts what a counter did in a cycle.
    pub(super) fn counted(
        &mut self,
        event: Option<Event>,
        happens: Option<Span>,
        added: Option<Span>,
        pmc: Bits,
        enabled: Truth,
    ) {
        let Some(number) = added.and_then(Span::exact) else {
            self.unjudged_events += 1;
            return;
        };
        let threshold = pmc.field(20, 3).is_some_and(|threshold| threshold > 0);
        let happened = enabled == YES && happens.is_some_and(|happens| happens.least > 0);
        self.held_by_threshold += u64::from(number == 0 && happened && threshold);
        if number > 0 {
            self.counted += 1;
            self.counted_above += u64::from(threshold);
            match event {
                Some(Event::Tagged(1)) => self.tagged_by_pmc9 += 1,
                Some(Event::Branches(_)) => self.branches += 1,
                Some(Event::Ia32) => self.ia32 += 1,
                _ => (),
            }
        }
    }

    /// Counts an overflow of a counter.
    pub(super) fn overflowed(&mut self, overflow: Truth, pmc: Bits) {
        if overflow == YES {
            self.overflows += 1;
            self.overflows_without_interrupt += u64::from(pmc.bit(5) == NO);
        }
    }

    /// Counts the range check of a bundle.
    pub(super) fn fetched(&mut self, tag: Tag, registers: &Registers) {
        if registers.pmc[13].bit(0) == NO {
            self.in_range += u64::from(tag.range == YES);
            self.out_of_range += u64::from(tag.range == NO);
        }
    }

    /// Counts the opcode matches of a bundle. `now` is what its range check would be in this cycle.
    pub(super) fn issued(&mut self, tag: &Tag, now: Truth, registers: &Registers) {
        self.carried += u64::from(now.is_some() && tag.range == not(now));
        if registers.pmc[8].field(3, 27).is_some_and(|mask| mask != 0x07FF_FFFF) {
            self.opcode_hits += tag.opcode.iter().filter(|hit| **hit == YES).count() as u64;
            self.opcode_misses += tag.opcode.iter().filter(|hit| **hit == NO).count() as u64;
        }
    }

    /// Counts the memory records of a cycle.
    pub(super) fn memory(&mut self, happening: &Happening<'_>) {
        for mem in happening.mem.iter().filter(|mem| mem.valid) {
            self.data_of_ia32 += u64::from(happening.psr_is);
            if happening.registers.pmc[11].bit(28) == NO {
                let hit = data(mem, happening.cpl, happening.psr_is, happening.registers);
                self.data_hits += u64::from(hit == YES);
                self.data_misses += u64::from(hit == NO);
            }
        }
    }

    /// Counts a request and its answer. `status` is the PSR before and after it.
    pub(super) fn answered(&mut self, request: &RegRequest, cpl: u8, answer: &Answer, status: (Status, Status)) {
        let changed = u64::from(status.0 != status.1);
        let read = request.op == RegOp::ReadFile;
        match (answer.results, request.op) {
            ([RegResult::Done], RegOp::Sum | RegOp::Rum | RegOp::WritePsrUm) => {
                self.user_masks += changed;
                let mut open = Status { sp: false, ..status.0 };
                Registers::default().request(request, cpl, &mut open);
                self.user_masks_secured += u64::from(open.up != status.1.up);
            }
            ([RegResult::Done], RegOp::Ssm | RegOp::Rsm | RegOp::WritePsrL | RegOp::Rfi) => {
                self.system_masks += changed;
            }
            ([RegResult::Done, ..], _) if read && request.number >> 8 & 7 == 1 => {
                let hidden = cpl != 0 && answer.data == Bits::exact(0);
                self.counts_hidden += u64::from(hidden);
                self.counts_read += u64::from(answer.data.known == u64::MAX && answer.data.value != 0);
                self.unjudged_counts += u64::from(answer.data.known == 0);
            }
            ([RegResult::Done], _) if read => self.registers_read += u64::from(answer.data.known != 0),
            ([RegResult::PrivilegedOperation], _) => self.refused += 1,
            ([RegResult::ReservedRegister], _) => self.reserved += 1,
            ([RegResult::NotMine], _) => self.not_mine += 1,
            _ => (),
        }
    }
}
