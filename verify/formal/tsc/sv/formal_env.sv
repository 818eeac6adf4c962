// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The environment of the proofs: reset and straps. No input of the unit has a rule, so every one is free.

module formal_env
  import tsc_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  output logic    rst_no,
  output config_t cfg_o
);

  // "All reset to 0 (asynchronous, active low)." The first cycle of a run is one of reset; none follows.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
  end
  assign rst_no = started_q;

`ifdef FORMAL_DEFAULT_STRAPS
  assign cfg_o = DefaultStraps;
`elsif FORMAL_WHOLE_STRAPS
  assign cfg_o = WholeStraps;
`elsif FORMAL_HALF_STRAPS
  assign cfg_o = HalfStraps;
`else
  // "Constant after reset."
  formal_const #(.WIDTH($bits(config_t))) u_straps (.Y(cfg_o));

  // "Illegal combinations": the table under "Straps".
  always_comb begin
    StrapsAdjustNeedsCounter: assume (cfg_o.present || !cfg_o.adjust);
    StrapsAuxNeedsCounter:    assume (cfg_o.present || !cfg_o.aux);
    StrapsInvariantCounts:    assume ((cfg_o.rate != RateInvariant) || (cfg_o.deep_sleep == DeepSleepCount));
    StrapsMaxRatioNotZero:    assume (cfg_o.max_ratio != '0);
    StrapsDenominatorNotZero: assume (cfg_o.art_denominator != '0);
    StrapsRestIsLess:         assume (cfg_o.art_rest < cfg_o.art_denominator);
    StrapsRatioNotZero:       assume ((cfg_o.art_whole != '0) || (cfg_o.art_rest != '0));
  end
`endif

endmodule
