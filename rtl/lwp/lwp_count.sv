// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Count: filters the loads, counts the occurrences of each event, and finds the lanes in which an event expires.
//
// It works in the cycle in which lanes are accepted. A load may arrive before its instruction retires: as the candidate
// of a `partial` cycle, or as a tagged load, to be replayed.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1 and 2, "Instructions Retired", "Branches
// Retired", "DCache misses". Contract: docs/src/lwp/count-gather.md.

module lwp_count
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
  input  logic                                   clk_i,
  // Asynchronous reset, active low.
  input  logic                                   rst_ni,

  // Strap `latency_filter`: loads can be filtered by latency.
  input  logic                                   latency_filter_i,
  // Strap `level_filter`: loads can be filtered by the source of their data.
  input  logic                                   level_filter_i,
  // Strap `gather_target` = next: the occurrence after the one that brings the counter to zero is recorded.
  input  logic                                   target_next_i,
  // Strap `address_policy`: 0 same load, 1 next load, 2 replay, 3 none.
  input  logic [1:0]                             address_policy_i,
  // Strap `latency_source` = buffer: the unit measures latencies.
  input  logic                                   buffer_i,

  // The core is not stalled: lanes and operations of this cycle are accepted.
  input  logic                                   accept_i,
  // The core is in ring 3 and not in System Management Mode.
  input  logic                                   ring3_i,
  // A session is active.
  input  logic                                   active_i,
  // Per event: the event is selected by a slot and enabled by LWPMSR0.
  input  logic [NumEvents-1:0]                   enable_i,
  // Filter word of the block: MinLatency 7:0, CLF 8, NBC 9, RDC 10, RAM 11, OTH 12, NDB 13.
  input  logic [13:0]                            filter_i,

  // Only the loads of lane 0 are valid: they belong to the instruction that retires in lane 0 in a later cycle.
  input  logic                                   partial_i,
  // Addresses are used by lwp_gather; latency bits from LatencyBits on are ignored.
  // verilator lint_off UNUSEDSIGNAL
  // Instructions that retire in this cycle; lane 0 is the oldest.
  input  lane_t [RetireLanes-1:0]                lanes_i,
  // verilator lint_on UNUSEDSIGNAL

  // Lanes above `lane_i` have no effect.
  input  logic                                   cut_i,
  // Last lane that has an effect; valid with `cut_i`.
  input  logic [LaneW-1:0]                       lane_i,
  // The instruction that gathered the record is undone.
  input  logic                                   undo_i,
  // Per event: the counter before the undone instruction; valid with `undo_i`.
  input  logic [NumEvents-1:0][CounterW-1:0]     undo_counter_i,
  // Per event: the counter before the lane `lane_i`; valid with `cut_i`.
  output logic [NumEvents-1:0][CounterW-1:0]     before_o,

  // Per event: the slot that was read selects the event.
  input  logic [NumEvents-1:0]                   load_i,
  // A restored session is reloaded: keep the counter. Valid with `load_i`.
  input  logic                                   load_keep_i,
  // Number of the slot that was read; valid with `load_i`.
  input  logic [4:0]                             load_slot_i,
  // EventCounter of the slot that was read; valid with `load_i`.
  input  logic [CounterW-1:0]                    load_counter_i,
  // Per event: the interval was read from the block again.
  input  logic [NumEvents-1:0]                   reread_i,
  // EventInterval read from the block; valid with `load_i` or `reread_i`.
  input  logic [CounterW-1:0]                    interval_i,
  // Per event: the counter is reloaded, because the record of the event leaves the queue.
  input  logic [NumEvents-1:0]                   reload_i,
  // Bits of the interval that are kept: new counter = (interval & `reload_keep_i`) | `reload_bits_i`.
  input  logic [CounterW-1:0]                    reload_keep_i,
  // Random bits of the reload: new counter = (interval & `reload_keep_i`) | `reload_bits_i`.
  input  logic [CounterW-1:0]                    reload_bits_i,
  // Per event: a restore writes the counter.
  input  logic [NumEvents-1:0]                   restore_i,
  // Per event: restored counter; valid with `restore_i`.
  input  logic [NumEvents-1:0][CounterW-1:0]     restore_counter_i,

  // The data of a load that missed in ring 3 has returned; the load has not retired.
  input  logic                                   fill_valid_i,
  // Linear address of the instruction whose data has returned; valid with `fill_valid_i`.
  input  logic [63:0]                            fill_ip_i,
  // Latency in cycles of the load whose data has returned; valid with `fill_valid_i` if `latency_source` = core.
  input  logic [LatencyW-1:0]                    fill_latency_i,
  // Source of the data that has returned; valid with `fill_valid_i`.
  input  source_e                                fill_source_i,
  // The replay of the tagged load was aborted.
  input  logic                                   replay_abort_i,
  // A fill may be tagged: control is idle, no page fault is pending, and event 3 is enabled, has a counter of 0 and has
  // no record.
  input  logic                                   ready_i,
  // Per entry of the miss address buffer: latency that it reports, in cycles.
  input  logic [MabEntries-1:0][LatencyBits-1:0] mab_report_i,
  // Latency in cycles that the filled entry of the miss address buffer reports; valid with `fill_valid_i`.
  input  logic [LatencyBits-1:0]                 mab_fill_i,

  // Per event: slot, interval and counter.
  output event_t [NumEvents-1:0]                 events_o,
  // Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
  output cand_t                                  cand_o,
  // Tag: the load that is being replayed for its address.
  output tag_t                                   tag_o,
  // The core must abort and replay the load whose data returned in the last cycle.
  output logic                                   flush_req_o,

  // Per event and lane: the event expires in the lane.
  output logic [NumEvents-1:0][RetireLanes-1:0]  expire_o,
  // Per lane: the address of the load to be recorded is known.
  output logic [RetireLanes-1:0]                 load_addr_valid_o,
  // Per lane: source of the data of the load to be recorded.
  output logic [RetireLanes-1:0][2:0]            load_source_o,
  // Per lane: latency in cycles of the load to be recorded.
  output logic [RetireLanes-1:0][LatencyBits-1:0] load_latency_o,
  // Per lane: linear address of the data of the load to be recorded.
  output logic [RetireLanes-1:0][63:0]           load_addr_o
);

  // Latency is compared in steps of 16 cycles.
  localparam logic [27:0] MaxSteps = 28'((64'd1 << (LatencyBits - 4)) - 64'd1);

  logic replay;
  assign replay = address_policy_i == AddressReplay;

  /////////////
  // Filters //
  /////////////

  criteria_t   criteria;
  logic [27:0] min_steps;

  // MinLatency is limited to the largest latency that can be reported. MinLatency = 0 lets every latency pass.
  assign min_steps = (28'(filter_i[7:0]) > MaxSteps) ? MaxSteps : 28'(filter_i[7:0]);

  always_comb begin
    criteria = '{
      any_latency: !latency_filter_i,
      any_level:   !level_filter_i || !filter_i[FilterClf],
      min_steps:   min_steps,
      level_ok:    '0
    };
    criteria.level_ok[SourceLocalL3] = filter_i[FilterNbc];
    criteria.level_ok[SourceRemote]  = filter_i[FilterRdc];
    criteria.level_ok[SourceDram]    = filter_i[FilterRam];
    criteria.level_ok[SourceOther]   = filter_i[FilterOth];
  end

  logic [RetireLanes-1:0]      second;
  logic [RetireLanes-1:0][1:0] misses;
  logic [RetireLanes-1:0]      is_tagged;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_loads
    source_e source;

    lwp_load #(
      .LatencyBits(LatencyBits)
    ) u_load (
      .buffer_i,
      .replay_i    (replay),
      .criteria_i  (criteria),
      .mab_report_i,
      .tag_i       (tag_o),
      .loads_i     (lanes_i[l].loads),
      .second_i    (second[l]),
      .count_o     (misses[l]),
      .is_tagged_o (is_tagged[l]),
      .addr_valid_o(load_addr_valid_o[l]),
      .source_o    (source),
      .latency_o   (load_latency_o[l]),
      .addr_o      (load_addr_o[l])
    );
    assign load_source_o[l] = source;
  end

  /////////////////
  // Occurrences //
  /////////////////

  logic [NumEvents-1:0]                       live;
  // Per lane: the instruction counts; the loads count.
  logic [RetireLanes-1:0]                     retired, loaded;
  logic [NumEvents-1:0][RetireLanes-1:0][1:0] occ;

  // An event is not live in the cycle in which its counter is reloaded.
  assign live = enable_i & ~reload_i & {NumEvents{accept_i && ring3_i && active_i}};

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_occ
    logic branch;
    assign branch = (lanes_i[l].branch_kind != BranchNone) && (lanes_i[l].branch_kind <= BranchFarRet) &&
                    !((lanes_i[l].branch_kind == BranchJmpRel) && filter_i[FilterNdb]);

    assign retired[l] = lanes_i[l].valid && lanes_i[l].counts && !partial_i;
    if (l == 0) begin : gen_oldest
      assign loaded[l] = lanes_i[l].valid && lanes_i[l].counts;
    end else begin : gen_younger
      assign loaded[l] = retired[l];
    end

    assign occ[Ins][l] = {1'b0, live[Ins] && retired[l]};
    assign occ[Br][l]  = {1'b0, live[Br] && retired[l] && branch};
    assign occ[Dc][l]  = misses[l] & {2{live[Dc] && loaded[l]}};
  end

  logic [NumEvents-1:0][RetireLanes-1:0] expire, seconds;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    logic gather_next;
    assign gather_next = target_next_i || ((e == int'(Dc)) && (address_policy_i == AddressNext));

    lwp_event #(
      .RetireLanes(RetireLanes)
    ) u_event (
      .clk_i,
      .rst_ni,
      .occ_i            (occ[e]),
      .next_i           (gather_next),
      .cut_i,
      .lane_i,
      .load_i           (load_i[e]),
      .load_keep_i,
      .load_slot_i,
      .load_counter_i,
      .reread_i         (reread_i[e]),
      .interval_i,
      .reload_i         (reload_i[e]),
      .reload_keep_i,
      .reload_bits_i,
      .undo_i,
      .undo_counter_i   (undo_counter_i[e]),
      .restore_i        (restore_i[e]),
      .restore_counter_i(restore_counter_i[e]),
      .event_o          (events_o[e]),
      .expire_o         (expire[e]),
      .second_o         (seconds[e]),
      .before_o         (before_o[e])
    );
  end

  assign second = seconds[Dc];

  // Instructions and branches have at most one occurrence per lane.
  logic unused_seconds;
  assign unused_seconds = ^{seconds[Ins], seconds[Br]};

  ////////////////////////
  // Replay, candidates //
  ////////////////////////

  logic [RetireLanes-1:0] expire_tag, expire_dc;

  lwp_replay #(
    .RetireLanes(RetireLanes),
    .LatencyBits(LatencyBits)
  ) u_replay (
    .clk_i,
    .rst_ni,
    .replay_i      (replay),
    .buffer_i,
    .criteria_i    (criteria),
    .ready_i,
    .run_i         (ring3_i && active_i),
    .cand_valid_i  (cand_o.valid),
    .fill_valid_i,
    .fill_ip_i,
    .fill_latency_i,
    .fill_source_i,
    .mab_latency_i (mab_fill_i),
    .replay_abort_i,
    .undo_i,
    .partial_i,
    .live_i        (live[Dc]),
    .tagged_i      (is_tagged & loaded),
    .cut_i,
    .cut_lane_i    (lane_i),
    .expire_o      (expire_tag),
    .tag_o,
    .flush_req_o
  );

  assign expire_dc = replay ? expire_tag : expire[Dc];

  source_e load0_source;
  assign load0_source = source_e'(load_source_o[0]);

  lwp_candidate #(
    .LatencyBits(LatencyBits)
  ) u_candidate (
    .clk_i,
    .rst_ni,
    .capture_i   (partial_i && expire_dc[0]),
    .addr_valid_i(load_addr_valid_o[0]),
    .source_i    (load0_source),
    .latency_i   (load_latency_o[0]),
    .addr_i      (load_addr_o[0]),
    .clear_i     (!ring3_i || !active_i || reload_i[Dc] || undo_i || (accept_i && lanes_i[0].valid && !partial_i)),
    .cand_o
  );

  // The candidate expires event 3 in lane 0 when its instruction retires.
  always_comb begin
    expire_o     = expire;
    expire_o[Dc] = expire_dc;
    if (cand_o.valid && live[Dc] && retired[0]) begin
      expire_o[Dc][0] = 1'b1;
    end
  end

endmodule
