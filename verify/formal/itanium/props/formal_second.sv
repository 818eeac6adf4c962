// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Second: PMC[9] qualifies nothing but the count of its own tagged instructions.
//
// Two runs have the same inputs, but what they write into PMC[9] differs, and the second one writes it in more cycles. Then every
// counter but those of IA64_TAGGED_INSTRS_RETIRED with unit mask 2 has the same count in every cycle, and all other registers are
// the same. A counter that selected that event is mixed until its PMD is written again; in neither run it freezes the others.
//
// The two runs share the registers that PMC[9] cannot reach (verify/formal/runner/join.py): SameRegister is about these.
//
// Rows: ITA-25.

module formal_second
  import itanium_pkg::*;
  import formal_pkg::*;
  import formal_qualify_pkg::*;
(
  input logic        clk_i,
  input in_t         a_i,
  // The second run writes PMC[9]; its value.
  input logic        more_i,
  input logic [63:0] value_i
);

  logic    rst_n;
  config_t cfg;
  in_t     b_in;
  out_t    out_a, out_b;
  state_t  a, b;
  // The counters that overflow in this cycle.
  logic [Counters-1:0] over_a, over_b;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a),
    .over_o(over_a));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_in), .out_o(out_b), .st_o(b),
    .over_o(over_b));

  logic differs;
  assign differs = writes(a_i, Pmc, 9) || (more_i && !a_i.request.reg_valid && (a_i.cpl == 2'd0));
  always_comb begin
    b_in = a_i;
    if (differs) begin
      b_in.request.reg_valid  = 1'b1;
      b_in.request.reg_op     = 4'd8;
      b_in.request.reg_number = {21'd0, Pmc, 8'd9};
      b_in.request.reg_wdata  = value_i;
    end
  end

  logic [Counters-1:0] mixed, mixed_q, pin_mixed_q, noted;
  always_comb begin
    for (int unsigned c = 0; c < 4; c++) begin
      mixed[c]  = mixed_q[c] || counts_pmc9(a.counter[c]);
      noted[c]  = (over_a[c] || over_b[c]) && (a.counter[c].oi || cfg.freeze_always);
    end
    MixedFreezesNone: assume ((noted & mixed) == '0);
  end

  // Requests whose answer may differ: a write of the second run alone, a read of PMC[9] and of what is mixed.
  logic tells, tells_q;
  always_comb begin
    tells = differs;
    if (a_i.request.reg_op == 4'd7) begin
      if ((file_of(a_i) == Pmc) && (index_of(a_i) == 8'd9)) tells = 1'b1;
      if ((file_of(a_i) == Pmd) && (index_of(a_i)[7:2] == 6'd1) && mixed[index_of(a_i)[1:0]]) tells = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      mixed_q     <= '0;
      pin_mixed_q <= '0;
      tells_q     <= 1'b0;
    end else begin
      for (int unsigned c = 0; c < 4; c++) mixed_q[c] <= mixed[c] && !writes(a_i, Pmd, 4 + c);
      pin_mixed_q <= mixed;
      tells_q     <= tells;
    end
  end

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    counter_t of_a, of_b;
    assign of_a = a.counter[c];
    assign of_b = b.counter[c];
    always_comb begin
      SameSettings: assert ({of_a.plm, of_a.ev, of_a.oi, of_a.pm, of_a.es, of_a.umask, of_a.threshold, of_a.ism} ==
                            {of_b.plm, of_b.ev, of_b.oi, of_b.pm, of_b.es, of_b.umask, of_b.threshold, of_b.ism});
      // ITA-25
      SameCount:    assert (mixed[c] || (of_a.count == of_b.count));
      SamePin:      assert (pin_mixed_q[c] || (of_a.pin == of_b.pin));
    end
  end
  for (genvar e = 0; e < int'(Entries); e++) begin : gen_entries
    always_comb SameTag: assert ({a.tag[e].range, a.tag[e].pmc8} == {b.tag[e].range, b.tag[e].pmc8});
  end
  always_comb begin
    SameFirst:  assert (a.matcher[0] == b.matcher[0]);
    SameAnswer: assert (tells_q || (a.answer == b.answer));
  end
  always_comb begin
    CoverApart: cover ((mixed == 4'b0010) && (a.counter[1].count != b.counter[1].count) && (a.counter[0].count == 32'd3));
    CoverSame:  cover ((mixed == 4'b0000) && (a.tag != b.tag) && (a.counter[2].count != '0));
  end

endmodule
