// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The environment of the proofs: reset and straps. No input of the unit has a rule, so every one is free.

module formal_env
  import itanium_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  output logic    rst_no,
  output config_t cfg_o
);

  // "Reset is asynchronous, active low." The first cycle of a run is one of reset; none follows.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
  end
  assign rst_no = started_q;

`ifdef FORMAL_DEFAULT_STRAPS
  assign cfg_o = DefaultStraps;
`else
  // "Constant after reset." "All eight combinations are legal."
  formal_const #(.WIDTH($bits(config_t))) u_straps (.Y(cfg_o));
`endif

endmodule
