//! Inputs.

use crate::flat::{Field, flat_table};
use crate::lwp::Inputs;

/// Words of an inputs row before the lanes.
pub(super) const COMMON_WORDS: usize = 12;
/// Words of one lane.
pub(super) const LANE_WORDS: usize = 11;

flat_table! {
    /// Inputs.
    InputRow<const W: usize>(rst_n: bool, inputs: Inputs<W>): unpack;
    {
        "rst_n": 1 @ (0, 0) = *rst_n,
        "smm": 1 @ (0, 1) = inputs.mode.smm,
        "cpl": 2 @ (0, 2) = inputs.mode.cpl,
        "op_mode": 3 @ (0, 4) = inputs.mode.op_mode,
        "partial": 1 @ (0, 7) = inputs.partial,
        "ctl_valid": 1 @ (0, 8) = inputs.ctl.valid,
        "ctl_op": 4 @ (0, 9) = inputs.ctl.op,
        "mem_gnt": 1 @ (0, 13) = inputs.mem.gnt,
        "mem_rvalid": 1 @ (0, 14) = inputs.mem.rvalid,
        "mem_err": 1 @ (0, 15) = inputs.mem.err,
        "pf_ack": 1 @ (0, 16) = inputs.pf_ack,
        "irq_ack": 1 @ (0, 17) = inputs.irq_ack,
        "replay_abort": 1 @ (0, 18) = inputs.buffer.replay_abort,
        "alloc_valid": 1 @ (0, 19) = inputs.buffer.alloc_valid,
        "alloc_entry": 3 @ (0, 20) = inputs.buffer.alloc_entry,
        "fill_valid": 1 @ (0, 23) = inputs.buffer.fill_valid,
        "fill_entry": 3 @ (0, 24) = inputs.buffer.fill_entry,
        "fill_source": 3 @ (0, 27) = inputs.buffer.fill_source,
        "ctl_wdata": 64 @ (1, 0) = inputs.ctl.wdata,
        "ctl_ds_base": 64 @ (3, 0) = inputs.ctl.ds_base,
        "mem_rdata": 64 @ (5, 0) = inputs.mem.rdata,
        "ctl_word": 4 @ (7, 0) = inputs.ctl.word,
        "fill_ip": 64 @ (8, 0) = inputs.buffer.fill_ip,
        "fill_latency": 31 @ (10, 0) = inputs.buffer.fill_latency,
        "entropy": 32 @ (11, 0) = inputs.entropy,
    }
    each "lanes" (lane in inputs.lanes) from 12 step 11 {
        "valid": 1 @ (0, 0) = lane.valid,
        "counts": 1 @ (0, 1) = lane.counts,
        "ip": 64 @ (1, 0) = lane.ip,
        "branch_kind": 4 @ (0, 2) = lane.branch_kind,
        "branch_taken": 1 @ (0, 6) = lane.branch_taken,
        "branch_pred_valid": 1 @ (0, 7) = lane.branch_pred_valid,
        "branch_pred_ok": 1 @ (0, 8) = lane.branch_pred_ok,
        "branch_next": 64 @ (3, 0) = lane.branch_next,
        "loads[0].miss": 1 @ (0, 9) = lane.loads[0].miss,
        "loads[0].addr_valid": 1 @ (0, 10) = lane.loads[0].addr_valid,
        "loads[0].tagged": 1 @ (0, 19) = lane.loads[0].tagged,
        "loads[0].addr": 64 @ (5, 0) = lane.loads[0].addr,
        "loads[0].latency": 31 @ (7, 0) = lane.loads[0].latency,
        "loads[0].source": 3 @ (0, 11) = lane.loads[0].source,
        "loads[1].miss": 1 @ (0, 14) = lane.loads[1].miss,
        "loads[1].addr_valid": 1 @ (0, 15) = lane.loads[1].addr_valid,
        "loads[1].tagged": 1 @ (0, 20) = lane.loads[1].tagged,
        "loads[1].addr": 64 @ (8, 0) = lane.loads[1].addr,
        "loads[1].latency": 31 @ (10, 0) = lane.loads[1].latency,
        "loads[1].source": 3 @ (0, 16) = lane.loads[1].source,
    }
}

/// Words of an inputs row for a unit with `lanes` retire lanes.
#[must_use]
pub const fn in_words(lanes: usize) -> usize {
    COMMON_WORDS + LANE_WORDS * lanes
}

/// Returns every input of a unit with `lanes` retire lanes, at most eight.
#[must_use]
pub const fn input_fields(lanes: usize) -> &'static [Field] {
    let common = InputRow::<0>::FIELDS.len();
    let lane = InputRow::<1>::FIELDS.len() - common;
    InputRow::<8>::FIELDS.split_at(common + lane * lanes).0
}

/// Fills a row of inputs; `rst_n` is the reset, active low.
///
/// # Panics
///
/// If `row` is not [`in_words`] long.
pub fn pack_inputs<const W: usize>(inputs: &Inputs<W>, rst_n: bool, row: &mut [u32]) {
    InputRow::<W>::pack(&rst_n, inputs, row);
}

/// Returns the inputs of a row, and its `rst_n`. Bits that the table does not name are ignored. Codes without a meaning act as the
/// contract defines, as in the RTL.
///
/// # Panics
///
/// If `row` is not [`in_words`] long.
#[must_use]
#[inline(never)]
pub fn unpack_inputs<const W: usize>(row: &[u32]) -> (Inputs<W>, bool) {
    let mut inputs = Inputs::default();
    let rst_n = read_inputs(row, &mut inputs);
    (inputs, rst_n)
}

/// The same into inputs that are there; every field is written.
#[inline]
pub(crate) fn read_inputs<const W: usize>(row: &[u32], inputs: &mut Inputs<W>) -> bool {
    let mut rst_n = false;
    let read = InputRow::<W>::unpack(&mut rst_n, inputs, row);
    debug_assert_eq!(read, Ok(()), "every code of an input has a value");
    rst_n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::{Lane, Load};

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
}
