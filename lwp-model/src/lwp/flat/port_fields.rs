//! Names of the bits of inputs and straps.

use super::fields::field;
use super::inputs::{COMMON_WORDS, LANE_WORDS};
use crate::flat::Field;

/// Every strap, in the order of the row.
pub const STRAP_FIELDS: &[Field] = &[
    field("present", 0, 0, 1),
    field("avail_ire", 0, 1, 1),
    field("avail_bre", 0, 2, 1),
    field("avail_dme", 0, 3, 1),
    field("avail_int", 0, 4, 1),
    field("latency_filter", 0, 5, 1),
    field("level_filter", 0, 6, 1),
    field("data_source", 0, 7, 1),
    field("core_id", 0, 8, 8),
    field("gather_policy", 0, 16, 1),
    field("one_per_instr", 0, 17, 1),
    field("gather_select", 0, 18, 2),
    field("gather_target", 0, 20, 1),
    field("store_timing", 0, 21, 1),
    field("collision", 0, 22, 1),
    field("leave_policy", 0, 23, 2),
    field("fault_policy", 0, 25, 2),
    field("address_policy", 0, 27, 2),
    field("address_gate", 0, 29, 1),
    field("latency_source", 0, 30, 1),
    field("latency_step", 0, 31, 1),
    field("lfsr_seed", 1, 0, 32),
    field("latency_phase", 2, 0, 1),
    field("prediction", 2, 1, 2),
    field("head_flush", 2, 3, 1),
    field("tail_reread", 2, 4, 1),
    field("tail_nth", 2, 5, 4),
    field("interval_source", 2, 9, 1),
    field("missed_mode", 2, 10, 1),
    field("write_on_full", 2, 11, 1),
    field("misaligned", 2, 12, 1),
    field("flush_outside", 2, 13, 1),
    field("v86", 2, 14, 1),
    field("entropy", 2, 15, 1),
    field("irq_delay", 2, 16, 8),
];

/// Before the lanes.
const COMMON_FIELDS: usize = 25;
/// Of each lane.
const LANE_FIELDS: usize = 20;

/// The inputs that stand before the lanes, and those of so many lanes.
macro_rules! inputs {
    ($($lane:literal)+) => {
        [
            field("rst_n", 0, 0, 1),
            field("smm", 0, 1, 1),
            field("cpl", 0, 2, 2),
            field("op_mode", 0, 4, 3),
            field("partial", 0, 7, 1),
            field("ctl_valid", 0, 8, 1),
            field("ctl_op", 0, 9, 4),
            field("mem_gnt", 0, 13, 1),
            field("mem_rvalid", 0, 14, 1),
            field("mem_err", 0, 15, 1),
            field("pf_ack", 0, 16, 1),
            field("irq_ack", 0, 17, 1),
            field("replay_abort", 0, 18, 1),
            field("alloc_valid", 0, 19, 1),
            field("alloc_entry", 0, 20, 3),
            field("fill_valid", 0, 23, 1),
            field("fill_entry", 0, 24, 3),
            field("fill_source", 0, 27, 3),
            field("ctl_wdata", 1, 0, 64),
            field("ctl_ds_base", 3, 0, 64),
            field("mem_rdata", 5, 0, 64),
            field("ctl_word", 7, 0, 4),
            field("fill_ip", 8, 0, 64),
            field("fill_latency", 10, 0, 31),
            field("entropy", 11, 0, 32),
            $(
                lane(concat!("lanes[", $lane, "].valid"), $lane, 0, 0, 1),
                lane(concat!("lanes[", $lane, "].counts"), $lane, 0, 1, 1),
                lane(concat!("lanes[", $lane, "].branch_kind"), $lane, 0, 2, 4),
                lane(concat!("lanes[", $lane, "].branch_taken"), $lane, 0, 6, 1),
                lane(concat!("lanes[", $lane, "].branch_pred_valid"), $lane, 0, 7, 1),
                lane(concat!("lanes[", $lane, "].branch_pred_ok"), $lane, 0, 8, 1),
                lane(concat!("lanes[", $lane, "].loads[0].miss"), $lane, 0, 9, 1),
                lane(concat!("lanes[", $lane, "].loads[0].addr_valid"), $lane, 0, 10, 1),
                lane(concat!("lanes[", $lane, "].loads[0].source"), $lane, 0, 11, 3),
                lane(concat!("lanes[", $lane, "].loads[1].miss"), $lane, 0, 14, 1),
                lane(concat!("lanes[", $lane, "].loads[1].addr_valid"), $lane, 0, 15, 1),
                lane(concat!("lanes[", $lane, "].loads[1].source"), $lane, 0, 16, 3),
                lane(concat!("lanes[", $lane, "].loads[0].tagged"), $lane, 0, 19, 1),
                lane(concat!("lanes[", $lane, "].loads[1].tagged"), $lane, 0, 20, 1),
                lane(concat!("lanes[", $lane, "].ip"), $lane, 1, 0, 64),
                lane(concat!("lanes[", $lane, "].branch_next"), $lane, 3, 0, 64),
                lane(concat!("lanes[", $lane, "].loads[0].addr"), $lane, 5, 0, 64),
                lane(concat!("lanes[", $lane, "].loads[0].latency"), $lane, 7, 0, 31),
                lane(concat!("lanes[", $lane, "].loads[1].addr"), $lane, 8, 0, 64),
                lane(concat!("lanes[", $lane, "].loads[1].latency"), $lane, 10, 0, 31),
            )+
        ]
    };
}

const fn lane(name: &'static str, lane: usize, word: usize, lsb: u32, width: u32) -> Field {
    field(name, COMMON_WORDS + LANE_WORDS * lane + word, lsb, width)
}

const LARGEST: &[Field; COMMON_FIELDS + 8 * LANE_FIELDS] = &inputs!(0 1 2 3 4 5 6 7);

/// Every input of a unit with so many retire lanes, at most eight.
#[must_use]
pub const fn input_fields(lanes: usize) -> &'static [Field] {
    LARGEST.split_at(COMMON_FIELDS + lanes * LANE_FIELDS).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{STRAP_WORDS, in_words, pack_inputs, pack_straps, unpack_inputs};
    use crate::lwp::{Config, Inputs, Lane, Load};

    /// How many fields name each bit of a row.
    fn owners<const WORDS: usize>(fields: &[Field]) -> [[u32; 32]; WORDS] {
        let mut owners = [[0; 32]; WORDS];
        for field in fields {
            for bit in 0..field.width {
                owners[field.word + (field.lsb + bit) as usize / 32][(field.lsb + bit) as usize % 32] += 1;
            }
        }
        owners
    }

    // A bit has one field if it is read and written again, else none.
    #[test]
    fn each_input_bit_has_a_field() {
        const ROW: usize = in_words(2);
        let owners = owners::<ROW>(input_fields(2));
        for index in 0..ROW * 32 {
            let (mut row, mut back) = ([0; ROW], [0; ROW]);
            row[index / 32] |= 1 << (index % 32);
            let (inputs, rst_n) = unpack_inputs::<2>(&row);
            pack_inputs(&inputs, rst_n, &mut back);
            assert_eq!(owners[index / 32][index % 32], u32::from(back != [0; ROW]), "bit {index}");
        }
        assert_eq!(crate::flat::words(input_fields(8)), in_words(8));
    }

    #[test]
    fn names_of_inputs() {
        let mut inputs = Inputs::<2> { entropy: 0x11, pf_ack: true, ..Inputs::default() };
        inputs.buffer.fill_source = 5;
        inputs.mem.rdata = 0x22_0000_0000;
        let second = Load { tagged: true, source: 6, latency: 0x33, ..Load::default() };
        inputs.lanes[1] = Lane { branch_next: 0x44, loads: [Load::default(), second], ..Lane::default() };
        let mut row = [0; in_words(2)];
        pack_inputs(&inputs, false, &mut row);
        let expected = [
            ("pf_ack", 1),
            ("entropy", 0x11),
            ("fill_source", 5),
            ("mem_rdata", 0x22_0000_0000),
            ("op_mode", 4),
            ("lanes[1].loads[1].tagged", 1),
            ("lanes[1].loads[1].source", 6),
            ("lanes[1].loads[1].latency", 0x33),
            ("lanes[1].branch_next", 0x44),
        ];
        for field in input_fields(2) {
            let value = expected.iter().find(|(name, _)| *name == field.name).map_or(0, |(_, value)| *value);
            assert_eq!(field.of(&row), value, "{}", field.name);
        }
    }

    #[test]
    fn straps_by_name() {
        assert!(owners::<STRAP_WORDS>(STRAP_FIELDS).as_flattened().iter().all(|&fields| fields <= 1));
        let straps = Config { irq_delay: 0xA5, core_id: 0x5A, lfsr_seed: 7, ..Config::default() };
        let row = pack_straps(&straps);
        let of = |name| STRAP_FIELDS.iter().find(|field| field.name == name).unwrap().of(&row);
        assert_eq!((of("irq_delay"), of("core_id"), of("lfsr_seed"), of("tail_nth")), (0xA5, 0x5A, 7, 1));
        let bits: u32 = STRAP_FIELDS.iter().map(|field| field.width).sum();
        assert_eq!(bits, 88, "all but the upper byte of the last word");
    }
}
