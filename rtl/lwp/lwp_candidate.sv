// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Candidate: holds the load of a `partial` cycle that is recorded when its instruction retires in lane 0.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1 and 2, "DCache misses". Contract:
// docs/src/lwp/count-gather.md, "The load that is recorded".

module lwp_candidate
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  // Clock: all registers change at its rising edge.
  input  logic                   clk_i,
  // Asynchronous reset, active low.
  input  logic                   rst_ni,

  // Event 3 expires in lane 0 of a `partial` cycle.
  input  logic                   capture_i,
  // The address of the load is known; valid with `capture_i`.
  input  logic                   addr_valid_i,
  // Source of the data of the load; valid with `capture_i`.
  input  source_e                source_i,
  // Latency of the load in cycles; valid with `capture_i`.
  input  logic [LatencyBits-1:0] latency_i,
  // Linear address of the data of the load; valid with `capture_i`.
  input  logic [63:0]            addr_i,
  // The candidate is discarded: its instruction retires, or can no longer be recorded.
  input  logic                   clear_i,

  // Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
  output cand_t                  cand_o
);

  logic                   valid_d, valid_q;
  logic                   addr_valid_d, addr_valid_q;
  source_e                source_d, source_q;
  logic [LatencyBits-1:0] latency_d, latency_q;
  logic [63:0]            addr_d, addr_q;

  always_comb begin
    valid_d      = valid_q;
    addr_valid_d = addr_valid_q;
    source_d     = source_q;
    latency_d    = latency_q;
    addr_d       = addr_q;
    if (clear_i) begin
      valid_d = 1'b0;
    end else if (capture_i && !valid_q) begin
      valid_d      = 1'b1;
      addr_valid_d = addr_valid_i;
      source_d     = source_i;
      latency_d    = latency_i;
      addr_d       = addr_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= 1'b0;
      addr_valid_q <= 1'b0;
      source_q     <= SourceNone;
      latency_q    <= '0;
      addr_q       <= '0;
    end else begin
      valid_q      <= valid_d;
      addr_valid_q <= addr_valid_d;
      source_q     <= source_d;
      latency_q    <= latency_d;
      addr_q       <= addr_d;
    end
  end

  assign cand_o = '{valid: valid_q, addr_valid: addr_valid_q, source: source_q, latency: LatencyW'(latency_q),
                    addr: addr_q};

endmodule
