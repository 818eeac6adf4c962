// SPDX-License-Identifier: MIT OR Apache-2.0
//
// No illegal combination of straps is given, in reset or later. Not part of the hardware.
//
// Contract: docs/src/tsc/ports.md, "Straps".

module tsc_assert_straps
  import tsc_pkg::*;
(
  input logic    clk_i,
  // Not every strap has a rule.
  // verilator lint_off UNUSEDSIGNAL
  input config_t cfg_i
  // verilator lint_on UNUSEDSIGNAL
);

  StrapsAdjustNeedsCounter: assert property (@(posedge clk_i) cfg_i.present || !cfg_i.adjust);
  StrapsAuxNeedsCounter:    assert property (@(posedge clk_i) cfg_i.present || !cfg_i.aux);
  StrapsInvariantCounts:    assert property (@(posedge clk_i)
      (cfg_i.rate != RateInvariant) || (cfg_i.deep_sleep == DeepSleepCount));
  StrapsMaxRatioNotZero:    assert property (@(posedge clk_i) cfg_i.max_ratio != '0);
  StrapsDenominatorNotZero: assert property (@(posedge clk_i) cfg_i.art_denominator != '0);
  // A denominator of 0 has a rule of its own.
  StrapsRestIsLess:         assert property (@(posedge clk_i)
      (cfg_i.art_denominator == '0) || (cfg_i.art_rest < cfg_i.art_denominator));
  StrapsRatioNotZero:       assert property (@(posedge clk_i) (cfg_i.art_whole != '0) || (cfg_i.art_rest != '0));

endmodule
