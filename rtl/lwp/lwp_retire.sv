// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Retire: what the core is told about retirement. When it has to wait, where its last group was cut, whether it should
// not leave ring 3 yet, whether addresses of loads are wanted.
//
// Ring 3 is that of the cycle before, so that no path leads from an input to an output.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 3, "Reporting the DCache miss data address", "TLB and
// Cache misses during LWP logging". Contract: docs/src/lwp/state.md, "Outputs".

module lwp_retire
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,

  // Straps.
  input  logic             sync_i,
  input  logic             drain_i,
  input  logic             next_load_i,
  input  logic             gate_i,
  input  logic             cached_i,

  input  logic             ring3_i,
  input  logic             cut_i,
  input  logic [LaneW-1:0] cut_lane_i,

  input  ctl_st_e          ctl_st_i,
  input  store_st_e        store_st_i,
  input  logic             active_i,
  input  logic [15:0]      missed_i,
  // There is a record; it faulted and goes first.
  input  logic             queued_i,
  input  logic             pending_i,
  input  logic             pf_valid_i,
  input  logic             pf_abort_i,
  // The DCache-miss event is enabled, and its counter is 0.
  input  logic             dc_expired_i,

  output logic             was_ring3_o,
  output logic             cut_valid_o,
  output logic [LaneW-1:0] cut_lane_o,

  // MissedEvents has to be brought up to date.
  output logic             owed_o,
  output logic             stall_o,
  output logic             drain_o,
  output logic             addr_track_o
);

  logic             was_ring3_q;
  logic             cut_valid_q;
  logic [LaneW-1:0] cut_lane_d, cut_lane_q;

  assign cut_lane_d = cut_i ? cut_lane_i : cut_lane_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was_ring3_q <= 1'b0;
      cut_valid_q <= 1'b0;
      cut_lane_q  <= '0;
    end else begin
      was_ring3_q <= ring3_i;
      cut_valid_q <= cut_i;
      cut_lane_q  <= cut_lane_d;
    end
  end

  logic storing, waiting;
  assign storing = store_st_i != StoreIdle;
  assign waiting = queued_i || owed_o;

  assign owed_o       = cached_i ? (missed_i == 16'hFFFF) : (missed_i != '0);
  assign stall_o      = (ctl_st_i != CtlIdle) || (sync_i && (storing || (was_ring3_q && active_i && waiting))) ||
                        (was_ring3_q && ((active_i && pending_i) || (pf_valid_i && pf_abort_i)));
  assign drain_o      = drain_i && active_i && was_ring3_q && !pf_valid_i && (storing || waiting);
  assign addr_track_o = next_load_i && active_i && dc_expired_i && (was_ring3_q || !gate_i);

  assign was_ring3_o = was_ring3_q;
  assign cut_valid_o = cut_valid_q;
  assign cut_lane_o  = cut_lane_q;

endmodule
