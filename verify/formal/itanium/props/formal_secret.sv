// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Secret: no answer to user code tells anything of a system-level monitor or, with PSR.sp, of any counter.
//
// Two runs with entirely different pasts, so every register may differ. A request that is the same in both, at a level other
// than 0, has the same result. Its answer is the same if it reads no counter; if the counter is a system-level monitor in both
// runs; if PSR.sp is 1 in both; and if the counter is a user-level monitor with the same count. So no answer depends on the count
// of a system-level monitor, on any PMC but `pm`, or on an IBR or DBR.
//
// Decision: ITN-21 (docs/src/itanium/decisions.md).

module formal_secret
  import itanium_pkg::*;
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
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a), .over_o());
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_i), .out_o(out_b), .st_o(b), .over_o());

  // The requests of the two runs are the same.
  logic       same, is_counter, hidden_a, hidden_b, shown;
  logic [1:0] number;
  counter_t   of_a, of_b;
  assign same       = {a_i.request, a_i.cpl, a_i.int_valid} == {b_i.request, b_i.cpl, b_i.int_valid};
  assign is_counter = (a_i.request.reg_op == 4'd7) && (file_of(a_i) == Pmd) && (index_of(a_i) >= 8'd4) && (index_of(a_i) <= 8'd7);
  assign number     = index_of(a_i)[1:0];
  assign of_a       = a.counter[number];
  assign of_b       = b.counter[number];
  assign hidden_a   = of_a.pm || a.status.sp;
  assign hidden_b   = of_b.pm || b.status.sp;
  assign shown      = !hidden_a && !hidden_b && (of_a.count == of_b.count);

  logic same_q, user_q, hidden_q, shown_q, counter_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      same_q    <= 1'b0;
      user_q    <= 1'b0;
      hidden_q  <= 1'b0;
      shown_q   <= 1'b0;
      counter_q <= 1'b0;
    end else begin
      same_q    <= same;
      user_q    <= same && (a_i.cpl != 2'd0);
      hidden_q  <= hidden_a && hidden_b;
      shown_q   <= shown;
      counter_q <= is_counter;
    end
  end

  always_comb begin
    SameResult: assert (!same_q || ({out_a.reg_done, out_a.reg_result} == {out_b.reg_done, out_b.reg_result}));
    NoRegister: assert (!(user_q && !counter_q) || ((out_a.reg_rdata == '0) && (out_b.reg_rdata == '0)));
    // ITN-21
    NoCount:    assert (!(user_q && counter_q && hidden_q) || ((out_a.reg_rdata == '0) && (out_b.reg_rdata == '0)));
    SameShown:  assert (!(user_q && counter_q && shown_q) || (out_a.reg_rdata == out_b.reg_rdata));
  end
  always_comb begin
    CoverHidden: cover (user_q && counter_q && hidden_q && out_a.reg_done && (a.counter != b.counter) && !a.status.sp &&
                        (a.counter[3].count != b.counter[3].count) && a.counter[3].pm && b.counter[3].pm);
    CoverShown:  cover (user_q && counter_q && shown_q && (out_a.reg_rdata != '0) && (a.ibr != b.ibr));
    CoverSystem: cover (same_q && !user_q && (out_a.reg_rdata != out_b.reg_rdata));
  end

endmodule
