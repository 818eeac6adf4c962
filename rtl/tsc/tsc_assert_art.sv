// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertion that the invariant counter follows the always running timer (ART): counter - adjustment is floor(ART x
// numerator / denominator). Not part of the hardware.
//
// The assertion needs no division: (counter - adjustment) x denominator + fraction is ART x numerator, modulo 2^64.
// With a fraction below the denominator that is equivalent until the products reach 2^64. ART x numerator is added up
// tick by tick.
//
// Contract: docs/src/tsc/state.md, "What always holds".

module tsc_assert_art
  import tsc_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input logic        clk_i,
  // Asynchronous reset, active low.
  input logic        rst_ni,
  // Only the straps of the ratio, `adjust` and `rate` are used.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t     cfg_i,
  // verilator lint_on UNUSEDSIGNAL
  // A period of the core crystal clock begins in this cycle.
  input logic        crystal_tick_i,
  // Remainder of the last ticks of the time base, in units of 1 / denominator.
  input logic [15:0] fraction_i,
  // Counter minus IA32_TSC_ADJUST: ticks since reset, modulo 2^64.
  input logic [63:0] elapsed_i
);

  logic [31:0] numerator;
  assign numerator = 32'(cfg_i.art_whole) * 32'(cfg_i.art_denominator) + 32'(cfg_i.art_rest);

  // ART x numerator.
  logic [63:0] art_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      art_q <= '0;
    end else if (crystal_tick_i) begin
      art_q <= art_q + 64'(numerator);
    end
  end

  logic        follows;
  logic [63:0] counted;
  assign follows = cfg_i.adjust && (cfg_i.rate == RateInvariant);
  assign counted = elapsed_i * 64'(cfg_i.art_denominator) + 64'(fraction_i);

  // TSC-25
  FollowsArt: assert property (@(posedge clk_i) !follows || (counted == art_q));

endmodule
