// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The parts of the unit and the wires between them. All that leaves it are registers, and what the core is told about
// retirement.
//
// Specification: Lightweight Profiling Proposal (2007-07-20). Contract: docs/src/lwp/README.md, "The shape".

module lwp_parts
  import lwp_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned EventSlots  = 8,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  config_t                            cfg_i,
  input  logic [1:0]                         cpl_i,
  input  logic                               smm_i,
  input  logic [2:0]                         op_mode_i,
  input  logic                               partial_i,
  input  lane_t [RetireLanes-1:0]            lanes_i,
  input  logic                               alloc_valid_i,
  input  logic [2:0]                         alloc_entry_i,
  input  logic                               fill_valid_i,
  input  logic [2:0]                         fill_entry_i,
  input  logic [63:0]                        fill_ip_i,
  input  logic [LatencyW-1:0]                fill_latency_i,
  input  source_e                            fill_source_i,
  input  logic                               replay_abort_i,
  input  logic [31:0]                        entropy_i,
  input  logic                               ctl_valid_i,
  input  ctl_op_e                            ctl_op_i,
  input  logic [3:0]                         ctl_word_i,
  input  logic [63:0]                        ctl_wdata_i,
  input  logic [63:0]                        ctl_ds_base_i,
  input  logic                               mem_gnt_i,
  input  logic                               mem_rvalid_i,
  input  logic                               mem_err_i,
  input  logic [63:0]                        mem_rdata_i,
  input  logic                               pf_ack_i,
  input  logic                               irq_ack_i,

  // What the core is told.
  output logic                               stall_o,
  output logic                               drain_o,
  output logic                               addr_track_o,

  // Registers.
  output session_t                           session_o,
  output block_t                             block_o,
  output ring_t                              ring_o,
  output event_t [NumEvents-1:0]             events_o,
  output logic [31:0]                        lfsr_o,
  output logic [1:0]                         rotate_o,
  output cand_t                              cand_o,
  output tag_t                               tag_o,
  output logic                               split_o,
  output logic                               undo_valid_o,
  output logic [NumEvents-1:0][CounterW-1:0] undo_o,
  output record_t [RecordQueue-1:0]          records_o,
  output logic                               pending_o,
  output store_st_e                          store_st_o,
  output logic [1:0]                         store_beat_o,
  output port_t                              port_o,
  output ctl_t                               ctl_o,
  output pf_t                                pf_o,
  output logic                               irq_o,
  output logic [7:0]                         irq_count_o,
  output logic                               was_ring3_o,
  output logic                               flush_req_o,
  output logic                               cut_valid_o,
  output logic [LaneW-1:0]                   cut_lane_o,
  output logic [3:0]                         mab_phase_o,
  output mab_t [MabEntries-1:0]              mab_o
);

  logic ring3, mode64;
  assign ring3  = (cpl_i == 2'd3) && !smm_i;
  assign mode64 = op_mode_i == Mode64;

  ////////////////
  // Conditions //
  ////////////////

  logic                 owed, accept, queued, many, idle, settled;
  logic [NumEvents-1:0] enable, queued_events;

  assign accept = !stall_o;
  assign queued = records_o[0].event_id != EventNone;
  assign enable = block_o.flags[NumEvents:1] & session_o.msr0[NumEvents:1];
  // Several records at a time.
  assign many   = cfg_i.gather_policy && !cfg_i.collision;
  assign idle   = (store_st_o == StoreIdle) && !queued && !owed;

  // The store machine has nothing to do, and will have nothing.
  assign settled = (store_st_o == StoreIdle) && !port_o.req && !port_o.waiting &&
                   (!ring3 || pf_o.valid || !session_o.active || idle);

  // What happens at the end of the cycle.
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

  // Port.
  logic        store_want, store_abandon, store_writeback, ctl_want, ctl_abandon, ctl_writeback;
  access_t     store_access, ctl_access;
  logic        granted, rsp_valid, rsp_err;
  logic [63:0] first_byte;
  logic        store_fault, store_fault_write, store_undo, init_fault, init_fault_write;

  ///////////
  // Parts //
  ///////////

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
    .active_i         (session_o.active),
    .enable_i         (enable),
    .filter_i         (block_o.filter),
    .ctl_idle_i       (ctl_o.st == CtlIdle),
    .pf_valid_i       (pf_o.valid),
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
    .rotate_i         (ctl_o.arg[37:36]),
    .gather_o         (gather),
    .rank_o           (gather_rank),
    .record_o         (gathered),
    .cut_o            (cut),
    .lane_o           (gather_lane),
    .events_o         (events_o),
    .rotate_o         (rotate_o),
    .cand_o           (cand_o),
    .tag_o            (tag_o),
    .flush_req_o      (flush_req_o),
    .split_o          (split_o),
    .undo_valid_o     (undo_valid_o),
    .undo_o           (undo_o),
    .mab_phase_o      (mab_phase_o),
    .mab_o            (mab_o)
  );

  lwp_deliver #(
    .LatencyBits(LatencyBits)
  ) u_deliver (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .session_i       (session_o),
    .block_i         (block_o),
    .ctl_i           (ctl_o),
    .events_i        (events_o),
    .pf_valid_i      (pf_o.valid),
    .undo_valid_i    (undo_valid_o),
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
    .port_i          (port_o),
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
    .records_o       (records_o),
    .pending_o       (pending_o),
    .queued_events_o (queued_events),
    .store_st_o      (store_st_o),
    .store_beat_o    (store_beat_o),
    .ring_o          (ring_o),
    .lfsr_o          (lfsr_o),
    .irq_ack_i,
    .irq_o           (irq_o),
    .irq_count_o     (irq_count_o)
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
    .pf_valid_i      (pf_o.valid),
    .ring_i          (ring_o),
    .events_i        (events_o),
    .record_i        (records_o[0]),
    .pending_i       (pending_o),
    .rotate_i        (rotate_o),
    .irq_i           (irq_o),
    .irq_count_i     (irq_count_o),
    .lfsr_i          (lfsr_o),
    .want_o          (ctl_want),
    .access_o        (ctl_access),
    .abandon_o       (ctl_abandon),
    .writeback_o     (ctl_writeback),
    .port_i          (port_o),
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
    .session_o       (session_o),
    .block_o         (block_o),
    .ctl_o           (ctl_o)
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
    .ctl_st_i    (ctl_o.st),
    .store_st_i  (store_st_o),
    .active_i    (session_o.active),
    .missed_i    (ring_o.missed),
    .queued_i    (queued),
    .pending_i   (pending_o),
    .pf_valid_i  (pf_o.valid),
    .pf_abort_i  (pf_o.aborts),
    .dc_expired_i(enable[Dc] && (events_o[Dc].counter == '0)),
    .was_ring3_o (was_ring3_o),
    .cut_valid_o (cut_valid_o),
    .cut_lane_o  (cut_lane_o),
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
    .pf_o         (pf_o)
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
    .add_i         (ring_o.missed),
    .mem_gnt_i,
    .mem_rvalid_i,
    .mem_err_i,
    .mem_rdata_i,
    .granted_o     (granted),
    .rsp_valid_o   (rsp_valid),
    .rsp_err_o     (rsp_err),
    .first_byte_o  (first_byte),
    .port_o        (port_o)
  );

`ifndef SYNTHESIS
  lwp_assert #(
    .RetireLanes(RetireLanes),
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .session_i    (session_o),
    .block_i      (block_o),
    .ring_i       (ring_o),
    .events_i     (events_o),
    .lfsr_i       (lfsr_o),
    .rotate_i     (rotate_o),
    .cand_i       (cand_o),
    .tag_i        (tag_o),
    .split_i      (split_o),
    .undo_valid_i (undo_valid_o),
    .undo_i       (undo_o),
    .records_i    (records_o),
    .pending_i    (pending_o),
    .store_st_i   (store_st_o),
    .store_beat_i (store_beat_o),
    .port_i       (port_o),
    .ctl_i        (ctl_o),
    .pf_i         (pf_o),
    .irq_i        (irq_o),
    .irq_count_i  (irq_count_o),
    .was_ring3_i  (was_ring3_o),
    .flush_req_i  (flush_req_o),
    .cut_valid_i  (cut_valid_o),
    .cut_lane_i   (cut_lane_o),
    .mab_phase_i  (mab_phase_o),
    .mab_i        (mab_o),
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
