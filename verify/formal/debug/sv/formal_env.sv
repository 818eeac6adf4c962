// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The environment of the proofs: reset and straps. No input of the unit has a rule, so every one is free.

module formal_env
  import debug_pkg::*;
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
`else
  // "Constant after reset."
  formal_const #(.WIDTH($bits(config_t))) u_straps (.Y(cfg_o));

  // "Illegal combinations": the table under "Straps".
  always_comb begin
    StrapsStatusKnown:    assume (cfg_o.status != 2'd3);
    StrapsFaultRfPentium: assume (cfg_o.fault_rf || !(cfg_o.long_mode || cfg_o.rtm));
  end
`endif

endmodule
