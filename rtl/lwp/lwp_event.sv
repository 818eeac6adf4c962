// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One event: which slot selects it, its interval, its counter; which lanes bring the counter to zero.
//
// In the cycle of retirement the counter meets the occurrences of all lanes at once. A chain of one subtraction per
// lane would be as deep as the unit is wide; instead the occurrences are summed in a prefix tree, and lane l expires
// if the sum up to and including l reaches the counter. The counter freezes at zero until it is reloaded or loaded.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1, 2 and 5. Contract: docs/src/lwp/count-gather.md.

module lwp_event
  import lwp_pkg::*;
#(
  parameter int unsigned RetireLanes = 4
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Occurrences in each lane; all zero unless the event is live.
  input  logic [RetireLanes-1:0][1:0] occ_i,

  // LLWPCB found the slot that selects this event.
  input  logic                        load_i,
  input  logic [4:0]                  load_slot_i,
  input  logic [CounterW-1:0]         load_interval_i,
  input  logic [CounterW-1:0]         load_counter_i,

  // The record was stored or missed: the interval, its low bits randomised, starts over.
  input  logic                        reload_i,
  input  logic [CounterW-1:0]         reload_keep_i,
  input  logic [CounterW-1:0]         reload_bits_i,

  output logic [4:0]                  slot_o,
  output logic [CounterW-1:0]         interval_o,
  output logic [CounterW-1:0]         counter_o,

  // The event expires in the lane.
  output logic [RetireLanes-1:0]      expire_o,
  // The lane's first occurrence leaves the counter above zero, so if it expires, its second one did it.
  output logic [RetireLanes-1:0]      second_o
);

  localparam int          Levels = $clog2(RetireLanes);
  localparam int unsigned SumW   = $clog2(LoadPorts * RetireLanes + 1);

  logic [4:0]          slot_d, slot_q;
  logic [CounterW-1:0] interval_d, interval_q;
  logic [CounterW-1:0] counter_d, counter_q;

  // sum[l]: occurrences in lanes 0 to l, after Levels steps of doubling reach.
  logic [SumW-1:0] sum [RetireLanes];

  always_comb begin
    for (int unsigned l = 0; l < RetireLanes; l++) begin
      sum[l] = SumW'(occ_i[l]);
    end
    for (int k = 0; k < Levels; k++) begin
      // Downwards, so that the lane added still holds the sum of the level before.
      for (int l = int'(RetireLanes) - 1; l >= (1 << k); l--) begin
        sum[l] = sum[l] + sum[l - (1 << k)];
      end
    end
  end

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    assign expire_o[l] = (occ_i[l] != 2'd0) && (CounterW'(sum[l]) >= counter_q);
    assign second_o[l] = (CounterW'(sum[l]) - CounterW'(occ_i[l]) + CounterW'(1)) < counter_q;
  end

  always_comb begin
    slot_d     = slot_q;
    interval_d = interval_q;
    counter_d  = (counter_q > CounterW'(sum[RetireLanes-1])) ? counter_q - CounterW'(sum[RetireLanes-1]) : '0;
    if (reload_i) begin
      counter_d = (interval_q & reload_keep_i) | reload_bits_i;
    end
    if (load_i) begin
      slot_d     = load_slot_i;
      interval_d = load_interval_i;
      counter_d  = load_counter_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q     <= '0;
      interval_q <= '0;
      counter_q  <= '0;
    end else begin
      slot_q     <= slot_d;
      interval_q <= interval_d;
      counter_q  <= counter_d;
    end
  end

  assign slot_o     = slot_q;
  assign interval_o = interval_q;
  assign counter_o  = counter_q;

endmodule
