// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The accesses of one manager of a bus, or to one subordinate, for the test bench: each with its response. One is in progress at a time.

module ibex_tap (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // An access is requested and taken; the next four ports are valid with it.
  input  logic        taken_i,
  // It is a write.
  input  logic        we_i,
  // Bytes of the word.
  input  logic [3:0]  be_i,
  // Its address.
  input  logic [31:0] addr_i,
  // Data to write.
  input  logic [31:0] wdata_i,
  // It is answered.
  input  logic        rvalid_i,
  // It failed; valid with `rvalid_i`.
  input  logic        err_i,
  // Data read; valid with `rvalid_i`.
  input  logic [31:0] rdata_i,

  // An access is answered; the next five ports are valid with it.
  output logic        unit_o,
  // It was a write.
  output logic        unit_we_o,
  // It failed.
  output logic        unit_err_o,
  // Its bytes of the word.
  output logic [3:0]  unit_be_o,
  // Its address.
  output logic [31:0] unit_addr_o,
  // Data written, or read.
  output logic [31:0] unit_data_o
);

  // The access that was taken.
  logic        we_q;
  logic [3:0]  be_q;
  logic [31:0] addr_q, wdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      we_q    <= 1'b0;
      be_q    <= '0;
      addr_q  <= '0;
      wdata_q <= '0;
    end else if (taken_i) begin
      we_q    <= we_i;
      be_q    <= be_i;
      addr_q  <= addr_i;
      wdata_q <= wdata_i;
    end
  end

  assign unit_o      = rvalid_i;
  assign unit_we_o   = we_q;
  assign unit_err_o  = err_i;
  assign unit_be_o   = be_q;
  assign unit_addr_o = addr_q;
  assign unit_data_o = we_q ? wdata_q : rdata_i;

endmodule
