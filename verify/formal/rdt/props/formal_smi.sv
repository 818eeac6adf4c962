// SPDX-License-Identifier: MIT OR Apache-2.0
//
// SMI: no interruption changes anything. Two runs get the same inputs but for `int_valid` and `int_kind`, which differ at will: an
// SMI and RSM in one, nothing in the other. Every register takes the same value in both, IA32_PQR_ASSOC, masks, delays and
// counters among them; so the handler's accesses are charged and limited as those of the interrupted thread.
//
// The two runs share their registers (verify/formal/runner/join.py), so the assertions of the proof are SameRegister and those
// below.
//
// Rows: RDTM-20, RDTM-33, RDTA-24.

module formal_smi
  import retire_pkg::*;
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input logic                     clk_i,
  input in_t                      a_i,
  // Interruptions of the second run.
  input logic [Processors-1:0]      valid_i,
  input logic [Processors-1:0][2:0] kind_i
);

  logic    rst_n;
  config_t cfg;
  in_t     b_in;
  out_t    out_a, out_b;
  state_t  a, b;
  tags_t   a_tags, b_tags;

  always_comb begin
    b_in = a_i;
    for (int unsigned i = 0; i < Processors; i++) begin
      b_in.lp[i].int_valid = valid_i[i];
      b_in.lp[i].int_kind  = int_kind_e'(kind_i[i]);
    end
  end

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a), .tags_o(a_tags));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_in), .out_o(out_b), .st_o(b), .tags_o(b_tags));

  always_comb begin
    SameOutputs: assert (out_a == out_b);
  end

  // The memories are the same as far as clear has written them; before that they may hold anything.
  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3
    always_comb SameTags: assert (((a.job.step == StepClear) && (SetW'(s) >= a.job.set_index)) ||
        (a_tags.l3[s] == b_tags.l3[s]));
  end
  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2
    always_comb SameTags: assert (((a.job.step == StepClear) && (SetW'(s) >= a.job.set_index)) ||
        (a_tags.l2[s] == b_tags.l2[s]));
  end

  // An SMI in one run alone, and since then a transfer.
  logic smi_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) smi_q <= 1'b0;
    else if (!a_i.lp[0].int_valid && b_in.lp[0].int_valid && (b_in.lp[0].int_kind == IntSmi)) smi_q <= 1'b1;
  end
  always_comb begin
    CoverSmi: cover (smi_q && (a.lp[0].rmid == 5'd1) && (a.rmid[1].total != cfg.start));
  end

endmodule
