// SPDX-License-Identifier: MIT OR Apache-2.0
//
// reg_mmio between a random host and a random unit. Each access has the response that the map of registers gives, in the
// cycle in which it is due; each request reaches the unit once, with the registers and the rights of its page.
//
//   +seed=N  +accesses=N
//   +wrong=change, unaligned, answer   a wrong wiring, which an assertion must catch

module reg_mmio_tb
  import mem_pkg::*;
  import retire_pkg::*;
;

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, accesses = 3000;
  string wrong = "";
  always #5 clk = !clk;

  logic [31:0] rng;
  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  logic         req, gnt, we, rvalid, err, user, ready;
  logic [31:0]  addr, wdata, rdata;
  logic [3:0]   be;
  reg_request_t request;
  reg_answer_t  answer;

  reg_mmio u_reg (
    .clk_i(clk), .rst_ni(rst_n), .ctl_req_i(req), .ctl_gnt_o(gnt), .ctl_addr_i(addr), .ctl_we_i(we), .ctl_be_i(be),
    .ctl_wdata_i(wdata), .ctl_rvalid_o(rvalid), .ctl_rdata_o(rdata), .ctl_err_o(err), .reg_o(request),
    .reg_user_o(user), .reg_ready_i(ready), .answer_i(answer)
  );

  task automatic fail(string what);
    $fatal(1, "FAIL %s: seed %0d, address %h", what, seed, addr);
  endtask

  //////////////
  // The unit //
  //////////////

  // Cycles until the answer; 0: no request.
  int left;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      {ready, answer} <= '0;
      left            <= 0;
    end else begin
      logic [31:0] r;
      r = draw();
      ready <= r[1:0] != 2'd0;
      if (request.reg_valid && ready) left <= 1 + int'(r[3:2]);
      else if (left > 0) left <= left - 1;
      answer <= '0;
      if ((request.reg_valid && ready && r[3:2] == 2'd0) || left == 2 || (wrong == "answer" && r[12:8] == '0)) begin
        answer <= '{reg_done: 1'b1, reg_result: reg_result_e'(r[6:4] % 3'd6), reg_rdata: {r, draw()}};
      end
    end
  end

  //////////////////
  // What must be //
  //////////////////

  // Words of the pages, by offset / 4.
  logic [31:0] words [2][8];
  // A response is due: 1 in this cycle, 2 with the answer. A request is pending (1) or was accepted (2).
  int          due, stage, page_of;
  logic        bad;
  logic [31:0] expected, order;
  int          started, refused, waited, results;

  function automatic logic exists(logic [9:0] register);
    return register inside {0, 2, 3, 4, 5, 6, 7};
  endfunction

  task automatic take;
    int page, register;
    page     = int'(addr[12]);
    register = int'(addr[11:2]);
    bad      = !exists(addr[11:2]) || (we && be != '1);
    expected = (we || bad || register == 0) ? '0 : words[page][register];
    due      = 1;
    refused += int'(bad);
    if (we && !bad) begin
      if (register == 0) begin
        {stage, due, page_of, order} = {32'd1, 32'd2, page, wdata};
        started++;
      end else begin
        words[page][register] = (register == 3) ? wdata & 32'd7 : wdata;
      end
    end
  endtask

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      {due, stage, page_of, bad, expected, order, started, refused, waited, results} = '0;
      for (int p = 0; p < 2; p++) for (int r = 0; r < 8; r++) words[p][r] = '0;
    end else begin
      logic answered;
      answered = stage == 2 && answer.reg_done;
      if (rvalid != (due == 1)) fail("a response");
      if (rvalid && (err != bad || rdata != expected)) fail("the response");
      if (gnt != (stage == 0)) fail("the grant");
      if (request.reg_valid != (stage == 1)) fail("a request");
      if (stage == 1 && (request.reg_op != reg_op_e'(order[3:0]) || request.reg_lp != order[10:8] ||
                         request.reg_number != words[page_of][2] ||
                         request.reg_wdata != {words[page_of][5], words[page_of][4]} || user != (page_of == 0))) begin
        fail("the request");
      end
      if (due == 1) due = 0;
      waited += int'(stage == 1 && !ready);
      if (stage == 1 && ready) stage = 2;
      if (answered) begin
        words[page_of][3] = 32'(answer.reg_result);
        {words[page_of][7], words[page_of][6]} = answer.reg_rdata;
        {stage, due, bad, expected} = {32'd0, 32'd1, 1'b0, 32'd0};
        results++;
      end
      if (req && gnt) take();
    end
  end

  //////////////
  // The host //
  //////////////

  // The registers, some others, and any; mostly whole words.
  task automatic choose;
    logic [31:0] r;
    r     = draw();
    addr  = {19'h40123, r[0], 12'd0};
    addr |= (r[4:1] == 4'd15) ? {20'd0, r[16:7], 2'd0} : {27'd0, r[3:1], 2'd0};
    we    = r[17];
    be    = (r[24:21] == 4'd0) ? r[28:25] : 4'hF;
    wdata = draw();
    if (!we) be = 4'hF;
    if (wrong == "unaligned") addr[0] = 1'b1;
  endtask

  initial begin
    void'($value$plusargs("wrong=%s", wrong));
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("accesses=%d", accesses));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {req, we, addr, be, wdata} = '0;
    #22 rst_n = 1'b1;
    for (; accesses > 0; accesses--) begin
      @(negedge clk);
      choose();
      req = 1'b1;
      do begin
        @(posedge clk);
        if (wrong == "change" && !gnt) @(negedge clk) addr[2] = !addr[2];
      end while (!gnt);
      // Now and then the next request comes at once.
      if (draw() >> 30 != 0) begin
        @(negedge clk) req = 1'b0;
        repeat (int'(draw() >> 30)) @(posedge clk);
      end
    end
    if (started < 100 || refused < 20 || waited < 20 || results < 100) $fatal(1, "FAIL nothing happened");
    $display("PASS seed %0d: %0d requests, %0d refused, waited %0d cycles", seed, started, refused, waited);
    $finish;
  end

  initial #10000000 $fatal(1, "FAIL no end: seed %0d", seed);

endmodule
