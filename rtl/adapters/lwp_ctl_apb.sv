// SPDX-License-Identifier: MIT OR Apache-2.0
//
// APB shim: an APB4 subordinate in front of the control port of `lwp_ctl_mmio` or `lwp_rvfi_top`.
//
// APB carries one transfer at a time and waits for PREADY, so a write to START holds the bus until the operation is
// done. If the accesses of the unit pass through the same bridge to APB, use POST.
//
// Contract: docs/src/integration/rvfi-top.md.

module lwp_ctl_apb (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // PSEL: a transfer to this subordinate.
  input  logic        psel_i,
  // PENABLE: second and further cycles of the transfer.
  input  logic        penable_i,
  // PADDR: byte address; valid with `psel_i`.
  input  logic [31:0] paddr_i,
  // PWRITE: the transfer is a write; valid with `psel_i`.
  input  logic        pwrite_i,
  // PSTRB: bytes to write; valid with `psel_i` of a write. Tie to 4'hF in APB3.
  input  logic [3:0]  pstrb_i,
  // PWDATA: data to write; valid with `psel_i` of a write.
  input  logic [31:0] pwdata_i,
  // PREADY: the transfer ends in this cycle.
  output logic        pready_o,
  // PRDATA: data read; valid with `pready_o` of a read.
  output logic [31:0] prdata_o,
  // PSLVERR: the access was refused; valid with `pready_o`.
  output logic        pslverr_o,

  // An access is requested.
  output logic        ctl_req_o,
  // The control port takes the request in this cycle.
  input  logic        ctl_gnt_i,
  // Address; valid with `ctl_req_o`.
  output logic [31:0] ctl_addr_o,
  // The access is a write; valid with `ctl_req_o`.
  output logic        ctl_we_o,
  // Bytes to write; valid with `ctl_req_o` of a write.
  output logic [3:0]  ctl_be_o,
  // Data to write; valid with `ctl_req_o` of a write.
  output logic [31:0] ctl_wdata_o,
  // The response is valid in this cycle.
  input  logic        ctl_rvalid_i,
  // Data read; valid with `ctl_rvalid_i`.
  input  logic [31:0] ctl_rdata_i,
  // The access was refused; valid with `ctl_rvalid_i`.
  input  logic        ctl_err_i
);

  // The transfer has been requested, and its response is outstanding.
  logic sent_d, sent_q;

  assign ctl_req_o   = psel_i && penable_i && !sent_q;
  assign ctl_addr_o  = paddr_i;
  assign ctl_we_o    = pwrite_i;
  assign ctl_be_o    = pwrite_i ? pstrb_i : '1;
  assign ctl_wdata_o = pwdata_i;
  assign sent_d      = (ctl_req_o && ctl_gnt_i) || (sent_q && !ctl_rvalid_i);

  assign pready_o    = sent_q && ctl_rvalid_i;
  assign prdata_o    = ctl_rdata_i;
  assign pslverr_o   = pready_o && ctl_err_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sent_q <= 1'b0;
    end else begin
      sent_q <= sent_d;
    end
  end

`ifndef SYNTHESIS
  // Out of reset, and what APB requires of a manager: the transfer stays unchanged until PREADY.
  logic        running_q, past_stands_q;
  logic [36:0] past_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q     <= 1'b0;
      past_stands_q <= 1'b0;
      past_q        <= '0;
    end else begin
      running_q     <= 1'b1;
      past_stands_q <= psel_i && !pready_o;
      past_q        <= {pwrite_i, pstrb_i, paddr_i};
    end
  end

  ApbStands: assert property (@(posedge clk_i)
      !running_q || !past_stands_q || (psel_i && penable_i && ({pwrite_i, pstrb_i, paddr_i} == past_q)))
    else $error("%s%s",
        "a transfer was changed or withdrawn before PREADY: hold PSEL, PADDR, PWRITE and PSTRB, ",
        "and assert PENABLE from the second cycle on");
`endif

endmodule
