// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit's memory port as an AXI4 master: 64-bit data, single beats, one transaction at a time.
//
// A write is answered when its B has come, so a record is complete in memory before the head that publishes it is
// even asked for. A probe is a write of no bytes (WSTRB = 0): the fabric checks the right to write, nothing changes.
// An error response (SLVERR, DECERR) becomes mem_err. Addresses that do not fit AddrWidth are refused without a
// transaction. The unit may withdraw a request that is not granted; AXI must not, so a request is granted at once and
// kept here.
//
// Addresses are not translated: put the bridge behind the MMU, or in a system without one.
// Contract: docs/src/lwp/memory.md, docs/src/integration.md.

module lwp_mem_axi4
  import lwp_pkg::*;
#(
  parameter int unsigned        AddrWidth = 64,
  parameter int unsigned        IdWidth   = 1,
  parameter logic [IdWidth-1:0] Id        = '0,
  // Unprivileged, secure, data.
  parameter logic [2:0]         Prot      = 3'b000,
  // Normal, non-cacheable, not bufferable: B comes from where the write is visible to all.
  parameter logic [3:0]         Cache     = 4'b0010
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // The unit.
  input  logic                 mem_req_i,
  input  mem_cmd_e             mem_cmd_i,
  input  logic [7:0]           mem_be_i,
  input  logic [63:0]          mem_addr_i,
  input  logic [63:0]          mem_wdata_i,
  output logic                 mem_gnt_o,
  output logic                 mem_rvalid_o,
  output logic                 mem_err_o,
  output logic [63:0]          mem_rdata_o,

  // AXI4.
  output logic [IdWidth-1:0]   axi_awid_o,
  output logic [AddrWidth-1:0] axi_awaddr_o,
  output logic [7:0]           axi_awlen_o,
  output logic [2:0]           axi_awsize_o,
  output logic [1:0]           axi_awburst_o,
  output logic                 axi_awlock_o,
  output logic [3:0]           axi_awcache_o,
  output logic [2:0]           axi_awprot_o,
  output logic                 axi_awvalid_o,
  input  logic                 axi_awready_i,

  output logic [63:0]          axi_wdata_o,
  output logic [7:0]           axi_wstrb_o,
  output logic                 axi_wlast_o,
  output logic                 axi_wvalid_o,
  input  logic                 axi_wready_i,

  // Bit 0 of a response tells exclusive accesses apart, of which there are none.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [IdWidth-1:0]   axi_bid_i,
  input  logic [1:0]           axi_bresp_i,
  input  logic                 axi_bvalid_i,
  output logic                 axi_bready_o,

  output logic [IdWidth-1:0]   axi_arid_o,
  output logic [AddrWidth-1:0] axi_araddr_o,
  output logic [7:0]           axi_arlen_o,
  output logic [2:0]           axi_arsize_o,
  output logic [1:0]           axi_arburst_o,
  output logic                 axi_arlock_o,
  output logic [3:0]           axi_arcache_o,
  output logic [2:0]           axi_arprot_o,
  output logic                 axi_arvalid_o,
  input  logic                 axi_arready_i,

  input  logic [IdWidth-1:0]   axi_rid_i,
  input  logic [63:0]          axi_rdata_i,
  input  logic [1:0]           axi_rresp_i,
  input  logic                 axi_rlast_i,
  input  logic                 axi_rvalid_i,
  output logic                 axi_rready_o
  // verilator lint_on UNUSEDSIGNAL
);

  if ((AddrWidth < 12) || (AddrWidth > 64)) begin : gen_bad_width
    $error("AddrWidth must be 12 to 64");
  end

  // An address that does not fit.
  logic outside;
  if (AddrWidth < 64) begin : gen_narrow
    assign outside = |mem_addr_i[63:AddrWidth];
  end else begin : gen_wide
    assign outside = 1'b0;
  end

  // What still has to be handed over, and which response is awaited.
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
  // A slave answers when it has address and data; an earlier B would be its error, and is not taken.
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
  // What AXI asks of a master: what stands, stands unchanged until it is taken.
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
  // What the bridge relies on: the fabric answers what it was asked, the unit waits for its answer.
  AxiBExpected:    assert property (@(posedge clk_i) !running_q || !axi_bvalid_i || (want_b_q && !aw_q && !w_q));
  AxiRExpected:    assert property (@(posedge clk_i) !running_q || !axi_rvalid_i || (want_r_q && !ar_q && axi_rlast_i));
  AxiUnitWaits:    assert property (@(posedge clk_i) !running_q || !mem_req_i || mem_gnt_o);
`endif

endmodule
