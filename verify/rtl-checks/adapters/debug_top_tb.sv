// SPDX-License-Identifier: MIT OR Apache-2.0
//
// debug_rvfi_top, whole, next to a core that is drawn at random: user mode with loads and stores, the skid until the
// interrupt, a handler that takes every #DB and sets other breakpoints. Each #DB, DR6 and FROM are those of the instruction
// that hits, by a comparison of single bytes. Accesses to the registers follow each other without a pause.
//
//   +seed=N  +rounds=N

module debug_top_tb
  import mem_pkg::*;
  import debug_words::*;
#(
  parameter int unsigned Xlen  = 32,
  parameter int unsigned Depth = 16,
  // Cycles by which RVFI is late.
  parameter int unsigned Late  = 1
);

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, rounds = 300;
  always #5 clk = !clk;

  logic [31:0] rng;
  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  task automatic fail(string what);
    $fatal(1, "FAIL %s: seed %0d, %0t", what, seed, $time);
  endtask

  //////////
  // Core //
  //////////

  typedef struct packed {
    logic            valid, trap;
    logic [1:0]      mode;
    word_t           w;
    logic [Xlen-1:0] pc, next, addr;
  } insn_t;

  // The instruction of this cycle, and those on their way to RVFI.
  insn_t now, way [Late+1], shown;

  always @(posedge clk) begin
    way[0] <= now;
    for (int unsigned i = 1; i <= Late; i++) way[i] <= way[i-1];
  end
  assign shown = way[Late];

  logic [Xlen/8-1:0] mask;
  assign mask = (Xlen/8)'((1 << shown.w.size) - 1);

  logic        req, gnt, we, rvalid, err, irq;
  logic [3:0]  be;
  logic [31:0] addr, wdata, rdata;

  debug_rvfi_top #(.Xlen(Xlen), .Depth(Depth), .RvfiLate(Late + 1)) u_top (
    .clk_i(clk), .rst_ni(rst_n), .rvfi_valid_i(shown.valid), .rvfi_trap_i(shown.trap), .rvfi_insn_i(shown.w.insn),
    .rvfi_mode_i(shown.mode), .rvfi_pc_rdata_i(shown.pc), .rvfi_pc_wdata_i(shown.next), .rvfi_mem_addr_i(shown.addr),
    .rvfi_mem_rmask_i(shown.w.read ? mask : '1), .rvfi_mem_wmask_i(shown.w.write ? mask : '1),
    .ctl_req_i(req), .ctl_gnt_o(gnt), .ctl_addr_i(addr), .ctl_we_i(we), .ctl_be_i(be), .ctl_wdata_i(wdata),
    .ctl_rvalid_o(rvalid), .ctl_rdata_o(rdata), .ctl_err_o(err), .irq_o(irq)
  );

  ///////////////
  // Reference //
  ///////////////

  insn_t           queued[$];
  logic            pending, handling, tf, bd, bs;
  logic [3:0]      b;
  logic [Xlen-1:0] from;
  logic [63:0]     dr [4];
  logic [31:0]     dr6, dr7;
  int              taken, skids, steps, refused, errors, unaligned, longest, beside;

  // Each byte of the access on its own, in addresses of Xlen bits.
  function automatic logic hits(int n, insn_t insn);
    logic [Xlen-1:0] base, distance;
    int              length;
    unique case (dr7[18+4*n+:2])
      2'd0:    length = 1;
      2'd1:    length = 2;
      2'd2:    length = 8;
      default: length = 4;
    endcase
    hits = 1'b0;
    base = Xlen'(dr[n]) & ~Xlen'(length - 1);
    for (int i = 0; i < int'(insn.w.size); i++) begin
      distance = insn.addr + Xlen'(i) - base;
      hits |= distance < Xlen'(length);
    end
    hits &= (dr7[2*n+:2] != 0) && (insn.w.write ? dr7[16+4*n] : (insn.w.read && (dr7[16+4*n+:2] == 2'd3)));
  endfunction

  task automatic examine(insn_t insn, logic skid);
    from = insn.next;
    for (int n = 0; n < 4; n++) b[n] = hits(n, insn);
    bs      = tf;
    bd      = 1'b0;
    pending = (b != '0) || bs;
    skids     += int'(pending && skid);
    unaligned += int'((b != '0) && ((insn.addr & Xlen'(insn.w.size - 4'd1)) != '0));
  endtask

  // An instruction of the core.
  task automatic execute(logic [1:0] mode);
    insn_t insn;
    insn.valid = draw() % 4 != 0;
    insn.trap  = draw() % 16 == 0;
    insn.mode  = mode;
    insn.w     = word(draw() % Words, Xlen);
    insn.pc    = Xlen'({draw(), draw()});
    insn.next  = Xlen'({draw(), draw()});
    // Around the end of the addresses.
    insn.addr  = Xlen'(draw() % 48) - Xlen'(16);
    now <= insn;
    if (insn.valid && !insn.trap && (mode == 2'd0)) begin
      if (pending || handling) queued.push_back(insn);
      else examine(insn, 1'b0);
    end
    if (queued.size() > longest) longest = queued.size();
    @(posedge clk);
    now <= '0;
  endtask

  /////////
  // Bus //
  /////////

  // Responses: error, data.
  logic [32:0] responses[$];

  always @(posedge clk) if (rst_n && rvalid) responses.push_back({err, rdata});

  // Returns when the access is taken; the next one may follow before its response.
  task automatic post(logic [31:0] at, logic writes, logic [31:0] data, logic [3:0] bytes = 4'hF);
    logic granted;
    int   waited = 0;
    if (clk) @(negedge clk);
    {req, we, be, addr, wdata} = {1'b1, writes, bytes, at, data};
    // The grant is looked at before the edge that ends the cycle.
    do begin
      #4 granted = gnt;
      @(negedge clk);
      waited++;
      if (waited > 200) fail("no grant");
    end while (!granted);
    req = 1'b0;
    if (draw() % 3 == 0) @(negedge clk);
  endtask

  // Takes the response of the oldest access.
  task automatic take(output logic [31:0] data, output logic bad);
    logic [32:0] response;
    int          waited = 0;
    while (responses.size() == 0) begin
      @(negedge clk);
      waited++;
      if (waited > 200) fail("no response");
    end
    response = responses.pop_front();
    bad      = response[32];
    data     = response[31:0];
  endtask

  logic [31:0] got;
  logic        bad;

  task automatic read(logic [31:0] at, logic [31:0] expected, string what);
    post(at, 1'b0, '0);
    take(got, bad);
    if (bad || (got != expected)) fail($sformatf("%s: %h instead of %h", what, got, expected));
  endtask

  localparam logic [31:0] Status = 32'h2000, Ack = 32'h2004, Flags = 32'h2008, From = 32'h200C, FromHi = 32'h2010;

  // Makes a MOV in a page, all accesses one behind the other; returns its value.
  task automatic move(logic user, logic writes, logic [2:0] n, logic [63:0] value, logic [2:0] expected, output logic [63:0] data);
    logic [31:0] page = user ? 32'h0000 : 32'h1000;
    post(page + 32'h08, 1'b1, 32'(n));
    post(page + 32'h10, 1'b1, value[31:0]);
    post(page + 32'h14, 1'b1, value[63:32]);
    post(page, 1'b1, writes ? 32'd6 : 32'd5);
    post(page + 32'h0C, 1'b0, '0);
    post(page + 32'h18, 1'b0, '0);
    post(page + 32'h1C, 1'b0, '0);
    for (int i = 0; i < 4; i++) begin
      take(got, bad);
      if (bad) fail("a write is refused");
    end
    take(got, bad);
    if (bad || (got != 32'(expected))) fail($sformatf("the result of a MOV with DR%0d: %0d instead of %0d", n, got, expected));
    refused += int'(expected != 0);
    take(got, bad);
    data[31:0] = got;
    take(got, bad);
    data[63:32] = got;
    if ((writes || (expected != 0)) && (data != '0)) fail("a value without a read");
  endtask

  logic [63:0] value;

  // New breakpoints; R/W 00 and 10 come only where a breakpoint is off.
  task automatic set;
    logic [31:0] next7;
    logic        executes;
    for (int n = 0; n < 4; n++) begin
      value = (draw() % 4 == 0) ? {draw(), draw()} : 64'(draw() % 48) - 64'd16;
      if (Xlen == 32) value[63:32] = '0;
      move(1'b0, 1'b1, 3'(n), value, 3'd0, got64);
      dr[n] = value;
    end
    next7    = draw() & 32'hFFFF_00FF;
    executes = 1'b0;
    for (int n = 0; n < 4; n++) executes |= (next7[2*n+:2] != 0) && (next7[16+4*n+:2] == 0);
    move(1'b0, 1'b1, draw() % 2 == 0 ? 3'd7 : 3'd5, 64'(next7), executes ? 3'd2 : 3'd0, got64);
    if (!executes) dr7 = next7;
  endtask

  logic [63:0] got64;

  task automatic status;
    read(Status, {16'b0, 8'(queued.size()), 6'b0, handling, pending}, "STATUS");
  endtask

  // Accesses that are refused, and change nothing.
  task automatic misuse;
    int kind;
    kind = int'(draw() % 5);
    unique case (kind)
      0:       post(Status, 1'b1, '1);
      1:       post(Ack, 1'b0, '0);
      2:       post(Ack, 1'b1, '1, 4'h7);
      3:       post(From, 1'b1, '1);
      default: post(32'h2014, draw() % 2 == 0, '1);
    endcase
    take(got, bad);
    if (!bad) fail("an access that must be refused");
    errors++;
  endtask

  // Accesses to both parts, one behind the other: the responses come in order.
  task automatic mix;
    logic [31:0] number, expected;
    number   = draw();
    expected = {16'b0, 8'(queued.size()), 6'b0, handling, pending};
    post(32'h1008, 1'b1, number);
    post(Status, 1'b0, '0);
    post(32'h1008, 1'b0, '0);
    post(Flags, 1'b0, '0);
    for (int i = 0; i < 4; i++) begin
      take(got, bad);
      unique case (i)
        0:       if (bad || (got != '0)) fail("the first of several accesses");
        1:       if (bad || (got != expected)) fail("STATUS between other accesses");
        2:       if (bad || (got != number)) fail("NUMBER behind STATUS");
        default: if (bad || (got != 32'(tf))) fail("FLAGS behind NUMBER");
      endcase
    end
  endtask

  task automatic handle;
    while (pending) begin
      if (!irq) fail("no interrupt");
      post(Ack, 1'b1, 32'd1);
      take(got, bad);
      dr6      = (dr6 & ~32'hF) | 32'(b) | (32'(bs) << 14) | (32'(bd) << 13);
      dr7[13]  = 1'b0;
      pending  = 1'b0;
      handling = 1'b1;
      taken++;
      steps += int'(bs);
      status();
      if (irq) fail("an interrupt that was taken");
      read(From, 32'(from), "FROM");
      read(FromHi, 32'(64'(from) >> 32), "the high half of FROM");
      move(1'b0, 1'b0, 3'd6, '0, 3'd0, got64);
      if (got64 != 64'(32'hFFFF_0FF0 | dr6)) fail($sformatf("DR6: %h instead of %h", got64, dr6));
      if (draw() % 2 == 0) begin
        dr6 = draw() & 32'hE00F;
        move(1'b0, 1'b1, 3'd6, 64'(dr6), 3'd0, got64);
      end
      if (draw() % 8 == 0) set();
      if (draw() % 8 == 0) misuse();
      post(Ack, 1'b1, 32'd2);
      take(got, bad);
      handling = 1'b0;
      while (!pending && (queued.size() != 0)) examine(queued.pop_front(), 1'b1);
      status();
    end
  endtask

  // With GD a MOV is #DB.
  task automatic detect;
    dr7[13] = 1'b1;
    move(1'b0, 1'b1, 3'd7, 64'(dr7), 3'd0, got64);
    move(1'b0, draw() % 2 == 0, 3'(draw()), '0, 3'd5, got64);
    {pending, bd, bs, b} = {1'b1, 1'b1, 1'b0, 4'd0};
  endtask

  task automatic round;
    int skid;
    // User mode, until an interrupt or for a while.
    for (int i = 0; (i < 60) && !irq; i++) execute(2'd0);
    skid = draw() % 7;
    if (irq) for (int i = 0; i < skid; i++) execute(2'd0);
    // The kernel: its own instructions count for nothing.
    for (int i = 0; i < int'(draw() % 4); i++) execute(2'd3);
    // The program's own MOV, that of its access before the interrupt included.
    if (draw() % 2 == 0) begin
      beside += int'(pending);
      move(1'b1, draw() % 2 == 0, 3'(draw()), {draw(), draw()} & 64'hFFFF_FFFF, 3'd2, got64);
    end
    status();
    mix();
    handle();
    if (draw() % 4 == 0) set();
    if (draw() % 4 == 0) misuse();
    if (draw() % 6 == 0) begin
      detect();
      handle();
    end
    if (draw() % 6 == 0) begin
      tf = draw() % 3 == 0;
      post(Flags, 1'b1, 32'(tf));
      take(got, bad);
      read(Flags, 32'(tf), "FLAGS");
    end
    for (int i = 0; i < 2; i++) execute(2'd3);
  endtask

  // An interrupt that the reference does not know.
  always @(posedge clk) if (rst_n && irq && !pending && !dr7[13]) fail("an interrupt without a #DB");

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("rounds=%d", rounds));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {now, req, we, be, addr, wdata, pending, handling, tf, bd, bs, b, from, dr6, dr7} = '0;
    {taken, skids, steps, refused, errors, unaligned, longest, beside} = '0;
    for (int n = 0; n < 4; n++) dr[n] = '0;
    for (int unsigned i = 0; i <= Late; i++) way[i] = '0;
    #22 rst_n = 1'b1;
    @(posedge clk);
    set();
    for (int i = 0; i < rounds; i++) round();
    if ((taken < 100) || (skids < 20) || (steps < 10) || (refused < 10) || (errors < 10) || (unaligned < 10) || (beside < 10)) fail("nothing happened");
    $display("PASS seed %0d: %0d #DB, %0d in the skid, %0d steps, %0d not aligned, %0d refused, %0d errors, %0d in the queue at most",
             seed, taken, skids, steps, unaligned, refused, errors, longest);
    $finish;
  end

endmodule
