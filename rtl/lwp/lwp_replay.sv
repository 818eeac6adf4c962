// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Replay: the tag of a load whose address is not at hand when its data returns.
//
// The first eligible load to receive its data after the counter has reached zero is tagged, and the core told to
// abort and replay it. It comes back with its address; the tag holds what only the first pass knew.
//
// Specification: Lightweight Profiling Proposal, "Reporting the DCache miss data address". Contract:
// docs/src/lwp/count-gather.md, "Replay".

module lwp_replay
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Straps.
  input  logic                   replay_i,
  input  logic                   buffer_i,
  input  criteria_t              criteria_i,

  // The DCache-miss event could be gathered, but has no load yet.
  input  logic                   ready_i,
  // A session runs in ring 3.
  input  logic                   run_i,
  input  logic                   cand_valid_i,

  input  logic                   fill_valid_i,
  input  logic [63:0]            fill_ip_i,
  // Bits from LatencyBits on mean nothing.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [LatencyW-1:0]    fill_latency_i,
  // verilator lint_on UNUSEDSIGNAL
  input  source_e                fill_source_i,
  input  logic [LatencyBits-1:0] mab_latency_i,
  input  logic                   replay_abort_i,
  // An instruction is undone.
  input  logic                   undo_i,

  // Lanes that carry a tagged load and count; whether the event is live, and what of the group has an effect.
  input  logic                   partial_i,
  input  logic                   live_i,
  input  logic [RetireLanes-1:0] tagged_i,
  input  logic                   cut_i,
  input  logic [LaneW-1:0]       cut_lane_i,

  // The event expires in the lane.
  output logic [RetireLanes-1:0] expire_o,

  output tag_t                   tag_o,
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
  // In a `partial` cycle the load becomes the candidate, if there is none.
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
