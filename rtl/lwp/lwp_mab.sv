// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Miss address buffer: measures the latency of each outstanding load that missed.
//
// Each entry has a counter that runs from allocation to fill and saturates. With a free-running phase all counters
// advance by 16 when the shared counter has a carry out of bit 3. With `latency_source` = core no register changes.
//
// Specification: Lightweight Profiling Proposal, "Measuring latency". Contract: docs/src/lwp/mab.md.

module lwp_mab
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  // Clock: all registers change at its rising edge.
  input  logic                                   clk_i,
  // Asynchronous reset, active low.
  input  logic                                   rst_ni,

  // Strap `latency_source` = buffer: the unit measures latencies.
  input  logic                                   buffer_i,
  // Strap `latency_step` = 16: reported latencies are multiples of 16 cycles.
  input  logic                                   step16_i,
  // Strap `latency_phase` = free-running: periods of 16 cycles do not start with the load.
  input  logic                                   free_i,

  // A load that missed takes the entry `alloc_entry_i` of the miss address buffer.
  input  logic                                   alloc_valid_i,
  // Entry of the miss address buffer that is taken; valid with `alloc_valid_i`.
  input  logic [2:0]                             alloc_entry_i,
  // The data of a load that missed in ring 3 has returned; the load has not retired.
  input  logic                                   fill_valid_i,
  // Entry of the miss address buffer whose data has returned; valid with `fill_valid_i`.
  input  logic [2:0]                             fill_entry_i,

  // Free-running cycle counter of the miss address buffer, modulo 16.
  output logic [3:0]                             phase_o,
  // Entries of the miss address buffer.
  output mab_entry_t [MabEntries-1:0]                  mab_o,

  // Per entry of the miss address buffer: latency that it reports, in cycles.
  output logic [MabEntries-1:0][LatencyBits-1:0] report_o,
  // Latency in cycles that the entry `fill_entry_i` reports at the end of this cycle, without an allocation.
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

  // Latency of each entry at the end of this cycle, without an allocation.
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
