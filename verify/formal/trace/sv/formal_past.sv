// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The cycle before: inputs, outputs and registers as they were, and what its transfers were to be in the LBR stack.
// These entries are computed in their own cycle and kept: the solver then sees the subtractions that the unit makes.
// valid_o is 0 in the first cycle out of reset, in which there is none.

module formal_past
  import trace_pkg::*;
  import formal_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  config_t            cfg_i,
  input  in_t                in_i,
  input  out_t               out_i,
  input  state_t             st_i,
  output logic               valid_o,
  output in_t                in_o,
  output out_t               out_o,
  output state_t             st_o,
  output shown_t [Lanes-1:0] shown_o
);

  logic               valid_q = 1'b0;
  in_t                in_q;
  out_t               out_q;
  state_t             st_q;
  shown_t [Lanes-1:0] shown_d, shown_q;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    assign shown_d[l] = shown(cfg_i, in_i, st_i, l);
  end

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni;
    in_q    <= in_i;
    out_q   <= out_i;
    st_q    <= st_i;
    shown_q <= shown_d;
  end

  assign valid_o = valid_q;
  assign in_o    = in_q;
  assign out_o   = out_q;
  assign st_o    = st_q;
  assign shown_o = shown_q;

endmodule
