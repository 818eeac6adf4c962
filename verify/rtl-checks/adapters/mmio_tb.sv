// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_ctl_mmio between a random host and a random unit, with nothing, APB, TileLink or CV-X-IF in front of it. What goes
// through a shim arrives unchanged, once, and so does the response.
//
//   +seed=N  +accesses=N
//   +eager   OBI: the next request does not wait for the response
//   +wrong=change, unaligned, driver, enable, size, response   a wrong wiring, which an assertion must catch

module mmio_tb
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  // 0: OBI, 1: lwp_ctl_apb, 2: lwp_ctl_tlul, 3: lwp_ctl_cvxif.
  parameter int unsigned Shim = 0,
  // Of lwp_ctl_cvxif: width of a register, and of an identifier.
  parameter int unsigned Xlen      = 32,
  parameter int unsigned IdWidth   = 4,
  // Operands come after the issue, in its core and in the shim.
  parameter bit          Split     = 1'b0,
  parameter bit          ShimSplit = Split
);

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, accesses = 3000;
  always #5 clk = !clk;

  logic [31:0] rng;
  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  //////////////////
  // Control port //
  //////////////////

  logic        req, gnt, we, rvalid, err;
  logic [31:0] addr, wdata, rdata;
  logic [3:0]  be;

  logic        busy, op_wait, op_user, op_holds, stall, op_valid, rsp_valid, rsp_fault_write;
  ctl_op_e     op;
  logic [3:0]  op_word;
  logic [63:0] op_wdata, rsp_rdata, rsp_fault_addr, pf_addr;
  fault_e      rsp_fault;
  logic        irq, irq_ack, pf_valid, pf_write, pf_ack, irq_any;
  logic [31:0] msr0;

  lwp_ctl_mmio #(.RetireLanes(1), .EventSlots(3), .LatencyBits(10)) u_ctl (
    .clk_i(clk), .rst_ni(rst_n),
    .ctl_req_i(req), .ctl_gnt_o(gnt), .ctl_addr_i(addr), .ctl_we_i(we), .ctl_be_i(be), .ctl_wdata_i(wdata),
    .ctl_rvalid_o(rvalid), .ctl_rdata_o(rdata), .ctl_err_o(err),
    .busy_i(busy), .op_wait_o(op_wait), .op_user_o(op_user), .op_holds_o(op_holds), .stall_i(stall),
    .op_valid_o(op_valid), .op_o(op), .op_word_o(op_word), .op_wdata_o(op_wdata), .rsp_valid_i(rsp_valid),
    .rsp_fault_i(rsp_fault), .rsp_fault_write_i(rsp_fault_write), .rsp_rdata_i(rsp_rdata),
    .rsp_fault_addr_i(rsp_fault_addr), .irq_i(irq), .irq_ack_o(irq_ack), .pf_valid_i(pf_valid), .pf_write_i(pf_write),
    .pf_addr_i(pf_addr), .pf_ack_o(pf_ack), .msr0_i(msr0), .irq_o(irq_any)
  );

  mmio_check u_check (
    .clk_i(clk), .rst_ni(rst_n), .req_i(req), .gnt_i(gnt), .we_i(we), .addr_i(addr), .wdata_i(wdata), .be_i(be),
    .rvalid_i(rvalid), .err_i(err), .rdata_i(rdata), .busy_i(busy), .stall_i(stall), .op_wait_i(op_wait),
    .op_user_i(op_user), .op_holds_i(op_holds), .op_valid_i(op_valid), .op_i(op), .op_word_i(op_word),
    .op_wdata_i(op_wdata), .rsp_valid_i(rsp_valid), .rsp_fault_i(rsp_fault), .rsp_fault_write_i(rsp_fault_write),
    .rsp_rdata_i(rsp_rdata), .rsp_fault_addr_i(rsp_fault_addr), .irq_i(irq), .irq_ack_i(irq_ack),
    .pf_valid_i(pf_valid), .pf_write_i(pf_write), .pf_ack_i(pf_ack), .irq_o_i(irq_any), .pf_addr_i(pf_addr),
    .msr0_i(msr0)
  );

  //////////////
  // The unit //
  //////////////

  int left;  // cycles until the result

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      {busy, stall, rsp_valid, irq, pf_valid, pf_write, pf_addr, msr0, rsp_rdata, rsp_fault_addr, rsp_fault_write} <= '0;
      rsp_fault <= FaultNone;
      left      <= 0;
    end else begin
      logic [31:0] r;
      r = draw();
      busy      <= r[1:0] != 2'd0;
      stall     <= (left > 0) || op_valid || (r[3:2] == 2'd0);
      rsp_valid <= left == 1 || (wrong == "driver" && r[15:12] == 4'd0);
      if (op_valid) left <= 2 + int'(r[7:4]);
      else if (left > 0) left <= left - 1;
      if (left == 1) begin
        rsp_fault       <= (r[9:8] == 2'd0) ? fault_e'(r[11:10]) : FaultNone;
        rsp_fault_write <= r[12];
        rsp_rdata       <= {r, draw()};
        rsp_fault_addr  <= {draw(), r};
      end
      irq      <= (irq && !irq_ack) || (r[17:13] == 5'd0);
      pf_valid <= (pf_valid && !pf_ack) || (r[22:18] == 5'd0);
      if (!pf_valid) begin
        pf_write <= r[23];
        pf_addr  <= {r, ~r};
      end
      msr0 <= {r[24], 27'd0, r[28:25]};
    end
  end

  //////////////
  // The host //
  //////////////

  // An access, which begins at a falling edge, and its response.
  logic        host_we, host_err;
  logic [31:0] host_addr, host_wdata, host_rdata;
  logic [3:0]  host_be;

  // What passed the control port since.
  int          passed, responses;
  logic        seen_err;
  logic [31:0] seen_rdata;

  task automatic fail(string what);
    $fatal(1, "FAIL %s: seed %0d, address %h", what, seed, host_addr);
  endtask

  // An access of a shim itself, which has the lowest addresses; one of those is outstanding.
  logic own, own_owed;
  assign own = addr[31:6] == '0;

  always @(posedge clk) begin
    if (rst_n && req && gnt) own_owed <= own;
    if (rst_n && req && gnt && !own) begin
      if (we != host_we || addr != host_addr || (we && (be != host_be || wdata != host_wdata))) fail("another access");
      passed++;
    end
    if (rst_n && rvalid && !own_owed) begin
      seen_err   = err;
      seen_rdata = rdata;
      responses++;
    end
  end

  logic polls;  // the last access was a store to POST

  // The registers, some others, and any; mostly whole words.
  task automatic choose;
    logic [31:0] r;
    r = draw();
    host_addr  = {19'h40123, r[0] , 12'd0};
    host_addr |= (r[4:1] == 4'd15) ? {19'd0, 1'b0, r[16:7], 2'd0} : {26'd0, r[4:1], 2'd0};
    if (r[20:19] == 2'd0) host_addr[11:0] = 12'h0;
    host_we    = r[17] | r[18];
    host_be    = (r[24:21] == 4'd0) ? r[28:25] : 4'hF;
    host_wdata = draw();
    if (host_addr[11:3] == '0) host_wdata[3:0] = (r[29]) ? {3'd0, host_wdata[0]} : host_wdata[3:0];
    // A posted operation is polled, often at once.
    if (polls && r[30]) {host_addr[11:0], host_we} = {12'h008, 1'b0};
    if (!host_we) host_be = 4'hF;
    polls = host_we && host_addr[11:0] == 12'h004;
    if (wrong == "unaligned") host_addr[0] = 1'b1;
  endtask

  task automatic compare;
    @(negedge clk);
    if (passed != 1 || responses != 1) fail("accesses or responses");
    if (host_err != seen_err) fail("error of the response");
    if (!host_we && !host_err && host_rdata != seen_rdata) fail("data of the response");
  endtask

  if (Shim == 0) begin : gen_host
    assign we = host_we, addr = host_addr, be = host_be, wdata = host_wdata;

    task automatic transfer;
      req = 1'b1;
      do begin
        @(posedge clk);
        if (wrong == "change" && !gnt) @(negedge clk) host_addr[2] = !host_addr[2];
      end while (!gnt);
      if (!eager) begin
        @(negedge clk) req = 1'b0;
        do @(posedge clk); while (!rvalid);
      end
      host_err   = err;
      host_rdata = rdata;
    endtask
  end else if (Shim == 1) begin : gen_host
    logic        psel, penable, pready, pslverr;
    logic [31:0] prdata;

    lwp_ctl_apb u_shim (
      .clk_i(clk), .rst_ni(rst_n), .psel_i(psel), .penable_i(penable), .paddr_i(host_addr), .pwrite_i(host_we),
      .pstrb_i(host_be), .pwdata_i(host_wdata), .pready_o(pready), .prdata_o(prdata), .pslverr_o(pslverr),
      .ctl_req_o(req), .ctl_gnt_i(gnt), .ctl_addr_o(addr), .ctl_we_o(we), .ctl_be_o(be), .ctl_wdata_o(wdata),
      .ctl_rvalid_i(rvalid), .ctl_rdata_i(rdata), .ctl_err_i(err)
    );

    initial {psel, penable} = '0;

    task automatic transfer;
      psel = 1'b1;
      @(negedge clk) penable = 1'b1;
      if (wrong == "enable") @(negedge clk) penable = 1'b0;
      do @(posedge clk); while (!pready);
      host_err   = pslverr;
      host_rdata = prdata;
      @(negedge clk) {psel, penable} = '0;
    endtask
  end else if (Shim == 2) begin : gen_host
    logic        a_valid, a_ready, d_valid, d_ready, d_denied;
    logic [2:0]  a_opcode, d_opcode;
    logic [1:0]  a_size, d_size;
    logic [4:0]  a_source, d_source;
    logic [31:0] d_data;

    lwp_ctl_tlul #(.SourceWidth(5)) u_shim (
      .clk_i(clk), .rst_ni(rst_n), .a_valid_i(a_valid), .a_ready_o(a_ready), .a_opcode_i(a_opcode), .a_size_i(a_size),
      .a_source_i(a_source), .a_address_i(host_addr | 32'(a_size == 2'd0)), .a_mask_i(host_be), .a_data_i(host_wdata),
      .d_valid_o(d_valid), .d_ready_i(d_ready), .d_opcode_o(d_opcode), .d_size_o(d_size), .d_source_o(d_source),
      .d_data_o(d_data), .d_denied_o(d_denied),
      .ctl_req_o(req), .ctl_gnt_i(gnt), .ctl_addr_o(addr), .ctl_we_o(we), .ctl_be_o(be), .ctl_wdata_o(wdata),
      .ctl_rvalid_i(rvalid || (wrong == "response" && draws)), .ctl_rdata_i(rdata), .ctl_err_i(err)
    );

    // Now and then, while the shim waits for a request.
    logic draws;
    assign draws = a_ready && rng[2:0] == 3'd0;

    initial {a_valid, d_ready, a_opcode, a_size, a_source} = '0;

    // A message that the device does not know is denied and passes nothing.
    task automatic transfer;
      logic [31:0] r;
      logic        strange;
      r = draw();
      strange  = r[3:0] == 4'd0;
      a_opcode = strange ? (r[4] ? 3'd2 : 3'd5) : !host_we ? 3'd4 : (host_be == 4'hF) ? 3'd0 : 3'd1;
      a_size   = (wrong == "size") ? 2'd3 : (host_be == 4'hF) ? 2'd2 : 2'd0;
      a_source = r[9:5];
      a_valid  = 1'b1;
      do @(posedge clk); while (!a_ready);
      @(negedge clk) a_valid = 1'b0;
      a_source = ~a_source;
      repeat (int'(r[12:10])) @(negedge clk);
      d_ready  = 1'b1;
      do @(posedge clk); while (!d_valid);
      if (d_source != r[9:5] || d_size != a_size) fail("source or size");
      host_err   = d_denied;
      host_rdata = d_data;
      @(negedge clk) d_ready = 1'b0;
      if (strange) begin
        if (!d_denied || passed != 0) fail("a strange message");
        passed    = 1;
        responses = 1;
        seen_err  = 1'b1;
      end else if (d_opcode != 3'(!host_we)) begin
        fail("opcode");
      end
    endtask
  end

  logic complete;  // the core in front of a shim has tried enough

  if (Shim == 3) begin : gen_host
    logic            bus_req, bus_gnt, bus_rvalid, bus_err;
    logic [31:0]     bus_rdata;
    logic            issue_valid, issue_ready, issue_accept, issue_writeback, issue_register_read, register_valid;
    logic            register_ready, register_rs1_valid, commit_valid, commit_kill, result_valid, result_ready, result_we, own_op, own_runs;
    logic [31:0]     issue_instr, issue_hartid, result_hartid;
    logic [IdWidth-1:0] issue_id, register_id, commit_id, result_id;
    logic [Xlen-1:0] register_rs1, result_data;
    logic [4:0]      result_rd;

    lwp_ctl_cvxif #(.Xlen(Xlen), .IdWidth(IdWidth), .IssueRegisterSplit(ShimSplit)) u_shim (
      .clk_i(clk), .rst_ni(rst_n), .issue_valid_i(issue_valid), .issue_ready_o(issue_ready),
      .issue_instr_i(issue_instr), .issue_id_i(issue_id), .issue_hartid_i(issue_hartid),
      .issue_accept_o(issue_accept), .issue_writeback_o(issue_writeback), .issue_register_read_o(issue_register_read),
      .register_valid_i(register_valid), .register_ready_o(register_ready), .register_id_i(register_id),
      .register_rs1_i(register_rs1), .register_rs1_valid_i(register_rs1_valid), .commit_valid_i(commit_valid),
      .commit_id_i(commit_id), .commit_kill_i(commit_kill), .result_valid_o(result_valid),
      .result_ready_i(result_ready), .result_id_o(result_id), .result_hartid_o(result_hartid),
      .result_data_o(result_data), .result_rd_o(result_rd), .result_we_o(result_we),
      .bus_req_i(bus_req), .bus_gnt_o(bus_gnt), .bus_addr_i(host_addr), .bus_we_i(host_we), .bus_be_i(host_be),
      .bus_wdata_i(host_wdata), .bus_rvalid_o(bus_rvalid), .bus_rdata_o(bus_rdata), .bus_err_o(bus_err),
      .ctl_req_o(req), .ctl_gnt_i(gnt), .ctl_addr_o(addr), .ctl_we_o(we), .ctl_be_o(be), .ctl_wdata_o(wdata),
      .ctl_rvalid_i(rvalid), .ctl_rdata_i(rdata), .ctl_err_i(err)
    );

    cvxif_driver #(.Xlen(Xlen), .IdWidth(IdWidth), .Split(Split)) u_core (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .issue_valid_o(issue_valid), .issue_ready_i(issue_ready),
      .issue_instr_o(issue_instr), .issue_id_o(issue_id), .issue_hartid_o(issue_hartid),
      .issue_accept_i(issue_accept), .issue_writeback_i(issue_writeback), .issue_register_read_i(issue_register_read),
      .register_valid_o(register_valid), .register_rs1_valid_o(register_rs1_valid),
      .register_ready_i(register_ready), .register_id_o(register_id),
      .register_rs1_o(register_rs1), .commit_valid_o(commit_valid), .commit_kill_o(commit_kill),
      .commit_id_o(commit_id), .result_valid_i(result_valid), .result_ready_o(result_ready),
      .result_id_i(result_id), .result_hartid_i(result_hartid), .result_data_i(result_data), .result_rd_i(result_rd),
      .result_we_i(result_we), .own_op_i(own_op && op_valid), .op_i(op), .op_wdata_i(op_wdata),
      .own_rsp_i(own_runs && rsp_valid), .rsp_fault_i(rsp_fault), .rsp_rdata_i(rsp_rdata), .complete_o(complete)
    );

    // The operation that waits, and the one in progress, are the shim's. One that begins to wait was taken in the cycle
    // before; one that is refused does not.
    logic own_last, own_kept, past_wait;
    assign own_op = (op_wait && !past_wait) ? own_last : own_kept;

    always @(posedge clk or negedge rst_n) begin
      if (!rst_n) begin
        {own_last, own_kept, own_runs, past_wait} <= '0;
      end else begin
        past_wait <= op_wait;
        own_kept  <= own_op;
        if (req && gnt) own_last <= own;
        if (op_valid) own_runs <= own_op;
        else if (rsp_valid) own_runs <= 1'b0;
      end
    end

    initial bus_req = 1'b0;

    task automatic transfer;
      bus_req = 1'b1;
      do @(posedge clk); while (!bus_gnt);
      @(negedge clk) bus_req = 1'b0;
      do @(posedge clk); while (!bus_rvalid);
      host_err   = bus_err;
      host_rdata = bus_rdata;
    endtask
  end

  else begin : gen_host_alone
    assign complete = 1'b1;
  end

  logic  eager;
  string wrong = "";

  initial begin
    eager = $test$plusargs("eager") != 0;
    void'($value$plusargs("wrong=%s", wrong));
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("accesses=%d", accesses));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    if (Shim == 0) req = 1'b0;
    {host_we, host_addr, host_be, host_wdata, passed, responses, polls, own_owed} = '0;
    #22 rst_n = 1'b1;
    for (; accesses > 0; accesses--) begin
      @(negedge clk);
      choose();
      passed    = 0;
      responses = 0;
      gen_host.transfer();
      if (!eager) compare();
      if (!eager) repeat (int'(draw() >> 30)) @(posedge clk);
    end
    if (!u_check.complete() || !complete) $fatal(1, "FAIL nothing happened");
    $display("PASS seed %0d: %0d operations started, %0d posted, %0d refused, %0d faults, %0d errors, %0d acknowledged, STATUS waited %0d times",
             seed, u_check.started, u_check.posted, u_check.refused, u_check.faults, u_check.errors,
             u_check.acknowledged, u_check.looked);
    $finish;
  end

  initial #10000000 $fatal(1, "FAIL no end: seed %0d", seed);

endmodule
