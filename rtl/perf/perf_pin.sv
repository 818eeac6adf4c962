// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Pin: the pin PMc of a general counter. An assertion lasts one bus clock, and so does at least the time between two.
//
// Contract: docs/src/perf/delivery.md, "Pins". Requirements P6-20 to P6-22, P6-52, APM-26, APM-27.

module perf_pin (
  input  logic clk_i,
  input  logic rst_ni,

  // A period of the bus clock begins.
  input  logic bus_tick_i,
  // The clock ratio is 2:1 or 3:1.
  input  logic fits_now_i,
  // The selection is an event whose pin follows the clock ratio.
  input  logic odd_i,
  // PC: the pin follows increments; otherwise overflows.
  input  logic pc_i,
  // The counter increments.
  input  logic counts_i,
  // The counter overflows.
  input  logic over_i,

  // The pin is to be asserted, and could not be yet.
  output logic due_o,
  // The pin is asserted.
  output logic pin_o
);

  logic trigger, due_d, due_q, pin_d, pin_q;
  assign trigger = odd_i ? (over_i && fits_now_i) : pc_i ? counts_i : over_i;

  always_comb begin
    due_d = due_q || trigger;
    pin_d = pin_q;
    if (bus_tick_i) begin
      pin_d = !pin_q && (due_q || trigger);
      if (!pin_q) due_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      due_q <= 1'b0;
      pin_q <= 1'b0;
    end else begin
      due_q <= due_d;
      pin_q <= pin_d;
    end
  end

  assign due_o = due_q;
  assign pin_o = pin_q;

endmodule
