// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Processor: holds counter, IA32_TSC_ADJUST and IA32_TSC_AUX of one logical processor.
//
// A write adds the same amount, X, to counter and adjustment. The ticks of its cycle are added to the counter only.
//
// Specification: section 7, "TSC", 7.2 (IA32_TSC_AUX), 7.3 (IA32_TSC_ADJUST). Contract: docs/src/tsc/cycle.md, "3.
// Registers of the logical processors".

module tsc_processor
  import tsc_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,

  // Strap `adjust`: IA32_TSC_ADJUST exists.
  input  logic              adjust_i,
  // Strap `write_width`: WRMSR of the counter sets all 64 bits, or the low 32 and clears the others.
  input  write_width_e      write_width_i,

  // One-hot: the register that WRMSR writes in this cycle; 0 if there is none.
  input  write_t            write_i,
  // Value that WRMSR writes; valid with `write_i`.
  input  logic [63:0]       wdata_i,
  // Number of ticks of the counters in this cycle.
  input  logic [TicksW-1:0] ticks_i,

  // Registers of the logical processor.
  output lp_t               lp_o
);

  lp_t lp_d, lp_q;

  // Value to be written. A write of the low 32 bits clears the others.
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
