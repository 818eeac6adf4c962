// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Secure: nothing that the kernel or SMM does reaches the user (docs/src/formal.md, "Non-interference").
//
// Two runs get the same inputs in every cycle in ring 3. In all others they may differ in what retires, which loads
// miss, where it runs (any CPL below 3, or SMM) and in which mode. Then they show the same: every access to memory
// with its data, every stall, cut, answer, fault and interrupt, in every cycle.
//
// Rows: LWP-SEC-01, LWP-SMM-01.

module formal_secure
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  raw_i,
  input in_t  b_i
);

  logic    rst_n, ring3;
  config_t cfg;
  out_t    out_a, out_b;
  state_t  st_a, st_b;
  logic [MabEntries-1:0] mine;

  in_t a_i;
  formal_env  u_env (.clk_i, .raw_i, .in_o(a_i), .out_i(out_a), .st_i(st_a), .rst_no(rst_n), .cfg_o(cfg), .gnt_age_o(),
                     .rsp_age_o());
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(st_a));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_i), .out_o(out_b), .st_o(st_b));

  assign ring3 = in_ring3(a_i);

  formal_twins u_twins (
    .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .same_i(ring3), .fresh_i(1'b0), .a_i, .b_i, .mine_o(mine)
  );

  always_comb begin
    // The user sees when it runs.
    SameTimes:    assume (in_ring3(b_i) == ring3);
    // What happens in ring 3 is the same.
    SameUser:     assume (!ring3 || (a_i == b_i));
    // The memory that the unit reaches, with user rights, is the user's; and so is what it holds.
    SameMemory:   assume ({a_i.mem_gnt, a_i.mem_rvalid, a_i.mem_err, a_i.mem_rdata} ==
                          {b_i.mem_gnt, b_i.mem_rvalid, b_i.mem_err, b_i.mem_rdata});
    SameEntropy:  assume (a_i.entropy == b_i.entropy);
    // What the system tells the unit to do is meant to reach the user; and so is when it takes a request.
    SameCommands: assume ({a_i.ctl_valid, a_i.pf_ack, a_i.irq_ack} == {b_i.ctl_valid, b_i.pf_ack, b_i.irq_ack});
    SameOperands: assume (!a_i.ctl_valid || ({a_i.ctl_op, a_i.ctl_word, a_i.ctl_wdata, a_i.ctl_ds_base, a_i.cpl,
                          a_i.op_mode} == {b_i.ctl_op, b_i.ctl_word, b_i.ctl_wdata, b_i.ctl_ds_base, b_i.cpl,
                          b_i.op_mode}));
  end

  // The registers of the two runs are joined: the proof reads this with the second run's registers replaced by those of
  // the first, and asserts for each that both would take the same value (verify/formal/runner/join.py). The buffer has entries
  // that are nobody's or the kernel's; of those of the user it is asserted here. A control looks at outputs alone.
`ifndef FORMAL_CLAIM
  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_entries
    always_comb begin
      SameEntry: assert (!(mine[i] && cfg.latency_source) || (st_a.mab.entries[i] == st_b.mab.entries[i]));
    end
  end
`endif

  always_comb begin
    SameOutputs: assert (out_a == out_b);
  end

  always_comb begin
    CoverDiffer: cover (rst_n && st_a.session.active && !ring3 && a_i.lanes[0].valid && !b_i.lanes[0].valid && a_i.smm &&
    !b_i.smm);
    CoverUser:   cover (rst_n && st_a.session.active && ring3 && out_a.mem_req && (out_a.mem_cmd == MemWrite));
  end

endmodule
