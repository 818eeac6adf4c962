// SPDX-License-Identifier: MIT OR Apache-2.0
//
// debug_retire_rvfi: random instructions, a unit that raises #DB behind random ones, and software that takes it. The
// instructions of user mode are shown once and in order, none of them while a #DB is pending, taken, or in the first
// cycle of a mode; those that find the queue full are lost. Requests of the kernel come when nothing older is left; those
// of U-mode are answered in the next cycle, without the unit.
//
//   +seed=N  +cycles=N

module debug_rvfi_tb
  import retire_pkg::*;
  import debug_pkg::*;
  import mem_pkg::*;
  import debug_words::*;
#(
  parameter int unsigned Xlen     = 32,
  parameter int unsigned Depth    = 8,
  parameter int unsigned RvfiLate = 3
);

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, cycles = 20000, cycle;
  always #5 clk = !clk;

  logic                      valid, trap, tf, ack, resume, found, waits, settled, user, ready;
  logic [31:0]               insn;
  logic [1:0]                mode;
  logic [Xlen-1:0]           pc, next, addr, from;
  logic [Xlen/8-1:0]         rmask, wmask;
  reg_request_t              request, passed;
  reg_answer_t               answer, unit_answer;
  lane_t                     lane;
  mode_t                     unit_mode;
  interrupted_t              delivery;
  logic                      db_ack, db_valid, handler, lost;
  class_e                    db_class;
  logic [$clog2(Depth):0]    count;

  debug_retire_rvfi #(.Xlen(Xlen), .Depth(Depth), .RvfiLate(RvfiLate)) u_adapter (
    .clk_i(clk), .rst_ni(rst_n), .rvfi_valid_i(valid), .rvfi_trap_i(trap), .rvfi_insn_i(insn), .rvfi_mode_i(mode),
    .rvfi_pc_rdata_i(pc), .rvfi_pc_wdata_i(next), .rvfi_mem_addr_i(addr), .rvfi_mem_rmask_i(rmask),
    .rvfi_mem_wmask_i(wmask), .tf_i(tf), .ack_i(ack), .resume_i(resume), .found_i(found), .wait_i(waits),
    .settled_o(settled), .reg_i(request), .reg_user_i(user), .reg_ready_o(ready), .answer_o(answer), .lane_o(lane),
    .mode_o(unit_mode), .int_o(delivery), .db_ack_o(db_ack), .reg_o(passed), .db_valid_i(db_valid),
    .db_class_i(db_class), .answer_i(unit_answer), .handler_o(handler), .from_o(from), .count_o(count), .lost_o(lost)
  );

  logic [31:0] rng;
  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction
  function automatic logic one_in(int unsigned n);
    return (draw() % n) == 0;
  endfunction

  //////////
  // Unit //
  //////////

  // A #DB follows some of the lanes, and each of them with TF.
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      db_valid    <= 1'b0;
      db_class    <= ClassTrap;
      unit_answer <= '0;
    end else begin
      if (db_ack) db_valid <= 1'b0;
      if (lane.retired.valid) db_valid <= lane.flags.tf || (lane.retired.ip[4:3] == 2'b11);
      unit_answer <= '{reg_done: passed.reg_valid, reg_result: ResultDone, reg_rdata: passed.reg_valid ? passed.reg_wdata : '0};
    end
  end

  ///////////////
  // Reference //
  ///////////////

  typedef struct packed {
    logic [Xlen-1:0] pc;
    logic [Xlen-1:0] next;
    access_t         access;
  } entry_t;

  entry_t     queued[$];
  entry_t     now;
  logic       taken, want_lost, past_other, expect_refused, expect_foreign;
  logic [Xlen-1:0] want_from;
  int         seen, accesses, losses, deliveries, requests, refusals, hurried, idle, waited, looks;

  function automatic logic is_refused();
    is_refused = 1'b0;
    for (int n = 0; n < 4; n++) begin
      is_refused |= (request.reg_wdata[2*n+:2] != 0) && (request.reg_wdata[16+4*n+:2] == 0);
    end
    is_refused &= (request.reg_op == RegMovToDr) && (request.reg_number[2:0] inside {3'd5, 3'd7});
    if (user) is_refused = request.reg_op inside {RegMovFromDr, RegMovToDr};
  endfunction

  task automatic wrong(string what);
    $fatal(1, "FAIL %s: seed %0d, cycle %0d", what, seed, cycle);
  endtask

  // What the adapter shows in this cycle.
  task automatic check;
    automatic logic shows = lane.retired.valid;
    if (int'(count) != queued.size()) wrong("count");
    if (lost != want_lost) wrong("lost");
    if (handler != taken) wrong("handler");
    if (from != want_from) wrong("from");
    if (shows && (db_valid || taken || past_other || passed.reg_valid || delivery.int_valid)) wrong("a lane that must wait");
    if (shows && (queued.size() == 0)) wrong("a lane from nowhere");
    if (shows) begin
      now = queued[0];
      if ((lane.retired.ip != 64'(now.pc)) || !lane.retired.counts) wrong("the instruction");
      if ((lane.accesses[0] != now.access) && (now.access.read || now.access.write)) wrong("the access");
      if ((lane.accesses[0].read != now.access.read) || (lane.accesses[0].write != now.access.write)) wrong("an access");
      if (lane.accesses[1].read || lane.accesses[1].write) wrong("the second access");
      if ((lane.flags != {tf, 3'd0}) || (lane.branch != '0) || (lane.transaction != '0) || (lane.debug != '0)) wrong("other parts");
      if (unit_mode.cpl != 2'd3) wrong("the level of a lane");
      seen++;
      accesses += int'(now.access.read || now.access.write);
      idle = 0;
    end else if ((queued.size() != 0) && !db_valid && !taken) begin
      idle++;
      if (idle > 3) wrong("no lane");
    end
    if (unit_mode.op_mode != ((Xlen == 64) ? Mode64 : ModeProtected) || unit_mode.smm) wrong("the mode");
    // Delivery: own, with the frame behind the last lane.
    if (db_ack != (ack && db_valid)) wrong("the acknowledge");
    if (delivery.int_valid != db_ack) wrong("the delivery");
    if (db_ack && ((delivery.int_kind != IntException) || !delivery.int_trap || delivery.int_task ||
        (delivery.int_from != 64'(want_from)) || (unit_mode.cpl != 2'd3))) wrong("how #DB is delivered");
    // Requests.
    if (answer.reg_done != (expect_refused || expect_foreign || unit_answer.reg_done)) wrong("the answer");
    if (expect_refused && ((answer.reg_result != ResultGp) || (answer.reg_rdata != '0))) wrong("the refusal");
    if (expect_foreign && ((answer.reg_result != ResultNotMine) || (answer.reg_rdata != '0))) wrong("the answer to U-mode");
    if (!expect_refused && !expect_foreign && (answer != unit_answer)) wrong("the answer of the unit");
    if (waits && settled) begin
      if ((queued.size() != 0) && !taken && !db_valid) wrong("settled with instructions before it");
      if (waited < int'(RvfiLate)) wrong("settled too early");
    end
    if (request.reg_valid && user) begin
      if (!ready || passed.reg_valid) wrong("a request of U-mode");
    end else if (ready && request.reg_valid) begin
      if (!settled || db_valid) wrong("a request that must wait");
      if (passed.reg_valid == is_refused()) wrong("what is refused");
      if (passed.reg_valid && (passed != request)) wrong("the request");
      if (passed.reg_valid && (unit_mode.cpl != 2'd0)) wrong("the level of a request");
    end else if (passed.reg_valid) begin
      wrong("a request from nowhere");
    end
  endtask

  // What the next cycle must have.
  task automatic follow;
    automatic logic shows = lane.retired.valid;
    automatic logic fits;
    automatic entry_t entry;
    if (shows) want_from = queued[0].next;
    fits = (queued.size() < int'(Depth)) || shows;
    if (shows) void'(queued.pop_front());
    if (found) want_lost = 1'b0;
    if (valid && !trap && (mode == 2'd0)) begin
      entry = pending;
      if (fits) queued.push_back(entry);
      else begin
        want_lost = 1'b1;
        losses++;
      end
    end
    if (db_ack) begin
      taken = 1'b1;
      deliveries++;
    end else if (resume) taken = 1'b0;
    past_other     = unit_mode.cpl == 2'd0;
    expect_refused = ready && request.reg_valid && is_refused();
    expect_foreign = request.reg_valid && user && !expect_refused;
    refusals += int'(expect_refused && !user);
    hurried  += int'(request.reg_valid && user && db_valid);
    requests += int'(ready && request.reg_valid && !expect_refused && !expect_foreign);
    looks    += int'(waits && settled && !request.reg_valid);
  endtask

  ////////////
  // Inputs //
  ////////////

  // The entry of the instruction that RVFI shows.
  entry_t pending;
  // Software is busy: RVFI shows no instruction of user mode after the first cycles.
  int     software;

  task automatic instruct;
    word_t      w;
    logic [2:0] first;
    w     = word(draw() % Words, Xlen);
    first = 3'd0;
    valid <= !one_in(3);
    trap  <= one_in(8);
    mode  <= one_in(8) ? 2'd3 : 2'd0;
    insn  <= w.insn;
    pending.pc   = Xlen'({draw(), draw()});
    pending.next = Xlen'({draw(), draw()});
    addr  <= Xlen'({rng, ~rng});
    // A mask with an offset, or from the address on. Instructions that access nothing have masks too.
    if ((w.size != 0) && one_in(2)) first = 3'(draw() % (Xlen / 8 - int'(w.size) + 1));
    pc    <= pending.pc;
    next  <= pending.next;
    pending.access = '{read: w.read, write: w.write, addr: 64'(Xlen'({rng, ~rng}) + Xlen'(first)), size: 7'(w.size)};
    addr  <= Xlen'({rng, ~rng});
    rmask <= w.read ? ((Xlen/8)'((1 << w.size) - 1) << first) : (Xlen/8)'(draw());
    wmask <= w.write ? ((Xlen/8)'((1 << w.size) - 1) << first) : (Xlen/8)'(draw());
  endtask

  task automatic operate;
    ack    <= 1'b0;
    resume <= 1'b0;
    found  <= one_in(64);
    if (waits) begin
      waited++;
      if (waited > 300) wrong("nothing settles");
      // A request waits for the unit as well; software that finds a #DB gives up.
      if ((settled && (!request.reg_valid || ready || db_valid)) || (request.reg_valid && user)) begin
        waits   <= 1'b0;
        request <= '0;
      end
    end else if (one_in(12)) begin
      waits  <= 1'b1;
      waited = 0;
      if (one_in(2)) begin
        user <= one_in(4);
        request <= '{reg_valid: 1'b1, reg_op: one_in(3) ? RegMovFromDr : one_in(8) ? RegRdmsr : RegMovToDr, reg_lp: 3'(draw()),
                     reg_number: one_in(2) ? 32'd7 : draw(), reg_wdata: {draw(), draw() & draw() & {16'h3333, 16'h00ff}}};
      end
    end else begin
      ack    <= one_in(6);
      resume <= one_in(6);
      tf     <= one_in(40) ? !tf : tf;
    end
  endtask

  always @(posedge clk) begin
    if (rst_n) begin
      check();
      follow();
      cycle++;
      operate();
      // While software waits, what is older comes within RvfiLate cycles.
      if (waits && (waited >= int'(RvfiLate))) valid <= 1'b0;
      else instruct();
    end
  end

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", cycles));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {valid, trap, insn, mode, pc, next, addr, rmask, wmask, tf, ack, resume, found, waits, user, request} = '0;
    {taken, want_lost, past_other, expect_refused, expect_foreign, want_from, cycle, now, pending} = '0;
    {seen, accesses, losses, deliveries, requests, refusals, hurried, idle, waited, looks} = '0;
    #22 rst_n = 1'b1;
    wait (cycle == cycles);
    if ((seen < 100) || (losses == 0) || (deliveries < 100) || (requests < 10) || (refusals < 10) || (hurried < 10) || (looks < 10))
      $fatal(1, "FAIL nothing happened");
    $display("PASS seed %0d: %0d instructions, %0d accesses, %0d lost, %0d #DB, %0d requests, %0d refused, %0d of U-mode beside a #DB, %0d looks", seed,
             seen, accesses, losses, deliveries, requests, refusals, hurried, looks);
    $finish;
  end

endmodule
