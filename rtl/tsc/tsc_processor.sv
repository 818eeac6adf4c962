// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The registers of one logical processor: counter, IA32_TSC_ADJUST, IA32_TSC_AUX.
//
// A write moves counter and adjustment by the same amount, X. The ticks of its cycle come on top, to the counter
// alone.
//
// Specification: section 7, "TSC", 7.2 (IA32_TSC_AUX), 7.3 (IA32_TSC_ADJUST). Contract: docs/src/tsc/cycle.md, "3.
// Registers of the logical processors".

module tsc_processor
  import tsc_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,

  // Strap: IA32_TSC_ADJUST exists.
  input  logic              adjust_i,
  // Strap: how much of the counter WRMSR sets.
  input  write_width_e      write_width_i,

  // What is written.
  input  write_t            write_i,
  // The value that is written.
  input  logic [63:0]       wdata_i,
  // Ticks of this cycle.
  input  logic [TicksW-1:0] ticks_i,

  // Registers.
  output lp_t               lp_o
);

  lp_t lp_d, lp_q;

  // A write of 32 bits clears the others.
  logic [63:0] value;
  assign value = {wdata_i[63:32] & {32{!write_i.counter || (write_width_i == WriteAll)}}, wdata_i[31:0]};

  logic [63:0] x;
  always_comb begin
    x = '0;
    if (write_i.counter) x = value - lp_q.counter;
    if (write_i.adjust) x = value - lp_q.adjust;
  end

  always_comb begin
    lp_d.counter = lp_q.counter + x + 64'(ticks_i);
    lp_d.adjust  = adjust_i ? lp_q.adjust + x : '0;
    lp_d.aux     = write_i.aux ? wdata_i[31:0] : lp_q.aux;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lp_q <= '0;
    end else begin
      lp_q <= lp_d;
    end
  end

  assign lp_o = lp_q;

endmodule
