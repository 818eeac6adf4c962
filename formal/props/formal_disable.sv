// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Disable: after LWPMSR0[0] is cleared, or the pointer is 0, nothing happens any more; without the unit (strap `present`)
// nothing ever does.
//
// Rows: LWP-OVR-07, LWP-MSR0-15, LWP-LLW-12.

module formal_disable
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n, valid;
  config_t cfg;
  out_t    out;
  state_t  st;
  // The cycle before.
  in_t     was_in;
  out_t    was_out;
  state_t  was;

  formal_env  u_env (.clk_i, .in_i, .out_i(out), .st_i(st), .rst_no(rst_n), .cfg_o(cfg), .gnt_age_o(), .rsp_age_o());
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));
  formal_past u_past (
    .clk_i, .rst_ni(rst_n), .in_i, .out_i(out), .st_i(st), .valid_o(valid), .in_o(was_in), .out_o(was_out), .st_o(was)
  );

  logic    op_busy;
  ctl_op_e op;
  formal_ops u_ops (
    .clk_i, .rst_ni(rst_n), .in_i, .out_i(out), .st_i(st), .busy_o(op_busy), .op_o(op), .word_o(), .ring3_o(), .flush_o()
  );

  // Disabled in this cycle and the one before; no session.
  logic disabled, no_session, restored;
  assign disabled   = valid && !out.msr0[0] && !was_out.msr0[0];
  assign no_session = valid && (st.lwpcb == '0) && (was.lwpcb == '0);
  assign restored   = valid && (was.ctl_st == CtlWait) && (st.ctl_st != CtlWait) && (was.ctl_op == OpRestore) &&
                      (was.ctl_fault == FaultNone);

  logic [NumEvents-1:0] kept;
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign kept[e] = st.events[e].counter == was.events[e].counter;
  end

  logic ctl_memory;
  assign ctl_memory = st.ctl_st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};

  always_comb begin
    NoPointer:      assert (out.msr0[0] || ((st.lwpcb == '0) && !st.active && !st.init_pending));
    NoRequest:      assert (out.msr0[0] || (!out.mem_req && !st.mem_wait && !ctl_memory));
    NoStore:        assert (out.msr0[0] || (st.store_st == StoreIdle));
    NoDrain:        assert (out.msr0[0] || (!out.drain && !out.addr_track));
    NoCount:        assert (!disabled || restored || (kept == '1));
    NoGather:       assert (!disabled || restored || (st.records == was.records) || (st.records == '0));
    // A crossing from before, whose delay ends, is the only notice of it: it still comes if bit 31 is left set.
    NoInterrupt:    assert (!disabled || restored || !out.irq || was_out.irq || (was.irq_count == 8'd1));
    NoDelay:        assert (!disabled || restored || (st.irq_count <= was.irq_count));
    NoTrap:         assert (!disabled || !out.pf_valid || was_out.pf_valid);
    // Its answers: the instructions do not exist, LWPMSR1 cannot be accessed.
    Answers:        assert (!(out.rsp_valid && !out.msr0[0]) || !(st.ctl_op inside {OpLlwpcb, OpSlwpcb, OpRdMsr1,
                            OpWrMsr1}) || (out.rsp_fault inside {FaultUd, FaultGp}));
    // Without a session only an operation reaches memory, and nothing counts.
    PointerCounts:  assert (!no_session || restored || (kept == '1) || (was.ctl_st == CtlLoad));
    PointerRequest: assert (!((st.lwpcb == '0) && out.mem_req) || (ctl_memory && !st.ctl_init));
    PointerGather:  assert (!no_session || restored || (st.records == was.records) || (st.records == '0));
    // The strap.
    NotPresent:     assert (cfg.present || (out.msr0 == '0));
    NotPresentOp:   assert (cfg.present || !out.rsp_valid || (out.rsp_fault != FaultNone));
  end

  // A write of LWPMSR0 that disables has done so when it is answered.
  always_comb begin
    DisabledNow:    assert (!(out.rsp_valid && (st.ctl_op == OpWrMsr0) && (out.rsp_fault == FaultNone)) ||
                            (out.msr0 == st.ctl_arg[31:0]));
    WaitWritable:   assert (!((st.ctl_st == CtlWait) && (st.ctl_op == OpWrMsr0) && (st.ctl_fault == FaultNone)) ||
                            ((st.ctl_arg & ~{32'b0, cfg.avail_int, 27'b0, cfg.avail_dme, cfg.avail_bre, cfg.avail_ire,
                            1'b1}) == '0));
    WaitPresent:    assert (cfg.present || !(st.ctl_st inside {CtlWait, CtlDone}) || (st.ctl_fault != FaultNone));
  end

  logic was_active_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      was_active_q <= 1'b0;
    end else begin
      was_active_q <= was_active_q || st.active;
    end
  end

  always_comb begin
    CoverDisabled:  cover (disabled && was_active_q);
    CoverAnswer:    cover (out.rsp_valid && !out.msr0[0] && (st.ctl_op == OpSlwpcb));
    CoverStopped:   cover (no_session && was_active_q && out.msr0[0] && (op == OpLlwpcb));
  end

endmodule
