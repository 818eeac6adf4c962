// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Collect: counts the events of the instructions that retire in a cycle, and gathers the records of those that expire.
//
// This module connects the stages that work in the cycle of retirement: miss address buffer, count, select, gather,
// undo.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1 and 2, "Events and Event Records". Contract:
// docs/src/lwp/count-gather.md, docs/src/lwp/mab.md.

module lwp_collect
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4,
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  // Clock: all registers change at its rising edge.
  input  logic                               clk_i,
  // Asynchronous reset, active low.
  input  logic                               rst_ni,

  // Only some straps are used here.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input  config_t                            cfg_i,
  // verilator lint_on UNUSEDSIGNAL

  // The core is in ring 3 and not in System Management Mode.
  input  logic                               ring3_i,
  // The core is in 64-bit mode; otherwise addresses are truncated to 32 bits.
  input  logic                               mode64_i,
  // The core is not stalled: lanes and operations of this cycle are accepted.
  input  logic                               accept_i,
  // A session is active.
  input  logic                               active_i,
  // Per event: the event is selected by a slot and enabled by LWPMSR0.
  input  logic [NumEvents-1:0]               enable_i,
  // Filter word of the block: MinLatency 7:0, CLF 8, NBC 9, RDC 10, RAM 11, OTH 12, NDB 13.
  input  logic [13:0]                        filter_i,
  // The control state machine is idle.
  input  logic                               ctl_idle_i,
  // A page-fault trap is pending.
  input  logic                               pf_valid_i,

  // Only the loads of lane 0 are valid: they belong to the instruction that retires in lane 0 in a later cycle.
  input  logic                               partial_i,
  // Instructions that retire in this cycle; lane 0 is the oldest.
  input  lane_t [RetireLanes-1:0]            lanes_i,
  // A load that missed takes the entry `alloc_entry_i` of the miss address buffer.
  input  logic                               alloc_valid_i,
  // Entry of the miss address buffer that is taken; valid with `alloc_valid_i`.
  input  logic [2:0]                         alloc_entry_i,
  // The data of a load that missed in ring 3 has returned; the load has not retired.
  input  logic                               fill_valid_i,
  // Entry of the miss address buffer whose data has returned; valid with `fill_valid_i`.
  input  logic [2:0]                         fill_entry_i,
  // Linear address of the instruction whose data has returned; valid with `fill_valid_i`.
  input  logic [63:0]                        fill_ip_i,
  // Latency in cycles of the load whose data has returned; valid with `fill_valid_i` if `latency_source` = core.
  input  logic [LatencyW-1:0]                fill_latency_i,
  // Source of the data that has returned; valid with `fill_valid_i`.
  input  source_e                            fill_source_i,
  // The replay of the tagged load was aborted.
  input  logic                               replay_abort_i,
  // Bits 17:16 of the random word.
  input  logic [1:0]                         choice_i,

  // The straps allow several records at a time: `gather_policy` = all and `collision` = delay.
  input  logic                               many_i,
  // records[0] is not empty.
  input  logic                               queued_i,
  // Per event: the event has a record in the queue.
  input  logic [NumEvents-1:0]               queued_events_i,
  // The store is idle, the queue is empty, and nothing is owed.
  input  logic                               stored_i,

  // Slot of the block being loaded.
  input  slot_load_t                         load_i,
  // Per event: the interval was read from the block again.
  input  logic [NumEvents-1:0]               reread_i,
  // Reload of the counter whose record leaves the queue.
  input  reload_t                            reload_i,
  // The instruction that gathered the record is undone.
  input  logic                               undo_i,
  // Per event: a restore writes the counter.
  input  logic [NumEvents-1:0]               restore_i,
  // Per event: restored counter; valid with `restore_i`.
  input  logic [NumEvents-1:0][CounterW-1:0] restore_counter_i,
  // A restore clears what the previous thread left.
  input  logic                               clear_i,
  // Context word 3 is restored: `rotate_i` is the restored index.
  input  logic                               restore_rotate_i,
  // Restored index of the event chosen last; 3 acts as 0. Valid with `restore_rotate_i`.
  input  logic [1:0]                         rotate_i,

  // Per event: a record is gathered in this cycle.
  output logic [NumEvents-1:0]               gather_o,
  // Per event: number of records gathered before its own in this cycle; valid if the event is gathered.
  output logic [NumEvents-1:0][1:0]          rank_o,
  // Per event: record of the event; valid if the event is gathered.
  output record_t [NumEvents-1:0]            record_o,
  // Lanes above `lane_o` have no effect.
  output logic                               cut_o,
  // First lane that gathers; valid if a record is gathered.
  output logic [LaneW-1:0]                   lane_o,

  // Per event: slot, interval and counter.
  output event_t [NumEvents-1:0]             events_o,
  // Index of the event chosen last (`gather_select` = rotating).
  output logic [1:0]                         rotate_o,
  // Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
  output cand_t                              cand_o,
  // Tag: the load that is being replayed for its address.
  output tag_t                               tag_o,
  // The core must abort and replay the load whose data returned in the last cycle.
  output logic                               flush_req_o,
  // The instruction in lane 0 has begun with `partial` cycles (`fault_policy` = fault).
  output logic                               split_o,
  // The instruction that gathered the record can still be undone.
  output logic                               undo_valid_o,
  // Per event: the counter before the instruction that gathered the record; valid with `undo_valid_o`.
  output logic [NumEvents-1:0][CounterW-1:0] undo_o,
  // Free-running cycle counter of the miss address buffer, modulo 16.
  output logic [3:0]                         mab_phase_o,
  // Entries of the miss address buffer.
  output mab_entry_t [MabEntries-1:0]              mab_o
);

  logic run, replay;
  assign run    = ring3_i && active_i;
  assign replay = cfg_i.address_policy == AddressReplay;

  // A fill may be tagged, as far as count does not decide: event 3 has expired and waits for a load.
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
