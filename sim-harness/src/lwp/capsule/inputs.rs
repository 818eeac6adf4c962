//! The inputs' bits, after the table "The flat image" in the book.

use crate::capsule::{InputField, Neutral};

const ZERO: Neutral = Neutral::Is(0);

/// Name, word, lowest bit, width, what it is when nothing happens; in groups.
type Row = (&'static str, usize, u32, u32, Neutral);

const RESET: &[Row] = &[("rst_n", 0, 0, 1, Neutral::Is(1))];
const MODE: &[Row] =
    &[("smm", 0, 1, 1, Neutral::Stays), ("cpl", 0, 2, 2, Neutral::Stays), ("op_mode", 0, 4, 3, Neutral::Stays)];
const PARTIAL: &[Row] = &[("partial", 0, 7, 1, ZERO)];
const CONTROL: &[Row] = &[
    ("ctl_valid", 0, 8, 1, ZERO),
    ("ctl_op", 0, 9, 4, ZERO),
    ("ctl_wdata[31:0]", 1, 0, 32, ZERO),
    ("ctl_wdata[63:32]", 2, 0, 32, ZERO),
    ("ctl_ds_base[31:0]", 3, 0, 32, ZERO),
    ("ctl_ds_base[63:32]", 4, 0, 32, ZERO),
    ("ctl_word", 7, 0, 4, ZERO),
];
const MEMORY: &[Row] = &[
    ("mem_gnt", 0, 13, 1, ZERO),
    ("mem_rvalid", 0, 14, 1, ZERO),
    ("mem_err", 0, 15, 1, ZERO),
    ("mem_rdata[31:0]", 5, 0, 32, ZERO),
    ("mem_rdata[63:32]", 6, 0, 32, ZERO),
];
const ACKNOWLEDGE: &[Row] = &[("pf_ack", 0, 16, 1, ZERO), ("irq_ack", 0, 17, 1, ZERO)];
const BUFFER: &[Row] = &[
    ("replay_abort", 0, 18, 1, ZERO),
    ("alloc_valid", 0, 19, 1, ZERO),
    ("alloc_entry", 0, 20, 3, ZERO),
    ("fill_valid", 0, 23, 1, ZERO),
    ("fill_entry", 0, 24, 3, ZERO),
    ("fill_source", 0, 27, 3, ZERO),
    ("fill_ip[31:0]", 8, 0, 32, ZERO),
    ("fill_ip[63:32]", 9, 0, 32, ZERO),
    ("fill_latency", 10, 0, 31, ZERO),
];
const ENTROPY: &[Row] = &[("entropy", 11, 0, 32, ZERO)];
const COMMON: &[&[Row]] = &[RESET, MODE, PARTIAL, CONTROL, MEMORY, ACKNOWLEDGE, BUFFER, ENTROPY];

/// Words before the lanes, and of a lane.
const LANES: usize = 12;
const LANE_WORDS: usize = 11;
const LANE: &[Row] = &[
    ("valid", 0, 0, 1, ZERO),
    ("counts", 0, 1, 1, ZERO),
    ("branch_kind", 0, 2, 4, ZERO),
    ("branch_taken", 0, 6, 1, ZERO),
    ("branch_pred_valid", 0, 7, 1, ZERO),
    ("branch_pred_ok", 0, 8, 1, ZERO),
    ("loads[0].miss", 0, 9, 1, ZERO),
    ("loads[0].addr_valid", 0, 10, 1, ZERO),
    ("loads[0].source", 0, 11, 3, ZERO),
    ("loads[1].miss", 0, 14, 1, ZERO),
    ("loads[1].addr_valid", 0, 15, 1, ZERO),
    ("loads[1].source", 0, 16, 3, ZERO),
    ("loads[0].tagged", 0, 19, 1, ZERO),
    ("loads[1].tagged", 0, 20, 1, ZERO),
    ("ip[31:0]", 1, 0, 32, ZERO),
    ("ip[63:32]", 2, 0, 32, ZERO),
    ("branch_next[31:0]", 3, 0, 32, ZERO),
    ("branch_next[63:32]", 4, 0, 32, ZERO),
    ("loads[0].addr[31:0]", 5, 0, 32, ZERO),
    ("loads[0].addr[63:32]", 6, 0, 32, ZERO),
    ("loads[0].latency", 7, 0, 31, ZERO),
    ("loads[1].addr[31:0]", 8, 0, 32, ZERO),
    ("loads[1].addr[63:32]", 9, 0, 32, ZERO),
    ("loads[1].latency", 10, 0, 31, ZERO),
];

/// Every input of a unit with `lanes` retire lanes.
pub(super) fn inputs(lanes: usize) -> Vec<InputField> {
    let field = |group, &(name, word, lsb, width, neutral): &Row, prefix: &str, at: usize| InputField {
        name: format!("{prefix}{name}"),
        group,
        word: at + word,
        lsb,
        width,
        neutral,
        steers: ["mem_rdata", "ctl_wdata"].iter().any(|steering| name.starts_with(steering)),
    };
    let mut fields = Vec::new();
    for (group, rows) in COMMON.iter().enumerate() {
        fields.extend(rows.iter().map(|row| field(group, row, "", 0)));
    }
    for lane in 0..lanes {
        let (prefix, at) = (format!("lanes[{lane}]."), LANES + LANE_WORDS * lane);
        fields.extend(LANE.iter().map(|row| field(COMMON.len() + lane, row, &prefix, at)));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::inputs;
    use crate::lwp::flat::in_words;
    use crate::lwp::unflat::unpack_inputs;

    #[test]
    fn names_are_where_the_bits_are() {
        let fields = inputs(2);
        let field = |name: &str| fields.iter().find(|field| field.name == name).unwrap();
        let mut row = vec![0; in_words(2)];
        let values = [("mem_rdata[63:32]", 7), ("lanes[1].loads[1].source", 5), ("cpl", 3), ("fill_entry", 6)];
        values.iter().for_each(|&(name, value)| field(name).set(&mut row, value));
        let (inputs, _) = unpack_inputs::<2>(&row);
        let read = (inputs.mem.rdata >> 32, inputs.lanes[1].loads[1].source, inputs.mode.cpl, inputs.buffer.fill_entry);
        assert_eq!(read, (7, 5, 3, 6));
        assert!(values.iter().all(|&(name, value)| field(name).of(&row) == value));
    }

    #[test]
    fn no_two_fields_share_a_bit_and_all_bits_with_a_name_are_there() {
        let mut owner = vec![0_u32; in_words(4)];
        for field in inputs(4) {
            let mask = u32::MAX >> (32 - field.width) << field.lsb;
            assert_eq!(owner[field.word] & mask, 0, "{}", field.name);
            owner[field.word] |= mask;
        }
        let bits: u32 = owner.iter().map(|word| word.count_ones()).sum();
        assert_eq!(bits as usize, 32 * in_words(4) - (2 + 28 + 1) - 4 * (11 + 2));
    }
}
