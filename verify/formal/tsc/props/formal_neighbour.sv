// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Neighbour: nothing that other logical processors ask reaches a logical processor, and none of their answers tells
// what it holds.
//
// Two runs have the same processor pins. Whenever a chosen logical processor asks in one run, it asks the same in the other;
// what all others ask may differ. Then its registers and its answers are the same in every cycle.
//
// Rows: TSC-17.

module formal_neighbour
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

  // The chosen one.
  logic [2:0] mine;
  formal_const #(.WIDTH(3)) u_mine (.Y(mine));

  logic asks_a, asks_b, asked_q;
  assign asks_a = a_i.request.reg_valid && asks(a_i, 32'(mine));
  assign asks_b = b_i.request.reg_valid && asks(b_i, 32'(mine));
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      asked_q <= 1'b0;
    end else begin
      asked_q <= asks_a;
    end
  end

  always_comb begin
    MineExists: assume (32'(mine) < Processors);
    SamePins:   assume (a_i.processor == b_i.processor);
    SameTimes:  assume (asks_a == asks_b);
    SameOwn:    assume (!asks_a || (a_i == b_i));
  end

  lp_t mine_a, mine_b;
  always_comb begin
    mine_a = '0;
    mine_b = '0;
    for (int unsigned i = 0; i < Processors; i++) begin
      if (32'(mine) == i) begin
        mine_a = a.processors[i];
        mine_b = b.processors[i];
      end
    end
  end

  always_comb begin
    SameRate:   assert (a.rate == b.rate);
    // TSC-17
    SameMine:   assert (mine_a == mine_b);
    SameAnswer: assert (!asked_q || (out_a == out_b));
  end
  always_comb begin
    CoverApart: cover (asked_q && (out_a.reg_rdata != '0) && (a.processors != b.processors));
  end

endmodule
