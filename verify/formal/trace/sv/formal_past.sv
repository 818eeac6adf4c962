// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The cycle before: inputs, outputs and registers as they were, its transfers, and the records and entries of the LBR stack
// that they make. These are computed in their own cycle and kept: the solver then compares what the unit computes in that cycle.
// The entries are made of the transfers as the unit collects them, so that both subtract bases from the same address; that
// these are the transfers shown is an invariant (CollectedShown).
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
  input  transfer_t [Lanes-1:0] collected_i,
  output logic               valid_o,
  output in_t                in_o,
  output out_t               out_o,
  output state_t             st_o,
  output shown_t [Lanes-1:0] shown_o,
  // The records that they make, if they are traced.
  output record_t [Lanes-1:0] made_o,
  // The entries that they make, if they are recorded.
  output entry_t [Lanes-1:0] entry_o
);

  logic               valid_q = 1'b0;
  in_t                in_q;
  out_t               out_q;
  state_t             st_q;
  shown_t [Lanes-1:0] shown_d, shown_q;
  record_t [Lanes-1:0] made_d, made_q;
  entry_t [Lanes-1:0] entry_d, entry_q;
  // A transfer of an earlier lane is recorded.
  logic [Lanes:0]     earlier;
  assign earlier[0] = 1'b0;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    assign shown_d[l] = shown(cfg_i, in_i, st_i, l);
    assign made_d[l]  = made(cfg_i, in_i, st_i, shown_d[l]);
    // "`cycles` of the first record of a cycle is `clocks`, of the others 0."
    assign entry_d[l]   = entry(cfg_i, in_i, as_shown(collected_i[l]), earlier[l] ? 16'd0 : clocks(in_i, st_i));
    assign earlier[l+1] = earlier[l] || stacked(cfg_i, st_i, shown_d[l]);
  end

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni;
    in_q    <= in_i;
    out_q   <= out_i;
    st_q    <= st_i;
    shown_q <= shown_d;
    made_q  <= made_d;
    entry_q <= entry_d;
  end

  assign valid_o = valid_q;
  assign in_o    = in_q;
  assign out_o   = out_q;
  assign st_o    = st_q;
  assign shown_o = shown_q;
  assign made_o  = made_q;
  assign entry_o = entry_q;

endmodule
