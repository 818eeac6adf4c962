// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit's side of a memory adapter: random accesses one after another, answers compared with a memory of its own.
//
// `memory_i` is the memory behind the bus: when a write is answered it must be there already.

module mem_driver
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  // Bits of an address above these make it one that the adapter itself must refuse.
  parameter int unsigned AddrWidth = 64
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  int                  seed_i,
  input  int                  accesses_i,
  input  logic [511:0][63:0]  memory_i,

  output logic                mem_req_o,
  output mem_cmd_e            mem_cmd_o,
  output logic [7:0]          mem_be_o,
  output logic [63:0]         mem_addr_o,
  output logic [63:0]         mem_wdata_o,
  input  logic                mem_gnt_i,
  input  logic                mem_rvalid_i,
  input  logic                mem_err_i,
  input  logic [63:0]         mem_rdata_i,

  output logic                done_o,
  output int                  refused_o
);

  logic [31:0]        rng;
  logic [511:0][63:0] reference;
  logic               waiting, outside, bad;
  int                 count, errors;

  task automatic fail(string what);
    $display("FAIL %s: seed %0d, access %0d, address %h", what, seed_i, count, mem_addr_o);
    $fatal;
  endtask

  assign bad = outside || is_bad(mem_addr_o);

  task automatic check;
    if (mem_err_i != bad) fail("error");
    if (mem_cmd_o == MemWrite && !bad) reference[mem_addr_o[11:3]] = merge(reference[mem_addr_o[11:3]], mem_wdata_o, mem_be_o);
    if (memory_i != reference) fail("memory");
    if (mem_cmd_o == MemRead && !bad) begin
      for (int b = 0; b < 8; b++) begin
        if (mem_be_o[b] && mem_rdata_i[8*b+:8] != reference[mem_addr_o[11:3]][8*b+:8]) fail("data");
      end
    end
    count   <= count + 1;
    errors  <= errors + int'(bad);
    waiting <= 1'b0;
  endtask

  // Whole, low or high half, as the unit asks.
  task automatic ask;
    logic [31:0] r;
    r = step(rng);
    mem_req_o  <= 1'b1;
    mem_cmd_o  <= (r[1:0] == 2'd3) ? MemRead : mem_cmd_e'(r[1:0]);
    mem_be_o   <= (r[3:2] == 2'd0) ? 8'h0F : (r[3:2] == 2'd1) ? 8'hF0 : 8'hFF;
    outside    <= (AddrWidth < 64) && (r[7:5] == 3'd0);
    mem_addr_o <= {48'd0, 4'd0, r[16:8], 3'd0} | ((AddrWidth < 64) && (r[7:5] == 3'd0) ? 64'd1 << (AddrWidth + r[20:18]) : 64'd0);
    r = step(r);
    mem_wdata_o[63:32] <= r;
    r = step(r);
    mem_wdata_o[31:0] <= r;
    rng = r;
  endtask

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rng = 32'(seed_i) * 32'd2654435761 | 32'd1;
      {mem_req_o, mem_be_o, mem_addr_o, mem_wdata_o, waiting, outside, done_o} <= '0;
      mem_cmd_o <= MemRead;
      count     <= 0;
      errors    <= 0;
      refused_o <= 0;
      for (int i = 0; i < 512; i++) reference[i] = 64'd0;
    end else begin
      rng = step(rng);
      if (mem_rvalid_i && !waiting) fail("answer without a question");
      if (mem_req_o && mem_gnt_i) begin
        mem_req_o <= 1'b0;
        waiting   <= 1'b1;
        refused_o <= refused_o + int'(outside);
      end
      if (waiting && mem_rvalid_i) check();
      if (!mem_req_o && !waiting && rng[1:0] != 2'd0 && count < accesses_i) ask();
      done_o <= count >= accesses_i;
      if (done_o && errors == 0) fail("no error was tried");
    end
  end

endmodule
