// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_rvfi_top, whole, beside a core that is drawn at random: the sessions of a program and its kernel through the
// registers. Counters in memory are exact after each session, the first record is of the instruction that it must be of,
// every other of an instruction that was executed.
//
//   +seed=N  +rounds=N

module top_tb
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  // Cycles by which RVFI is late, and what the adapter is told.
  parameter int unsigned Late          = 1,
  parameter int unsigned Told          = Late,
  parameter bit          MachineIsUser = 1'b0
);

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, rounds = 40;
  always #5 clk = !clk;

  logic [31:0] rng;
  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  //////////
  // Core //
  //////////

  typedef struct packed {
    logic        valid, trap, miss;
    logic [31:0] insn;
    logic [1:0]  mode;
    logic [31:0] pc, next, addr;
    logic [30:0] latency;
  } insn_t;

  localparam insn_t None = '0;

  // The instruction of this cycle, and those on their way to RVFI.
  insn_t       now, way [Late+1];
  logic [31:0] pc;
  logic [1:0]  mode;

  always @(posedge clk) begin
    way[0] <= now;
    for (int unsigned i = 1; i <= Late; i++) way[i] <= way[i-1];
  end

  insn_t shown;
  assign shown = way[Late];

  logic        req, gnt, we, rvalid, err, irq;
  logic [31:0] addr, wdata, rdata;
  logic        bus_req, bus_gnt, bus_we, bus_rvalid, bus_err;
  logic [31:0] bus_addr, bus_wdata, bus_rdata;
  logic [3:0]  bus_be;

  lwp_rvfi_top #(.RvfiLate(Told), .MachineIsUser(MachineIsUser)) u_top (
    .clk_i(clk), .rst_ni(rst_n),
    .rvfi_valid_i(shown.valid), .rvfi_trap_i(shown.trap), .rvfi_insn_i(shown.insn), .rvfi_mode_i(shown.mode),
    .rvfi_pc_rdata_i(shown.pc), .rvfi_pc_wdata_i(shown.next), .rvfi_mem_addr_i(shown.addr), .rvfi_mem_rmask_i(4'hF),
    .miss_i(shown.miss), .latency_i(shown.latency),
    .bus_req_o(bus_req), .bus_gnt_i(bus_gnt), .bus_addr_o(bus_addr), .bus_we_o(bus_we), .bus_be_o(bus_be),
    .bus_wdata_o(bus_wdata), .bus_rvalid_i(bus_rvalid), .bus_rdata_i(bus_rdata), .bus_err_i(bus_err),
    .ctl_req_i(req), .ctl_gnt_o(gnt), .ctl_addr_i(addr), .ctl_we_i(we), .ctl_be_i(4'hF), .ctl_wdata_i(wdata),
    .ctl_rvalid_o(rvalid), .ctl_rdata_o(rdata), .ctl_err_o(err), .irq_o(irq)
  );

  top_memory u_memory (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .req_i(bus_req), .gnt_o(bus_gnt), .addr_i(bus_addr), .we_i(bus_we),
    .be_i(bus_be), .wdata_i(bus_wdata), .rvalid_o(bus_rvalid), .rdata_o(bus_rdata), .err_o(bus_err)
  );

  task automatic fail(string what);
    $fatal(1, "FAIL %s: seed %0d, pc %h", what, seed, pc);
  endtask

  // What retired in user mode since the session began, by its place.
  insn_t log [4096];
  int    count, branches, misses;
  // All of it, for the end.
  int    sessions, records, interrupts, faults;

  localparam logic [31:0] Nop = 32'h00000013, Load = 32'h0000a103, Store = 32'h0020a023, Jump = 32'h0080006f, Mret = 32'h30200073;

  // One instruction, a cycle long.
  task automatic execute(logic [31:0] insn, logic trap);
    logic [31:0] r;
    r = draw();
    now = '{valid: 1'b1, trap: trap, miss: (insn == Load) && r[0] && !trap, insn: insn, mode: mode, pc: pc,
            next: (insn == Jump) ? pc + 32'd8 : pc + 32'd4, addr: r, latency: {20'd0, r[11:1]}};
    if ((mode == 2'd0 || MachineIsUser) && !trap) begin
      log[count] = now;
      count++;
      branches += int'(insn == Jump);
      misses   += int'(now.miss);
    end
    pc = now.next;
    @(negedge clk) now = None;
  endtask

  // An access of the core to the registers; the instruction retires after its response.
  task automatic access(logic write, logic [31:0] where, logic [31:0] data, output logic [31:0] read);
    {req, we, addr, wdata} = {1'b1, write, 32'hFFFC_0000 | where, data};
    do @(posedge clk); while (!gnt);
    @(negedge clk) req = 1'b0;
    do @(posedge clk); while (!rvalid);
    read = rdata;
    if (err) fail("error");
    @(negedge clk);
    execute(write ? Store : Nop, 1'b0);
  endtask

  localparam logic [31:0] Start = 32'h00, Post = 32'h04, Status = 32'h08, Fault = 32'h0C, Operand = 32'h10, Result = 32'h18,
                          FaultAddr = 32'h20, PfAddr = 32'h30, Ack = 32'h38, Kernel = 32'h1000;

  task automatic put(logic [31:0] where, logic [31:0] data);
    logic [31:0] ignored;
    access(1'b1, where, data, ignored);
  endtask

  task automatic get64(logic [31:0] where, output logic [63:0] data);
    access(1'b0, where, '0, data[31:0]);
    access(1'b0, where + 32'd4, '0, data[63:32]);
  endtask

  // An operation of a page, and its fault; posted at random, if that is possible.
  task automatic operate(logic [31:0] page, logic [31:0] code, logic [63:0] operand, logic posted, output logic [31:0] fault);
    logic [31:0] busy;
    put(page + Operand, operand[31:0]);
    put(page + Operand + 32'd4, operand[63:32]);
    if (posted && draw() > 32'h8000_0000) begin
      put(page + Post, code);
      do access(1'b0, page + Status, '0, busy); while (busy[0]);
    end else begin
      // What is counted begins anew with the instruction that starts a session.
      if (code == 0) begin
        starts(page + Start);
      end else begin
        put(page + Start, code);
      end
    end
    access(1'b0, page + Fault, '0, fault);
  endtask

  task automatic starts(logic [31:0] where);
    {req, we, addr, wdata} = {1'b1, 1'b1, 32'hFFFC_0000 | where, 32'd0};
    do @(posedge clk); while (!gnt);
    @(negedge clk) req = 1'b0;
    do @(posedge clk); while (!rvalid);
    @(negedge clk);
    {count, branches, misses} = '0;
    execute(Store, 1'b0);
  endtask

  // Instructions of the program; now and then the kernel comes between.
  task automatic run(int instructions);
    logic [31:0] r;
    repeat (instructions) begin
      r = draw();
      unique case (r[2:0])
        3'd0:    execute(Load, 1'b0);
        3'd1:    execute(Jump, 1'b0);
        3'd2:    @(negedge clk);
        default: execute(Nop, 1'b0);
      endcase
      // Not before the first record, which it would discard.
      if (r[10:3] == 8'd0 && count > 150) begin
        execute(Load, 1'b1);
        kernel();
        execute(Nop, 1'b0);
        execute(Load, 1'b0);
        user();
      end
    end
  endtask

  task automatic kernel;
    repeat (2) @(negedge clk);
    mode = 2'd3;
    execute(Nop, 1'b0);
  endtask

  task automatic user;
    execute(Mret, 1'b0);
    if (!MachineIsUser) mode = 2'd0;
  endtask

  ////////////
  // Rounds //
  ////////////

  localparam logic [63:0] Block = 64'h1_1000, Ring = 64'h1_4000;

  // A block with one slot for each event.
  task automatic write_block(logic [63:0] base, logic [31:0] threshold, int unsigned interval1, int unsigned interval3);
    u_memory.write(32'(Block), {4'd0, 28'd1024, 32'd0});
    u_memory.write(32'(Block) + 32'd8, base);
    u_memory.write(32'(Block) + 32'd16, '0);
    u_memory.write(32'(Block) + 32'd24, '0);
    u_memory.write(32'(Block) + 32'd32, {32'd0, threshold});
    u_memory.write(32'(Block) + 32'd40, slot(1, interval1));
    u_memory.write(32'(Block) + 32'd48, slot(2, 26'h2000000));
    u_memory.write(32'(Block) + 32'd56, slot(3, interval3));
  endtask

  function automatic logic [63:0] slot(int id, int unsigned interval);
    return {6'd0, 26'(interval), 6'(id), 26'(interval)};
  endfunction

  function automatic int counter(int slot);
    logic [63:0] word;
    word = u_memory.read(32'(Block) + 32'd40 + 32'(8 * slot));
    return int'(word[57:32]);
  endfunction

  task automatic begin_session(logic [63:0] block);
    logic [31:0] fault;
    operate(0, 0, block, 1'b0, fault);
    if (fault != 0) fail("LLWPCB");
  endtask

  // Without it, the next LLWPCB would first write the counters of this session to its block.
  task automatic end_session;
    begin_session('0);
    sessions++;
  endtask

  // A session whose counters are flushed, and compared.
  task automatic exact;
    logic [31:0] fault;
    logic [63:0] pointer;
    int          left1, left2, left3;
    write_block(Ring, 0, 5000, 4000);
    begin_session(Block);
    run(20 + int'(draw() >> 22));
    left1 = 5000 - count;
    left2 = 32'h2000000 - branches;
    left3 = 4000 - misses;
    put(Start, 32'd1);
    if (counter(0) != left1) fail($sformatf("%0d instructions left instead of %0d", counter(0), left1));
    if (counter(1) != left2) fail("branches");
    if (counter(2) != left3) fail($sformatf("%0d misses left instead of %0d", counter(2), left3));
    access(1'b0, Fault, '0, fault);
    get64(Result, pointer);
    if (fault != 0 || pointer != Block) fail("SLWPCB");
    end_session();
  endtask

  // A record of the ring against the instructions of the session; returns the place of its instruction.
  task automatic check_record(int number, int after, output int place);
    logic [63:0] head, ip, address;
    head    = u_memory.read(32'(Ring) + 32'(32 * number));
    ip      = u_memory.read(32'(Ring) + 32'(32 * number + 8));
    address = u_memory.read(32'(Ring) + 32'(32 * number + 16));
    place = after;
    while (place < count && log[place].pc != 32'(ip)) place++;
    if (place == count) fail($sformatf("record %0d of an instruction that did not retire after the last", number));
    if (ip[63:32] != '0) fail("high bits of an address");
    if (head[7:0] == 8'd3) begin
      if (!log[place].miss || address != 64'(log[place].addr)) fail("record of a miss");
      if (head[63:32] != ((log[place].latency > 31'd1008) ? 32'd1008 : 32'(log[place].latency))) fail("latency");
    end else if (head[7:0] != 8'd1) begin
      fail("event");
    end
    records++;
  endtask

  task automatic profile;
    logic [31:0] fault, status;
    int          place, first, misses_at;
    first = 10 + int'(draw() >> 28);
    write_block(Ring, 32'd96, first, 5);
    begin_session(Block);
    while (!irq && count < 3000) run(1);
    if (!irq) fail("no interrupt");
    kernel();
    access(1'b0, Kernel + Status, '0, status);
    if (status[3:0] != 4'b0010) fail("status of the interrupt");
    put(Kernel + Ack, 32'd2);
    if (irq) fail("the interrupt after its acknowledge");
    interrupts++;
    user();
    put(Start, 32'd1);
    access(1'b0, Fault, '0, fault);
    if (fault != 0) fail("SLWPCB");
    if (u_memory.words[14'((Block + 64'd16) >> 2)] < 32'd96) fail("head");
    place = 0;
    misses_at = 0;
    for (int n = 0; n < 3; n++) begin
      check_record(n, (n == 0) ? 0 : place + 1, place);
      // The first record of instructions is that of the one that brings the counter to zero.
      if (n == 0 && u_memory.words[14'(Ring >> 2)][7:0] == 8'd1 && place != first - 1) fail($sformatf("first record: at %0d instead of %0d", place, first - 1));
    end
    end_session();
  endtask

  // Rings and blocks beyond the bus: errors, not other memory.
  task automatic beyond;
    logic [31:0] fault, status;
    logic [63:0] where;
    operate(0, 0, 64'h1_0000_0000 | Block, 1'b1, fault);
    get64(FaultAddr, where);
    if (fault != 32'd7 || where != (64'h1_0000_0000 | Block)) fail("LLWPCB beyond the bus");
    write_block(64'h1_0000_0000 | Ring, 0, 10, 4000);
    begin_session(Block);
    while (!irq && count < 3000) run(1);
    if (!irq) fail("no page fault");
    kernel();
    access(1'b0, Kernel + Status, '0, status);
    get64(Kernel + PfAddr, where);
    if (status[3:0] != 4'b1100 || where != (64'h1_0000_0000 | Ring)) fail("page fault");
    put(Kernel + Ack, 32'd4);
    if (irq) fail("the page fault after its acknowledge");
    operate(Kernel, 0, 0, 1'b1, fault);
    // Without user mode the kernel is profiled, too, and its instructions can fault again before the session has ended.
    if (irq != 1'b0 && !MachineIsUser) fail("a page fault of the kernel");
    put(Kernel + Ack, 32'd4);
    user();
    faults++;
  endtask

  task automatic refuse;
    logic [31:0] fault;
    logic [63:0] value;
    operate(0, 3, 0, 1'b1, fault);
    if (fault != 32'd2) fail("LWPMSR0 written from the user page");
    operate(0, 0, 64'h1_1008, 1'b1, fault);
    if (fault != 32'd2) fail("a misaligned block");
    kernel();
    operate(Kernel, 2, 0, 1'b1, fault);
    get64(Kernel + Result, value);
    if (fault != 0 || value != 64'h8000_000F) fail("LWPMSR0");
    user();
  endtask

  initial begin
    logic [31:0] fault;
    logic [1:0]  kind;
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("rounds=%d", rounds));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {now, req, we, addr, wdata, count, branches, misses, sessions, records, interrupts, faults} = '0;
    for (int unsigned i = 0; i <= Late; i++) way[i] = None;
    {pc, mode} = {32'h8000, 2'd3};
    #22 rst_n = 1'b1;
    @(negedge clk);
    operate(Kernel, 3, 64'h8000_000F, 1'b1, fault);
    if (fault != 0) fail("LWPMSR0 cannot be written");
    user();
    repeat (4) profile();
    beyond();
    repeat (rounds) begin
      kind = 2'(draw() >> 30);
      unique case (kind)
        2'd0:    exact();
        2'd1:    profile();
        2'd2:    refuse();
        default: beyond();
      endcase
    end
    exact();
    if (interrupts == 0 || faults == 0 || records < 10) $fatal(1, "FAIL nothing happened");
    $display("PASS seed %0d: %0d sessions, %0d records, %0d interrupts, %0d page faults", seed, sessions, records, interrupts, faults);
    $finish;
  end

  initial #20000000 $fatal(1, "FAIL no end: seed %0d", seed);

endmodule
