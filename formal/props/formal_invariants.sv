// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Invariants: every assertion of the RTL (rtl/lwp/lwp_assert*.sv) and every lemma of formal_lemmas, all together by
// induction. Nothing is assumed but legal straps: they hold whatever the inputs.

module formal_invariants
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n;
  config_t cfg;
  out_t    out;
  state_t  st;

  formal_env  u_env (.clk_i, .in_i, .out_i(out), .st_i(st), .rst_no(rst_n), .cfg_o(cfg), .gnt_age_o(), .rsp_age_o());
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));

endmodule
