//! Cycle summary of a row of inputs, without unpacking the row. Written by hand for speed: it runs in every cycle.

use super::inputs::{COMMON_WORDS, LANE_WORDS, in_words};
use crate::lwp::{Digest, Mode, OpMode};

/// Bits 8 (an operation), 16 and 17 (acknowledgements), 18, 19 and 23 (for the miss address buffer) of a row's first word.
const ASKS: u32 = (1 << 8) + (1 << 16) + (1 << 17) + (1 << 18) + (1 << 19) + (1 << 23);

/// Returns the [digest](Digest::of) of a row of inputs. Reads the first word of the row, and the first word of each lane.
#[inline]
pub(super) fn digest<const W: usize>(row: &[u32]) -> Digest {
    assert_eq!(row.len(), in_words(W), "an inputs row for {W} lanes");
    let (common, lanes) = row.split_at(COMMON_WORDS);
    let (lanes, _) = lanes.as_chunks::<LANE_WORDS>();
    let word = common[0];
    let mut digest = Digest::new(mode(word).ring3(), word & ASKS != 0, flag(word, 7));
    for [word, ..] in lanes {
        let misses = u64::from(flag(*word, 9)) + u64::from(flag(*word, 14));
        digest.retire(flag(*word, 0) & flag(*word, 1), bits(*word, 2, 4), misses);
    }
    digest
}

const fn mode(word: u32) -> Mode {
    Mode { smm: flag(word, 1), cpl: bits(word, 2, 2), op_mode: OpMode::from_code(bits(word, 4, 3)) }
}

const fn flag(word: u32, index: u32) -> bool {
    word >> index & 1 == 1
}

const fn bits(word: u32, lsb: u32, width: u32) -> u8 {
    (word >> lsb) as u8 & ((1 << width) - 1)
}

#[cfg(test)]
mod tests {
    use super::super::{pack_inputs, unpack_inputs};
    use super::*;
    use crate::lwp::{BranchKind, CtlOp};

    /// Each bit of a row, alone: what is read and written again is the bit, or nothing if the table does not name it.
    #[test]
    fn every_named_bit_comes_back() {
        const ROW: usize = in_words(2);
        let mut named = 0;
        for index in 0..ROW * 32 {
            let (mut row, mut back) = ([0; ROW], [0; ROW]);
            row[index / 32] |= 1 << (index % 32);
            let (inputs, rst_n) = unpack_inputs::<2>(&row);
            pack_inputs(&inputs, rst_n, &mut back);
            // A bit of a lane says nothing unless an instruction retires in it and counts.
            row[COMMON_WORDS] |= 3;
            assert_eq!(digest::<2>(&row), Digest::of(&unpack_inputs::<2>(&row).0), "bit {index}");
            row[COMMON_WORDS] &= if index / 32 == COMMON_WORDS { !3 | 1 << (index % 32) } else { !3 };
            // A code of the operating mode that is not used reads as protected mode: none is a power of two.
            if back != [0; ROW] {
                assert_eq!(back, row, "bit {index}");
                named += 1;
            }
        }
        let (common, lane) = (30 + 3 * 64 + 4 + 64 + 31 + 32, 21 + 2 * 64 + 2 * (64 + 31));
        assert_eq!(named, common + 2 * lane);
    }

    #[test]
    fn codes_without_a_meaning_act_as_the_contract_says() {
        let mut row = [0; in_words(1)];
        row[0] = 7 << 4 | 15 << 9;
        row[COMMON_WORDS] = 15 << 2;
        let (inputs, rst_n) = unpack_inputs::<1>(&row);
        assert!(!rst_n);
        assert_eq!((inputs.mode.op_mode, inputs.ctl.op), (OpMode::Protected, CtlOp::Reserved15));
        assert_eq!(inputs.lanes[0].branch_kind, BranchKind::System);
    }
}
