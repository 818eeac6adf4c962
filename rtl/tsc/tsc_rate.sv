// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rate: computes the number of ticks of all counters in this cycle, and holds the ratio at boot.
//
// A tick of the time base is worth a whole number of ticks of the counter and a fraction, rest / denominator. An
// accumulator keeps the fraction, so that no rounding error remains.
//
// Specification: section 7, "TSC", 7.1 and 7.4. Contract: docs/src/tsc/cycle.md, "2. Rate" and "4. Boot".

module tsc_rate
  import tsc_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,

  // Strap `present`: the time-stamp counter exists.
  input  logic              present_i,
  // Strap `rate`: 0 invariant, 1 constant-max, 2 constant-boot, 3 variable.
  input  rate_e             rate_i,
  // Strap `deep_sleep`: the counter counts or stops while DPSLP# is asserted.
  input  deep_sleep_e       deep_sleep_i,
  // Strap `max_ratio`: ratio of core clock to bus clock for the rate constant-max, in halves.
  input  logic [7:0]        max_ratio_i,
  // Strap `art_whole`: whole ticks of the counter per tick of the crystal.
  input  logic [15:0]       art_whole_i,
  // Strap `art_rest`: remainder per tick of the crystal, in units of 1 / `art_denominator_i`.
  input  logic [15:0]       art_rest_i,
  // Strap `art_denominator`: denominator of the ratio.
  input  logic [15:0]       art_denominator_i,

  // DPSLP# is asserted: deep sleep.
  input  logic              dpslp_i,
  // A period of the bus clock begins in this cycle.
  input  logic              bus_tick_i,
  // A period of the core crystal clock begins in this cycle.
  input  logic              crystal_tick_i,
  // Present ratio of core clock to bus clock, in halves; valid with `bus_tick_i` and in the first cycle after reset.
  input  logic [7:0]        core_ratio_i,

  // Number of ticks of the counters in this cycle.
  output logic [TicksW-1:0] ticks_o,
  // Registers of the rate.
  output rate_t             rate_o
);

  rate_t rate_d, rate_q;

  logic boot;
  assign boot = rate_i == RateConstantBoot;

  logic [7:0] ratio;
  always_comb begin
    unique case (rate_i)
      RateConstantMax:  ratio = max_ratio_i;
      RateConstantBoot: ratio = rate_q.booted ? rate_q.boot_ratio : core_ratio_i;
      default:          ratio = core_ratio_i;
    endcase
  end

  logic        crystal;
  logic [15:0] whole, rest, denominator;
  assign crystal     = rate_i == RateInvariant;
  assign whole       = crystal ? art_whole_i : {9'b0, ratio[7:1]};
  assign rest        = crystal ? art_rest_i : {15'b0, ratio[0]};
  assign denominator = crystal ? art_denominator_i : 16'd2;

  logic runs;
  assign runs = present_i && (crystal ? crystal_tick_i : bus_tick_i) && !(dpslp_i && (deep_sleep_i == DeepSleepStop));

  logic        full;
  logic [16:0] sum;
  logic [15:0] left;
  assign sum  = {1'b0, rate_q.fraction} + {1'b0, rest};
  assign full = sum >= {1'b0, denominator};
  // New fraction. It is less than the denominator, so the top bit of the sum is not needed.
  assign left = sum[15:0] - (full ? denominator : 16'd0);

  assign ticks_o = runs ? {1'b0, whole} + TicksW'(full) : '0;

  always_comb begin
    rate_d = rate_q;
    if (boot) begin
      rate_d.booted = 1'b1;
      if (!rate_q.booted) rate_d.boot_ratio = core_ratio_i;
    end
    if (runs) rate_d.fraction = left;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rate_q <= '0;
    end else begin
      rate_q <= rate_d;
    end
  end

  assign rate_o = rate_q;

endmodule
