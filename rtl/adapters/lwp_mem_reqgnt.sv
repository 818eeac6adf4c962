// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request/grant bridge: connects the memory port of the unit to a request/grant bus of 64 or 32 bits, one access at a
// time.
//
// The unit may withdraw a request, and has a third command. On the bus a request stays pending and unchanged until it
// is granted, as most small buses require, and a write probe is a write with no byte enabled, marked by `probe_o`. With
// 32 bits an access to both halves becomes two accesses, the low half first; an error of the first ends it. The
// response arrives in a cycle after the grant. An address that does not fit AddrWidth fails without a transaction:
// without its high bits it would be the address of other memory.
//
// Contract: docs/src/lwp/memory.md, docs/src/integration.md.

module lwp_mem_reqgnt
  import lwp_pkg::*;
#(
  // Width of the bus in bits: 64 or 32.
  parameter int unsigned DataWidth = 64,
  // Width of an address on the bus: 12 to 64.
  parameter int unsigned AddrWidth = 64
) (
  // Clock: all registers change at its rising edge.
  input  logic                     clk_i,
  // Asynchronous reset, active low.
  input  logic                     rst_ni,

  // The unit has a pending request.
  input  logic                     mem_req_i,
  // Command: read, write, or write probe; valid with `mem_req_i`.
  input  mem_cmd_e                 mem_cmd_i,
  // Bytes of the aligned 8 that are accessed; valid with `mem_req_i`.
  input  logic [7:0]               mem_be_i,
  // Linear address, low 3 bits 0; valid with `mem_req_i`.
  input  logic [63:0]              mem_addr_i,
  // Data to write in the bytes of `mem_be_i`; valid with `mem_req_i`.
  input  logic [63:0]              mem_wdata_i,
  // The bridge takes a pending request in this cycle.
  output logic                     mem_gnt_o,
  // The response of the granted access is valid in this cycle.
  output logic                     mem_rvalid_o,
  // The access failed, nothing was read or written; valid with `mem_rvalid_o`.
  output logic                     mem_err_o,
  // Aligned 8 bytes that were read; valid with the response of a read.
  output logic [63:0]              mem_rdata_o,

  // A request is pending, unchanged until `gnt_i`.
  output logic                     req_o,
  // The request is a write or a write probe; valid with `req_o`.
  output logic                     we_o,
  // The request is a write probe: no byte is enabled; valid with `req_o`.
  output logic                     probe_o,
  // Bytes that are accessed; 0 for a write probe; valid with `req_o`.
  output logic [DataWidth/8-1:0]   be_o,
  // Linear address, a multiple of the bus width; valid with `req_o`.
  output logic [AddrWidth-1:0]     addr_o,
  // Data to write; valid with `req_o`.
  output logic [DataWidth-1:0]     wdata_o,
  // The bus takes the request in this cycle.
  input  logic                     gnt_i,
  // The response is valid in this cycle, after that of the grant.
  input  logic                     rvalid_i,
  // The access failed; valid with `rvalid_i`.
  input  logic                     err_i,
  // Data that was read; valid with `rvalid_i` of a read.
  input  logic [DataWidth-1:0]     rdata_i
);

  if ((DataWidth != 64) && (DataWidth != 32)) begin : gen_bad_width
    $error("DataWidth must be 64 or 32");
  end
  if ((AddrWidth < 12) || (AddrWidth > 64)) begin : gen_bad_addr_width
    $error("AddrWidth must be 12 to 64");
  end

  // The address does not fit AddrWidth.
  logic outside;
  if (AddrWidth < 64) begin : gen_narrow
    assign outside = |mem_addr_i[63:AddrWidth];
  end else begin : gen_wide
    assign outside = 1'b0;
  end

  // A transaction, its request, or a refusal without a transaction is in progress.
  logic                 busy_d, busy_q, req_d, req_q, refuse_d, refuse_q;
  mem_cmd_e             cmd_d, cmd_q;
  logic [7:0]           be_d, be_q;
  logic [AddrWidth-1:0] addr_d, addr_q;
  logic [63:0]          wdata_d, wdata_q;
  logic                 taken, answered, last;

  assign mem_gnt_o    = !busy_q;
  assign taken        = mem_req_i && !busy_q;
  assign answered     = busy_q && !req_q && !refuse_q && rvalid_i;
  assign mem_rvalid_o = refuse_q || (answered && (last || err_i));
  assign mem_err_o    = refuse_q || err_i;
  assign req_o        = req_q;
  assign we_o         = cmd_q != MemRead;
  assign probe_o      = cmd_q == MemProbe;

  if (DataWidth == 64) begin : gen_whole
    assign last        = 1'b1;
    assign be_o        = probe_o ? '0 : be_q;
    assign addr_o      = addr_q;
    assign wdata_o     = wdata_q;
    assign mem_rdata_o = rdata_i;
  end else begin : gen_halves
    // The access is to the high half; data that the low half returned.
    logic        high_d, high_q;
    logic [31:0] low_d, low_q;

    assign last        = high_q || (be_q[7:4] == '0);
    assign be_o        = probe_o ? '0 : high_q ? be_q[7:4] : be_q[3:0];
    assign addr_o      = {addr_q[AddrWidth-1:3], high_q, 2'b0};
    assign wdata_o     = high_q ? wdata_q[63:32] : wdata_q[31:0];
    assign mem_rdata_o = high_q ? {rdata_i, low_q} : {32'b0, rdata_i};

    always_comb begin
      high_d = high_q;
      low_d  = low_q;
      if (taken) begin
        high_d = mem_be_i[3:0] == '0;
      end else if (answered) begin
        high_d = 1'b1;
        low_d  = rdata_i;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        high_q <= 1'b0;
        low_q  <= '0;
      end else begin
        high_q <= high_d;
        low_q  <= low_d;
      end
    end

    logic unused_low_bits;
    assign unused_low_bits = ^addr_q[2:0];
  end

  always_comb begin
    busy_d   = busy_q;
    req_d    = req_q && !gnt_i;
    refuse_d = 1'b0;
    cmd_d    = cmd_q;
    be_d     = be_q;
    addr_d   = addr_q;
    wdata_d  = wdata_q;
    if (taken) begin
      busy_d   = 1'b1;
      req_d    = !outside;
      refuse_d = outside;
      cmd_d    = mem_cmd_i;
      be_d     = mem_be_i;
      addr_d   = mem_addr_i[AddrWidth-1:0];
      wdata_d  = mem_wdata_i;
    end else if (mem_rvalid_o) begin
      busy_d = 1'b0;
    end else if (answered) begin
      req_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      req_q    <= 1'b0;
      refuse_q <= 1'b0;
      cmd_q    <= MemRead;
      be_q     <= '0;
      addr_q   <= '0;
      wdata_q  <= '0;
    end else begin
      busy_q   <= busy_d;
      req_q    <= req_d;
      refuse_q <= refuse_d;
      cmd_q    <= cmd_d;
      be_q     <= be_d;
      addr_q   <= addr_d;
      wdata_q  <= wdata_d;
    end
  end

`ifndef SYNTHESIS
  logic                 past_stands_q;
  logic [AddrWidth-1:0] past_addr_q;

  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q     <= 1'b0;
      past_stands_q <= 1'b0;
      past_addr_q   <= '0;
    end else begin
      running_q     <= 1'b1;
      past_stands_q <= req_o && !gnt_i;
      past_addr_q   <= addr_o;
    end
  end

  ReqGntStands:    assert property (@(posedge clk_i) !past_stands_q || (req_o && (addr_o == past_addr_q)));
  ReqGntReqIsBusy: assert property (@(posedge clk_i) !req_q || busy_q);
  ReqGntExpected:  assert property (@(posedge clk_i) !running_q || !rvalid_i || (busy_q && !req_q && !refuse_q))
    else $error("%s%s",
        "a response without a request that was granted in an earlier cycle: connect the responses of this port alone, ",
        "none of them in the cycle of its grant");
  ReqGntUnitWaits: assert property (@(posedge clk_i) !running_q || !mem_req_i || mem_gnt_o);
`endif

endmodule
