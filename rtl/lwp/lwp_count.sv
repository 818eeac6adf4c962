// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Count: what each retiring instruction means to each event.
//
// Works in the cycle in which lanes are accepted. Filters the loads, turns lanes into occurrences for the three event
// counters, and says which event expires in which lane. A load may come before its instruction retires: as the
// candidate of a `partial` cycle, or tagged, to be replayed.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1 and 2, "Instructions Retired", "Branches
// Retired", "DCache misses". Contract: docs/src/lwp/count-gather.md.

module lwp_count
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  // Straps.
  input  logic                                   latency_filter_i,
  input  logic                                   level_filter_i,
  input  logic                                   target_next_i,
  input  logic [1:0]                             address_policy_i,
  input  logic                                   buffer_i,

  // The cycle: lanes are accepted, in ring 3, and a session runs. All three together are "counting is on".
  input  logic                                   accept_i,
  input  logic                                   ring3_i,
  input  logic                                   active_i,
  // Event e is selected by a slot and enabled by LWPMSR0.
  input  logic [NumEvents-1:0]                   enable_i,
  input  logic [13:0]                            filter_i,

  input  logic                                   partial_i,
  // Addresses are for lwp_gather, bits of latencies from LatencyBits on for nobody.
  // verilator lint_off UNUSEDSIGNAL
  input  lane_t [RetireLanes-1:0]                lanes_i,
  // verilator lint_on UNUSEDSIGNAL

  // The gathering lane; whether lanes above it have no effect; the instruction in it is undone.
  input  logic                                   cut_i,
  input  logic [LaneW-1:0]                       lane_i,
  input  logic                                   undo_i,
  input  logic [NumEvents-1:0][CounterW-1:0]     undo_counter_i,
  output logic [NumEvents-1:0][CounterW-1:0]     before_o,

  // Slots found by LLWPCB, intervals read anew, reset of one event, a context restored.
  input  logic [NumEvents-1:0]                   load_i,
  input  logic                                   load_keep_i,
  input  logic [4:0]                             load_slot_i,
  input  logic [CounterW-1:0]                    load_counter_i,
  input  logic [NumEvents-1:0]                   reread_i,
  input  logic [CounterW-1:0]                    interval_i,
  input  logic [NumEvents-1:0]                   reload_i,
  input  logic [CounterW-1:0]                    reload_keep_i,
  input  logic [CounterW-1:0]                    reload_bits_i,
  input  logic [NumEvents-1:0]                   restore_i,
  input  logic [NumEvents-1:0][CounterW-1:0]     restore_counter_i,

  // Fills.
  input  logic                                   fill_valid_i,
  input  logic [63:0]                            fill_ip_i,
  input  logic [LatencyW-1:0]                    fill_latency_i,
  input  source_e                                fill_source_i,
  input  logic                                   replay_abort_i,
  // A fill may be tagged, as far as others know.
  input  logic                                   ready_i,
  input  logic [MabEntries-1:0][LatencyBits-1:0] mab_report_i,
  input  logic [LatencyBits-1:0]                 mab_fill_i,

  output event_t [NumEvents-1:0]                 events_o,
  output cand_t                                  cand_o,
  output tag_t                                   tag_o,
  output logic                                   flush_req_o,

  // Event e expires in lane l.
  output logic [NumEvents-1:0][RetireLanes-1:0]  expire_o,
  // The load of the lane that would be recorded.
  output logic [RetireLanes-1:0]                 load_addr_valid_o,
  output logic [RetireLanes-1:0][2:0]            load_source_o,
  output logic [RetireLanes-1:0][LatencyBits-1:0] load_latency_o,
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

  // A minimum above what the source can report would let nothing pass. 0 needs no term: every latency reaches it.
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
  // Lanes whose instruction, and whose loads, count.
  logic [RetireLanes-1:0]                     retired, loaded;
  logic [NumEvents-1:0][RetireLanes-1:0][1:0] occ;

  // In the cycle of its reload an event does not see the lanes.
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

  // Instructions and branches occur once at most.
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

  // The candidate stands for loads of the instruction that now retires in lane 0.
  always_comb begin
    expire_o     = expire;
    expire_o[Dc] = expire_dc;
    if (cand_o.valid && live[Dc] && retired[0]) begin
      expire_o[Dc][0] = 1'b1;
    end
  end

endmodule
