// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Refused: of a request that is refused no value of a register leaves the unit, and whether it is refused does not depend
// on one.
//
// Two runs with entirely different pasts: other writes, other times. A request that is the same in both is answered with
// the same result in the next cycle; unless it is done, the whole answer is the same.
//
// Rows: TSC-11, TSC-12.

module formal_refused
  import retire_pkg::*;
  import tsc_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  a_i,
  input in_t  b_i
);

  logic    rst_n;
  config_t cfg;
  out_t    out_a, out_b;
  state_t  a, b;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_i), .out_o(out_b), .st_o(b));

  // The request of the cycle before was the same in both runs.
  logic same, same_q;
  assign same = {a_i.cpl, a_i.op_mode, a_i.tsd, a_i.request} == {b_i.cpl, b_i.op_mode, b_i.tsd, b_i.request};
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      same_q <= 1'b0;
    end else begin
      same_q <= same;
    end
  end

  always_comb begin
    // TSC-11, TSC-12
    SameResult: assert (!same_q || ({out_a.reg_done, out_a.reg_result} == {out_b.reg_done, out_b.reg_result}));
    // TSC-11
    SameBlank:  assert (!(same_q && (out_a.reg_result != ResultDone)) || (out_a == out_b));
  end
  always_comb begin
    CoverTells: cover (same_q && (out_a.reg_rdata != out_b.reg_rdata));
    CoverBlank: cover (same_q && (out_a.reg_result == ResultGp) && (a.processors != b.processors));
  end

endmodule
