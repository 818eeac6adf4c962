//! Names of the bits in an inputs row, for reports, waves and capsules; after the table "The flat image" in the book.

use crate::lockstep::Field;

/// Words before the lanes.
pub(crate) const COMMON: usize = 12;
/// Words of a lane.
pub(crate) const LANE: usize = 11;

/// A name and where its bits are: of a lane, in the words of that lane.
type Place = (&'static str, usize, u32, u32);

const SHARED: &[Place] = &[
    ("rst_n", 0, 0, 1),
    ("smm", 0, 1, 1),
    ("cpl", 0, 2, 2),
    ("op_mode", 0, 4, 3),
    ("partial", 0, 7, 1),
    ("ctl_valid", 0, 8, 1),
    ("ctl_op", 0, 9, 4),
    ("mem_gnt", 0, 13, 1),
    ("mem_rvalid", 0, 14, 1),
    ("mem_err", 0, 15, 1),
    ("pf_ack", 0, 16, 1),
    ("irq_ack", 0, 17, 1),
    ("replay_abort", 0, 18, 1),
    ("alloc_valid", 0, 19, 1),
    ("alloc_entry", 0, 20, 3),
    ("fill_valid", 0, 23, 1),
    ("fill_entry", 0, 24, 3),
    ("fill_source", 0, 27, 3),
    ("ctl_wdata", 1, 0, 64),
    ("ctl_ds_base", 3, 0, 64),
    ("mem_rdata", 5, 0, 64),
    ("ctl_word", 7, 0, 4),
    ("fill_ip", 8, 0, 64),
    ("fill_latency", 10, 0, 31),
    ("entropy", 11, 0, 32),
];

const OF_A_LANE: &[Place] = &[
    ("valid", 0, 0, 1),
    ("counts", 0, 1, 1),
    ("branch_kind", 0, 2, 4),
    ("branch_taken", 0, 6, 1),
    ("branch_pred_valid", 0, 7, 1),
    ("branch_pred_ok", 0, 8, 1),
    ("loads[0].miss", 0, 9, 1),
    ("loads[0].addr_valid", 0, 10, 1),
    ("loads[0].source", 0, 11, 3),
    ("loads[1].miss", 0, 14, 1),
    ("loads[1].addr_valid", 0, 15, 1),
    ("loads[1].source", 0, 16, 3),
    ("loads[0].tagged", 0, 19, 1),
    ("loads[1].tagged", 0, 20, 1),
    ("ip", 1, 0, 64),
    ("branch_next", 3, 0, 64),
    ("loads[0].addr", 5, 0, 64),
    ("loads[0].latency", 7, 0, 31),
    ("loads[1].addr", 8, 0, 64),
    ("loads[1].latency", 10, 0, 31),
];

/// An input and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name in the chapter "Ports"; those of a lane begin with `lanes[N].`.
    pub name: String,
    /// Its bits. The name in it is without the lane.
    pub field: Field,
}

/// Every input of a unit with `lanes` retire lanes, in the order of the row.
#[must_use]
pub fn input_fields(lanes: usize) -> Vec<Input> {
    let input = |name: String, place: &Place, base: usize| {
        let &(short, word, lsb, width) = place;
        Input { name, field: Field { name: short, word: base + word, lsb, width } }
    };
    let shared = SHARED.iter().map(|place| input(place.0.to_owned(), place, 0));
    let lane = |lane: usize| {
        let named = move |place: &Place| input(format!("lanes[{lane}].{}", place.0), place, COMMON + LANE * lane);
        OF_A_LANE.iter().map(named)
    };
    shared.chain((0..lanes).flat_map(lane)).collect()
}

/// Retire lanes of the unit that takes rows of this many words, if there is one.
#[must_use]
pub const fn lanes_of(in_words: usize) -> Option<usize> {
    if in_words > COMMON && (in_words - COMMON).is_multiple_of(LANE) { Some((in_words - COMMON) / LANE) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{in_words, pack_inputs};
    use lwp_model::lwp::{BranchKind, Buffer, Control, CtlOp, Inputs, Lane, Load, Memory, Mode};

    #[test]
    fn no_two_share_a_bit_and_all_fit() {
        for lanes in [1, 2, 4, 8] {
            let mut owned = vec![0_u32; in_words(lanes)];
            for Input { name, field } in input_fields(lanes) {
                for bit in field.lsb..field.lsb + field.width {
                    let (word, bit) = (field.word + bit as usize / 32, 1 << (bit % 32));
                    assert_eq!(owned[word] & bit, 0, "{name}");
                    owned[word] |= bit;
                }
            }
            assert_eq!(lanes_of(in_words(lanes)), Some(lanes));
        }
        assert_eq!((lanes_of(12), lanes_of(22), lanes_of(0)), (None, None, None));
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
        let seen: Vec<(String, u64)> = input_fields(2)
            .into_iter()
            .map(|input| (input.name, input.field.of(&row)))
            .filter(|(_, value)| *value != 0)
            .collect();
        let seen: Vec<String> = seen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let expected = "rst_n=1 cpl=3 op_mode=4 ctl_valid=1 ctl_op=6 mem_gnt=1 mem_rvalid=1 irq_ack=1 fill_valid=1 fill_entry=4 \
                        fill_source=2 ctl_wdata=6 ctl_ds_base=7 mem_rdata=8 ctl_word=5 fill_ip=9 fill_latency=10 entropy=11 \
                        lanes[1].valid=1 lanes[1].counts=1 lanes[1].branch_kind=6 lanes[1].branch_taken=1 \
                        lanes[1].branch_pred_valid=1 lanes[1].loads[0].miss=1 lanes[1].loads[0].addr_valid=1 \
                        lanes[1].loads[0].source=4 lanes[1].loads[1].addr_valid=1 lanes[1].loads[1].source=5 \
                        lanes[1].loads[1].tagged=1 lanes[1].ip=12 lanes[1].branch_next=13 lanes[1].loads[0].addr=101 \
                        lanes[1].loads[0].latency=201 lanes[1].loads[1].addr=102 lanes[1].loads[1].latency=202";
        assert_eq!(seen.join(" "), expected);
    }
}
