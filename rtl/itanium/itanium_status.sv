// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Status: PSR.up, PSR.sp, PSR.pp and DCR.pp.
//
// Specification: section 6.1.3.2. Contract: docs/src/itanium/cycle.md, "9. Status". Requirements ITA-42, ITA-48 to
// ITA-51.

module itanium_status
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `up_on_interruption`.
  input  logic        up_on_interruption_i,
  // An interruption is delivered. No request is done in this cycle.
  input  logic        int_valid_i,
  // What a request does. Only the PSR and DCR matter.
  // verilator lint_off UNUSEDSIGNAL
  input  write_t      write_i,
  // Source of the request.
  input  logic [63:0] wdata_i,
  // verilator lint_on UNUSEDSIGNAL

  // Registers.
  output status_t     status_o
);

  status_t status_d, status_q;

  logic up, sp, pp;
  assign up = wdata_i[PsrUp];
  assign sp = wdata_i[PsrSp];
  assign pp = wdata_i[PsrPp];

  always_comb begin
    status_d = status_q;
    if (int_valid_i) begin
      status_d.sp = 1'b0;
      status_d.pp = status_q.dcr_pp;
      if (up_on_interruption_i == UpCleared) status_d.up = 1'b0;
    end
    // With PSR.sp these three leave PSR.up alone.
    if (!status_q.sp) begin
      if (write_i.sum) status_d.up = status_q.up || up;
      if (write_i.rum) status_d.up = status_q.up && !up;
      if (write_i.um) status_d.up = up;
    end
    if (write_i.ssm) begin
      status_d.up = status_q.up || up;
      status_d.sp = status_q.sp || sp;
      status_d.pp = status_q.pp || pp;
    end
    if (write_i.rsm) begin
      status_d.up = status_q.up && !up;
      status_d.sp = status_q.sp && !sp;
      status_d.pp = status_q.pp && !pp;
    end
    if (write_i.psr) begin
      status_d.up = up;
      status_d.sp = sp;
      status_d.pp = pp;
    end
    if (write_i.dcr) status_d.dcr_pp = wdata_i[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      status_q <= '0;
    end else begin
      status_q <= status_d;
    end
  end

  assign status_o = status_q;

endmodule
