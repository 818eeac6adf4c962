// SPDX-License-Identifier: MIT OR Apache-2.0
//
// perf_retire_rvfi: random instructions of two modes, traps, interrupts, and requests of software. Each instruction
// retires two cycles after RVFI has shown it, with its branch and its accesses; its mode is there one cycle before. A
// request comes when nothing older is in flight, at the level of its page.
//
//   +seed=N  +cycles=N
//   +wrong=mode, gap, intr, late   a wrong wiring, which an assertion must catch

module perf_rvfi_tb
  import retire_pkg::*;
  import mem_pkg::*;
  import debug_words::*;
#(
  parameter int unsigned Xlen     = 32,
  parameter int unsigned BusBytes = 4,
  parameter int unsigned RvfiLate = 3
);

  logic  clk = 1'b0, rst_n = 1'b0;
  int    seed = 1, cycles = 20000, cycle;
  string wrong = "";
  always #5 clk = !clk;

  // What RVFI shows, and what must be in the cycles behind it.
  typedef struct packed {
    logic            valid, trap, intr, user, pred_valid, pred_ok;
    logic [31:0]     insn;
    logic [Xlen-1:0] pc, next, addr;
    logic [3:0]      kind;
    logic            taken;
    logic [3:0]      refs;
    logic            misaligned;
    logic [3:0]      size;
  } shown_t;

  shown_t           now, past, past2;
  logic             user, ready, int_valid, misaligned;
  logic [1:0]       cpl;
  logic [3:0]       refs;
  int_kind_e        int_kind;
  reg_request_t     request, passed;
  perf_pkg::lane_t  lane;

  perf_retire_rvfi #(.Xlen(Xlen), .BusBytes(BusBytes), .RvfiLate(RvfiLate)) u_adapter (
    .clk_i(clk), .rst_ni(rst_n), .rvfi_valid_i(now.valid), .rvfi_trap_i(now.trap), .rvfi_intr_i(now.intr),
    .rvfi_insn_i(now.insn), .rvfi_mode_i(now.user ? 2'd0 : 2'd3), .rvfi_pc_rdata_i(now.pc), .rvfi_pc_wdata_i(now.next),
    .rvfi_mem_addr_i(now.addr), .rvfi_mem_rmask_i((Xlen / 8)'((1 << now.size) - 1)),
    .rvfi_mem_wmask_i((Xlen / 8)'((1 << now.size) - 1)), .pred_valid_i(now.pred_valid), .pred_ok_i(now.pred_ok),
    .reg_i(request), .reg_user_i(user), .reg_ready_o(ready), .lane_o(lane), .cpl_o(cpl), .int_valid_o(int_valid),
    .int_kind_o(int_kind), .data_mem_refs_o(refs), .misalign_mem_ref_o(misaligned), .reg_o(passed)
  );

  logic [31:0] rng;
  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction
  function automatic logic one_in(int unsigned n);
    return (draw() % n) == 0;
  endfunction

  task automatic fail(string what);
    $fatal(1, "FAIL %s: seed %0d, cycle %0d", what, seed, cycle);
  endtask

  // Branches: word, kind in the codes of the contract. The others are in debug_words.
  localparam int unsigned Branches = 11;
  function automatic logic [35:0] branch(int unsigned i);
    unique case (i)
      0:       return {32'h00208463, 4'd2};   // beq x1, x2, 8
      1:       return {32'h0000c501, 4'd2};   // c.beqz x10, 8
      2:       return {32'h0080006f, 4'd1};   // jal x0, 8
      3:       return {32'h008000ef, 4'd4};   // jal x1, 8
      4:       return {32'h00050067, 4'd3};   // jalr x0, x10
      5:       return {32'h000500e7, 4'd5};   // jalr x1, x10
      6:       return {32'h00008067, 4'd6};   // jalr x0, x1
      7:       return {32'h00008082, 4'd6};   // c.jr x1
      8:       return {32'h30200073, 4'd10};  // mret
      9:       return {32'h10500073, 4'd0};   // wfi, which has the opcode of mret
      default: return {32'h12000073, 4'd0};   // sfence.vma
    endcase
  endfunction

  // The mode of the next instruction; what is between; the last one shown, and its mode.
  logic next_user, next_intr, last_user, last_trap;
  int   gap, waited, seen, accesses, splits, interrupts, exceptions, requests, levels;

  // Draws the next instruction.
  task automatic choose;
    word_t       w;
    logic [35:0] b;
    logic        sequential;
    now      = '0;
    now.insn = draw();
    if (gap > 0) begin
      gap--;
      return;
    end
    if (one_in(3)) return;
    now.valid = 1'b1;
    {now.user, now.intr} = {next_user, next_intr};
    next_intr = 1'b0;
    w = word(draw() % Words, Xlen);
    {now.insn, now.size} = {w.insn, w.size};
    // Three of the table are branches.
    now.kind = (w.insn inside {32'h0000006f, 32'h0000a001}) ? 4'd1 : (w.insn == 32'h00208463) ? 4'd2 : 4'd0;
    if (one_in(2)) begin
      b = branch(draw() % Branches);
      {now.insn, now.kind, now.size, w} = {b, 4'd0, {$bits(w){1'b0}}};
    end
    now.pc     = Xlen'({draw(), draw()}) & ~Xlen'(1);
    now.addr   = Xlen'({draw(), draw()});
    sequential = (now.kind == 0) || one_in(2);
    now.next   = sequential ? now.pc + ((now.insn[1:0] == 2'b11) ? Xlen'(4) : Xlen'(2)) : now.pc - Xlen'(8);
    now.taken  = (now.kind != 0) && (!sequential || (now.kind != 2));
    {now.pred_valid, now.pred_ok} = draw() >> 30;
    now.refs       = 4'(w.read) + 4'(w.write);
    now.misaligned = (now.refs != 0) && (int'(now.addr % 8) + int'(now.size) > 8);
    if (int'(now.addr % Xlen'(BusBytes)) + int'(now.size) > int'(BusBytes)) now.refs *= 2;
    now.trap = one_in(12);
    // An instruction that traps, an interrupt, or a return.
    if (now.trap || one_in(8)) begin
      {next_user, next_intr, gap} = {1'b0, 1'b1, 32'd2 + (draw() & 32'd3)};
    end else if (!now.user && one_in(4)) begin
      {next_user, gap} = {1'b1, 32'd1 + (draw() & 32'd3)};
    end
    if (wrong == "mode" && gap != 0 && !next_intr) gap = 0;
    if (wrong == "gap" && next_intr) gap = 1;
    if (wrong == "intr") next_intr = 1'b0;
  endtask

  // What the adapter shows in this cycle.
  task automatic check;
    automatic logic retires = past2.valid && !past2.trap;
    automatic logic free = !now.valid && !(past.valid && !past.trap) && !retires && (waited >= int'(RvfiLate) - 1);
    if (lane.valid != retires) fail("a lane");
    if (retires && !lane.counts) fail("counts");
    if (retires && (lane.branch_kind != branch_kind_e'(past2.kind))) fail("the kind of branch");
    if (retires && (lane.branch_taken != past2.taken)) fail("taken");
    if (retires && ({lane.branch_pred_valid, lane.branch_pred_ok} != {past2.pred_valid, past2.pred_ok})) fail("prediction");
    if (refs != (retires ? past2.refs : 4'd0)) fail("references");
    if (misaligned != (retires && past2.misaligned)) fail("misaligned");
    if (int_valid != (now.valid && now.intr)) fail("an interruption");
    if (int_valid && (int_kind != (last_trap ? IntException : IntInterrupt))) fail("the kind of interruption");
    if (ready != (request.reg_valid && free)) fail("ready");
    if (passed.reg_valid != ready) fail("a request");
    if (ready && (passed != request)) fail("the request");
    if (cpl != ((ready ? user : last_user) ? 2'd3 : 2'd0)) fail("the level");
    seen       += int'(retires);
    accesses   += int'(retires && past2.refs != 0);
    splits     += int'(retires && past2.refs > 1);
    interrupts += int'(int_valid && !last_trap);
    exceptions += int'(int_valid && last_trap);
    requests   += int'(ready);
    levels     += int'(ready && user != last_user);
  endtask

  initial begin
    void'($value$plusargs("wrong=%s", wrong));
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", cycles));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {now, past, past2, request, user, next_user, next_intr, last_user, last_trap} = '0;
    {gap, waited, seen, accesses, splits, interrupts, exceptions, requests, levels} = '0;
    #22 rst_n = 1'b1;
    for (cycle = 0; cycle < cycles; cycle++) begin
      @(negedge clk);
      // RVFI shows what is older for RvfiLate cycles, and nothing then.
      choose_or_wait();
      #1 check();
      @(posedge clk);
      if (now.valid) {last_user, last_trap} = {now.user, now.trap};
      past2 = past;
      past  = now;
      if (!request.reg_valid || ready) waited = 0;
      else waited++;
      // The request changes after the edge.
      #1;
      if (ready_q) request = '0;
      else if (!request.reg_valid && one_in(20)) begin
        request = '{reg_valid: 1'b1, reg_op: RegWrmsr, reg_lp: 3'd1, reg_number: draw(), reg_wdata: {draw(), draw()}};
        user    = draw() >> 31;
      end
    end
    if (seen < 1000 || accesses < 100 || splits < 20 || interrupts < 50 || exceptions < 50 || requests < 50 || levels < 10) begin
      $fatal(1, "FAIL nothing happened");
    end
    $display("PASS seed %0d: %0d instructions, %0d accesses, %0d interrupts, %0d exceptions, %0d requests", seed, seen,
             accesses, interrupts, exceptions, requests);
    $finish;
  end

  // The request was accepted in the cycle that ends.
  logic ready_q;
  always @(posedge clk) ready_q <= ready;

  task automatic choose_or_wait;
    if (request.reg_valid && waited >= int'(RvfiLate) && wrong != "late") now = '0;
    else choose();
  endtask

  initial #100000000 $fatal(1, "FAIL no end: seed %0d", seed);

endmodule
