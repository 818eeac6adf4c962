//! Inputs, read back.

use crate::lwp::flat::in_words;
use lwp_model::lwp::{BranchKind, Buffer, Control, CtlOp, Inputs, Lane, Load, Memory, Mode, OpMode};

const BRANCHES: [BranchKind; 11] = [
    BranchKind::None,
    BranchKind::Jmp,
    BranchKind::Jcc,
    BranchKind::JmpInd,
    BranchKind::Call,
    BranchKind::CallInd,
    BranchKind::Ret,
    BranchKind::FarJmp,
    BranchKind::FarCall,
    BranchKind::FarRet,
    BranchKind::System,
];

/// Words of one lane, and where the lanes begin.
const LANE: usize = 11;
const LANES: usize = 12;

/// Reads a row of inputs; the second value is the reset, active low. Codes that the contract does not use read as what they
/// act as: modes 5 to 7 as protected mode, kinds of branches from 11 on as system transfers.
///
/// # Panics
/// If `row` is not [`in_words`] long.
#[must_use]
pub fn unpack_inputs<const W: usize>(row: &[u32]) -> (Inputs<W>, bool) {
    assert_eq!(row.len(), in_words(W), "an inputs row for {W} lanes");
    let common = row[0];
    let bit = |index: u32| common >> index & 1 == 1;
    let inputs = Inputs {
        mode: Mode { cpl: (common >> 2 & 3) as u8, smm: bit(1), op_mode: op_mode(common >> 4 & 7) },
        partial: bit(7),
        lanes: core::array::from_fn(|lane| unpack_lane(&row[LANES + LANE * lane..][..LANE])),
        buffer: unpack_buffer(row),
        entropy: row[11],
        ctl: Control {
            valid: bit(8),
            op: CtlOp::ALL[(common >> 9 & 15) as usize],
            word: (row[7] & 15) as u8,
            wdata: long(row, 1),
            ds_base: long(row, 3),
        },
        mem: Memory { gnt: bit(13), rvalid: bit(14), err: bit(15), rdata: long(row, 5) },
        pf_ack: bit(16),
        irq_ack: bit(17),
    };
    (inputs, bit(0))
}

fn unpack_buffer(row: &[u32]) -> Buffer {
    let common = row[0];
    let bit = |index: u32| common >> index & 1 == 1;
    Buffer {
        alloc_valid: bit(19),
        alloc_entry: (common >> 20 & 7) as u8,
        fill_valid: bit(23),
        fill_entry: (common >> 24 & 7) as u8,
        fill_ip: long(row, 8),
        fill_latency: row[10] & 0x7FFF_FFFF,
        fill_source: (common >> 27 & 7) as u8,
        replay_abort: bit(18),
    }
}

fn unpack_lane(words: &[u32]) -> Lane {
    let bits = words[0];
    let bit = |index: u32| bits >> index & 1 == 1;
    let load = |at: u32, words_at: usize, tagged: u32| Load {
        miss: bit(at),
        addr_valid: bit(at + 1),
        tagged: bit(tagged),
        addr: long(words, words_at),
        latency: words[words_at + 2] & 0x7FFF_FFFF,
        source: (bits >> (at + 2) & 7) as u8,
    };
    Lane {
        valid: bit(0),
        counts: bit(1),
        ip: long(words, 1),
        branch_kind: BRANCHES.get((bits >> 2 & 15) as usize).copied().unwrap_or(BranchKind::System),
        branch_taken: bit(6),
        branch_pred_valid: bit(7),
        branch_pred_ok: bit(8),
        branch_next: long(words, 3),
        loads: [load(9, 5, 19), load(14, 8, 20)],
    }
}

const fn op_mode(code: u32) -> OpMode {
    match code {
        0 => OpMode::Real,
        1 => OpMode::Virtual8086,
        3 => OpMode::Compatibility,
        4 => OpMode::Long64,
        _ => OpMode::Protected,
    }
}

fn long(words: &[u32], at: usize) -> u64 {
    u64::from(words[at]) | u64::from(words[at + 1]) << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::pack_inputs;

    /// Each bit alone: what is read and packed again is the bit, or a bit without a name is lost.
    #[test]
    fn every_bit_comes_back() {
        let mut lost = Vec::new();
        for bit in 0..32 * in_words(2) {
            let mut row = vec![0; in_words(2)];
            row[bit / 32] |= 1 << (bit % 32);
            let (inputs, rst_n) = unpack_inputs::<2>(&row);
            let mut again = vec![0; in_words(2)];
            pack_inputs(&inputs, rst_n, &mut again);
            if again != row {
                lost.push(bit);
            }
        }
        // Words 0 (2 bits), 7 (28), 10 (1); in a lane, 11 of word 0 and 1 of each latency.
        assert_eq!(lost.len(), 2 + 28 + 1 + 2 * (11 + 2), "{lost:?}");
    }
}
