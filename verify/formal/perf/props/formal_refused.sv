// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Refused: a request that is no WRMSR which is done changes no register but the answer.
//
// Two runs have the same inputs, but that in the second one no request is made where that of the first is refused, is not mine or
// only reads. Then every register but the answer is the same in every cycle.
//
// The two runs share their registers (verify/formal/runner/join.py), so the assertions of the proof are SameRegister and those
// below.
//
// Rows: P6-07, P6-08, P6-10, P6-34, P6-35.

module formal_refused
  import retire_pkg::*;
  import perf_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n;
  config_t cfg;
  in_t     without;
  out_t    out_a, out_b;
  state_t  a, b;

  always_comb begin
    without = in_i;
    if (!takes_effect(cfg, in_i)) without.request = '0;
  end

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out_a), .st_o(a));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(without), .out_o(out_b), .st_o(b));

  // What the request was.
  logic        asked_q, took_q;
  reg_result_e result_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      asked_q  <= 1'b0;
      took_q   <= 1'b0;
      result_q <= ResultDone;
    end else begin
      asked_q  <= in_i.request.reg_valid;
      took_q   <= takes_effect(cfg, in_i);
      result_q <= result(cfg, in_i);
    end
  end

  always_comb begin
    // P6-07, P6-08, P6-34
    AsListed:   assert ((out_a.reg_done == asked_q) && (out_a.reg_result == (asked_q ? result_q : ResultDone)));
    // P6-07
    NoValue:    assert (!(asked_q && (result_q != ResultDone)) || (out_a.reg_rdata == '0));
    // P6-07, P6-10, P6-35
    SameLp:     assert (a.lp == b.lp);
    SameGeneral: assert (a.general == b.general);
    SameFixed:  assert (a.fixed == b.fixed);
  end
  always_comb begin
    CoverGp:    cover (asked_q && (out_a.reg_result == ResultGp) && (a.general[0][0].counter != '0) && (a.answer != b.answer));
    CoverRead:  cover (asked_q && !took_q && (out_a.reg_rdata != '0));
    CoverTakes: cover (took_q && (out_b.reg_result == ResultDone) && out_b.reg_done);
  end

endmodule
