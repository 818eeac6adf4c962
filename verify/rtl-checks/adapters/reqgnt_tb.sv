// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_mem_reqgnt against a memory that grants late, answers late, and now and then with an error.
//
//   +seed=N  +accesses=N
//   +wrong=response   a response comes now and then while the request is still pending

module reqgnt_tb
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  parameter int unsigned DataWidth = 64,
  parameter int unsigned AddrWidth = 64
);

  localparam int unsigned Bytes = DataWidth / 8;

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, accesses = 2000, refused, probes;
  logic done;
  string wrong = "";
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

  logic                 req, we, probe, gnt, rvalid, err;
  logic [Bytes-1:0]     be;
  logic [AddrWidth-1:0] addr;
  logic [DataWidth-1:0] wdata, rdata;

  lwp_mem_reqgnt #(.DataWidth(DataWidth), .AddrWidth(AddrWidth)) u_adapter (
    .clk_i(clk), .rst_ni(rst_n),
    .mem_req_i(mem_req), .mem_cmd_i(mem_cmd), .mem_be_i(mem_be), .mem_addr_i(mem_addr), .mem_wdata_i(mem_wdata),
    .mem_gnt_o(mem_gnt), .mem_rvalid_o(mem_rvalid), .mem_err_o(mem_err), .mem_rdata_o(mem_rdata),
    .req_o(req), .we_o(we), .probe_o(probe), .be_o(be), .addr_o(addr), .wdata_o(wdata),
    .gnt_i(gnt), .rvalid_i(rvalid), .err_i(err), .rdata_i(rdata)
  );

  // The bus moves DataWidth bits of the aligned 64.
  logic [31:0] rng;
  logic        owes, owes_write;
  logic [63:0] owes_addr, owes_data;
  logic [7:0]  owes_be;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      rng = 32'(seed) * 32'd40503 | 32'd1;
      {gnt, rvalid, err, rdata, owes, owes_write, owes_addr, owes_data, owes_be} <= '0;
      for (int i = 0; i < 512; i++) memory[i] <= 64'd0;
      probes <= 0;
    end else begin
      rng = step(rng);
      gnt    <= rng[1:0] == 2'd0;
      rvalid <= wrong == "response" && req && !gnt && rng[5];
      if (req && gnt) begin
        owes       <= 1'b1;
        owes_write <= we;
        owes_addr  <= 64'(addr);
        owes_data  <= 64'(wdata) << (8 * (addr[2:0] & 3'd4));
        owes_be    <= 8'(be) << (addr[2:0] & 3'd4);
        probes     <= probes + int'(probe);
        if (probe && (!we || be != '0)) $fatal(1, "FAIL a probe that writes");
      end
      if (owes && rng[4:2] == 3'd0) begin
        owes   <= 1'b0;
        rvalid <= 1'b1;
        err    <= is_bad(owes_addr);
        rdata  <= DataWidth'(memory[owes_addr[11:3]] >> (8 * (owes_addr[2:0] & 3'd4)));
        if (owes_write && !is_bad(owes_addr)) memory[owes_addr[11:3]] <= merge(memory[owes_addr[11:3]], owes_data, owes_be);
      end
    end
  end

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("wrong=%s", wrong));
    void'($value$plusargs("accesses=%d", accesses));
    #22 rst_n = 1'b1;
    wait (done);
    if (probes == 0) $fatal(1, "FAIL no probe was tried");
    if ((AddrWidth < 64) && (refused == 0)) $fatal(1, "FAIL no address outside was tried");
    $display("PASS seed %0d: %0d accesses, %0d probes, %0d refused on a bus of %0d bits", seed, accesses, probes, refused, DataWidth);
    $finish;
  end

  initial #10000000 $fatal(1, "FAIL no end: seed %0d", seed);

endmodule
