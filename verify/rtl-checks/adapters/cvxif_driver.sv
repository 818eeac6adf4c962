// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The core's side of CV-X-IF for lwp_ctl_cvxif: a random stream of instructions, some of them not for the shim. Commits
// release and kill in batches, also before an instruction is accepted and before its operand is valid; offers are
// retracted. Each instruction of the shim that is released starts its operation once, with its operand, and has its
// result; one that is killed has neither.
//
// With odd seeds the core has a second coprocessor: commits of its instructions are seen, its instructions are not.

module cvxif_driver
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  parameter int unsigned Xlen    = 32,
  parameter int unsigned IdWidth = 4,
  // Operands come after the issue.
  parameter bit          Split   = 1'b0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  int                 seed_i,

  output logic               issue_valid_o,
  input  logic               issue_ready_i,
  output logic [31:0]        issue_instr_o,
  output logic [IdWidth-1:0] issue_id_o,
  output logic [31:0]        issue_hartid_o,
  input  logic               issue_accept_i, issue_writeback_i, issue_register_read_i,
  output logic               register_valid_o, register_rs1_valid_o,
  input  logic               register_ready_i,
  output logic [IdWidth-1:0] register_id_o,
  output logic [Xlen-1:0]    register_rs1_o,
  output logic               commit_valid_o, commit_kill_o,
  output logic [IdWidth-1:0] commit_id_o,
  input  logic               result_valid_i,
  output logic               result_ready_o,
  input  logic [IdWidth-1:0] result_id_i,
  input  logic [31:0]        result_hartid_i,
  input  logic [Xlen-1:0]    result_data_i,
  input  logic [4:0]         result_rd_i,
  input  logic               result_we_i,

  // An operation of the shim reaches the unit, and ends.
  input  logic               own_op_i,
  input  ctl_op_e            op_i,
  input  logic [63:0]        op_wdata_i,
  input  logic               own_rsp_i,
  input  fault_e             rsp_fault_i,
  input  logic [63:0]        rsp_rdata_i,

  // Enough of everything.
  output logic               complete_o
);

  localparam int Ids = 1 << IdWidth;
  localparam int HartId = 32'hA5;

  // Instructions in flight, oldest first; the one that is offered is the last. Then for each identifier.
  int             order[$];
  logic [31:0]    instr[Ids];
  logic [63:0]    rs1[Ids];
  logic [Ids-1:0] known, stores, registered, released, killed;
  // The one that is offered, the one that the shim has accepted, a kill of a retracted one that is due; -1: none.
  int             offered, accepted, late;
  // The last identifier of an issue transaction.
  int             last;
  // The accepted one: its operation has started, and ended. The offered one: decided in an earlier cycle; its operand is
  // valid. A result waits. For a time decisions are late.
  logic           started, done, early, operand, shown, lazy;
  logic [63:0]    expected;
  logic [Xlen+IdWidth+37:0] past;
  // Cycles since an instruction was accepted or had its result.
  int             idle;
  // Results; instructions killed in flight; those not for the shim; faults; released by a newer one; killed by an older
  // one; decided before they were accepted; accepted although killed; retracted.
  int             results, kills, others, faults, batches, sweeps, earlies, ghosts, retracts;
  logic [31:0]    rng;

  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  function automatic logic one_in(int n);
    return (int'(draw() >> 8) % n) == 0;
  endfunction

  // How far `to` is after `from`.
  function automatic int distance(int from, int to);
    return (to - from + Ids) % Ids;
  endfunction

  task automatic fail(string what);
    $fatal(1, "FAIL %s: seed %0d, offered %0d, accepted %0d", what, seed_i, offered, accepted);
  endtask

  // Instructions that need nothing more leave.
  task automatic clean;
    for (int i = order.size() - 1; i >= 0; i--) begin
      automatic int id = order[i];
      if (id != offered && id != accepted && (killed[id] || (released[id] && registered[id]))) order.delete(i);
    end
  endtask

  // The result is shown until it is taken.
  task automatic result;
    logic [Xlen+IdWidth+37:0] now;
    now = {result_id_i, result_hartid_i, result_rd_i, result_we_i, result_data_i};
    if (shown && (!result_valid_i || now != past)) fail("a result that changes");
    shown = result_valid_i && !result_ready_o;
    past  = now;
    if (result_valid_i) begin
      if (accepted < 0 || !released[accepted] || !done) fail("a result of nothing");
      if (int'(result_id_i) != accepted || result_hartid_i != HartId) fail("identity");
      if (result_rd_i != instr[accepted][11:7] || result_we_i != (result_rd_i != '0)) fail("register written");
      if (result_data_i != Xlen'(expected)) fail("result");
    end
    if (result_valid_i && result_ready_o) begin
      results++;
      idle     = 0;
      accepted = -1;
    end
  endtask

  // What the shim has done in this cycle.
  task automatic observe;
    if (own_op_i) begin
      if (accepted < 0 || !released[accepted] || !registered[accepted] || started) fail("an operation of nothing");
      if (op_i != (stores[accepted] ? OpSlwpcb : OpLlwpcb)) fail("operation");
      if (!stores[accepted] && op_wdata_i != rs1[accepted]) fail("operand");
      started = 1'b1;
    end
    if (own_rsp_i) begin
      done     = 1'b1;
      expected = (rsp_fault_i == FaultNone) ? rsp_rdata_i : stores[accepted] ? '0 : 64'(rsp_fault_i);
      faults  += int'(rsp_fault_i != FaultNone);
    end
    result();
    if (Split ? !register_ready_i : (issue_valid_o && register_ready_i != issue_ready_i)) fail("register ready");
    if (issue_valid_o && issue_ready_i) begin
      logic reads, writes;
      reads  = known[offered] && !stores[offered];
      writes = known[offered] && instr[offered][11:7] != '0;
      if ({issue_accept_i, issue_writeback_i, issue_register_read_i} != {known[offered], writes, reads}) fail("accept");
      if (!Split && !operand && reads && !killed[offered]) fail("accepted without its operand");
      registered[offered] = !Split;
      idle     = 0;
      earlies += int'(early);
      ghosts  += int'(killed[offered]);
      others  += int'(!known[offered]);
      if (known[offered] && !killed[offered]) begin
        if (accepted >= 0) fail("two instructions in flight");
        accepted = offered;
        {started, done} = '0;
      end
      offered = -1;
    end
  endtask

  // A further instruction. Identifiers wrap, and do not reach the oldest in flight. With a second coprocessor they are
  // less than half of all apart.
  task automatic choose(logic away);
    int room, id;
    logic [31:0] r;
    room = (order.size() == 0) ? Ids - 1 : distance(last + 1, order[0]);
    if (seed_i[0]) room = (order.size() == 0) ? Ids / 2 - 1 : Ids / 2 - 1 - distance(order[0], last);
    if (room < 1) return;
    id = (last + 1 + (one_in(4) ? int'(draw() >> 8) % room : 0)) % Ids;
    last = id;
    order.push_back(id);
    r = draw();
    instr[id] = {draw() >> 15, 2'b00, r[0], r[5:1], 7'h0B};
    if (r[8:6] == 3'd0) instr[id] = instr[id] ^ (32'd1 << r[13:9]);
    if (r[8:7] == 2'd1) instr[id] = draw();
    known[id]      = instr[id][6:0] == 7'h0B && instr[id][14:12] <= 3'd1;
    stores[id]     = instr[id][12];
    registered[id] = away;
    released[id]   = 1'b0;
    killed[id]     = 1'b0;
    rs1[id]        = 64'(Xlen'({r, draw()}));
    early          = 1'b0;
    operand        = 1'b0;
    if (!away) offered = id;
  endtask

  // An offer stays, is retracted, or is new. One that was killed is retracted at once, or stays until it is accepted.
  task automatic offer;
    if (offered >= 0 && !early && (killed[offered] ? one_in(2) : (!released[offered] && one_in(24)))) begin
      order.delete(order.size() - 1);
      late     = (order.size() > 0 && !killed[offered] && one_in(2)) ? offered : -1;
      offered  = -1;
      retracts++;
    end else if (offered >= 0) begin
      early = released[offered] || killed[offered];
    end
    if (offered < 0 && late < 0) begin
      if (seed_i[0] && one_in(6)) choose(1'b1);
      else if (one_in(4)) choose(1'b0);
    end
    issue_valid_o  <= offered >= 0;
    issue_instr_o  <= (offered >= 0) ? instr[offered] : draw();
    issue_id_o     <= (offered >= 0) ? IdWidth'(offered) : IdWidth'(draw());
    issue_hartid_o <= HartId;
  endtask

  // Operands: with the offer, at some time of it, always if they are read and the instruction is not killed; or after it,
  // in any order, once for each that was not killed, and half of the cores do not say which are valid.
  task automatic operands;
    int id;
    if (Split) begin
      id = int'(draw() >> 8);
      id = (order.size() == 0) ? -1 : order[id % order.size()];
      if (id >= 0 && (id == offered || registered[id] || killed[id] || !one_in(4))) id = -1;
      if (id >= 0) registered[id] = 1'b1;
      register_valid_o     <= id >= 0;
      register_rs1_valid_o <= seed_i[1] && one_in(2);
    end else begin
      id = offered;
      if (id >= 0 && !killed[id] && ((known[id] && !stores[id]) || rs1[id][0]) && one_in(4)) operand = 1'b1;
      register_valid_o     <= id >= 0;
      register_rs1_valid_o <= operand;
      if (!operand) id = -1;
    end
    register_id_o  <= (Split && id < 0) ? IdWidth'(draw()) : Split ? IdWidth'(id) : IdWidth'(offered);
    register_rs1_o <= (id >= 0) ? Xlen'(rs1[id]) : Xlen'({draw(), draw()});
  endtask

  // A decision on one that has none yet: it and all older ones are released, or it and all newer ones killed.
  task automatic commit;
    int first, which, id;
    logic kill;
    if (one_in(100)) lazy = !lazy;
    first = 0;
    while (first < order.size() && (released[order[first]] || killed[order[first]])) first++;
    kill = one_in(4);
    id   = -1;
    if (late >= 0) begin
      {kill, id} = {1'b1, late};
    end else if (first < order.size() && one_in(lazy ? 30 : 4)) begin
      which = first + int'(draw() >> 8) % (order.size() - first);
      id    = order[which];
      for (int i = first; i < order.size(); i++) begin
        if (kill ? (i >= which) : (i <= which)) begin
          if (kill) killed[order[i]] = 1'b1;
          else released[order[i]] = 1'b1;
          batches += int'(!kill && order[i] == accepted && i != which);
          sweeps  += int'(kill && order[i] == accepted && i != which);
          kills   += int'(kill && order[i] == accepted);
        end
      end
      if (accepted >= 0 && killed[accepted]) accepted = -1;
    end
    // One that was decided is not decided again.
    if (id < 0 && first == order.size() && order.size() > 0 && one_in(8)) begin
      which = int'(draw() >> 8) % order.size();
      id    = order[which];
    end
    late = -1;
    commit_valid_o <= id >= 0;
    commit_id_o    <= (id >= 0) ? IdWidth'(id) : IdWidth'(draw());
    commit_kill_o  <= kill;
  endtask

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rng = 32'(seed_i) * 32'd747796405 | 32'd1;
      {issue_valid_o, register_valid_o, register_rs1_valid_o, commit_valid_o, commit_kill_o, result_ready_o} <= '0;
      {issue_instr_o, issue_id_o, issue_hartid_o, register_id_o, register_rs1_o, commit_id_o} <= '0;
      {known, stores, registered, released, killed, started, done, early, shown, operand, lazy} = '0;
      {idle, results, kills, others, faults, batches, sweeps, earlies, ghosts, retracts} = '0;
      {offered, accepted, late} = '1;
      last = seed_i;
      last = last % Ids;
      order.delete();
    end else begin
      observe();
      clean();
      offer();
      operands();
      commit();
      clean();
      result_ready_o <= one_in(2);
      idle++;
      if (idle > 2000) fail("nothing goes on");
    end
  end

  assign complete_o = results > 50 && kills > 5 && others > 5 && faults > 5 && batches > 5 && earlies > 5 &&
      ghosts > 5 && retracts > 5 && (sweeps > 3 || !seed_i[0]);

endmodule
