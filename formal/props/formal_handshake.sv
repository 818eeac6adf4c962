// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Handshakes: what the unit shows at its ports keeps the rules of the ports, whatever it is shown.
//
// Rows: LWP-STO-16, LWP-STO-15, LWP-INT-06, LWP-ADR-08.

module formal_handshake
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

  // The request of the cycle before was that of an operation, not of a store that goes on beside its wait.
  logic ctl_asked;
  assign ctl_asked = was.ctl_st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};

  // Memory: an access is outstanding from its grant to its response.
  logic waiting_q, same_request;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      waiting_q <= 1'b0;
    end else begin
      waiting_q <= (out.mem_req && in_i.mem_gnt) || (waiting_q && !in_i.mem_rvalid);
    end
  end
  assign same_request = {out.mem_cmd, out.mem_be, out.mem_addr, out.mem_wdata} ==
                        {was_out.mem_cmd, was_out.mem_be, was_out.mem_addr, was_out.mem_wdata};

  always_comb begin
    OneAtATime:     assert (!(out.mem_req && waiting_q));
    GrantEnds:      assert (!(valid && was_out.mem_req && was_in.mem_gnt) || !out.mem_req);
    // "The request stands unchanged until then", unless it is given up because ring 3 was left.
    Stands:         assert (!(valid && was_out.mem_req && !was_in.mem_gnt) || out.mem_req || !in_ring3(was_in));
    Unchanged:      assert (!(valid && was_out.mem_req && out.mem_req) || same_request);
    OpNotWithdrawn: assert (!(valid && was_out.mem_req && !was_in.mem_gnt && op_busy && ctl_asked) ||
                            out.mem_req);
    AlignedAccess:  assert (!out.mem_req || (out.mem_addr[2:0] == '0));
    KnownAccess:    assert (!out.mem_req || ((out.mem_cmd inside {MemRead, MemWrite, MemProbe}) &&
                            (out.mem_be inside {BytesAll, BytesLow, BytesHigh})));
    BytesMeant:     assert (!out.mem_req || ((out.mem_be[0] || (out.mem_wdata[31:0] == '0)) &&
                            (out.mem_be[4] || (out.mem_wdata[63:32] == '0))));
    ReadsCarryNone: assert (!out.mem_req || (out.mem_cmd == MemWrite) || (out.mem_wdata == '0));
    MonitorWaits:   assert (waiting_q == st.mem_wait);
  end

  // Control: one answer for each operation, after its acceptance and not before; stall until then.
  always_comb begin
    AnswerAsked:    assert (!out.rsp_valid || op_busy);
    AnswerOnce:     assert (!(valid && was_out.rsp_valid) || !out.rsp_valid);
    StallUntil:     assert (!op_busy || out.stall);
    FaultIsPf:      assert (!(out.rsp_valid && (out.rsp_fault == FaultPf)) || !(op inside {OpRdMsr0, OpWrMsr0, OpSave,
                            OpRestore}));
    UnknownIsUd:    assert (!(out.rsp_valid && (op > OpRestore)) || (out.rsp_fault == FaultUd));
  end

  // Requests of the unit stand until they are acknowledged.
  always_comb begin
    TrapStands:     assert (!(valid && was_out.pf_valid && !was_in.pf_ack) || (out.pf_valid &&
                            (out.pf_addr == was_out.pf_addr) && (out.pf_write == was_out.pf_write) &&
                            (out.pf_abort == was_out.pf_abort)));
    TrapEnds:       assert (!(valid && was_out.pf_valid && was_in.pf_ack) || !out.pf_valid);
    TrapCause:      assert (!(valid && out.pf_valid && !was_out.pf_valid) || (was_in.mem_rvalid && was_in.mem_err &&
                            in_ring3(was_in)));
    InterruptStands:assert (!(valid && was_out.irq && !was_in.irq_ack) || out.irq);
  end

  // Retirement.
  logic [Lanes-1:0] lanes;
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    assign lanes[l] = was_in.lanes[l].valid;
  end
  always_comb begin
    CutGroup:       assert (!(valid && out.cut_valid) || (!was_out.stall && in_ring3(was_in) && cfg.store_timing &&
                            lanes[32'(out.cut_lane) % Lanes]));
    CutInside:      assert (32'(out.cut_lane) < Lanes);
    CutStalls:      assert (!(valid && out.cut_valid) || out.stall);
    FlushAfterFill: assert (!(valid && out.flush_req) || (was_in.fill_valid && in_ring3(was_in)));
    FlushOneCycle:  assert (!(valid && was_out.flush_req) || !out.flush_req);
    DrainNoTrap:    assert (!(out.drain && out.pf_valid));
  end

  always_comb begin
    CoverAnswer:    cover (out.rsp_valid && (op == OpLlwpcb) && (out.rsp_fault == FaultNone) && st.active);
    CoverPf:        cover (out.rsp_valid && (out.rsp_fault == FaultPf));
    CoverTrap:      cover (valid && out.pf_valid && was_out.pf_valid);
    CoverLate:      cover (valid && was_out.mem_req && out.mem_req && waiting_q == 1'b0 && (was_out.mem_cmd == MemWrite));
  end

endmodule
