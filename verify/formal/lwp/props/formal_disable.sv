// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Disable: after LWPMSR0[0] is cleared, or the pointer is 0, nothing happens any more; without the unit (strap
// `present`) nothing ever does.
//
// Rows: LWP-OVR-07, LWP-MSR0-15.

module formal_disable
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i
);

  logic    op_busy;
  ctl_op_e op;
  formal_ops u_ops (
    .clk_i, .rst_ni, .in_i, .out_i, .st_i, .busy_o(op_busy), .op_o(op), .word_o(), .ring3_o(), .flush_o()
  );

  // Disabled in this cycle and the one before; no session.
  logic disabled, no_session, restored;
  assign disabled   = valid_i && !out_i.msr0[0] && !was_out_i.msr0[0];
  assign no_session = valid_i && (st_i.session.lwpcb == '0) && (was_i.session.lwpcb == '0);
  assign restored   = valid_i && (was_i.ctl.st == CtlWait) && (st_i.ctl.st != CtlWait) && (was_i.ctl.op == OpRestore) &&
                      (was_i.ctl.fault == FaultNone);

  logic [NumEvents-1:0] kept;
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign kept[e] = st_i.events[e].counter == was_i.events[e].counter;
  end

  logic ctl_memory;
  assign ctl_memory = st_i.ctl.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};

  always_comb begin
    NoPointer:      assert (out_i.msr0[0] || ((st_i.session.lwpcb == '0) && !st_i.session.active && !st_i.session.init_pending));
    NoRequest:      assert (out_i.msr0[0] || (!out_i.mem_req && !st_i.port.waiting && !ctl_memory));
    NoStore:        assert (out_i.msr0[0] || (st_i.store.st == StoreIdle));
    NoDrain:        assert (out_i.msr0[0] || (!out_i.drain && !out_i.addr_track));
    NoCount:        assert (!disabled || restored || (kept == '1));
    NoGather:       assert (!disabled || restored || (st_i.records == was_i.records) || (st_i.records == '0));
    // A crossing from before, whose delay ends, is the only notice of it: it still comes if bit 31 is left set.
    NoInterrupt:    assert (!disabled || restored || !out_i.irq || was_out_i.irq || (was_i.irq.count == 8'd1));
    NoDelay:        assert (!disabled || restored || (st_i.irq.count <= was_i.irq.count));
    NoTrap:         assert (!disabled || !out_i.pf_valid || was_out_i.pf_valid);
    // Its answers: the instructions do not exist, LWPMSR1 cannot be accessed.
    Answers:        assert (!(out_i.rsp_valid && !out_i.msr0[0]) || !(st_i.ctl.op inside {OpLlwpcb, OpSlwpcb, OpRdMsr1,
                            OpWrMsr1}) || (out_i.rsp_fault inside {FaultUd, FaultGp}));
    // Without a session only an operation reaches memory, and nothing counts.
    PointerCounts:  assert (!no_session || restored || (kept == '1) || (was_i.ctl.st == CtlLoad));
    PointerRequest: assert (!((st_i.session.lwpcb == '0) && out_i.mem_req) || (ctl_memory && !st_i.ctl.init));
    PointerGather:  assert (!no_session || restored || (st_i.records == was_i.records) || (st_i.records == '0));
    // The strap.
    NotPresent:     assert (cfg_i.present || (out_i.msr0 == '0));
    NotPresentOp:   assert (cfg_i.present || !out_i.rsp_valid || (out_i.rsp_fault != FaultNone));
  end

  // A write of LWPMSR0 that disables has done so when it is answered.
  always_comb begin
    DisabledNow:    assert (!(out_i.rsp_valid && (st_i.ctl.op == OpWrMsr0) && (out_i.rsp_fault == FaultNone)) ||
                            (out_i.msr0 == st_i.ctl.arg[31:0]));
    WaitWritable:   assert (!((st_i.ctl.st == CtlWait) && (st_i.ctl.op == OpWrMsr0) && (st_i.ctl.fault == FaultNone)) ||
                            ((st_i.ctl.arg & ~{32'b0, cfg_i.avail_int, 27'b0, cfg_i.avail_dme, cfg_i.avail_bre,
                            cfg_i.avail_ire,
                            1'b1}) == '0));
  end

  logic was_active_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was_active_q <= 1'b0;
    end else begin
      was_active_q <= was_active_q || st_i.session.active;
    end
  end

  always_comb begin
    CoverDisabled:  cover (disabled && was_active_q);
    CoverAnswer:    cover (out_i.rsp_valid && !out_i.msr0[0] && (st_i.ctl.op == OpSlwpcb));
    CoverStopped:   cover (no_session && was_active_q && out_i.msr0[0] && (op == OpLlwpcb));
  end

endmodule
