//! The registers as software sees them: what a write leaves in them, and that nothing else changes them.

use super::{Step, ensure};
use lwp_model::itanium::{MAX_ENTRIES, State, TagEntry};

/// Every register that is not always 0, by file and index.
const ALL: [(u32, u32); 32] = {
    let (mut all, mut at) = ([(0, 0); 32], 0);
    while at < 32 {
        let number = at as u32;
        all[at] = match number {
            // PMC[0] and DCR come first, then PMC[4] to PMC[13], PMD[4] to PMD[7], IBRs, DBRs.
            0 => (0, 0),
            1 => (4, 0),
            2..=11 => (0, number + 2),
            12..=15 => (1, number - 8),
            16..=23 => (2, number - 16),
            _ => (3, number - 24),
        };
        at += 1;
    }
    all
};

/// Bits of a register that a write sets; the others are 0.
const fn writable(file: u32, index: u32) -> u64 {
    match (file, index) {
        (0, 0) => 0xF1,
        (0, 4 | 5) => 0x037F_7F7F,
        (0, 6 | 7) => 0x033F_7F7F,
        (0, 8 | 9) => 0xFFFF_FFFE_3FFF_FFF8,
        (0, 10) => 0x030F_00CF,
        (0, 11) => 0x130F_00CF,
        (0, 12) => 0xFFCF,
        (0, 13) => u64::MAX,
        (1, 4..=7) => 0xFFFF_FFFF,
        (2, 1 | 3 | 5 | 7) => 0x8FFF_FFFF_FFFF_FFFF,
        (3, 1 | 3 | 5 | 7) => 0xCFFF_FFFF_FFFF_FFFF,
        (2 | 3, _) => u64::MAX,
        (4, 0) => 1,
        _ => 0,
    }
}

/// Puts fields, each with its lowest bit, together.
fn fields(parts: &[(u32, u64)]) -> u64 {
    parts.iter().fold(0, |all, (place, part)| all | part << place)
}

/// Returns what a register holds.
pub(super) fn value(state: &State, file: u32, index: u32) -> u64 {
    let monitor = |plm: u8, pm: bool| fields(&[(0, plm.into()), (6, pm.into())]);
    let pair = index as usize / 2 % 4;
    match (file, index) {
        (0, 0) => fields(&[(0, state.freeze.fr.into()), (4, state.freeze.overflow.into())]),
        (0, 4..=7) => {
            let of = &state.counter[index as usize - 4];
            let flags = fields(&[(4, of.ev.into()), (5, of.oi.into()), (8, of.es.into()), (16, of.umask.into())]);
            monitor(of.plm, of.pm) | flags | fields(&[(20, of.threshold.into()), (24, of.ism.into())])
        }
        (0, 8 | 9) => {
            let of = &state.matcher[index as usize - 8];
            let kinds = fields(&[(60, of.b.into()), (61, of.f.into()), (62, of.i.into()), (63, of.m.into())]);
            kinds | fields(&[(3, of.mask.into()), (33, of.match_value.into())])
        }
        (0, 10) => {
            let of = &state.pmc10;
            monitor(of.plm, of.pm) | fields(&[(7, of.tlb.into()), (16, of.umask.into()), (24, of.ism.into())])
        }
        (0, 11) => {
            let of = &state.pmc11;
            let rest = fields(&[(7, of.tlb.into()), (16, of.umask.into()), (24, of.ism.into())]);
            monitor(of.plm, of.pm) | rest | fields(&[(28, of.pt.into())])
        }
        (0, 12) => {
            let of = &state.pmc12;
            let masks = fields(&[(8, of.tm.into()), (10, of.ptm.into()), (12, of.ppm.into())]);
            monitor(of.plm, of.pm) | masks | fields(&[(7, of.tar.into()), (14, of.bpt.into()), (15, of.bac.into())])
        }
        (0, 13) => fields(&[(0, state.pmc13.ta.into()), (1, state.pmc13.rest)]),
        // Bits 63:32 are copies of bit 31.
        (1, 4..=7) => state.counter[index as usize - 4].count as i32 as u64,
        (2, 0 | 2 | 4 | 6) => state.ibr[pair].addr,
        (2, 1 | 3 | 5 | 7) => {
            let of = &state.ibr[pair];
            fields(&[(0, of.mask), (56, of.plm.into()), (63, of.x.into())])
        }
        (3, 0 | 2 | 4 | 6) => state.dbr[pair].addr,
        (3, 1 | 3 | 5 | 7) => {
            let of = &state.dbr[pair];
            fields(&[(0, of.mask), (56, of.plm.into()), (62, of.w.into()), (63, of.r.into())])
        }
        (4, 0) => state.status.dcr_pp.into(),
        _ => 0,
    }
}

/// Checks that after reset nothing is constrained, and nothing is counted.
pub(super) fn after_reset<const ENTRIES: usize>(state: &State) -> Result<(), String> {
    for (file, index) in ALL {
        let expected = match (file, index) {
            (0, 0 | 13) => 1,
            (0, 8 | 9) => 0xF000_0000_3FFF_FFF8,
            (0, 11) => 1 << 28,
            _ => 0,
        };
        let is = value(state, file, index);
        ensure!(is == expected, "register {index} of file {file} is {is:#x} after reset, not {expected:#x}");
    }
    let zero = State {
        freeze: state.freeze,
        matcher: state.matcher,
        pmc11: state.pmc11,
        pmc13: state.pmc13,
        ..State::default()
    };
    ensure!(*state == zero && !state.freeze.irq, "a register is not 0 after reset");
    ensure!(state.tag == [TagEntry::default(); MAX_ENTRIES], "a tag after reset");
    Ok(())
}

/// Checks writes. PMC\[0\] and the counts, which events change too, are checked by `freeze` and `counting` unless they are written.
pub(super) fn check<const BUNDLES: usize, const ENTRIES: usize>(
    step: &Step<'_, BUNDLES, ENTRIES>,
) -> Result<(), String> {
    let written = step.written();
    for (file, index) in ALL {
        let (before, after) = (value(step.now, file, index), value(step.next, file, index));
        let bits = writable(file, index);
        if written == Some((file, index)) {
            let wdata = step.inputs.reg.wdata & bits;
            // An overflow sets more of PMC[0], and of PMD[4 + c] the read value has copies of bit 31.
            let value = if (file, index) == (0, 0) { after & wdata } else { after & bits };
            ensure!(value == wdata, "register {index} of file {file} is {after:#x} behind a write of {wdata:#x}");
        } else if !matches!((file, index), (0, 0) | (1, _)) {
            ensure!(before == after, "register {index} of file {file} changes from {before:#x} to {after:#x}");
        }
        let rest = if file == 1 { 0xFFFF_FFFF_0000_0000 } else { 0 };
        ensure!(after & !bits & !rest == 0, "register {index} of file {file} has {after:#x}");
    }
    Ok(())
}
