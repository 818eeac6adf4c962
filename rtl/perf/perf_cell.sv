// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Cell: one counter with threshold, inversion, edge detection and overflow. Knows no personality.
//
// Contract: docs/src/perf/cycle.md, "6. Cell". Requirements P6-03, P6-16 to P6-18, P6-28, P6-30, P6-31, P6-40, APM-23,
// APM-24, APM-31, APM-32, APM-34, APM-35.

module perf_cell
  import perf_pkg::*;
#(
  // The cell detects edges. Without it, edges_i has no effect and held_o is 0.
  parameter bit HasEdges = 1'b1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // With inversion and threshold 0 nothing counts; otherwise the inversion is ignored then.
  input  logic                inv_zero_i,
  // Bits of the counter, 32 to 48.
  input  logic [5:0]          width_i,
  // Threshold. 0: the number is added.
  input  logic [7:0]          threshold_i,
  // Invert the comparison.
  input  logic                inverted_i,
  // Count how often the condition comes to hold.
  input  logic                edges_i,
  // The counter is enabled.
  input  logic                enable_i,
  // The condition begins anew after this cycle.
  input  logic                restart_i,
  // The clock of what is counted ticks.
  input  logic                sample_i,
  // The privilege level matches.
  input  logic                fits_i,
  // How often the event occurs in this cycle.
  input  logic [SumW-1:0]     n_i,
  // The counter is written.
  input  logic                write_i,
  // The value that is written; bits beyond the width are ignored.
  input  logic [CounterW-1:0] wdata_i,

  // The counter increments in this cycle.
  output logic                counts_o,
  // The counter overflows in this cycle.
  output logic                over_o,
  // Count.
  output logic [CounterW-1:0] counter_o,
  // The condition held in the last cycle of its clock.
  output logic                held_o,
  // The counter overflowed in the last cycle.
  output logic                overflow_o
);

  logic            holds;
  logic [SumW-1:0] amount;
  always_comb begin
    if (threshold_i != 8'd0) begin
      holds  = (n_i >= {1'b0, threshold_i}) != inverted_i;
      amount = SumW'(holds);
    end else if (inverted_i && inv_zero_i) begin
      holds  = 1'b0;
      amount = '0;
    end else begin
      holds  = n_i != '0;
      amount = n_i;
    end
  end

  logic            counts;
  logic [SumW-1:0] add;
  assign counts = enable_i && sample_i && fits_i;
  assign add    = !counts ? '0 : (HasEdges && edges_i) ? SumW'(holds && !held_o) : amount;

  logic [CounterW-1:0] counter_d, counter_q, ones;
  logic [CounterW:0]   sum;
  logic                overflow_q;
  assign ones = ~({CounterW{1'b1}} << width_i);
  assign sum  = {1'b0, counter_q} + (CounterW + 1)'(add);
  // The carry out of the width: the bit behind the highest.
  assign over_o    = (sum & ~{1'b0, ones}) != '0;
  assign counter_d = (write_i ? wdata_i : sum[CounterW-1:0]) & ones;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counter_q  <= '0;
      overflow_q <= 1'b0;
    end else begin
      counter_q  <= counter_d;
      overflow_q <= over_o;
    end
  end

  if (HasEdges) begin : gen_edges
    logic held_d, held_q;
    always_comb begin
      held_d = held_q;
      if (restart_i || !enable_i) held_d = 1'b0;
      else if (sample_i) held_d = fits_i && holds;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        held_q <= 1'b0;
      end else begin
        held_q <= held_d;
      end
    end
    assign held_o = held_q;
  end else begin : gen_no_edges
    logic unused_edges;
    assign unused_edges = ^{edges_i, restart_i};
    assign held_o       = 1'b0;
  end

  assign counts_o   = add != '0;
  assign counter_o  = counter_q;
  assign overflow_o = overflow_q;

endmodule
