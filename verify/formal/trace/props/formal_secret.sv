// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Secret: nothing of level 0 is in a trace that leaves level 0 out.
//
// A cycle is hidden if its level is 0 and tracing leaves it out: BTS_OFF_OS is 1, or TR is 0. Two runs get the same inputs in
// every other cycle. In hidden cycles they differ in what retires, where it runs and whereto it branches, in the interruptions
// and their addresses, in the mode, in the segments, and in the requests. Then every message, every access to memory with its
// address and data, and every other output is the same in every cycle, but for answers to level 0.
//
// A transfer from another level to level 0 is of the level that it leaves: the cycle is not hidden, so its record may hold where
// level 0 is entered. A return from level 0 is of level 0: neither its source nor its destination is in the trace.
//
// The two runs share their registers (verify/formal/runner/join.py), so the assertions of the proof are SameRegister and those
// below. The LBR stack, which has no filter, and the answer are not shared: in them the runs differ.
//
// Rows: DCTL-09, DCTL-21.

module formal_secret
  import retire_pkg::*;
  import trace_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  a_i,
  // The second run's own inputs, in hidden cycles.
  input in_t  free_i
);

  logic    rst_n, hidden;
  config_t cfg;
  in_t     b_in;
  out_t    out_a, out_b;
  state_t  a, b;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a), .collected_o());
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_in), .out_o(out_b), .st_o(b), .collected_o());

  // "Tracing = `debugctl`[6], and not `debugctl`[9] if the level is 0".
  assign hidden = (level(a_i) == 2'd0) && !(a.control.debugctl[6] && !a.control.debugctl[9]);

  // A part of the step, by the cycle in which it begins: hidden (1), in which the runs differ, or not (0).
`ifdef FORMAL_HIDDEN
  logic hidden_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) hidden_q <= 1'(`FORMAL_HIDDEN);
    else hidden_q <= hidden;
  end
  always_comb Case: assume (hidden_q == 1'(`FORMAL_HIDDEN));
  localparam bit Differ = 1'(`FORMAL_HIDDEN);
`else
  localparam bit Differ = 1'b1;
`endif

  always_comb begin
    b_in = a_i;
    if (Differ && hidden) begin
      b_in = free_i;
      // The bus, memory, and the registers of a processor that is stalled because of a record: they are not level 0's doing.
      b_in.btm_ready        = a_i.btm_ready;
      b_in.mem              = a_i.mem;
      b_in.pebs.state_value = a_i.pebs.state_value;
      // A performance interrupt freezes the stack if it is to, and clears a bit of IA32_DEBUGCTL.
      if (a.control.debugctl[11]) b_in.pmi = a_i.pmi;
    end
  end

  // A WRMSR that is done of a register that says what is traced, and where to: IA32_DEBUGCTL, IA32_DS_AREA, IA32_PEBS_ENABLE.
  typedef struct packed {
    logic [2:0]  register;
    logic [63:0] value;
  } set_up_t;

  function automatic set_up_t set_up(config_t straps, in_t in, state_t st);
    set_up_t made;
    made.register = {writes(straps, in, st, 32'h1D9), writes(straps, in, st, 32'h600), writes(straps, in, st, 32'h3F1)};
    made.value    = (made.register != '0) ? in.request.reg_wdata : '0;
    return made;
  endfunction

  // A #DB, SMI or RSM that changes IA32_DEBUGCTL.
  function automatic logic [2:0] changes(in_t in, state_t st);
    return {delivers_debug(in, st), delivers_kind(in, st, IntSmi) && st.control.debugctl[14],
            delivers_kind(in, st, IntRsm) && st.control.smm_frozen};
  endfunction

  always_comb begin
    // The user sees when it runs.
    SameLevel:   assume (level(a_i) == level(b_in));
    // What the system makes of the trace is meant to be seen in it.
    SameSetUp:   assume (set_up(cfg, a_i, a) == set_up(cfg, b_in, a));
    SameChanges: assume (changes(a_i, a) == changes(b_in, a));
    // What a counter counts, and at which level, is not this unit's (docs/src/perf): a record of PEBS comes in both or neither.
    SamePrecise: assume (((a_i.pebs.pebs_overflow ^ b_in.pebs.pebs_overflow) & a.control.pebs_enable) == '0);
    SameEvents:  assume ((fires(a_i, a) == fires(b_in, a)) &&
                         ((fires(a_i, a) == '0) || (makes_wide(cfg, a_i) == makes_wide(cfg, b_in))));
  end

  // The request of the cycle before was not made at level 0.
  logic user_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) user_q <= 1'b0;
    else user_q <= level(a_i) != 2'd0;
  end

  // Outputs but for the answer.
  out_t shown_a, shown_b;
  always_comb begin
    shown_a        = out_a;
    shown_b        = out_b;
    shown_a.answer = '0;
    shown_b.answer = '0;
  end

  always_comb begin
    // DCTL-09, DCTL-21: whatever level 0 did, the bus gets the same messages and memory the same records.
    SameOutputs: assert (shown_a == shown_b);
    // What level 0 left in the LBR stack is not read at another level.
    SameAnswer:  assert (!user_q || (out_a.answer == out_b.answer));
  end

  // Both runs branch in a hidden cycle, tracing being on, but elsewhere; the traces of the stack have become different.
  logic apart_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) apart_q <= 1'b0;
    else if (hidden && a.control.debugctl[6] && shown(cfg, a_i, a, 0).valid && shown(cfg, b_in, b, 0).valid &&
             (a_i.lanes[0].branch.branch_next != b_in.lanes[0].branch.branch_next)) apart_q <= 1'b1;
  end

  always_comb begin
    CoverMessage: cover (apart_q && out_a.message.btm_valid && (out_a.message.btm_from != '0) && (a.lbr != b.lbr));
    CoverStored:  cover (apart_q && out_a.notice.stored && (a.waiting.count != '0));
    // A message of the transfer into level 0, behind hidden branches.
    CoverEntry:   cover (apart_q && !user_q && out_a.message.btm_valid && (out_a.message.btm_to == 64'hFFFF_8000_0000_0008) &&
                         hidden && a_i.btm_ready && b_in.lanes[0].retired.valid && !a_i.lanes[0].retired.valid);
    CoverRefused: cover (user_q && (a.lbr.entry != b.lbr.entry) && (out_a.answer.reg_result == ResultGp));
  end

endmodule
