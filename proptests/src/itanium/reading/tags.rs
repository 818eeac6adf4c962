//! Range checks and opcode matchers: the tags that an instruction carries through the pipeline.
//!
//! Sources: section 6.1.3.1 and Figure 6-5; the architecture manual, volume 2, Table 7-1 (addresses and masks of IBR and DBR), volume 3,
//! Table 4-2 (templates); the layout of PMC\[8\], PMC\[9\] in the facts about real hardware.

use super::registers::Registers;
use super::truth::{Bits, NO, Truth, YES, and, or};
use lwp_model::itanium::{Fetch, Issue, Mem};

/// Bits of an address that have no mask bit: they are always compared.
const UNMASKED: u64 = 0xFF << 56;

/// The tags of a bundle in flight. What is not fetched or issued yet is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) range: Truth,
    /// Tag(PMC\[8\]) and Tag(PMC\[9\]) of each slot.
    pub(super) slots: [[Truth; 3]; 2],
    /// The opcode match of PMC\[8\] alone.
    pub(super) opcode: [Truth; 3],
    /// The fetch.
    pub(super) fetch: Fetch,
}

impl Tag {
    /// Returns the tags of a bundle that is fetched. The range check happens in this cycle.
    pub(super) fn fetched(fetch: &Fetch, registers: &Registers) -> Self {
        Self { range: range(fetch, registers), fetch: *fetch, ..Self::default() }
    }

    /// Adds the tags of both opcode matchers, which happen when the bundle is issued.
    pub(super) fn issued(&mut self, issue: &Issue, registers: &Registers) {
        let words = [issue.slot0, issue.slot1, issue.slot2];
        for slot in 0..3 {
            let kind = syllable(issue.template_code, slot);
            let hits = [8, 9].map(|pmc| opcode(registers.pmc[pmc], kind, words[slot]));
            self.opcode[slot] = hits[0];
            for (tags, hit) in self.slots.iter_mut().zip(hits) {
                tags[slot] = and(self.range, hit);
            }
        }
    }
}

/// Returns IBRRangeTag: all instructions are tagged while PMC\[13\].ta is 1.
pub(super) fn range(fetch: &Fetch, registers: &Registers) -> Truth {
    let pairs = registers.ibr.chunks_exact(2).fold(NO, |hit, pair| or(hit, instruction(pair, fetch)));
    or(registers.pmc[13].bit(0), pairs)
}

/// Returns whether a pair of IBRs matches. With x = 1 it is a breakpoint, and it is open whether it is a range of the monitor, too.
fn instruction(pair: &[Bits], fetch: &Fetch) -> Truth {
    let level = pair[1].bit(56 + u32::from(fetch.cpl));
    let hit = and(level, compare(pair, fetch.addr, 15));
    match pair[1].bit(63) {
        NO => hit,
        _ if hit == NO => NO,
        _ => None,
    }
}

/// Returns DBRRangeTag of a memory record.
///
/// r and w do not matter. plm is a field of the register in the architecture manual, and without meaning for the monitor in another source.
pub(super) fn data(mem: &Mem, cpl: u8, ia32: bool, registers: &Registers) -> Truth {
    let pairs = registers.dbr.chunks_exact(2).fold(NO, |hit, pair| {
        let level = if pair[1].bit(56 + u32::from(cpl)) == YES { YES } else { None };
        or(hit, and(level, compare(pair, mem.addr, 0)))
    });
    // Figure 6-4 asks whether an IA-64 data address is in range: what becomes of others is open.
    let pairs = if ia32 && pairs == NO { None } else { pairs };
    or(registers.pmc[11].bit(28), pairs)
}

/// Compares an address with that of a pair under its mask, except for the bits `without`.
fn compare(pair: &[Bits], address: u64, without: u64) -> Truth {
    let mask = pair[1].field(0, 56)? | UNMASKED;
    Some((pair[0].field(0, 64)? ^ address) & mask & !without == 0)
}

/// The kind of instruction in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    M,
    I,
    F,
    B,
    /// The first half of a long instruction, which is no instruction.
    Half,
    /// A long instruction.
    Long,
    /// The template is reserved.
    None,
}

/// Returns the kind of instruction in a slot, by the template.
pub(super) fn syllable(template: u8, slot: usize) -> Kind {
    use Kind::{B, F, Half, I, Long, M};
    let slots = match template & 31 {
        0..=3 => [M, I, I],
        4 | 5 => [M, Half, Long],
        8..=11 => [M, M, I],
        12 | 13 => [M, F, I],
        14 | 15 => [M, M, F],
        16 | 17 => [M, I, B],
        18 | 19 => [M, B, B],
        22 | 23 => [B, B, B],
        24 | 25 => [M, M, B],
        28 | 29 => [M, F, B],
        _ => [Kind::None; 3],
    };
    slots[slot]
}

/// Returns whether an opcode matcher matches an instruction.
fn opcode(pmc: Bits, kind: Kind, word: u64) -> Truth {
    let encoding = word >> 27 << 13 | word & 0x1FFF;
    let bits = match (pmc.field(3, 27), pmc.field(33, 27)) {
        (Some(mask), Some(value)) => Some((encoding ^ value) & !mask & 0x07FF_FFFF == 0),
        _ => None,
    };
    let [b, f, i, m] = [60, 61, 62, 63].map(|at| pmc.bit(at));
    let same = |left: Truth, right: Truth| if left == right { left } else { None };
    let kind = match kind {
        Kind::M => m,
        Kind::I => i,
        Kind::F => f,
        Kind::B => b,
        // Long instructions are executed by I-units or B-units. Which of the bits is theirs is open.
        Kind::Long => same(i, b),
        Kind::Half => return None,
        Kind::None => same(same(m, i), same(f, b)),
    };
    and(bits, kind)
}
