// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Collect: what happens to an instruction in the cycle in which it retires. Miss address buffer, count, select, gather,
// and the way back of an instruction that is undone.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1 and 2, "Events and Event Records". Contract:
// docs/src/lwp/count-gather.md, docs/src/lwp/mab.md.

module lwp_collect
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  // Straps of other parts.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t                            cfg_i,
  // verilator lint_on UNUSEDSIGNAL

  input  logic                               ring3_i,
  input  logic                               mode64_i,
  input  logic                               accept_i,
  input  logic                               active_i,
  // Event e is selected by a slot and enabled by LWPMSR0.
  input  logic [NumEvents-1:0]               enable_i,
  input  logic [13:0]                        filter_i,
  input  logic                               ctl_idle_i,
  input  logic                               pf_valid_i,

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
  // Bits 17:16 of the random word.
  input  logic [1:0]                         choice_i,

  // The queue: several records fit; there is a record; events that have one; nothing is under way.
  input  logic                               many_i,
  input  logic                               queued_i,
  input  logic [NumEvents-1:0]               queued_events_i,
  input  logic                               stored_i,

  // What else happens to the events, and to the choice among them.
  input  slot_load_t                         load_i,
  input  logic [NumEvents-1:0]               reread_i,
  input  reload_t                            reload_i,
  input  logic                               undo_i,
  input  logic [NumEvents-1:0]               restore_i,
  input  logic [NumEvents-1:0][CounterW-1:0] restore_counter_i,
  input  logic                               clear_i,
  input  logic                               restore_rotate_i,
  input  logic [1:0]                         rotate_i,

  // Gathered in this cycle: which events, after how many others, what.
  output logic [NumEvents-1:0]               gather_o,
  output logic [NumEvents-1:0][1:0]          rank_o,
  output record_t [NumEvents-1:0]            record_o,
  // The first lane that gathers; those above it have no effect.
  output logic                               cut_o,
  output logic [LaneW-1:0]                   lane_o,

  output event_t [NumEvents-1:0]             events_o,
  output logic [1:0]                         rotate_o,
  output cand_t                              cand_o,
  output tag_t                               tag_o,
  output logic                               flush_req_o,
  output logic                               split_o,
  output logic                               undo_valid_o,
  output logic [NumEvents-1:0][CounterW-1:0] undo_o,
  output logic [3:0]                         mab_phase_o,
  output mab_entry_t [MabEntries-1:0]              mab_o
);

  logic run, replay;
  assign run    = ring3_i && active_i;
  assign replay = cfg_i.address_policy == AddressReplay;

  // A fill may be tagged: the DCache-miss event waits for a load.
  logic ready;
  assign ready = ctl_idle_i && !pf_valid_i && enable_i[Dc] && (events_o[Dc].counter == '0) && !queued_events_i[Dc];

  logic [MabEntries-1:0][LatencyBits-1:0]  mab_report;
  logic [LatencyBits-1:0]                  mab_fill;
  logic [NumEvents-1:0][RetireLanes-1:0]   expire, gather_lane;
  logic [RetireLanes-1:0]                  load_addr_valid;
  logic [RetireLanes-1:0][2:0]             load_source;
  logic [RetireLanes-1:0][LatencyBits-1:0] load_latency;
  logic [RetireLanes-1:0][63:0]            load_addr;
  logic                                    gather_any;
  logic [NumEvents-1:0][CounterW-1:0]      undo_before;

  lwp_mab #(
    .LatencyBits(LatencyBits)
  ) u_mab (
    .clk_i,
    .rst_ni,
    .buffer_i      (cfg_i.latency_source),
    .step16_i      (cfg_i.latency_step),
    .free_i        (cfg_i.latency_phase),
    .alloc_valid_i,
    .alloc_entry_i,
    .fill_valid_i,
    .fill_entry_i,
    .phase_o       (mab_phase_o),
    .mab_o,
    .report_o      (mab_report),
    .fill_latency_o(mab_fill)
  );

  lwp_count #(
    .RetireLanes(RetireLanes),
    .LatencyBits(LatencyBits)
  ) u_count (
    .clk_i,
    .rst_ni,
    .latency_filter_i (cfg_i.latency_filter),
    .level_filter_i   (cfg_i.level_filter),
    .target_next_i    (cfg_i.gather_target),
    .address_policy_i (cfg_i.address_policy),
    .buffer_i         (cfg_i.latency_source),
    .accept_i,
    .ring3_i,
    .active_i,
    .enable_i,
    .filter_i,
    .partial_i,
    .lanes_i,
    .cut_i            (cut_o),
    .lane_i           (lane_o),
    .undo_i,
    .undo_counter_i   (undo_o),
    .before_o         (undo_before),
    .load_i           (load_i.selects),
    .load_keep_i      (load_i.keep),
    .load_slot_i      (load_i.slot),
    .load_counter_i   (load_i.counter),
    .reread_i,
    .interval_i       (load_i.interval),
    .reload_i         (reload_i.valid),
    .reload_keep_i    (reload_i.keep),
    .reload_bits_i    (reload_i.bits),
    .restore_i,
    .restore_counter_i,
    .fill_valid_i,
    .fill_ip_i,
    .fill_latency_i,
    .fill_source_i,
    .replay_abort_i,
    .ready_i          (ready),
    .mab_report_i     (mab_report),
    .mab_fill_i       (mab_fill),
    .events_o,
    .cand_o,
    .tag_o,
    .flush_req_o,
    .expire_o         (expire),
    .load_addr_valid_o(load_addr_valid),
    .load_source_o    (load_source),
    .load_latency_o   (load_latency),
    .load_addr_o      (load_addr)
  );

  lwp_select #(
    .RetireLanes(RetireLanes)
  ) u_select (
    .clk_i,
    .rst_ni,
    .single_i        (!many_i),
    .one_per_instr_i (cfg_i.one_per_instr),
    .sync_i          (cfg_i.store_timing),
    .gather_select_i (cfg_i.gather_select),
    .enable_i        (accept_i && run && !partial_i && !pf_valid_i),
    .expire_i        (expire),
    .queued_i        (queued_events_i),
    .full_i          (queued_i),
    .slot_i          ({events_o[Dc].slot, events_o[Br].slot, events_o[Ins].slot}),
    .random_i        (choice_i),
    .clear_i,
    .restore_i       (restore_rotate_i),
    .restore_rotate_i(rotate_i),
    .gather_o,
    .lane_o          (gather_lane),
    .rank_o,
    .any_o           (gather_any),
    .first_o         (lane_o),
    .cut_o,
    .rotate_o
  );

  lwp_gather #(
    .RetireLanes(RetireLanes),
    .LatencyBits(LatencyBits)
  ) u_gather (
    .data_source_i    (cfg_i.data_source),
    .data_address_i   (cfg_i.address_policy != AddressNone),
    .replay_i         (replay),
    .prediction_i     (cfg_i.prediction),
    .mode64_i,
    .lanes_i,
    .gather_i         (gather_o),
    .lane_i           (gather_lane),
    .load_addr_valid_i(load_addr_valid),
    .load_source_i    (load_source),
    .load_latency_i   (load_latency),
    .load_addr_i      (load_addr),
    .cand_i           (cand_o),
    .tag_ip_i         (tag_o.ip),
    .record_o
  );

  lwp_undo u_undo (
    .clk_i,
    .rst_ni,
    .fault_policy_i(cfg_i.fault_policy == PolicyFault),
    .run_i         (run),
    .accept_i,
    .partial_i,
    .oldest_i      (lanes_i[0].valid),
    .gather_i      (gather_any),
    .lane0_i       (lane_o == '0),
    .before_i      (undo_before),
    .events_i      (events_o),
    .stored_i,
    .undo_i,
    .split_o,
    .undo_valid_o,
    .undo_o
  );

`ifndef SYNTHESIS
  lwp_assert_gather #(
    .RetireLanes(RetireLanes)
  ) u_assert_gather (
    .clk_i,
    .rst_ni,
    .one_per_instr_i(cfg_i.one_per_instr),
    .many_i,
    .sync_i         (cfg_i.store_timing),
    .mode64_i,
    .counting_i     (accept_i && run),
    .enable_i,
    .queued_i       (queued_events_i),
    .lanes_i,
    .gather_i       (gather_o),
    .lane_i         (gather_lane),
    .rank_i         (rank_o),
    .record_i       (record_o)
  );
`endif

endmodule
