// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_mem_axi4 against an AXI4 memory with back-pressure, late answers and errors. Between the clock edges all inputs
// toggle for a moment: no output to the bus and no grant may follow.
//
//   +seed=N  +accesses=N

module axi4_tb
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  parameter int unsigned AddrWidth = 40
);

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, accesses = 2000, refused, started, answered;
  // How often each channel was held up, and in which order address and data of a write were taken.
  int   aw_waits, w_waits, ar_waits, aw_first, w_first, together;
  logic done, toggle = 1'b0;
  always #5 clk = !clk;

  logic        mem_req, mem_gnt, mem_rvalid, mem_err;
  mem_cmd_e    mem_cmd;
  logic [7:0]  mem_be;
  logic [63:0] mem_addr, mem_wdata, mem_rdata;
  logic [511:0][63:0] memory;

  mem_driver #(.AddrWidth(AddrWidth)) u_driver (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .accesses_i(accesses), .memory_i(memory),
    .mem_req_o(mem_req), .mem_cmd_o(mem_cmd), .mem_be_o(mem_be), .mem_addr_o(mem_addr), .mem_wdata_o(mem_wdata),
    .mem_gnt_i(mem_gnt), .mem_rvalid_i(mem_rvalid), .mem_err_i(mem_err), .mem_rdata_i(mem_rdata),
    .done_o(done), .refused_o(refused)
  );

  logic [AddrWidth-1:0] awaddr, araddr, aw_held;
  logic [7:0]  awlen, arlen, wstrb, strb_held;
  logic [2:0]  awsize, arsize, awprot, arprot;
  logic [1:0]  awburst, arburst, bresp, rresp;
  logic [63:0] wdata, rdata, data_held;
  logic        awvalid, awready, wlast, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;

  lwp_mem_axi4 #(.AddrWidth(AddrWidth)) u_bridge (
    .clk_i(clk), .rst_ni(rst_n),
    .mem_req_i(mem_req ^ toggle), .mem_cmd_i(toggle ? MemProbe : mem_cmd), .mem_be_i(mem_be ^ {8{toggle}}),
    .mem_addr_i(mem_addr ^ {64{toggle}}), .mem_wdata_i(mem_wdata ^ {64{toggle}}),
    .mem_gnt_o(mem_gnt), .mem_rvalid_o(mem_rvalid), .mem_err_o(mem_err), .mem_rdata_o(mem_rdata),
    .axi_awid_o(), .axi_awaddr_o(awaddr), .axi_awlen_o(awlen), .axi_awsize_o(awsize), .axi_awburst_o(awburst),
    .axi_awlock_o(), .axi_awcache_o(), .axi_awprot_o(awprot), .axi_awvalid_o(awvalid), .axi_awready_i(awready ^ toggle),
    .axi_wdata_o(wdata), .axi_wstrb_o(wstrb), .axi_wlast_o(wlast), .axi_wvalid_o(wvalid), .axi_wready_i(wready ^ toggle),
    .axi_bid_i('0), .axi_bresp_i(bresp ^ {2{toggle}}), .axi_bvalid_i(bvalid ^ toggle), .axi_bready_o(bready),
    .axi_arid_o(), .axi_araddr_o(araddr), .axi_arlen_o(arlen), .axi_arsize_o(arsize), .axi_arburst_o(arburst),
    .axi_arlock_o(), .axi_arcache_o(), .axi_arprot_o(arprot), .axi_arvalid_o(arvalid), .axi_arready_i(arready ^ toggle),
    .axi_rid_i('0), .axi_rdata_i(rdata ^ {64{toggle}}), .axi_rresp_i(rresp ^ {2{toggle}}), .axi_rlast_i(1'b1), .axi_rvalid_i(rvalid ^ toggle),
    .axi_rready_o(rready)
  );

  wire [4:0]  handshakes = {awvalid, wvalid, bready, arvalid, rready};
  wire [$bits({awaddr, araddr, wdata, wstrb})+5:0] outputs = {mem_gnt, handshakes, awaddr, araddr, wdata, wstrb};
  logic [$bits(outputs)-1:0] steady;

  always @(negedge clk) begin
    #1 steady = outputs;
    toggle = 1'b1;
    #1 if (outputs != steady) $fatal(1, "FAIL a path without a register: seed %0d, %h becomes %h", seed, steady, outputs);
    toggle = 1'b0;
  end

  // The memory. Address and data of a write are taken in any order; it is written when B is sent, and not before.
  logic [31:0] rng;
  logic        have_aw, have_w, have_ar;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      rng = 32'(seed) * 32'd40503 | 32'd1;
      {awready, wready, arready, bvalid, rvalid, have_aw, have_w, have_ar, bresp, rresp, rdata} <= '0;
      for (int i = 0; i < 512; i++) memory[i] <= 64'd0;
      started  <= 0;
      {aw_waits, w_waits, ar_waits, aw_first, w_first, together} <= '0;
      answered <= 0;
    end else begin
      rng = step(rng);
      awready <= rng[0] && !have_aw && !(awvalid && awready);
      wready  <= rng[1] && !have_w && !(wvalid && wready);
      arready <= rng[2] && !have_ar && !(arvalid && arready);
      aw_waits <= aw_waits + int'(awvalid && !awready);
      w_waits  <= w_waits + int'(wvalid && !wready);
      ar_waits <= ar_waits + int'(arvalid && !arready);
      aw_first <= aw_first + int'(awvalid && awready && wvalid && !wready);
      w_first  <= w_first + int'(wvalid && wready && awvalid && !awready);
      together <= together + int'(awvalid && awready && wvalid && wready);
      started <= started + int'(awvalid && awready) + int'(arvalid && arready);
      if (awvalid && awready) begin
        have_aw <= 1'b1;
        aw_held <= awaddr;
        if ({awlen, awsize, awburst, awprot[0]} != {8'd0, 3'd3, 2'd1, 1'b0}) $fatal(1, "FAIL address channel of a write");
      end
      if (wvalid && wready) begin
        have_w    <= 1'b1;
        data_held <= wdata;
        strb_held <= wstrb;
        if (!wlast) $fatal(1, "FAIL a beat that is not the last");
      end
      if (arvalid && arready) begin
        have_ar <= 1'b1;
        aw_held <= araddr;
        if ({arlen, arsize, arburst, arprot[0]} != {8'd0, 3'd3, 2'd1, 1'b0}) $fatal(1, "FAIL address channel of a read");
      end
      if (have_aw && have_w && !bvalid && rng[5:3] == 3'd0) begin
        bvalid <= 1'b1;
        bresp  <= is_bad(64'(aw_held)) ? {1'b1, rng[6]} : 2'b00;
        if (!is_bad(64'(aw_held))) memory[aw_held[11:3]] <= merge(memory[aw_held[11:3]], data_held, strb_held);
      end
      if (have_ar && !rvalid && rng[5:3] == 3'd1) begin
        rvalid <= 1'b1;
        rresp  <= is_bad(64'(aw_held)) ? {1'b1, rng[6]} : 2'b00;
        rdata  <= is_bad(64'(aw_held)) ? {rng, rng} : memory[aw_held[11:3]];
      end
      if (bvalid && bready) {bvalid, have_aw, have_w} <= '0;
      if (rvalid && rready) {rvalid, have_ar} <= '0;
      answered <= answered + int'(bvalid && bready) + int'(rvalid && rready);
    end
  end

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("accesses=%d", accesses));
    #22 rst_n = 1'b1;
    wait (done);
    if (started != answered || started + refused != accesses || refused == 0) $fatal(1, "FAIL %0d transactions, %0d answers, %0d refused", started, answered, refused);
    if (aw_waits == 0 || w_waits == 0 || ar_waits == 0 || aw_first == 0 || w_first == 0 || together == 0)
      $fatal(1, "FAIL back-pressure was not tried: AW %0d, W %0d, AR %0d cycles; AW first %0d, W first %0d, together %0d",
             aw_waits, w_waits, ar_waits, aw_first, w_first, together);
    $display("PASS seed %0d: %0d accesses, %0d transactions, %0d refused", seed, accesses, started, refused);
    $finish;
  end

  initial #10000000 $fatal(1, "FAIL no end: seed %0d", seed);

endmodule
