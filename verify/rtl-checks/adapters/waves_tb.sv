// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The waves of one operation through lwp_rvfi_top, as text: a kernel switches LWP on, a program starts a session by a store to START.
// Printed is each cycle from that store to its response; the book shows it.

module waves_tb
  import lwp_pkg::*;
#(
  // Cycles printed before the store and behind the response.
  parameter int unsigned Around = 2
);

  localparam logic [31:0] Block = 32'h0000_1000;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;

  logic        bus_req, bus_we, bus_rvalid, req, gnt, we, rvalid, err, irq;
  logic [31:0] bus_addr, bus_wdata, bus_rdata, addr, wdata, rdata, insn_pc;
  logic [3:0]  bus_be;
  // What retires is MRET of the kernel, else NOPs of the program.
  logic        retires, kernel;

  lwp_rvfi_top #(.RvfiLate(1)) u_lwp (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .rvfi_valid_i    (retires),
    .rvfi_trap_i     (1'b0),
    .rvfi_insn_i     (kernel ? 32'h3020_0073 : 32'h0000_0013),
    .rvfi_mode_i     ({2{kernel}}),
    .rvfi_pc_rdata_i (insn_pc),
    .rvfi_pc_wdata_i (insn_pc + 32'd4),
    .rvfi_mem_addr_i ('0),
    .rvfi_mem_rmask_i('0),
    .miss_i          (1'b0),
    .latency_i       ('0),
    .bus_req_o       (bus_req),
    .bus_gnt_i       (1'b1),
    .bus_addr_o      (bus_addr),
    .bus_we_o        (bus_we),
    .bus_be_o        (bus_be),
    .bus_wdata_o     (bus_wdata),
    .bus_rvalid_i    (bus_rvalid),
    .bus_rdata_i     (bus_rdata),
    .bus_err_i       (1'b0),
    .ctl_req_i       (req),
    .ctl_gnt_o       (gnt),
    .ctl_addr_i      (addr),
    .ctl_we_i        (we),
    .ctl_be_i        ('1),
    .ctl_wdata_i     (wdata),
    .ctl_rvalid_o    (rvalid),
    .ctl_rdata_o     (rdata),
    .ctl_err_o       (err),
    .irq_o           (irq)
  );

  ////////////
  // Memory //
  ////////////

  // A block with a ring of four records at 2000H and event 1, instructions, after each hundredth.
  logic [31:0] words [32];
  initial begin
    foreach (words[i]) words[i] = '0;
    words[1]  = 32'd128;
    words[2]  = 32'h0000_2000;
    words[10] = {6'd1, 26'd100};
    words[11] = 32'd100;
  end

  always @(posedge clk) begin
    bus_rvalid <= bus_req;
    bus_rdata  <= words[bus_addr[6:2]];
    if (bus_req && bus_we && (bus_addr[31:7] == Block[31:7])) begin
      for (int i = 0; i < 4; i++) if (bus_be[i]) words[bus_addr[6:2]][8*i +: 8] <= bus_wdata[8*i +: 8];
    end
  end

  ///////////
  // Waves //
  ///////////

  localparam int unsigned Lines = 8;
  string       waves [Lines];
  string       names [Lines] = '{"ctl_req_i", "ctl_gnt_o", "ctl_rvalid_o", "bus_req_o", "bus_gnt_i", "bus_we_o", "bus_rvalid_i", "rvfi_valid_i"};
  int unsigned shown = 0, reads = 0, writes = 0;
  logic        showing = 1'b0;

  function automatic string wave(logic level);
    return level ? "▔" : "▁";
  endfunction

  always @(negedge clk) begin
    if (showing) begin
      waves[0] = {waves[0], wave(req)};
      waves[1] = {waves[1], wave(gnt)};
      waves[2] = {waves[2], wave(rvalid)};
      waves[3] = {waves[3], wave(bus_req)};
      waves[4] = {waves[4], wave(1'b1)};
      waves[5] = {waves[5], wave(bus_req && bus_we)};
      waves[6] = {waves[6], wave(bus_rvalid)};
      waves[7] = {waves[7], wave(retires)};
      shown  <= shown + 1;
      reads  <= reads + 32'(bus_req && !bus_we);
      writes <= writes + 32'(bus_req && bus_we);
    end
  end

  //////////
  // Core //
  //////////

  // A store of the core waits for its response; meanwhile it retires nothing.
  task automatic store(input logic [31:0] where, input logic [31:0] what);
    @(posedge clk);
    #1 req = 1'b1;
    we    = 1'b1;
    addr  = where;
    wdata = what;
    do @(negedge clk); while (!gnt);
    @(posedge clk);
    #1 req = 1'b0;
    while (!rvalid) @(negedge clk);
    if (err) $fatal(1, "the store to %h has an error", where);
  endtask

  task automatic retire(input int unsigned count);
    repeat (count) begin
      @(posedge clk);
      #1 retires = 1'b1;
      insn_pc = insn_pc + 32'd4;
    end
    @(posedge clk);
    #1 retires = 1'b0;
  endtask

  initial begin
    {req, we, retires, bus_rvalid} = '0;
    kernel  = 1'b1;
    {addr, wdata, bus_rdata} = '0;
    insn_pc = 32'h0000_0400;
    #1 rst_n = 1'b1;
    #1 rst_n = 1'b0;
    repeat (2) @(posedge clk);
    #1 rst_n = 1'b1;
    store(32'h1010, 32'h0000_0003);
    store(32'h1000, 32'd3);
    retire(1);
    kernel = 1'b0;
    retire(1);
    store(32'h0010, Block);
    store(32'h0014, 32'd0);
    @(posedge clk);
    #1 showing = 1'b1;
    retire(Around);
    store(32'h0000, 32'd0);
    retire(Around);
    @(posedge clk);
    #1 showing = 1'b0;
    foreach (names[i]) $display("%-13s %s", names[i], waves[i]);
    $display("%0d cycles; %0d reads and %0d writes", shown, reads, writes);
    $display("PASS");
    $finish;
  end

  initial begin
    repeat (2000) @(posedge clk);
    $fatal(1, "the response does not come");
  end

  logic unused;
  assign unused = irq ^ ^rdata;

endmodule
