// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The core's side of CV-X-IF for lwp_ctl_cvxif: random instructions, some killed, some not for the shim. Each that is
// committed starts its operation once, with its operand, and has its result.

module cvxif_driver
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  parameter int unsigned Xlen = 32
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  int              seed_i,

  output logic            issue_valid_o,
  input  logic            issue_ready_i,
  output logic [31:0]     issue_instr_o,
  output logic [3:0]      issue_id_o,
  output logic [31:0]     issue_hartid_o,
  input  logic            issue_accept_i, issue_writeback_i, issue_register_read_i,
  output logic            register_valid_o, register_rs1_valid_o,
  output logic [3:0]      register_id_o,
  output logic [Xlen-1:0] register_rs1_o,
  output logic            commit_valid_o, commit_kill_o,
  output logic [3:0]      commit_id_o,
  input  logic            result_valid_i,
  output logic            result_ready_o,
  input  logic [3:0]      result_id_i,
  input  logic [31:0]     result_hartid_i,
  input  logic [Xlen-1:0] result_data_i,
  input  logic [4:0]      result_rd_i,
  input  logic            result_we_i,

  // An operation of the shim reaches the unit, and ends.
  input  logic            own_op_i,
  input  ctl_op_e         op_i,
  input  logic [63:0]     op_wdata_i,
  input  logic            own_rsp_i,
  input  fault_e          rsp_fault_i,
  input  logic [63:0]     rsp_rdata_i,

  // Enough of everything.
  output logic            complete_o
);

  // The instruction in flight, and what has become of it.
  logic        known, stores, killed, done;
  logic [31:0] instr;
  logic [63:0] rs1, expected;
  logic [3:0]  id;
  int          phase, register_in, commit_in, results, kills, others, faults;
  logic [31:0] rng;

  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  task automatic fail(string what);
    $fatal(1, "FAIL %s: seed %0d, instruction %h", what, seed_i, instr);
  endtask

  // Mostly instructions of the shim; others differ in one bit, or in all.
  task automatic choose;
    logic [31:0] r;
    r = draw();
    instr = {draw() >> 15, 2'b00, r[0], r[5:1], 7'h0B};
    if (r[8:6] == 3'd0) instr = instr ^ (32'd1 << r[13:9]);
    if (r[8:6] == 3'd1) instr = draw();
    known  = instr[6:0] == 7'h0B && instr[14:12] <= 3'd1;
    stores = instr[12];
    killed = r[16:14] == 3'd0;
    id     = r[20:17];
    register_in = int'(r[22:21]);
    commit_in   = int'(r[25:23]);
    r = draw();
    rs1 = 64'(Xlen'({r, draw()}));
    {done, expected} = '0;
  endtask

  task automatic result;
    if (!known || killed || !done) fail("a result of nothing");
    if (result_id_i != id || result_hartid_i != 32'hA5 + 32'(id) || result_rd_i != instr[11:7]) fail("identity");
    if (result_we_i != (instr[11:7] != '0)) fail("register written");
    if (result_data_i != Xlen'(expected)) fail("result");
    results++;
  endtask

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rng = 32'(seed_i) * 32'd747796405 | 32'd1;
      {issue_valid_o, register_valid_o, register_rs1_valid_o, commit_valid_o, commit_kill_o, result_ready_o} <= '0;
      {phase, results, kills, others, faults, known, killed, done} = '0;
      {issue_instr_o, issue_id_o, issue_hartid_o, register_id_o, register_rs1_o, commit_id_o} <= '0;
    end else begin
      logic [31:0] r;
      r = draw();
      if (own_op_i) begin
        if (phase != 2 || !known || killed || done) fail("an operation of nothing");
        if (op_i != (stores ? OpSlwpcb : OpLlwpcb)) fail("operation");
        if (!stores && op_wdata_i != rs1) fail("operand");
      end
      if (own_rsp_i) begin
        done     = 1'b1;
        expected = !stores ? 64'(rsp_fault_i) : (rsp_fault_i == FaultNone) ? rsp_rdata_i : '0;
        faults  += int'(rsp_fault_i != FaultNone);
      end
      result_ready_o   <= r[0];
      register_valid_o <= 1'b0;
      commit_valid_o   <= 1'b0;
      unique case (phase)
        0: if (r[3:1] == 3'd0) begin
          choose();
          issue_valid_o  <= 1'b1;
          issue_instr_o  <= instr;
          issue_id_o     <= id;
          issue_hartid_o <= 32'hA5 + 32'(id);
          phase = 1;
        end
        1: if (issue_valid_o && issue_ready_i) begin
          if (issue_accept_i != known) fail("accept");
          if (known && issue_writeback_i != (instr[11:7] != '0)) fail("writeback");
          if (known && issue_register_read_i != !stores) fail("register read");
          issue_valid_o <= 1'b0;
          others += int'(!known);
          phase = 2;
        end
        default: ;
      endcase
      if (phase == 2) begin
        // Operand and decision, for a time also of other instructions.
        register_id_o        <= (register_in == 0) ? id : ~id;
        register_rs1_valid_o <= r[4];
        register_rs1_o       <= (register_in == 0) ? Xlen'(rs1) : ~Xlen'(rs1);
        commit_id_o          <= (commit_in == 0) ? id : ~id;
        commit_kill_o        <= (commit_in == 0) ? killed : r[5];
        if (register_in >= 0) register_valid_o <= 1'b1;
        if (register_in > 0 || (register_in == 0 && r[4])) register_in--;
        commit_valid_o <= commit_in >= 0;
        if (commit_in >= 0) commit_in--;
        if (commit_in < 0 && (register_in < 0 || killed || !known) && (!known || killed)) begin
          kills += int'(known);
          phase = 3;
        end
        if (result_valid_i && result_ready_o) begin
          result();
          phase = 3;
        end
      end else if (phase == 3) begin
        register_in = -1;
        phase = (r[7:6] == 2'd0) ? 0 : 3;
      end
    end
  end

  assign complete_o = results > 50 && kills > 5 && others > 5 && faults > 5;

endmodule
