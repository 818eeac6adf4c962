//! Names of the bits in an inputs row, for reports, waves and capsules.

pub use super::flat::input_fields;

use super::flat::{in_words, unpack_inputs};
use lwp_model::lwp::Inputs;

/// The most lanes that a unit has.
pub const LANES: usize = 8;
/// Words before the lanes.
const COMMON: usize = in_words(0);
/// Words of a lane.
const LANE: usize = in_words(1) - COMMON;

/// Retire lanes of the unit that takes rows of this many words, if there is one.
#[must_use]
pub const fn lanes_of(in_words: usize) -> Option<usize> {
    let fits = in_words > COMMON && in_words <= COMMON + LANES * LANE && (in_words - COMMON).is_multiple_of(LANE);
    if fits { Some((in_words - COMMON) / LANE) } else { None }
}

/// The inputs of a row of a unit with any number of lanes, and its `rst_n`. Lanes that the unit does not have are empty.
///
/// # Panics
///
/// If the row has more lanes than any unit.
#[must_use]
pub fn unpack_any(row: &[u32]) -> (Inputs<LANES>, bool) {
    let mut whole = [0; in_words(LANES)];
    whole[..row.len()].copy_from_slice(row);
    unpack_inputs(&whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::pack_inputs;
    use lwp_model::lwp::{BranchKind, Buffer, Control, CtlOp, Inputs, Lane, Load, Memory, Mode};

    #[test]
    fn lanes_of_a_row() {
        for lanes in 1..=8 {
            assert_eq!(lanes_of(in_words(lanes)), Some(lanes));
        }
        assert_eq!((lanes_of(12), lanes_of(22), lanes_of(0), lanes_of(in_words(9))), (None, None, None, None));
    }

    /// Every field has a value of its own, and is found under its name.
    #[test]
    fn a_packed_row_reads_back_by_name() {
        let load = |at: u64| Load {
            miss: at == 1,
            addr_valid: true,
            tagged: at == 2,
            addr: 100 + at,
            latency: 200 + at as u32,
            source: 3 + at as u8,
        };
        let mut inputs = Inputs::<2> {
            mode: Mode { cpl: 3, ..Mode::default() },
            ctl: Control { valid: true, op: CtlOp::Save, word: 5, wdata: 6, ds_base: 7 },
            mem: Memory { gnt: true, rvalid: true, err: false, rdata: 8 },
            buffer: Buffer {
                fill_valid: true,
                fill_entry: 4,
                fill_ip: 9,
                fill_latency: 10,
                fill_source: 2,
                ..Buffer::default()
            },
            entropy: 11,
            irq_ack: true,
            ..Inputs::default()
        };
        inputs.lanes[1] = Lane {
            valid: true,
            counts: true,
            ip: 12,
            branch_kind: BranchKind::Ret,
            branch_taken: true,
            branch_pred_valid: true,
            branch_pred_ok: false,
            branch_next: 13,
            loads: [load(1), load(2)],
        };
        let mut row = vec![0; in_words(2)];
        pack_inputs(&inputs, true, &mut row);
        let seen: Vec<(&str, u64)> =
            input_fields(2).iter().map(|input| (input.name, input.of(&row))).filter(|(_, value)| *value != 0).collect();
        let seen: Vec<String> = seen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let expected = "rst_n=1 cpl=3 op_mode=4 ctl_valid=1 ctl_op=6 mem_gnt=1 mem_rvalid=1 irq_ack=1 fill_valid=1 fill_entry=4 \
                        fill_source=2 ctl_wdata=6 ctl_ds_base=7 mem_rdata=8 ctl_word=5 fill_ip=9 fill_latency=10 entropy=11 \
                        lanes[1].valid=1 lanes[1].counts=1 lanes[1].ip=12 lanes[1].branch_kind=6 lanes[1].branch_taken=1 \
                        lanes[1].branch_pred_valid=1 lanes[1].branch_next=13 lanes[1].loads[0].miss=1 \
                        lanes[1].loads[0].addr_valid=1 lanes[1].loads[0].addr=101 lanes[1].loads[0].latency=201 \
                        lanes[1].loads[0].source=4 lanes[1].loads[1].addr_valid=1 lanes[1].loads[1].tagged=1 \
                        lanes[1].loads[1].addr=102 lanes[1].loads[1].latency=202 lanes[1].loads[1].source=5";
        assert_eq!(seen.join(" "), expected);
    }
}
