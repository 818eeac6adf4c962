// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that no illegal combination of straps is given, in reset or later. Not part of the hardware.
//
// Contract: docs/src/tsc/ports.md, "Straps".

module tsc_assert_straps
  import tsc_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input logic    clk_i,
  // Some straps are legal in every combination.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t cfg_i
  // verilator lint_on UNUSEDSIGNAL
);

  StrapsAdjustNeedsCounter: assert property (@(posedge clk_i) cfg_i.present || !cfg_i.adjust);
  StrapsAuxNeedsCounter:    assert property (@(posedge clk_i) cfg_i.present || !cfg_i.aux);
  StrapsInvariantCounts:    assert property (@(posedge clk_i)
      (cfg_i.rate != RateInvariant) || (cfg_i.deep_sleep == DeepSleepCount));
  StrapsMaxRatioNotZero:    assert property (@(posedge clk_i) cfg_i.max_ratio != '0);
  StrapsDenominatorNotZero: assert property (@(posedge clk_i) cfg_i.art_denominator != '0);
  // A denominator of 0 is the subject of another assertion.
  StrapsRestIsLess:         assert property (@(posedge clk_i)
      (cfg_i.art_denominator == '0) || (cfg_i.art_rest < cfg_i.art_denominator));
  StrapsRatioNotZero:       assert property (@(posedge clk_i) (cfg_i.art_whole != '0) || (cfg_i.art_rest != '0));

endmodule
