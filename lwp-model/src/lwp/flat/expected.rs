//! Outputs and probe.

use crate::flat::flat_table;
use crate::lwp::{Config, LatencySource, NUM_EVENTS, Outputs, State};

flat_table! {
    /// Outputs, then probe.
    pub(super) ExpectedRow(outputs: Outputs, state: State): unpack, whole;
    {
        "stall": 1 @ (0, 0) = outputs.stall,
        "rsp_valid": 1 @ (0, 1) = outputs.rsp_valid,
        "rsp_fault": 2 @ (0, 2) = outputs.rsp_fault,
        "rsp_fault_write": 1 @ (0, 4) = outputs.rsp_fault_write,
        "mem_req": 1 @ (0, 5) = outputs.mem_req,
        "mem_cmd": 2 @ (0, 6) = outputs.mem_cmd,
        "mem_be": 8 @ (0, 8) = outputs.mem_be,
        "pf_valid": 1 @ (0, 16) = outputs.pf_valid,
        "pf_write": 1 @ (0, 17) = outputs.pf_write,
        "irq": 1 @ (0, 18) = outputs.irq,
        "pf_abort": 1 @ (0, 19) = outputs.pf_abort,
        "drain": 1 @ (0, 20) = outputs.drain,
        "flush_req": 1 @ (0, 21) = outputs.flush_req,
        "addr_track": 1 @ (0, 22) = outputs.addr_track,
        "cut_valid": 1 @ (0, 23) = outputs.cut_valid,
        "cut_lane": 3 @ (0, 24) = outputs.cut_lane,
        "rsp_rdata": 64 @ (1, 0) = outputs.rsp_rdata,
        "rsp_fault_addr": 64 @ (3, 0) = outputs.rsp_fault_addr,
        "mem_addr": 64 @ (5, 0) = outputs.mem_addr,
        "mem_wdata": 64 @ (7, 0) = outputs.mem_wdata,
        "pf_addr": 64 @ (9, 0) = outputs.pf_addr,
        "msr0": 32 @ (11, 0) = outputs.msr0,
        "state.msr0": 32 @ (12, 0) = state.session.msr0,
        "state.lwpcb": 64 @ (13, 0) = state.session.lwpcb,
        "state.active": 1 @ (15, 0) = state.session.active,
        "state.init_pending": 1 @ (15, 1) = state.session.init_pending,
        "state.reload": 1 @ (15, 2) = state.session.reload,
        "state.random": 4 @ (15, 3) = state.block.random,
        "state.events[0].slot": 5 @ (15, 7) = state.events[0].slot,
        "state.events[1].slot": 5 @ (15, 12) = state.events[1].slot,
        "state.events[2].slot": 5 @ (15, 17) = state.events[2].slot,
        "state.cand_valid": 1 @ (15, 22) = state.cand.valid,
        "state.cand_addr_valid": 1 @ (15, 23) = state.cand.addr_valid,
        "state.cand_source": 3 @ (15, 24) = state.cand.source,
        "state.rotate": 2 @ (15, 27) = state.rotate,
        "state.pending": 1 @ (15, 29) = state.pending,
        "state.split": 1 @ (15, 30) = state.undo.split,
        "state.undo_valid": 1 @ (15, 31) = state.undo.valid,
        "state.flags": 32 @ (16, 0) = state.block.flags,
        "state.base": 64 @ (17, 0) = state.block.base,
        "state.size": 28 @ (19, 0) = state.block.size,
        "state.head": 28 @ (20, 0) = state.ring.head,
        "state.tail": 28 @ (21, 0) = state.ring.tail,
        "state.threshold": 32 @ (22, 0) = state.block.threshold,
        "state.filter": 14 @ (23, 0) = state.block.filter,
        "state.tail_skip": 4 @ (23, 16) = state.ring.tail_skip,
        "state.events[0].interval": 26 @ (24, 0) = state.events[0].interval,
        "state.events[0].counter": 26 @ (25, 0) = state.events[0].counter,
        "state.events[1].interval": 26 @ (26, 0) = state.events[1].interval,
        "state.events[1].counter": 26 @ (27, 0) = state.events[1].counter,
        "state.events[2].interval": 26 @ (28, 0) = state.events[2].interval,
        "state.events[2].counter": 26 @ (29, 0) = state.events[2].counter,
        "state.lfsr": 32 @ (30, 0) = state.lfsr,
        "state.cand_latency": 31 @ (31, 0) = state.cand.latency,
        "state.cand_addr": 64 @ (32, 0) = state.cand.addr,
        "state.missed": 16 @ (34, 0) = state.ring.missed,
        "state.irq_count": 8 @ (34, 16) = state.irq.count,
        "state.was_ring3": 1 @ (34, 24) = state.retire.was_ring3,
        "state.flush_req": 1 @ (34, 25) = state.retire.flush_req,
        "state.cut_valid": 1 @ (34, 26) = state.retire.cut_valid,
        "state.cut_lane": 3 @ (34, 27) = state.retire.cut_lane,
        "state.undo[0]": 26 @ (35, 0) = state.undo.counters[0],
        "state.undo[1]": 26 @ (36, 0) = state.undo.counters[1],
        "state.undo[2]": 26 @ (37, 0) = state.undo.counters[2],
        "state.records[0].event": 2 @ (38, 0) = state.records[0].event,
        "state.records[0].flags": 4 @ (38, 2) = state.records[0].flags,
        "state.records[1].event": 2 @ (38, 6) = state.records[1].event,
        "state.records[1].flags": 4 @ (38, 8) = state.records[1].flags,
        "state.records[2].event": 2 @ (38, 12) = state.records[2].event,
        "state.records[2].flags": 4 @ (38, 14) = state.records[2].flags,
        "state.tag_valid": 1 @ (38, 18) = state.tag.valid,
        "state.tag_source": 3 @ (38, 19) = state.tag.source,
        "state.mab_phase": 4 @ (38, 22) = state.mab.phase,
        "state.records[0].data": 31 @ (39, 0) = state.records[0].data,
        "state.records[0].ip": 64 @ (40, 0) = state.records[0].ip,
        "state.records[0].addr": 64 @ (42, 0) = state.records[0].addr,
        "state.records[1].data": 31 @ (44, 0) = state.records[1].data,
        "state.records[1].ip": 64 @ (45, 0) = state.records[1].ip,
        "state.records[1].addr": 64 @ (47, 0) = state.records[1].addr,
        "state.records[2].data": 31 @ (49, 0) = state.records[2].data,
        "state.records[2].ip": 64 @ (50, 0) = state.records[2].ip,
        "state.records[2].addr": 64 @ (52, 0) = state.records[2].addr,
        "state.tag_latency": 31 @ (54, 0) = state.tag.latency,
        "state.tag_ip": 64 @ (55, 0) = state.tag.ip,
        "state.mab[0].latency": 31 @ (57, 0) = state.mab.entries[0].latency,
        "state.mab[0].counting": 1 @ (57, 31) = state.mab.entries[0].counting,
        "state.mab[1].latency": 31 @ (58, 0) = state.mab.entries[1].latency,
        "state.mab[1].counting": 1 @ (58, 31) = state.mab.entries[1].counting,
        "state.mab[2].latency": 31 @ (59, 0) = state.mab.entries[2].latency,
        "state.mab[2].counting": 1 @ (59, 31) = state.mab.entries[2].counting,
        "state.mab[3].latency": 31 @ (60, 0) = state.mab.entries[3].latency,
        "state.mab[3].counting": 1 @ (60, 31) = state.mab.entries[3].counting,
        "state.mab[4].latency": 31 @ (61, 0) = state.mab.entries[4].latency,
        "state.mab[4].counting": 1 @ (61, 31) = state.mab.entries[4].counting,
        "state.mab[5].latency": 31 @ (62, 0) = state.mab.entries[5].latency,
        "state.mab[5].counting": 1 @ (62, 31) = state.mab.entries[5].counting,
        "state.mab[6].latency": 31 @ (63, 0) = state.mab.entries[6].latency,
        "state.mab[6].counting": 1 @ (63, 31) = state.mab.entries[6].counting,
        "state.mab[7].latency": 31 @ (64, 0) = state.mab.entries[7].latency,
        "state.mab[7].counting": 1 @ (64, 31) = state.mab.entries[7].counting,
        "state.store_st": 4 @ (65, 0) = state.store.st,
        "state.store_beat": 2 @ (65, 4) = state.store.beat,
        "state.mem_req": 1 @ (65, 6) = state.port.req,
        "state.mem_wait": 1 @ (65, 7) = state.port.wait,
        "state.mem_drop": 1 @ (65, 8) = state.port.drop,
        "state.mem_cmd": 2 @ (65, 9) = state.port.cmd,
        "state.mem_be": 8 @ (65, 11) = state.port.be,
        "state.ctl_st": 3 @ (65, 19) = state.ctl.st,
        "state.ctl_op": 4 @ (65, 22) = state.ctl.op,
        "state.ctl_init": 1 @ (65, 26) = state.ctl.init,
        "state.ctl_ring3": 1 @ (65, 27) = state.ctl.ring3,
        "state.ctl_idx": 5 @ (66, 0) = state.ctl.idx,
        "state.ctl_fault": 2 @ (66, 5) = state.ctl.fault,
        "state.ctl_fault_write": 1 @ (66, 7) = state.ctl.fault_write,
        "state.pf_valid": 1 @ (66, 8) = state.pf.valid,
        "state.pf_write": 1 @ (66, 9) = state.pf.write,
        "state.pf_abort": 1 @ (66, 10) = state.pf.abort,
        "state.irq": 1 @ (66, 11) = state.irq.valid,
        "state.ctl_allow": 3 @ (66, 12) = state.block.allow,
        "state.ctl_old": 1 @ (66, 15) = state.ctl.old,
        "state.mem_addr": 64 @ (67, 0) = state.port.addr,
        "state.mem_wdata": 64 @ (69, 0) = state.port.wdata,
        "state.ctl_arg": 64 @ (71, 0) = state.ctl.arg,
        "state.ctl_rdata": 64 @ (73, 0) = state.ctl.rdata,
        "state.ctl_fault_addr": 64 @ (75, 0) = state.ctl.fault_addr,
        "state.pf_addr": 64 @ (77, 0) = state.pf.addr,
    }
}

/// Words of an outputs-and-probe row.
pub const OUT_WORDS: usize = ExpectedRow::WORDS;

/// Fills the row of outputs and probe that the RTL must show when the model's registers hold `state`.
///
/// # Panics
///
/// If `row` is not [`OUT_WORDS`] long.
#[inline(never)]
pub fn pack_expected(state: &State, straps: &Config, row: &mut [u32]) {
    ExpectedRow::pack(&Outputs::of(state, straps), state, row);
}

/// Returns outputs and registers of a row that the RTL has shown. A field with a code that has no meaning reads as its value after
/// reset; a comparison of rows still detects the difference.
///
/// # Panics
///
/// If `row` is not [`OUT_WORDS`] long.
#[must_use]
pub fn unpack_shown(row: &[u32]) -> (Outputs, State) {
    let (mut outputs, mut state) = (Outputs::default(), State::default());
    let _ = ExpectedRow::unpack(&mut outputs, &mut state, row);
    (outputs, state)
}

/// Updates the row of another cycle to the present one, if in all cycles between them the unit only [counts](crate::lwp::Lwp::step_counting).
#[inline]
pub(super) fn pack_counters(state: &State, straps: &Config, row: &mut [u32; OUT_WORDS]) {
    if straps.latency_source == LatencySource::Buffer {
        pack_expected(state, straps, row);
        return;
    }
    for (event, word) in state.events.iter().zip(COUNTERS) {
        row[word] = event.counter;
    }
}

/// Words of the counters. Each counter has a word to itself.
const COUNTERS: [usize; NUM_EVENTS] = [25, 27, 29];
