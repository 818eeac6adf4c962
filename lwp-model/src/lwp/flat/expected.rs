//! Outputs and probe.

use super::{bit, joined, put};
use crate::lwp::{Config, LatencySource, Outputs, State};

/// Words of an outputs-and-probe row.
pub const OUT_WORDS: usize = 79;
/// Where the probe begins in an outputs-and-probe row.
const PROBE: usize = 12;

/// One row of outputs and probe, as the RTL has to show them when the model's registers hold `state`.
///
/// # Panics
///
/// If `row` is not [`OUT_WORDS`] long.
pub fn pack_expected(state: &State, straps: &Config, row: &mut [u32]) {
    let row: &mut [u32; OUT_WORDS] = row.try_into().expect("an outputs row");
    pack_outputs(&Outputs::of(state, straps), row);
    pack_session(state, row);
    pack_events(state, row);
    pack_records(state, row);
    pack_buffer(state, row);
    pack_machines(state, row);
    pack_requests(state, row);
}

/// The same row after a cycle in which the unit did no more than [count](crate::lwp::Lwp::step_counting).
pub(super) fn pack_counters(state: &State, straps: &Config, row: &mut [u32; OUT_WORDS]) {
    for (index, event) in state.events.iter().enumerate() {
        row[25 + 2 * index] = event.counter;
    }
    if straps.latency_source == LatencySource::Buffer {
        pack_records(state, row);
        pack_buffer(state, row);
    }
}

fn pack_outputs(out: &Outputs, row: &mut [u32; OUT_WORDS]) {
    row[0] = joined([
        bit(out.stall, 0),
        bit(out.rsp_valid, 1),
        (out.rsp_fault as u32) << 2,
        bit(out.rsp_fault_write, 4),
        bit(out.mem_req, 5),
        (out.mem_cmd as u32) << 6,
        u32::from(out.mem_be) << 8,
        bit(out.pf_valid, 16),
        bit(out.pf_write, 17),
        bit(out.irq, 18),
        bit(out.pf_abort, 19),
        bit(out.drain, 20),
        bit(out.flush_req, 21),
        bit(out.addr_track, 22),
        bit(out.cut_valid, 23),
        u32::from(out.cut_lane) << 24,
    ]);
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
    row[15] = joined([
        bit(session.active, 0),
        bit(session.init_pending, 1),
        bit(session.reload, 2),
        u32::from(session.random) << 3,
        u32::from(state.events[0].slot) << 7,
        u32::from(state.events[1].slot) << 12,
        u32::from(state.events[2].slot) << 17,
        bit(state.candidate.valid, 22),
        bit(state.candidate.addr_valid, 23),
        u32::from(state.candidate.source) << 24,
        u32::from(state.rotate) << 27,
        bit(state.pending, 29),
        bit(state.undo.split, 30),
        bit(state.undo.valid, 31),
    ]);
    row[16] = session.flags.into_bits();
    put(row, 17, session.base);
    row[19] = session.size;
    row[20] = session.head;
    row[21] = session.tail;
    row[22] = session.threshold;
    row[23] = joined([session.filter.into_bits(), u32::from(session.tail_skip) << 16]);
}

fn pack_events(state: &State, row: &mut [u32; OUT_WORDS]) {
    for (index, event) in state.events.iter().enumerate() {
        row[24 + 2 * index] = event.interval;
        row[25 + 2 * index] = event.counter;
    }
    row[30] = state.lfsr;
    row[31] = state.candidate.latency;
    put(row, 32, state.candidate.addr);
    row[34] = joined([
        u32::from(state.session.missed),
        u32::from(state.requests.irq_count) << 16,
        bit(state.retire.was_ring3, 24),
        bit(state.retire.flush_req, 25),
        bit(state.retire.cut_valid, 26),
        u32::from(state.retire.cut_lane) << 27,
    ]);
    row[35..38].copy_from_slice(&state.undo.counters);
}

fn pack_records(state: &State, row: &mut [u32; OUT_WORDS]) {
    row[38] = joined([bit(state.tag.valid, 18), u32::from(state.tag.source) << 19, u32::from(state.mab.phase) << 22]);
    for (index, record) in state.records.iter().enumerate() {
        row[38] = joined([row[38], u32::from(record.event) << (6 * index), u32::from(record.flags) << (6 * index + 2)]);
        row[39 + 5 * index] = record.data;
        put(row, 40 + 5 * index, record.ip);
        put(row, 42 + 5 * index, record.addr);
    }
}

fn pack_buffer(state: &State, row: &mut [u32; OUT_WORDS]) {
    row[54] = state.tag.latency;
    put(row, 55, state.tag.ip);
    for (word, entry) in row[57..65].iter_mut().zip(&state.mab.entries) {
        *word = joined([entry.latency, bit(entry.counting, 31)]);
    }
}

fn pack_machines(state: &State, row: &mut [u32; OUT_WORDS]) {
    let (port, ctl) = (&state.port, &state.ctl);
    row[65] = joined([
        state.store_st as u32,
        u32::from(state.store_beat) << 4,
        bit(port.req, 6),
        bit(port.wait, 7),
        bit(port.drop, 8),
        (port.cmd as u32) << 9,
        u32::from(port.be) << 11,
        (ctl.st as u32) << 19,
        (ctl.op as u32) << 22,
        bit(ctl.init, 26),
        bit(ctl.ring3, 27),
    ]);
    put(row, 67, port.addr);
    put(row, 69, port.wdata);
    put(row, 71, ctl.arg);
    put(row, 73, ctl.rdata);
    put(row, 75, ctl.fault_addr);
}

fn pack_requests(state: &State, row: &mut [u32; OUT_WORDS]) {
    let (ctl, requests) = (&state.ctl, &state.requests);
    row[66] = joined([
        u32::from(ctl.idx),
        (ctl.fault as u32) << 5,
        bit(ctl.fault_write, 7),
        bit(requests.pf_valid, 8),
        bit(requests.pf_write, 9),
        bit(requests.pf_abort, 10),
        bit(requests.irq, 11),
        u32::from(ctl.allow) << 12,
        bit(ctl.old, 15),
    ]);
    put(row, 77, requests.pf_addr);
}
