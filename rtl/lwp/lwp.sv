// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The Lightweight Profiling unit: counts events of the instructions that retire in ring 3, and when a counter expires
// writes a 32-byte record of an instruction into a ring buffer of the running process.
//
// This module connects the stages. It has no registers of its own.
//
//            lanes, misses
//                  |
//        +---------v---------+  counters, Flags  +-------------------+
//        |    lwp_collect    |<------------------|    lwp_command    |<--- LLWPCB, SLWPCB, MSRs,
//        | count, gather     |                   | control, session, |     save, restore
//        +---------+---------+                   | block, context    |
//          records |   ^ reload, undo            +---------+---------+
//        +---------v---+-----+      ring, session          |
//        |    lwp_deliver    |<----------------------------+
//        | queue, store,     |                             |
//        | report, reset     |      +------------+         |
//        +----+---------+----+      |  lwp_port  |<--------+
//             |         +---------->| one access |==== memory
//             v                     +------------+
//            irq        lwp_trap: page-fault request      lwp_retire: stall, cut, drain, address tracking
//
// The unit is a Moore machine with one clock: every output is a function of registers and straps alone, so there is no
// combinational path from an input to an output. All registers reset to 0, asynchronously.
//
// Specification: Lightweight Profiling Proposal (2007-07-20). Contract: docs/src/lwp/.

module lwp
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4,
  // Event slots of the LWPCB (CPUID LWPMaxEvents): 1 to 26.
  parameter int unsigned EventSlots  = 8,
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  // Clock: all registers change at its rising edge.
  input  logic                    clk_i,
  // Asynchronous reset, active low.
  input  logic                    rst_ni,

  // Straps, constant after reset.
  input  config_t                 cfg_i,

  // Current privilege level, 0 to 3.
  input  logic [1:0]              cpl_i,
  // The core is in System Management Mode, or is entering or leaving it.
  input  logic                    smm_i,
  // Operating mode: 0 real, 1 virtual-8086, 2 protected, 3 compatibility, 4 64-bit; 5 to 7 act as 2.
  input  logic [2:0]              op_mode_i,

  // Only the loads of lane 0 are valid: they belong to the instruction that retires in lane 0 in a later cycle.
  input  logic                    partial_i,
  // Instructions that retire in this cycle; lane 0 is the oldest.
  input  lane_t [RetireLanes-1:0] lanes_i,
  // Nothing may retire, and no operation is accepted.
  output logic                    stall_o,
  // The group of the last cycle was cut after the lane `cut_lane_o`.
  output logic                    cut_valid_o,
  // Last accepted lane of the group that was cut; valid with `cut_valid_o`.
  output logic [LaneW-1:0]        cut_lane_o,
  // The core must not leave ring 3 yet.
  output logic                    drain_o,
  // The core must abort and replay the load whose data returned in the last cycle.
  output logic                    flush_req_o,
  // The core must keep the addresses of loads.
  output logic                    addr_track_o,

  // A load that missed takes the entry `alloc_entry_i` of the miss address buffer.
  input  logic                    alloc_valid_i,
  // Entry of the miss address buffer that is taken; valid with `alloc_valid_i`.
  input  logic [2:0]              alloc_entry_i,
  // The data of a load that missed in ring 3 has returned; the load has not retired.
  input  logic                    fill_valid_i,
  // Entry of the miss address buffer whose data has returned; valid with `fill_valid_i`.
  input  logic [2:0]              fill_entry_i,
  // Linear address of the instruction whose data has returned; valid with `fill_valid_i`.
  input  logic [63:0]             fill_ip_i,
  // Latency in cycles of the load whose data has returned; valid with `fill_valid_i` if `latency_source` = core.
  input  logic [LatencyW-1:0]     fill_latency_i,
  // Source of the data that has returned; valid with `fill_valid_i`.
  input  source_e                 fill_source_i,
  // The replay of the tagged load was aborted.
  input  logic                    replay_abort_i,

  // Random bits, new in every cycle; used only with the strap `entropy` = port.
  input  logic [31:0]             entropy_i,

  // An operation is requested; it is accepted in a cycle without a stall.
  input  logic                    ctl_valid_i,
  // Requested operation; valid with `ctl_valid_i`.
  input  ctl_op_e                 ctl_op_i,
  // Number of the context word of a save or restore; valid with `ctl_valid_i`.
  input  logic [3:0]              ctl_word_i,
  // rAX of LLWPCB, or value of a WRMSR or of a restore; valid with `ctl_valid_i`.
  input  logic [63:0]             ctl_wdata_i,
  // Linear base address of DS; valid with `ctl_valid_i`.
  input  logic [63:0]             ctl_ds_base_i,
  // The result of the operation is valid, in this one cycle.
  output logic                    rsp_valid_o,
  // Fault of the operation: 0 none, 1 #UD, 2 #GP(0), 3 #PF; valid with `rsp_valid_o`.
  output fault_e                  rsp_fault_o,
  // A write or a write probe of the operation failed; valid with `rsp_valid_o` and #PF.
  output logic                    rsp_fault_write_o,
  // rAX, value of an RDMSR, or context word of a save; valid with `rsp_valid_o` unless there is a fault.
  output logic [63:0]             rsp_rdata_o,
  // Linear address of the first failing byte; valid with `rsp_valid_o` and #PF.
  output logic [63:0]             rsp_fault_addr_o,

  // A request is pending, until it is granted or withdrawn. All accesses have user rights.
  output logic                    mem_req_o,
  // Command: read, write, or write probe, which tests for write permission. Valid with `mem_req_o`.
  output mem_cmd_e                mem_cmd_o,
  // Bytes of the aligned 8 that are accessed; valid with `mem_req_o`.
  output logic [7:0]              mem_be_o,
  // Linear address, low 3 bits 0; valid with `mem_req_o`.
  output logic [63:0]             mem_addr_o,
  // Data to write in the bytes of `mem_be_o`, 0 in all other bytes; valid with `mem_req_o`.
  output logic [63:0]             mem_wdata_o,
  // Memory takes the pending request in this cycle; ignored if no request is pending.
  input  logic                    mem_gnt_i,
  // The response of the granted access is valid in this cycle.
  input  logic                    mem_rvalid_i,
  // Page fault, nothing was read or written; valid with `mem_rvalid_i`.
  input  logic                    mem_err_i,
  // Aligned 8 bytes that were read; valid with the response of a read.
  input  logic [63:0]             mem_rdata_i,

  // A #PF trap is requested, until `pf_ack_i`.
  output logic                    pf_valid_o,
  // A write failed; valid with `pf_valid_o`.
  output logic                    pf_write_o,
  // A fault rather than a trap: the instruction in lane `cut_lane_o` was undone; valid with `pf_valid_o`.
  output logic                    pf_abort_o,
  // Linear address of the first failing byte; valid with `pf_valid_o`.
  output logic [63:0]             pf_addr_o,
  // The core takes the page-fault trap.
  input  logic                    pf_ack_i,

  // The threshold interrupt is requested, until `irq_ack_i`.
  output logic                    irq_o,
  // The core takes the threshold interrupt.
  input  logic                    irq_ack_i,

  // LWPMSR0, which is CPUID 8000_001C EAX.
  output logic [31:0]             msr0_o,

  // All registers of the unit, for verification. Leave the port open in a product.
  output state_t                  state_o
);

  if ((RetireLanes != 1) && (RetireLanes != 2) && (RetireLanes != 4) && (RetireLanes != 8)) begin : gen_bad_lanes
    $error("RetireLanes must be 1, 2, 4 or 8");
  end
  if ((EventSlots < 1) || (EventSlots > 26)) begin : gen_bad_slots
    $error("EventSlots must be 1 to 26");
  end
  if ((LatencyBits < 10) || (LatencyBits > 31)) begin : gen_bad_latency
    $error("LatencyBits must be 10 to 31");
  end

  ///////////////
  // Registers //
  ///////////////

  session_t                  session;
  block_t                    block;
  ring_t                     ring;
  event_t [NumEvents-1:0]    events;
  logic [31:0]               lfsr;
  logic [1:0]                rotate;
  cand_t                     cand;
  tag_t                      tag;
  undo_t                     undo;
  record_t [RecordQueue-1:0] records;
  logic                      pending;
  store_t                    store;
  port_t                     port;
  ctl_t                      ctl;
  pf_t                       pf;
  irq_t                      irq;
  retire_t                   retire;
  mab_t                      mab;

  // The core is in ring 3, where instructions count.
  logic ring3;
  assign ring3 = (cpl_i == 2'd3) && !smm_i;

  ////////////////
  // Conditions //
  ////////////////

  logic mode64;
  assign mode64 = op_mode_i == Mode64;

  logic                 owed, accept, queued, many, idle, settled;
  logic [NumEvents-1:0] enable, queued_events;

  assign accept = !stall_o;
  assign queued = records[0].event_id != EventNone;
  assign enable = block.flags[NumEvents:1] & session.msr0[NumEvents:1];
  // The straps allow several records at a time.
  assign many   = cfg_i.gather_policy && !cfg_i.collision;
  assign idle   = (store.st == StoreIdle) && !queued && !owed;

  // The unit is settled: store and port are idle, and no store starts.
  assign settled = (store.st == StoreIdle) && !port.req && !port.waiting &&
                   (!ring3 || pf.valid || !session.active || idle);

  // Changes at the end of this cycle, from one stage to another.
  ctl_act_t                           act;
  restore_t                           restore;
  logic                               gone, good, reload_session, ring_load;
  logic [27:0]                        ring_head, ring_tail;
  logic [NumEvents-1:0]               selected, interval_we, restore_counter_we;
  logic [NumEvents-1:0][CounterW-1:0] restore_counter;
  slot_load_t                         slot_load;
  reload_t                            reload;
  logic [NumEvents-1:0]               gather;
  logic [NumEvents-1:0][1:0]          gather_rank;
  record_t [NumEvents-1:0]            gathered;
  logic                               cut;
  logic [LaneW-1:0]                   gather_lane;
  logic [1:0]                         choice;

  // Memory port: accesses that the state machines want, and their responses.
  logic        store_want, store_abandon, store_writeback, ctl_want, ctl_abandon, ctl_writeback;
  access_t     store_access, ctl_access;
  logic        granted, rsp_valid, rsp_err;
  logic [63:0] first_byte;
  logic        store_fault, store_fault_write, store_undo, init_fault, init_fault_write;

  ////////////
  // Stages //
  ////////////

  lwp_collect #(
    .RetireLanes(RetireLanes),
    .LatencyBits(LatencyBits)
  ) u_collect (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .ring3_i          (ring3),
    .mode64_i         (mode64),
    .accept_i         (accept),
    .active_i         (session.active),
    .enable_i         (enable),
    .filter_i         (block.filter),
    .ctl_idle_i       (ctl.st == CtlIdle),
    .pf_valid_i       (pf.valid),
    .partial_i,
    .lanes_i,
    .alloc_valid_i,
    .alloc_entry_i,
    .fill_valid_i,
    .fill_entry_i,
    .fill_ip_i,
    .fill_latency_i,
    .fill_source_i,
    .replay_abort_i,
    .choice_i         (choice),
    .many_i           (many),
    .queued_i         (queued),
    .queued_events_i  (queued_events),
    .stored_i         (idle),
    .load_i           (slot_load),
    .reread_i         (interval_we),
    .reload_i         (reload),
    .undo_i           (store_undo),
    .restore_i        (restore_counter_we),
    .restore_counter_i(restore_counter),
    .clear_i          (restore.clear),
    .restore_rotate_i (restore.counter),
    .rotate_i         (ctl.arg[37:36]),
    .gather_o         (gather),
    .rank_o           (gather_rank),
    .record_o         (gathered),
    .cut_o            (cut),
    .lane_o           (gather_lane),
    .events_o         (events),
    .rotate_o         (rotate),
    .cand_o           (cand),
    .tag_o            (tag),
    .flush_req_o      (retire.flush_req),
    .split_o          (undo.split),
    .undo_valid_o     (undo.valid),
    .undo_o           (undo.counters),
    .mab_phase_o      (mab.phase),
    .mab_o            (mab.entries)
  );

  lwp_deliver #(
    .LatencyBits(LatencyBits)
  ) u_deliver (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .session_i       (session),
    .block_i         (block),
    .ctl_i           (ctl),
    .events_i        (events),
    .pf_valid_i      (pf.valid),
    .undo_valid_i    (undo.valid),
    .ring3_i         (ring3),
    .many_i          (many),
    .owed_i          (owed),
    .entropy_i,
    .gather_i        (gather),
    .rank_i          (gather_rank),
    .record_i        (gathered),
    .act_i           (act),
    .restore_i       (restore),
    .gone_i          (gone),
    .good_i          (good),
    .reload_session_i(reload_session),
    .selected_i      (selected),
    .ring_load_i     (ring_load),
    .ring_head_i     (ring_head),
    .ring_tail_i     (ring_tail),
    .want_o          (store_want),
    .access_o        (store_access),
    .abandon_o       (store_abandon),
    .writeback_o     (store_writeback),
    .port_i          (port),
    .granted_i       (granted),
    .rsp_valid_i     (rsp_valid),
    .rsp_err_i       (rsp_err),
    .rsp_tail_i      (mem_rdata_i[63:32]),
    .fault_o         (store_fault),
    .fault_write_o   (store_fault_write),
    .undo_o          (store_undo),
    .reload_o        (reload),
    .interval_we_o   (interval_we),
    .choice_o        (choice),
    .records_o       (records),
    .pending_o       (pending),
    .queued_events_o (queued_events),
    .store_st_o      (store.st),
    .store_beat_o    (store.beat),
    .ring_o          (ring),
    .lfsr_o          (lfsr),
    .irq_ack_i,
    .irq_o           (irq.valid),
    .irq_count_o     (irq.count)
  );

  lwp_command #(
    .EventSlots(EventSlots)
  ) u_command (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .ring3_i         (ring3),
    .cpl_i,
    .op_mode_i,
    .ctl_valid_i,
    .ctl_op_i,
    .ctl_word_i,
    .ctl_wdata_i,
    .ctl_ds_base_i,
    .accept_i        (accept),
    .settled_i       (settled),
    .pf_valid_i      (pf.valid),
    .ring_i          (ring),
    .events_i        (events),
    .record_i        (records[0]),
    .pending_i       (pending),
    .rotate_i        (rotate),
    .irq_i           (irq.valid),
    .irq_count_i     (irq.count),
    .lfsr_i          (lfsr),
    .want_o          (ctl_want),
    .access_o        (ctl_access),
    .abandon_o       (ctl_abandon),
    .writeback_o     (ctl_writeback),
    .port_i          (port),
    .granted_i       (granted),
    .rsp_valid_i     (rsp_valid),
    .rsp_err_i       (rsp_err),
    .first_byte_i    (first_byte),
    .mem_rdata_i,
    .fault_o         (init_fault),
    .fault_write_o   (init_fault_write),
    .act_o           (act),
    .restore_o       (restore),
    .gone_o          (gone),
    .good_o          (good),
    .reload_session_o(reload_session),
    .selected_o      (selected),
    .ring_load_o     (ring_load),
    .ring_head_o     (ring_head),
    .ring_tail_o     (ring_tail),
    .slot_load_o     (slot_load),
    .counter_we_o    (restore_counter_we),
    .counter_o       (restore_counter),
    .session_o       (session),
    .block_o         (block),
    .ctl_o           (ctl)
  );

  lwp_retire u_retire (
    .clk_i,
    .rst_ni,
    .sync_i      (cfg_i.store_timing),
    .drain_i     (cfg_i.leave_policy == LeaveDrain),
    .next_load_i (cfg_i.address_policy == AddressNext),
    .gate_i      (cfg_i.address_gate),
    .cached_i    (cfg_i.missed_mode),
    .ring3_i     (ring3),
    .cut_i       (cut),
    .cut_lane_i  (gather_lane),
    .ctl_st_i    (ctl.st),
    .store_st_i  (store.st),
    .active_i    (session.active),
    .missed_i    (ring.missed),
    .queued_i    (queued),
    .pending_i   (pending),
    .pf_valid_i  (pf.valid),
    .pf_abort_i  (pf.aborts),
    .dc_expired_i(enable[Dc] && (events[Dc].counter == '0)),
    .was_ring3_o (retire.was_ring3),
    .cut_valid_o (retire.cut_valid),
    .cut_lane_o  (retire.cut_lane),
    .owed_o      (owed),
    .stall_o,
    .drain_o,
    .addr_track_o
  );

  lwp_trap u_trap (
    .clk_i,
    .rst_ni,
    .store_fault_i(store_fault),
    .store_write_i(store_fault_write),
    .store_abort_i(store_undo),
    .ctl_fault_i  (init_fault),
    .ctl_write_i  (init_fault_write),
    .first_byte_i (first_byte),
    .pf_ack_i,
    .pf_o         (pf)
  );

  lwp_port u_port (
    .clk_i,
    .rst_ni,
    .store_want_i  (store_want),
    .store_access_i(store_access),
    .ctl_want_i    (ctl_want),
    .ctl_access_i  (ctl_access),
    .abandon_i     (store_abandon || ctl_abandon),
    .writeback_i   (store_writeback || ctl_writeback),
    .add_i         (ring.missed),
    .mem_gnt_i,
    .mem_rvalid_i,
    .mem_err_i,
    .mem_rdata_i,
    .granted_o     (granted),
    .rsp_valid_o   (rsp_valid),
    .rsp_err_o     (rsp_err),
    .first_byte_o  (first_byte),
    .port_o        (port)
  );

  /////////////
  // Outputs //
  /////////////

  assign cut_valid_o       = retire.cut_valid;
  assign cut_lane_o        = retire.cut_lane;
  assign flush_req_o       = retire.flush_req;
  assign rsp_valid_o       = ctl.st == CtlDone;
  assign rsp_fault_o       = ctl.fault;
  assign rsp_fault_write_o = ctl.fault_write;
  assign rsp_rdata_o       = ctl.rdata;
  assign rsp_fault_addr_o  = ctl.fault_addr;
  assign mem_req_o         = port.req;
  assign mem_cmd_o         = port.cmd;
  assign mem_be_o          = port.be;
  assign mem_addr_o        = port.addr;
  assign mem_wdata_o       = port.wdata;
  assign pf_valid_o        = pf.valid;
  assign pf_write_o        = pf.write;
  assign pf_abort_o        = pf.aborts;
  assign pf_addr_o         = pf.addr;
  assign irq_o             = irq.valid;
  assign msr0_o            = session.msr0;

  assign state_o = '{
    session: session,
    block:   block,
    ring:    ring,
    events:  events,
    lfsr:    lfsr,
    rotate:  rotate,
    cand:    cand,
    tag:     tag,
    undo:    undo,
    records: records,
    pending: pending,
    store:   store,
    port:    port,
    ctl:     ctl,
    pf:      pf,
    irq:     irq,
    retire:  retire,
    mab:     mab
  };

`ifndef SYNTHESIS
  lwp_assert #(
    .RetireLanes(RetireLanes),
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .session_i    (session),
    .block_i      (block),
    .ring_i       (ring),
    .events_i     (events),
    .lfsr_i       (lfsr),
    .rotate_i     (rotate),
    .cand_i       (cand),
    .tag_i        (tag),
    .undo_i       (undo),
    .records_i    (records),
    .pending_i    (pending),
    .store_i      (store),
    .port_i       (port),
    .ctl_i        (ctl),
    .pf_i         (pf),
    .irq_i        (irq),
    .retire_i     (retire),
    .mab_i        (mab),
    .ring3_i      (ring3),
    .mem_gnt_i,
    .irq_ack_i,
    .pf_ack_i,
    .alloc_valid_i,
    .alloc_entry_i,
    .store_want_i (store_want),
    .ctl_want_i   (ctl_want),
    .store_fault_i(store_fault),
    .init_fault_i (init_fault),
    .addr_track_i (addr_track_o),
    .drain_i      (drain_o)
  );
`endif

endmodule
