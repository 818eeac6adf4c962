// SPDX-License-Identifier: MIT OR Apache-2.0
//
// AXI4 bridge: connects the memory port of the unit as an AXI4 master with 64-bit data, single beats, and one
// transaction at a time.
//
// A write has its response when B arrives, so a record is complete in memory before the write of the head that
// publishes it is requested. A write probe is a write of no bytes (WSTRB = 0): the fabric checks the permission, and
// memory does not change. An error response (SLVERR, DECERR) becomes `mem_err_o`. An address that does not fit
// AddrWidth fails without a transaction. The unit may withdraw a request that is not granted, but an AXI master must
// not. The bridge therefore grants every request at once and keeps it.
//
// Addresses are not translated: place the bridge behind the MMU, or use it in a system without one.
//
// Contract: docs/src/lwp/memory.md, docs/src/integration.md.

module lwp_mem_axi4
  import lwp_pkg::*;
#(
  // Width of AXI addresses: 12 to 64.
  parameter int unsigned        AddrWidth = 64,
  // Width of AXI transaction IDs.
  parameter int unsigned        IdWidth   = 1,
  // ID of all transactions.
  parameter logic [IdWidth-1:0] Id        = '0,
  // AxPROT: unprivileged, secure, data.
  parameter logic [2:0]         Prot      = 3'b000,
  // AxCACHE: normal, non-cacheable, not bufferable, so that B comes from where the write is visible to all.
  parameter logic [3:0]         Cache     = 4'b0010
) (
  // Clock: all registers change at its rising edge.
  input  logic                 clk_i,
  // Asynchronous reset, active low.
  input  logic                 rst_ni,

  // The unit has a pending request.
  input  logic                 mem_req_i,
  // Command: read, write, or write probe; valid with `mem_req_i`.
  input  mem_cmd_e             mem_cmd_i,
  // Bytes of the aligned 8 that are accessed; valid with `mem_req_i`.
  input  logic [7:0]           mem_be_i,
  // Linear address, low 3 bits 0; valid with `mem_req_i`.
  input  logic [63:0]          mem_addr_i,
  // Data to write in the bytes of `mem_be_i`; valid with `mem_req_i`.
  input  logic [63:0]          mem_wdata_i,
  // The bridge takes a pending request in this cycle.
  output logic                 mem_gnt_o,
  // The response of the granted access is valid in this cycle.
  output logic                 mem_rvalid_o,
  // The access failed, nothing was read or written; valid with `mem_rvalid_o`.
  output logic                 mem_err_o,
  // Aligned 8 bytes that were read; valid with the response of a read.
  output logic [63:0]          mem_rdata_o,

  // ID of the write: `Id`.
  output logic [IdWidth-1:0]   axi_awid_o,
  // Address of the write, low 3 bits 0; valid with `axi_awvalid_o`.
  output logic [AddrWidth-1:0] axi_awaddr_o,
  // Burst length of the write minus 1: always 0.
  output logic [7:0]           axi_awlen_o,
  // Size of a beat of the write: always 3, 8 bytes.
  output logic [2:0]           axi_awsize_o,
  // Burst type of the write: always INCR.
  output logic [1:0]           axi_awburst_o,
  // Exclusive write: always 0.
  output logic                 axi_awlock_o,
  // Memory type of the write: `Cache`.
  output logic [3:0]           axi_awcache_o,
  // Protection type of the write: `Prot`.
  output logic [2:0]           axi_awprot_o,
  // The address of the write is valid.
  output logic                 axi_awvalid_o,
  // The fabric takes the address of the write in this cycle.
  input  logic                 axi_awready_i,

  // Write data: 8 bytes; valid with `axi_wvalid_o`.
  output logic [63:0]          axi_wdata_o,
  // Bytes to write; 0 for a write probe; valid with `axi_wvalid_o`.
  output logic [7:0]           axi_wstrb_o,
  // Last beat of the burst: always 1.
  output logic                 axi_wlast_o,
  // Write data is valid.
  output logic                 axi_wvalid_o,
  // The fabric takes the write data in this cycle.
  input  logic                 axi_wready_i,

  // IDs and bit 0 of the responses are not used: there are no exclusive accesses.
  // verilator lint_off UNUSEDSIGNAL
  // ID of the write response; not used.
  input  logic [IdWidth-1:0]   axi_bid_i,
  // Write response; bit 1: error. Valid with `axi_bvalid_i`.
  input  logic [1:0]           axi_bresp_i,
  // The write response is valid.
  input  logic                 axi_bvalid_i,
  // The bridge takes the write response in this cycle.
  output logic                 axi_bready_o,

  // ID of the read: `Id`.
  output logic [IdWidth-1:0]   axi_arid_o,
  // Address of the read, low 3 bits 0; valid with `axi_arvalid_o`.
  output logic [AddrWidth-1:0] axi_araddr_o,
  // Burst length of the read minus 1: always 0.
  output logic [7:0]           axi_arlen_o,
  // Size of a beat of the read: always 3, 8 bytes.
  output logic [2:0]           axi_arsize_o,
  // Burst type of the read: always INCR.
  output logic [1:0]           axi_arburst_o,
  // Exclusive read: always 0.
  output logic                 axi_arlock_o,
  // Memory type of the read: `Cache`.
  output logic [3:0]           axi_arcache_o,
  // Protection type of the read: `Prot`.
  output logic [2:0]           axi_arprot_o,
  // The address of the read is valid.
  output logic                 axi_arvalid_o,
  // The fabric takes the address of the read in this cycle.
  input  logic                 axi_arready_i,

  // ID of the read response; not used.
  input  logic [IdWidth-1:0]   axi_rid_i,
  // Read data; valid with `axi_rvalid_i`.
  input  logic [63:0]          axi_rdata_i,
  // Read response; bit 1: error. Valid with `axi_rvalid_i`.
  input  logic [1:0]           axi_rresp_i,
  // Last beat of the burst; valid with `axi_rvalid_i`.
  input  logic                 axi_rlast_i,
  // The read response is valid.
  input  logic                 axi_rvalid_i,
  // The bridge takes the read response in this cycle.
  output logic                 axi_rready_o
  // verilator lint_on UNUSEDSIGNAL
);

  if ((AddrWidth < 12) || (AddrWidth > 64)) begin : gen_bad_width
    $error("AddrWidth must be 12 to 64");
  end

  // The address does not fit AddrWidth.
  logic outside;
  if (AddrWidth < 64) begin : gen_narrow
    assign outside = |mem_addr_i[63:AddrWidth];
  end else begin : gen_wide
    assign outside = 1'b0;
  end

  // Channels that are still to be taken, and the response that is outstanding.
  logic                 aw_d, aw_q, w_d, w_q, ar_d, ar_q;
  logic                 want_b_d, want_b_q, want_r_d, want_r_q, refuse_d, refuse_q;
  logic [AddrWidth-1:0] addr_d, addr_q;
  logic [63:0]          wdata_d, wdata_q;
  logic [7:0]           strb_d, strb_q;
  logic                 got_b, got_r, taken;

  assign mem_gnt_o = !want_b_q && !want_r_q && !refuse_q;
  assign taken     = mem_req_i && mem_gnt_o;
  assign got_b     = axi_bvalid_i && axi_bready_o;
  assign got_r     = axi_rvalid_i && axi_rready_o;

  always_comb begin
    aw_d     = aw_q && !axi_awready_i;
    w_d      = w_q && !axi_wready_i;
    ar_d     = ar_q && !axi_arready_i;
    want_b_d = want_b_q && !got_b;
    want_r_d = want_r_q && !got_r;
    refuse_d = 1'b0;
    addr_d   = addr_q;
    wdata_d  = wdata_q;
    strb_d   = strb_q;
    if (taken) begin
      addr_d  = mem_addr_i[AddrWidth-1:0];
      wdata_d = mem_wdata_i;
      strb_d  = (mem_cmd_i == MemProbe) ? '0 : mem_be_i;
      if (outside) begin
        refuse_d = 1'b1;
      end else if (mem_cmd_i == MemRead) begin
        ar_d     = 1'b1;
        want_r_d = 1'b1;
      end else begin
        aw_d     = 1'b1;
        w_d      = 1'b1;
        want_b_d = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_q     <= 1'b0;
      w_q      <= 1'b0;
      ar_q     <= 1'b0;
      want_b_q <= 1'b0;
      want_r_q <= 1'b0;
      refuse_q <= 1'b0;
      addr_q   <= '0;
      wdata_q  <= '0;
      strb_q   <= '0;
    end else begin
      aw_q     <= aw_d;
      w_q      <= w_d;
      ar_q     <= ar_d;
      want_b_q <= want_b_d;
      want_r_q <= want_r_d;
      refuse_q <= refuse_d;
      addr_q   <= addr_d;
      wdata_q  <= wdata_d;
      strb_q   <= strb_d;
    end
  end

  assign axi_awid_o    = Id;
  assign axi_awaddr_o  = addr_q;
  assign axi_awlen_o   = '0;
  assign axi_awsize_o  = 3'd3;
  assign axi_awburst_o = 2'b01;
  assign axi_awlock_o  = 1'b0;
  assign axi_awcache_o = Cache;
  assign axi_awprot_o  = Prot;
  assign axi_awvalid_o = aw_q;
  assign axi_wdata_o   = wdata_q;
  assign axi_wstrb_o   = strb_q;
  assign axi_wlast_o   = 1'b1;
  assign axi_wvalid_o  = w_q;
  // A slave responds after it has taken address and data. An earlier B would be an error of the slave and is not taken.
  assign axi_bready_o  = want_b_q && !aw_q && !w_q;
  assign axi_arid_o    = Id;
  assign axi_araddr_o  = addr_q;
  assign axi_arlen_o   = '0;
  assign axi_arsize_o  = 3'd3;
  assign axi_arburst_o = 2'b01;
  assign axi_arlock_o  = 1'b0;
  assign axi_arcache_o = Cache;
  assign axi_arprot_o  = Prot;
  assign axi_arvalid_o = ar_q;
  assign axi_rready_o  = want_r_q && !ar_q;

  assign mem_rvalid_o = got_b || got_r || refuse_q;
  assign mem_err_o    = refuse_q || (got_b && axi_bresp_i[1]) || (got_r && axi_rresp_i[1]);
  assign mem_rdata_o  = axi_rdata_i;

`ifndef SYNTHESIS
  // AXI requires of a master: a valid channel stays valid and unchanged until it is taken.
  logic                 past_aw_q, past_w_q, past_ar_q;
  logic [AddrWidth-1:0] past_addr_q;
  logic [71:0]          past_w_data_q;

  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q     <= 1'b0;
      past_aw_q     <= 1'b0;
      past_w_q      <= 1'b0;
      past_ar_q     <= 1'b0;
      past_addr_q   <= '0;
      past_w_data_q <= '0;
    end else begin
      running_q     <= 1'b1;
      past_aw_q     <= axi_awvalid_o && !axi_awready_i;
      past_w_q      <= axi_wvalid_o && !axi_wready_i;
      past_ar_q     <= axi_arvalid_o && !axi_arready_i;
      past_addr_q   <= addr_q;
      past_w_data_q <= {strb_q, wdata_q};
    end
  end

  AxiAwStands:     assert property (@(posedge clk_i) !past_aw_q || (axi_awvalid_o && (addr_q == past_addr_q)));
  AxiWStands:      assert property (@(posedge clk_i)
                                    !past_w_q || (axi_wvalid_o && ({strb_q, wdata_q} == past_w_data_q)));
  AxiArStands:     assert property (@(posedge clk_i) !past_ar_q || (axi_arvalid_o && (addr_q == past_addr_q)));
  AxiOneAtATime:   assert property (@(posedge clk_i) !(want_b_q && want_r_q) && !(refuse_q && (want_b_q || want_r_q)));
  AxiAligned:      assert property (@(posedge clk_i) addr_q[2:0] == '0);
  // The bridge requires: the fabric responds only to transactions, and the unit waits for its response.
  AxiBExpected:    assert property (@(posedge clk_i) !running_q || !axi_bvalid_i || (want_b_q && !aw_q && !w_q));
  AxiRExpected:    assert property (@(posedge clk_i) !running_q || !axi_rvalid_i || (want_r_q && !ar_q && axi_rlast_i));
  AxiUnitWaits:    assert property (@(posedge clk_i) !running_q || !mem_req_i || mem_gnt_o);
`endif

endmodule
