// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The cycle before: inputs and registers as they were, and the instruction breakpoints at its addresses. These are
// compared in their own cycle and kept: the solver then sees the comparison that the unit makes. valid_o is 0 in the
// first cycle out of reset, in which there is none.

module formal_past
  import debug_pkg::*;
  import formal_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  config_t            cfg_i,
  input  in_t                in_i,
  input  state_t             st_i,
  output logic               valid_o,
  output in_t                in_o,
  output state_t             st_o,
  output fetch_t [Lanes-1:0] fetch_o
);

  logic               valid_q = 1'b0;
  in_t                in_q;
  state_t             st_q;
  fetch_t [Lanes-1:0] fetch_d, fetch_q;

  // The comparator of lane 0 also serves the next instruction: the one that is asked for, or that is interrupted.
  logic        next;
  logic [63:0] next_ip;
  assign next    = in_i.interrupted.int_valid || !in_i.lanes[0].retired.valid;
  assign next_ip = in_i.interrupted.int_valid ? in_i.interrupted.int_from : in_i.ask.ask_ip;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    logic [63:0] ip;
    assign ip              = ((l == 0) && next) ? next_ip : in_i.lanes[l].retired.ip;
    assign fetch_d[l].hit  = hits(cfg_i, in_i, st_i.registers, ip);
    assign fetch_d[l].told = reports(cfg_i, in_i, st_i.registers, ip);
  end

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni;
    in_q    <= in_i;
    st_q    <= st_i;
    fetch_q <= fetch_d;
  end

  assign valid_o = valid_q;
  assign in_o    = in_q;
  assign st_o    = st_q;
  assign fetch_o = fetch_q;

endmodule
