// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Retire: drives the outputs to the core's retirement: stall, cut, drain and address tracking.
//
// Stall, drain and address tracking depend on the ring of the last cycle, so that there is no path from an input to an
// output.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 3, "Reporting the DCache miss data address", "TLB and
// Cache misses during LWP logging". Contract: docs/src/lwp/state.md, "Outputs".

module lwp_retire
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic             clk_i,
  // Asynchronous reset, active low.
  input  logic             rst_ni,

  // Strap `store_timing` = sync: retirement stalls until the record is stored.
  input  logic             sync_i,
  // Strap `leave_policy` = drain: the core is asked to stay in ring 3 until the records are stored.
  input  logic             drain_i,
  // Strap `address_policy` = next: the address of a miss is that of the next load.
  input  logic             next_load_i,
  // Strap `address_gate`: address tracking is off outside ring 3.
  input  logic             gate_i,
  // Strap `missed_mode` = cached: MissedEvents in memory is updated by a flush.
  input  logic             cached_i,

  // The core is in ring 3 and not in System Management Mode.
  input  logic             ring3_i,
  // Lanes above `cut_lane_i` have no effect.
  input  logic             cut_i,
  // Last lane that has an effect; valid with `cut_i`.
  input  logic [LaneW-1:0] cut_lane_i,

  // State of the control state machine.
  input  ctl_st_e          ctl_st_i,
  // State of the store state machine.
  input  store_st_e        store_st_i,
  // A session is active.
  input  logic             active_i,
  // Number of increments that MissedEvents in memory lacks.
  input  logic [15:0]      missed_i,
  // records[0] is not empty.
  input  logic             queued_i,
  // records[0] faulted and is stored before the next instruction retires.
  input  logic             pending_i,
  // A page-fault trap is pending.
  input  logic             pf_valid_i,
  // The pending page fault is a fault and not a trap: its instruction was undone.
  input  logic             pf_abort_i,
  // Event 3 is enabled, and its counter is 0.
  input  logic             dc_expired_i,

  // The last cycle was in ring 3.
  output logic             was_ring3_o,
  // The group of the last cycle was cut after the lane `cut_lane_o`.
  output logic             cut_valid_o,
  // Last accepted lane of the group that was cut; valid with `cut_valid_o`.
  output logic [LaneW-1:0] cut_lane_o,

  // MissedEvents in memory must be updated before the next record is stored.
  output logic             owed_o,
  // Nothing may retire, and no operation is accepted.
  output logic             stall_o,
  // The core must not leave ring 3 yet.
  output logic             drain_o,
  // The core must keep the addresses of loads.
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
