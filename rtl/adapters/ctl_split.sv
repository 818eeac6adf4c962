// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One OBI subordinate of two parts, of which `second_i` selects one: a page of registers beside another. One access is in progress at
// a time, so responses come in order. The grant does not look at the request.

module ctl_split (
  // Clock: all registers change at its rising edge.
  input  logic             clk_i,
  // Asynchronous reset, active low.
  input  logic             rst_ni,

  // An access is requested.
  input  logic             ctl_req_i,
  // The requested access is taken in this cycle.
  output logic             ctl_gnt_o,
  // The access is to the second part; valid with `ctl_req_i`.
  input  logic             second_i,
  // The response to the access is valid in this cycle, after that of the grant.
  output logic             ctl_rvalid_o,
  // Data read; valid with `ctl_rvalid_o` of a read.
  output logic [31:0]      ctl_rdata_o,
  // The access was refused and had no effect; valid with `ctl_rvalid_o`.
  output logic             ctl_err_o,

  // An access to a part is requested, which the part has granted.
  output logic [1:0]       req_o,
  // The part takes an access in this cycle, whether or not one is requested.
  input  logic [1:0]       gnt_i,
  // The response of a part is valid.
  input  logic [1:0]       rvalid_i,
  // Data read; valid with `rvalid_i` of a read.
  input  logic [1:0][31:0] rdata_i,
  // The part refused the access; valid with `rvalid_i`.
  input  logic [1:0]       err_i
);

  // An access is not answered, and which part has it.
  logic busy_d, busy_q, second_d, second_q;
  logic taken;

  assign ctl_gnt_o    = (!busy_q || ctl_rvalid_o) && (gnt_i == '1);
  assign ctl_rvalid_o = rvalid_i[second_q];
  assign ctl_rdata_o  = rdata_i[second_q];
  assign ctl_err_o    = err_i[second_q];
  assign taken        = ctl_req_i && ctl_gnt_o;
  assign req_o        = {taken && second_i, taken && !second_i};
  assign busy_d       = taken || (busy_q && !ctl_rvalid_o);
  assign second_d     = taken ? second_i : second_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      second_q <= 1'b0;
    end else begin
      busy_q   <= busy_d;
      second_q <= second_d;
    end
  end

`ifndef SYNTHESIS
  // Out of reset, and the request of the last cycle that was not granted.
  logic running_q, past_stands_q, past_second_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q     <= 1'b0;
      past_stands_q <= 1'b0;
      past_second_q <= 1'b0;
    end else begin
      running_q     <= 1'b1;
      past_stands_q <= ctl_req_i && !ctl_gnt_o;
      past_second_q <= second_i;
    end
  end

  SplitStable: assert property (@(posedge clk_i) !running_q || !past_stands_q || (ctl_req_i && (second_i == past_second_q)))
    else $error("a request was withdrawn or changed before ctl_gnt_o: hold it, as OBI requires");
`endif

endmodule
