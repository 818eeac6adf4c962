// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Count: what each retiring instruction means to each event, and the load that a split instruction will report.
//
// Works in the cycle in which lanes are accepted. Filters the loads, turns lanes into occurrences for the three event
// counters, and keeps the candidate: the load of a `partial` cycle that brought the DCache-miss counter to zero
// before its instruction has retired.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1 and 2, "Instructions Retired", "Branches
// Retired", "DCache misses". Contract: docs/src/lwp/count-gather.md.

module lwp_count
  import lwp_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,

  input  logic                                latency_filter_i,
  input  logic                                level_filter_i,

  // The cycle: lanes are accepted, in ring 3, and a session runs. All three together are "counting is on".
  input  logic                                accept_i,
  input  logic                                ring3_i,
  input  logic                                active_i,
  // Event e is selected by a slot and enabled by LWPMSR0.
  input  logic [NumEvents-1:0]                enable_i,
  input  logic [13:0]                         filter_i,

  input  logic                                partial_i,
  // Instruction and branch addresses are for lwp_gather, as are latency bits from LatencyBits on for nobody.
  // verilator lint_off UNUSEDSIGNAL
  input  lane_t [RetireLanes-1:0]             lanes_i,
  // verilator lint_on UNUSEDSIGNAL

  // Slots found by LLWPCB.
  input  logic [NumEvents-1:0]                load_i,
  input  logic [4:0]                          load_slot_i,
  input  logic [CounterW-1:0]                 load_interval_i,
  input  logic [CounterW-1:0]                 load_counter_i,

  // Reset of one event.
  input  logic [NumEvents-1:0]                reload_i,
  input  logic [CounterW-1:0]                 reload_keep_i,
  input  logic [CounterW-1:0]                 reload_bits_i,

  output logic [NumEvents-1:0][4:0]           slot_o,
  output logic [NumEvents-1:0][CounterW-1:0]  interval_o,
  output logic [NumEvents-1:0][CounterW-1:0]  counter_o,
  output logic                                cand_valid_o,
  output load_t                               cand_o,

  // Event e expires in lane l with an instruction that could be recorded.
  output logic [NumEvents-1:0][RetireLanes-1:0] expire_o,
  // Which load of the lane is the one that brought the DCache-miss counter to zero.
  output logic [RetireLanes-1:0]              second_o
);

  // Latency is compared in steps of 16 cycles.
  localparam int unsigned StepW = LatencyBits - 4;
  localparam logic [27:0] MaxSteps = 28'((64'd1 << StepW) - 64'd1);

  localparam int unsigned Ins = 0;
  localparam int unsigned Br  = 1;
  localparam int unsigned Dc  = 2;

  ////////////////////
  // Eligible loads //
  ////////////////////

  logic [27:0] min_steps;
  logic        any_latency, any_level;
  logic [7:0]  level_ok;

  always_comb begin
    min_steps = 28'(filter_i[7:0]);
    // A minimum above what the source can report would let nothing pass.
    if (min_steps > MaxSteps) begin
      min_steps = MaxSteps;
    end
    // MinLatency 0 needs no term of its own: every latency reaches it.
    any_latency = !latency_filter_i;
    any_level   = !level_filter_i || !filter_i[FilterClf];

    level_ok                = '0;
    level_ok[SourceLocalL3] = filter_i[FilterNbc];
    level_ok[SourceRemote]  = filter_i[FilterRdc];
    level_ok[SourceDram]    = filter_i[FilterRam];
    level_ok[SourceOther]   = filter_i[FilterOth];
  end

  logic [RetireLanes-1:0][LoadPorts-1:0] eligible;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_eligible
    for (genvar p = 0; p < int'(LoadPorts); p++) begin : gen_loads
      assign eligible[l][p] = lanes_i[l].loads[p].miss &&
                              (any_latency || (28'(lanes_i[l].loads[p].latency[LatencyBits-1:4]) >= min_steps)) &&
                              (any_level || level_ok[lanes_i[l].loads[p].source]);
    end
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
    assign occ[Dc][l]  = (2'(eligible[l][0]) + 2'(eligible[l][1])) & {2{live[Dc] && loaded[l]}};
  end

  logic [NumEvents-1:0][RetireLanes-1:0] expire, second;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    lwp_event #(
      .RetireLanes(RetireLanes)
    ) u_event (
      .clk_i,
      .rst_ni,
      .occ_i          (occ[e]),
      .load_i         (load_i[e]),
      .load_slot_i,
      .load_interval_i,
      .load_counter_i,
      .reload_i       (reload_i[e]),
      .reload_keep_i,
      .reload_bits_i,
      .slot_o         (slot_o[e]),
      .interval_o     (interval_o[e]),
      .counter_o      (counter_o[e]),
      .expire_o       (expire[e]),
      .second_o       (second[e])
    );
  end

  // Instructions and branches occur once at most.
  logic unused_second;
  assign unused_second = ^{second[Ins], second[Br]};

  // A lane whose first load is not eligible can only have expired by its second.
  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_second
    assign second_o[l] = second[Dc][l] || !eligible[l][0];
  end

  ///////////////
  // Candidate //
  ///////////////

  // The instruction of the `partial` cycles retires.
  logic oldest_retires;
  assign oldest_retires = lanes_i[0].valid && !partial_i;

  logic                   cand_valid_d, cand_valid_q;
  logic                   cand_addr_valid_d, cand_addr_valid_q;
  source_e                cand_source_d, cand_source_q;
  logic [LatencyBits-1:0] cand_latency_d, cand_latency_q;
  logic [63:0]            cand_addr_d, cand_addr_q;

  logic [63:0]            addr;
  logic [LatencyBits-1:0] latency;
  logic                   addr_valid;
  source_e                source;
  assign addr       = second_o[0] ? lanes_i[0].loads[1].addr : lanes_i[0].loads[0].addr;
  assign latency    = second_o[0] ? lanes_i[0].loads[1].latency[LatencyBits-1:0] :
                                    lanes_i[0].loads[0].latency[LatencyBits-1:0];
  assign addr_valid = second_o[0] ? lanes_i[0].loads[1].addr_valid : lanes_i[0].loads[0].addr_valid;
  assign source     = second_o[0] ? lanes_i[0].loads[1].source : lanes_i[0].loads[0].source;

  always_comb begin
    cand_valid_d      = cand_valid_q;
    cand_addr_valid_d = cand_addr_valid_q;
    cand_source_d     = cand_source_q;
    cand_latency_d    = cand_latency_q;
    cand_addr_d       = cand_addr_q;
    if (!ring3_i || !active_i || reload_i[Dc] || (accept_i && oldest_retires)) begin
      cand_valid_d = 1'b0;
    end else if (partial_i && expire[Dc][0] && !cand_valid_q) begin
      cand_valid_d      = 1'b1;
      cand_addr_valid_d = addr_valid;
      cand_source_d     = source;
      cand_latency_d    = latency;
      cand_addr_d       = addr;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cand_valid_q      <= 1'b0;
      cand_addr_valid_q <= 1'b0;
      cand_source_q     <= SourceNone;
      cand_latency_q    <= '0;
      cand_addr_q       <= '0;
    end else begin
      cand_valid_q      <= cand_valid_d;
      cand_addr_valid_q <= cand_addr_valid_d;
      cand_source_q     <= cand_source_d;
      cand_latency_q    <= cand_latency_d;
      cand_addr_q       <= cand_addr_d;
    end
  end

  assign cand_valid_o = cand_valid_q;
  assign cand_o = '{
    miss:       cand_valid_q,
    addr_valid: cand_addr_valid_q,
    addr:       cand_addr_q,
    latency:    LatencyW'(cand_latency_q),
    source:     cand_source_q
  };

  // The candidate stands for loads of the instruction that now retires in lane 0.
  always_comb begin
    expire_o = expire;
    if (cand_valid_q && live[Dc] && retired[0]) begin
      expire_o[Dc][0] = 1'b1;
    end
  end

endmodule
