// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Handshakes: what the unit shows at its ports keeps the rules of the ports, whatever it is shown.
//
// Rows: LWP-STO-16, LWP-STO-15, LWP-INT-06, LWP-ADR-08.

module formal_handshake
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
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

  // The request of the cycle before was that of an operation, not of a store that goes on beside its wait.
  logic ctl_asked;
  assign ctl_asked = was_i.ctl.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};

  // Memory: an access is outstanding from its grant to its response.
  logic waiting_q, same_request;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= 1'b0;
    end else begin
      waiting_q <= (out_i.mem_req && in_i.mem_gnt) || (waiting_q && !in_i.mem_rvalid);
    end
  end
  assign same_request = {out_i.mem_cmd, out_i.mem_be, out_i.mem_addr, out_i.mem_wdata} ==
                        {was_out_i.mem_cmd, was_out_i.mem_be, was_out_i.mem_addr, was_out_i.mem_wdata};

  always_comb begin
    // A request ends with its grant, and none comes before the response.
    OneAtATime:     assert (!(out_i.mem_req && waiting_q));
    // "The request stands unchanged until then", unless it is given up because ring 3 was left.
    Stands:         assert (!(valid_i && was_out_i.mem_req && !was_in_i.mem_gnt) || out_i.mem_req ||
                            !in_ring3(was_in_i));
    Unchanged:      assert (!(valid_i && was_out_i.mem_req && out_i.mem_req) || same_request);
    OpNotWithdrawn: assert (!(valid_i && was_out_i.mem_req && !was_in_i.mem_gnt && op_busy && ctl_asked) ||
                            out_i.mem_req);
    AlignedAccess:  assert (!out_i.mem_req || (out_i.mem_addr[2:0] == '0));
    KnownAccess:    assert (!out_i.mem_req || ((out_i.mem_cmd inside {MemRead, MemWrite, MemProbe}) &&
                            (out_i.mem_be inside {BytesAll, BytesLow, BytesHigh})));
    BytesMeant:     assert (!out_i.mem_req || ((out_i.mem_be[0] || (out_i.mem_wdata[31:0] == '0)) &&
                            (out_i.mem_be[4] || (out_i.mem_wdata[63:32] == '0))));
    ReadsCarryNone: assert (!out_i.mem_req || (out_i.mem_cmd == MemWrite) || (out_i.mem_wdata == '0));
    MonitorWaits:   assert (waiting_q == st_i.port.waiting);
  end

  // What an operation is asked to do. LLWPCB's operand is an offset in DS, and 0 is no block; the low bits of a pointer are
  // ignored if the strap says so.
  logic        mode64;
  logic [63:0] offset, asked;
  assign mode64 = was_in_i.op_mode == Mode64;
  assign offset = mode_addr(mode64, was_in_i.ctl_wdata);
  always_comb begin
    asked = was_in_i.ctl_wdata;
    if (was_in_i.ctl_op == OpLlwpcb) begin
      asked = (offset == '0) ? '0 : mode_addr(mode64, offset + was_in_i.ctl_ds_base);
    end
    if (cfg_i.misaligned && (was_in_i.ctl_op inside {OpLlwpcb, OpWrMsr1})) begin
      asked[3:0] = '0;
    end
  end

  // Control: one answer for each operation, after its acceptance and not before; stall until then.
  always_comb begin
    AnswerAsked:    assert (!out_i.rsp_valid || op_busy);
    AnswerOnce:     assert (!(valid_i && was_out_i.rsp_valid) || !out_i.rsp_valid);
    StallUntil:     assert (!op_busy || out_i.stall);
    ArgAsked:       assert (!(valid_i && was_in_i.ctl_valid && !was_out_i.stall) || (st_i.ctl.arg == asked));
    FaultIsPf:      assert (!(out_i.rsp_valid && (out_i.rsp_fault == FaultPf)) || !(op inside {OpRdMsr0, OpWrMsr0,
                            OpSave,
                            OpRestore}));
    UnknownIsUd:    assert (!(out_i.rsp_valid && (op > OpRestore)) || (out_i.rsp_fault == FaultUd));
  end

  // Requests of the unit stand until they are acknowledged.
  always_comb begin
    TrapStands:     assert (!(valid_i && was_out_i.pf_valid && !was_in_i.pf_ack) || (out_i.pf_valid &&
                            (out_i.pf_addr == was_out_i.pf_addr) && (out_i.pf_write == was_out_i.pf_write) &&
                            (out_i.pf_abort == was_out_i.pf_abort)));
    TrapEnds:       assert (!(valid_i && was_out_i.pf_valid && was_in_i.pf_ack) || !out_i.pf_valid);
    TrapCause:      assert (!(valid_i && out_i.pf_valid && !was_out_i.pf_valid) || (was_in_i.mem_rvalid &&
                            was_in_i.mem_err &&
                            in_ring3(was_in_i)));
    // At the first byte that the access means.
    TrapPlace:      assert (!(valid_i && out_i.pf_valid && !was_out_i.pf_valid) ||
                            (out_i.pf_addr == was_i.port.addr + ((was_i.port.be == BytesHigh) ? 64'd4 : 64'd0)));
    InterruptStands:assert (!(valid_i && was_out_i.irq && !was_in_i.irq_ack) || out_i.irq);
  end

  // Retirement.
  logic [Lanes-1:0] lanes;
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    assign lanes[l] = was_in_i.lanes[l].valid;
  end
  always_comb begin
    CutGroup:       assert (!(valid_i && out_i.cut_valid) || (!was_out_i.stall && in_ring3(was_in_i) &&
                            cfg_i.store_timing &&
                            lanes[32'(out_i.cut_lane) % Lanes]));
    CutInside:      assert (32'(out_i.cut_lane) < Lanes);
    CutStalls:      assert (!(valid_i && out_i.cut_valid) || out_i.stall);
    FlushAfterFill: assert (!(valid_i && out_i.flush_req) || (was_in_i.fill_valid && in_ring3(was_in_i)));
    FlushOneCycle:  assert (!(valid_i && was_out_i.flush_req) || !out_i.flush_req);
    DrainNoTrap:    assert (!(out_i.drain && out_i.pf_valid));
  end

  always_comb begin
    CoverAnswer:    cover (out_i.rsp_valid && (op == OpLlwpcb) && (out_i.rsp_fault == FaultNone) && st_i.session.active);
    CoverPf:        cover (out_i.rsp_valid && (out_i.rsp_fault == FaultPf));
    CoverTrap:      cover (valid_i && out_i.pf_valid && was_out_i.pf_valid);
  end

endmodule
