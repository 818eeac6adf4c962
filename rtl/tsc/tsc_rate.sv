// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rate: how many ticks all counters advance in this cycle, and the ratio at boot.
//
// A tick of the time base is worth a whole number of ticks and a fraction, rest / denominator. An accumulator keeps
// the fraction, so that nothing is rounded for good.
//
// Specification: section 7, "TSC", 7.1 and 7.4. Contract: docs/src/tsc/cycle.md, "2. Rate" and "4. Boot".

module tsc_rate
  import tsc_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,

  // Strap: the counter exists.
  input  logic              present_i,
  // Strap: what the counter counts.
  input  rate_e             rate_i,
  // Strap: what deep sleep does.
  input  deep_sleep_e       deep_sleep_i,
  // Strap: the ratio of the rate constant-max, in halves.
  input  logic [7:0]        max_ratio_i,
  // Strap: whole ticks per tick of the crystal.
  input  logic [15:0]       art_whole_i,
  // Strap: what is left over per tick of the crystal.
  input  logic [15:0]       art_rest_i,
  // Strap: the unit of what is left over.
  input  logic [15:0]       art_denominator_i,

  // DPSLP# is asserted.
  input  logic              dpslp_i,
  // A period of the bus clock begins.
  input  logic              bus_tick_i,
  // A period of the crystal begins.
  input  logic              crystal_tick_i,
  // Present ratio of core clock to bus clock, in halves.
  input  logic [7:0]        core_ratio_i,

  // Ticks of this cycle.
  output logic [TicksW-1:0] ticks_o,
  // Registers.
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
  // Less than the denominator, so the top bit of the sum does not matter.
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
