//! The unit's ports and registers as rows of 32-bit words, after the table "The flat image" in the book.
//!
//! The RTL's side of the table is `sim-harness/rtl/lwp_flat.sv`. Both are written by hand from the book.

use lwp_model::lwp::{Config, Control, Inputs, LOAD_PORTS, Lane, Load, Memory, Mode, Outputs, State};

/// Words of an outputs-and-probe row.
pub const OUT_WORDS: usize = 53;
/// Words of an inputs row before the lanes.
const COMMON_WORDS: usize = 7;
/// Words of one lane.
const LANE_WORDS: usize = 11;
/// Where the probe begins in an outputs-and-probe row.
const PROBE: usize = 12;

/// Words of an inputs row for a unit with `lanes` retire lanes.
#[must_use]
pub const fn in_words(lanes: usize) -> usize {
    COMMON_WORDS + LANE_WORDS * lanes
}

/// The straps.
#[must_use]
pub fn pack_straps(straps: &Config) -> [u32; 2] {
    let flags = [
        straps.present,
        straps.avail_ire,
        straps.avail_bre,
        straps.avail_dme,
        straps.avail_int,
        straps.latency_filter,
        straps.level_filter,
        straps.data_address,
    ];
    let bits = flags.iter().rev().fold(0, |word, &flag| word << 1 | u32::from(flag));
    [bits | u32::from(straps.core_id) << 8, straps.lfsr_seed]
}

/// One row of inputs; `rst_n` is the reset, active low.
///
/// # Panics
///
/// If `row` is not [`in_words`] long.
pub fn pack_inputs<const W: usize>(inputs: &Inputs<W>, rst_n: bool, row: &mut [u32]) {
    assert_eq!(row.len(), in_words(W), "an inputs row for {W} lanes");
    let (common, lanes) = row.split_at_mut(COMMON_WORDS);
    let Inputs { mode, partial, lanes: _, ctl, mem, pf_ack, irq_ack } = inputs;
    common[0] = u32::from(rst_n)
        | mode_bits(mode)
        | bit(*partial, 7)
        | bit(ctl.valid, 8)
        | (ctl.op as u32) << 9
        | memory_bits(mem)
        | bit(*pf_ack, 15)
        | bit(*irq_ack, 16);
    let Control { wdata, ds_base, .. } = ctl;
    put(common, 1, *wdata);
    put(common, 3, *ds_base);
    put(common, 5, mem.rdata);
    let (lanes, _) = lanes.as_chunks_mut::<LANE_WORDS>();
    for (lane, words) in inputs.lanes.iter().zip(lanes) {
        pack_lane(lane, words);
    }
}

const fn mode_bits(mode: &Mode) -> u32 {
    bit(mode.smm, 1) | (mode.cpl as u32 & 3) << 2 | (mode.op_mode as u32) << 4
}

const fn memory_bits(mem: &Memory) -> u32 {
    bit(mem.gnt, 12) | bit(mem.rvalid, 13) | bit(mem.err, 14)
}

fn pack_lane(lane: &Lane, words: &mut [u32; LANE_WORDS]) {
    // An empty lane is all zeros.
    if !lane.valid && *lane == Lane::default() {
        words.fill(0);
        return;
    }
    let [first, second] = &lane.loads;
    words[0] = bit(lane.valid, 0)
        | bit(lane.counts, 1)
        | (lane.branch_kind as u32) << 2
        | bit(lane.branch_taken, 6)
        | bit(lane.branch_pred_valid, 7)
        | bit(lane.branch_pred_ok, 8)
        | load_bits(first) << 9
        | load_bits(second) << 14;
    put(words, 1, lane.ip);
    put(words, 3, lane.branch_next);
    put(words, 5, first.addr);
    words[7] = first.latency;
    put(words, 8, second.addr);
    words[10] = second.latency;
}

const fn load_bits(load: &Load) -> u32 {
    bit(load.miss, 0) | bit(load.addr_valid, 1) | (load.source as u32 & 7) << 2
}

/// One row of outputs and probe, as the RTL has to show them when the model's registers hold `state`.
///
/// # Panics
///
/// If `row` is not [`OUT_WORDS`] long.
pub fn pack_expected(state: &State, row: &mut [u32]) {
    let row: &mut [u32; OUT_WORDS] = row.try_into().expect("an outputs row");
    pack_outputs(&Outputs::of(state), row);
    pack_session(state, row);
    pack_pipeline(state, row);
    pack_machines(state, row);
}

fn pack_outputs(out: &Outputs, row: &mut [u32; OUT_WORDS]) {
    row[0] = bit(out.stall, 0)
        | bit(out.rsp_valid, 1)
        | (out.rsp_fault as u32) << 2
        | bit(out.rsp_fault_write, 4)
        | bit(out.mem_req, 5)
        | (out.mem_cmd as u32) << 6
        | u32::from(out.mem_be) << 8
        | bit(out.pf_valid, 16)
        | bit(out.pf_write, 17)
        | bit(out.irq, 18);
    put(row, 1, out.rsp_rdata);
    put(row, 3, out.rsp_fault_addr);
    put(row, 5, out.mem_addr);
    put(row, 7, out.mem_wdata);
    put(row, 9, out.pf_addr);
    row[11] = out.msr0;
}

fn pack_session(state: &State, row: &mut [u32; OUT_WORDS]) {
    let session = &state.session;
    row[PROBE] = session.msr0.eax();
    put(row, 13, session.lwpcb);
    row[15] = bit(session.active, 0)
        | bit(session.init_pending, 1)
        | u32::from(session.random) << 2
        | u32::from(state.events[0].slot) << 6
        | u32::from(state.events[1].slot) << 11
        | u32::from(state.events[2].slot) << 16
        | bit(state.candidate.valid, 21)
        | bit(state.candidate.addr_valid, 22)
        | u32::from(state.candidate.source) << 23
        | u32::from(state.record.event) << 26
        | u32::from(state.record.flags) << 28;
    row[16] = session.flags.into_bits();
    put(row, 17, session.base);
    row[19] = session.size;
    row[20] = session.head;
    row[21] = session.tail;
    row[22] = session.threshold;
    row[23] = session.filter.into_bits();
}

fn pack_pipeline(state: &State, row: &mut [u32; OUT_WORDS]) {
    for (index, event) in state.events.iter().enumerate() {
        row[24 + 2 * index] = event.interval;
        row[25 + 2 * index] = event.counter;
    }
    row[30] = state.lfsr;
    row[31] = state.candidate.latency;
    put(row, 32, state.candidate.addr);
    row[34] = state.record.data;
    put(row, 35, state.record.ip);
    put(row, 37, state.record.addr);
}

fn pack_machines(state: &State, row: &mut [u32; OUT_WORDS]) {
    let (port, ctl, requests) = (&state.port, &state.ctl, &state.requests);
    row[39] = state.store_st as u32
        | u32::from(state.store_beat) << 3
        | bit(port.req, 5)
        | bit(port.wait, 6)
        | bit(port.drop, 7)
        | (port.cmd as u32) << 8
        | u32::from(port.be) << 10
        | (ctl.st as u32) << 18
        | (ctl.op as u32) << 21
        | bit(ctl.init, 24)
        | bit(ctl.ring3, 25)
        | u32::from(ctl.idx) << 26;
    row[40] = ctl.fault as u32
        | bit(ctl.fault_write, 2)
        | bit(requests.pf_valid, 3)
        | bit(requests.pf_write, 4)
        | bit(requests.irq, 5);
    put(row, 41, port.addr);
    put(row, 43, port.wdata);
    put(row, 45, ctl.arg);
    put(row, 47, ctl.rdata);
    put(row, 49, ctl.fault_addr);
    put(row, 51, requests.pf_addr);
}

const fn bit(value: bool, index: u32) -> u32 {
    (value as u32) << index
}

#[inline]
fn put(words: &mut [u32], at: usize, value: u64) {
    words[at] = value as u32;
    words[at + 1] = (value >> 32) as u32;
}

const _: () = assert!(LOAD_PORTS == 2, "a lane row has two loads");
