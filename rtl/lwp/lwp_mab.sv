// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The miss address buffer: how long each outstanding load that missed has waited.
//
// A counter for each entry, from allocation to fill; it saturates. In steps of 16 with a free-running phase all
// counters move together, when the shared counter has a carry out of bit 3. With latencies from the core nothing here
// ever changes.
//
// Specification: Lightweight Profiling Proposal, "Measuring latency". Contract: docs/src/lwp/mab.md.

module lwp_mab
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  input  logic                                   buffer_i,
  input  logic                                   step16_i,
  input  logic                                   free_i,

  input  logic                                   alloc_valid_i,
  input  logic [2:0]                             alloc_entry_i,
  input  logic                                   fill_valid_i,
  input  logic [2:0]                             fill_entry_i,

  output logic [3:0]                             phase_o,
  output mab_entry_t [MabEntries-1:0]                  mab_o,

  // What each entry reports, and what the filled one will.
  output logic [MabEntries-1:0][LatencyBits-1:0] report_o,
  output logic [LatencyBits-1:0]                 fill_latency_o
);

  localparam logic [LatencyBits-1:0] Max = {{(LatencyBits - 4){1'b1}}, 4'b0};

  logic [3:0]             phase_d, phase_q;
  logic [LatencyBits-1:0] inc, rounding;

  assign phase_d  = phase_q + 4'(buffer_i && free_i);
  assign inc      = !free_i ? LatencyBits'(1) : (phase_q == 4'd15) ? LatencyBits'(16) : '0;
  assign rounding = {{(LatencyBits - 4){1'b1}}, {4{!step16_i}}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
    end else begin
      phase_q <= phase_d;
    end
  end

  // After this cycle's count, before an allocation.
  logic [MabEntries-1:0][LatencyBits-1:0] counted;

  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_entries
    logic                   counting_d, counting_q;
    logic [LatencyBits-1:0] latency_d, latency_q;

    assign counted[i] = !counting_q ? latency_q : (latency_q >= Max - inc) ? Max : latency_q + inc;

    always_comb begin
      counting_d = counting_q;
      latency_d  = latency_q;
      if (buffer_i) begin
        latency_d = counted[i];
        if (fill_valid_i && (fill_entry_i == 3'(i))) begin
          counting_d = 1'b0;
        end
        if (alloc_valid_i && (alloc_entry_i == 3'(i))) begin
          counting_d = 1'b1;
          latency_d  = '0;
        end
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        counting_q <= 1'b0;
        latency_q  <= '0;
      end else begin
        counting_q <= counting_d;
        latency_q  <= latency_d;
      end
    end

    assign mab_o[i]    = '{counting: counting_q, latency: LatencyW'(latency_q)};
    assign report_o[i] = latency_q & rounding;
  end

  assign phase_o        = phase_q;
  assign fill_latency_o = counted[fill_entry_i] & rounding;

endmodule
