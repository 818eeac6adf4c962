// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Replay: tags a load whose address is unknown when its data returns, and holds its tag until the load is replayed.
//
// The first eligible load whose data returns after the counter has reached zero is tagged, and the core is asked to
// abort and replay it. The replay presents the address; the tag holds source and latency of the first execution.
//
// Specification: Lightweight Profiling Proposal, "Reporting the DCache miss data address". Contract:
// docs/src/lwp/count-gather.md, "Replay".

module lwp_replay
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
  input  logic                   clk_i,
  // Asynchronous reset, active low.
  input  logic                   rst_ni,

  // Strap `address_policy` = replay: a load is replayed for its address.
  input  logic                   replay_i,
  // Strap `latency_source` = buffer: the unit measures latencies.
  input  logic                   buffer_i,
  // Filters that a load must pass to be counted.
  input  criteria_t              criteria_i,

  // A fill may be tagged: control is idle, no page fault is pending, and event 3 is enabled, has a counter of 0 and has
  // no record.
  input  logic                   ready_i,
  // A session is active, and the core is in ring 3.
  input  logic                   run_i,
  // The candidate is valid.
  input  logic                   cand_valid_i,

  // The data of a load that missed in ring 3 has returned; the load has not retired.
  input  logic                   fill_valid_i,
  // Linear address of the instruction whose data has returned; valid with `fill_valid_i`.
  input  logic [63:0]            fill_ip_i,
  // Latency bits from LatencyBits on are ignored.
  // verilator lint_off UNUSEDSIGNAL
  // Latency in cycles of the load whose data has returned; valid with `fill_valid_i` if `latency_source` = core.
  input  logic [LatencyW-1:0]    fill_latency_i,
  // verilator lint_on UNUSEDSIGNAL
  // Source of the data that has returned; valid with `fill_valid_i`.
  input  source_e                fill_source_i,
  // Latency in cycles that the filled entry of the miss address buffer reports; valid with `fill_valid_i`.
  input  logic [LatencyBits-1:0] mab_latency_i,
  // The replay of the tagged load was aborted.
  input  logic                   replay_abort_i,
  // The instruction that gathered the record is undone.
  input  logic                   undo_i,

  // Only the loads of lane 0 are valid: they belong to the instruction that retires in lane 0 in a later cycle.
  input  logic                   partial_i,
  // Event 3 is live: counting is on, the event is enabled, and its counter is not reloaded in this cycle.
  input  logic                   live_i,
  // Per lane: the lane counts and carries the replay of the tagged load.
  input  logic [RetireLanes-1:0] tagged_i,
  // Lanes above `cut_lane_i` have no effect.
  input  logic                   cut_i,
  // Last lane that has an effect; valid with `cut_i`.
  input  logic [LaneW-1:0]       cut_lane_i,

  // Per lane: event 3 expires in the lane by the replay of the tagged load.
  output logic [RetireLanes-1:0] expire_o,

  // Tag: the load that is being replayed for its address.
  output tag_t                   tag_o,
  // The core must abort and replay the load whose data returned in the last cycle.
  output logic                   flush_req_o
);

  logic                   valid_d, valid_q;
  source_e                source_d, source_q;
  logic [LatencyBits-1:0] latency_d, latency_q;
  logic [63:0]            ip_d, ip_q;
  logic                   flush_req_d, flush_req_q;

  logic [LatencyBits-1:0] latency;
  logic                   set, used;
  logic [RetireLanes-1:0] above;

  assign latency = buffer_i ? mab_latency_i : fill_latency_i[LatencyBits-1:0];
  assign set     = replay_i && fill_valid_i && run_i && ready_i && !valid_q && !cand_valid_i && !replay_abort_i &&
                   !undo_i && eligible(criteria_i, 28'(latency[LatencyBits-1:4]), fill_source_i);

  assign expire_o = RetireLanes'(lowest(8'(tagged_i))) & {RetireLanes{replay_i && valid_q && live_i}};

  assign above[0] = 1'b0;
  if (RetireLanes == 1) begin : gen_one_lane
    logic unused_cut;
    assign unused_cut = ^{cut_i, cut_lane_i};
  end
  for (genvar l = 1; l < int'(RetireLanes); l++) begin : gen_above
    assign above[l] = cut_i && (LaneW'(l) > cut_lane_i);
  end
  // The tag is consumed. In a `partial` cycle the load becomes the candidate, unless there is one already.
  assign used = ((expire_o & ~above) != '0) && !(partial_i && cand_valid_i);

  always_comb begin
    valid_d     = valid_q;
    source_d    = source_q;
    latency_d   = latency_q;
    ip_d        = ip_q;
    flush_req_d = 1'b0;
    if (used || !run_i || replay_abort_i || undo_i) begin
      valid_d = 1'b0;
    end
    if (set) begin
      valid_d     = 1'b1;
      source_d    = fill_source_i;
      latency_d   = latency;
      ip_d        = fill_ip_i;
      flush_req_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= 1'b0;
      source_q    <= SourceNone;
      latency_q   <= '0;
      ip_q        <= '0;
      flush_req_q <= 1'b0;
    end else begin
      valid_q     <= valid_d;
      source_q    <= source_d;
      latency_q   <= latency_d;
      ip_q        <= ip_d;
      flush_req_q <= flush_req_d;
    end
  end

  assign tag_o       = '{valid: valid_q, source: source_q, latency: LatencyW'(latency_q), ip: ip_q};
  assign flush_req_o = flush_req_q;

endmodule
