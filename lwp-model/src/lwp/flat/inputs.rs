//! Inputs.

use super::{bit, joined, put};
use crate::lwp::{Buffer, Inputs, LOAD_PORTS, Lane, Load, Memory, Mode};

/// Words of an inputs row before the lanes.
pub(super) const COMMON_WORDS: usize = 12;
/// Words of one lane.
pub(super) const LANE_WORDS: usize = 11;

/// Words of an inputs row for a unit with `lanes` retire lanes.
#[must_use]
pub const fn in_words(lanes: usize) -> usize {
    COMMON_WORDS + LANE_WORDS * lanes
}

/// One row of inputs; `rst_n` is the reset, active low.
///
/// # Panics
///
/// If `row` is not [`in_words`] long.
pub fn pack_inputs<const W: usize>(inputs: &Inputs<W>, rst_n: bool, row: &mut [u32]) {
    assert_eq!(row.len(), in_words(W), "an inputs row for {W} lanes");
    let (common, lanes) = row.split_at_mut(COMMON_WORDS);
    let Inputs { mode, partial, lanes: _, buffer, entropy, ctl, mem, pf_ack, irq_ack } = inputs;
    common[0] = joined([
        u32::from(rst_n),
        mode_bits(mode),
        bit(*partial, 7),
        bit(ctl.valid, 8),
        (ctl.op as u32) << 9,
        memory_bits(mem),
        bit(*pf_ack, 16),
        bit(*irq_ack, 17),
        buffer_bits(buffer),
    ]);
    put(common, 1, ctl.wdata);
    put(common, 3, ctl.ds_base);
    put(common, 5, mem.rdata);
    common[7] = u32::from(ctl.word & 15);
    put(common, 8, buffer.fill_ip);
    common[10] = buffer.fill_latency;
    common[11] = *entropy;
    let (lanes, _) = lanes.as_chunks_mut::<LANE_WORDS>();
    for (lane, words) in inputs.lanes.iter().zip(lanes) {
        pack_lane(lane, words);
    }
}

fn mode_bits(mode: &Mode) -> u32 {
    joined([bit(mode.smm, 1), (u32::from(mode.cpl) & 3) << 2, (mode.op_mode as u32) << 4])
}

fn memory_bits(mem: &Memory) -> u32 {
    joined([bit(mem.gnt, 13), bit(mem.rvalid, 14), bit(mem.err, 15)])
}

fn buffer_bits(buffer: &Buffer) -> u32 {
    joined([
        bit(buffer.replay_abort, 18),
        bit(buffer.alloc_valid, 19),
        (u32::from(buffer.alloc_entry) & 7) << 20,
        bit(buffer.fill_valid, 23),
        (u32::from(buffer.fill_entry) & 7) << 24,
        (u32::from(buffer.fill_source) & 7) << 27,
    ])
}

#[inline]
fn pack_lane(lane: &Lane, words: &mut [u32; LANE_WORDS]) {
    // An empty lane is all zeros.
    if !lane.valid && *lane == Lane::default() {
        words.fill(0);
        return;
    }
    let [first, second] = &lane.loads;
    words[0] = joined([
        bit(lane.valid, 0),
        bit(lane.counts, 1),
        (lane.branch_kind as u32) << 2,
        bit(lane.branch_taken, 6),
        bit(lane.branch_pred_valid, 7),
        bit(lane.branch_pred_ok, 8),
        load_bits(first) << 9,
        load_bits(second) << 14,
        bit(first.tagged, 19),
        bit(second.tagged, 20),
    ]);
    put(words, 1, lane.ip);
    put(words, 3, lane.branch_next);
    put(words, 5, first.addr);
    words[7] = first.latency;
    put(words, 8, second.addr);
    words[10] = second.latency;
}

fn load_bits(load: &Load) -> u32 {
    joined([bit(load.miss, 0), bit(load.addr_valid, 1), (u32::from(load.source) & 7) << 2])
}

const _: () = assert!(LOAD_PORTS == 2, "a lane row has two loads");
