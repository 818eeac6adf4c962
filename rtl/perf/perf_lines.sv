// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Lines: the event bus and the lines that the unit makes of the lanes, for one logical processor. Combinational.
//
// Contract: docs/src/perf/events.md, "Lines that the unit makes". Requirements P6EV-53, P6EV-58, P6EV-61 to P6EV-64,
// P6EV-72, APM-20.

module perf_lines
  import retire_pkg::*;
  import perf_pkg::*;
  import perf_lines_pkg::*;
#(
  parameter int unsigned RetireLanes = 1
) (
  // The lanes.
  input  lane_t [RetireLanes-1:0] lanes_i,
  // No instruction retires.
  input  logic                    partial_i,
  // An interruption is taken.
  input  logic                    int_valid_i,
  // Its kind. Valid with int_valid_i.
  input  int_kind_e               int_kind_i,
  // The logical processor is halted.
  input  logic                    halted_i,
  // The event bus.
  input  events_t                 events_i,

  // All lines.
  output lines_t                  lines_o
);

  logic [RetireLanes-1:0] instruction, branch, taken, missed;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    logic retires;
    assign retires        = lanes_i[l].valid && !int_valid_i && !partial_i;
    assign instruction[l] = retires && lanes_i[l].counts;
    assign branch[l]      = retires && (lanes_i[l].branch_kind != BranchNone);
    assign taken[l]       = branch[l] && lanes_i[l].branch_taken;
    assign missed[l]      = branch[l] && lanes_i[l].branch_pred_valid && !lanes_i[l].branch_pred_ok;
  end

  logic [3:0] instructions, branches, branches_taken, branches_missed, branches_taken_missed;
  always_comb begin
    instructions          = 4'd0;
    branches              = 4'd0;
    branches_taken        = 4'd0;
    branches_missed       = 4'd0;
    branches_taken_missed = 4'd0;
    for (int unsigned l = 0; l < RetireLanes; l++) begin
      instructions          += {3'b0, instruction[l]};
      branches              += {3'b0, branch[l]};
      branches_taken        += {3'b0, taken[l]};
      branches_missed       += {3'b0, missed[l]};
      branches_taken_missed += {3'b0, taken[l] && missed[l]};
    end
  end

  logic interrupt;
  assign interrupt = int_valid_i && (int_kind_i != IntException) && (int_kind_i != IntSmi) && (int_kind_i != IntRsm);

  // The first line of the bus is the struct's highest bits.
  logic [$bits(events_t)-1:0] bus;
  assign bus = events_i;

  for (genvar n = 0; n < int'(BusNumbers); n++) begin : gen_numbers
    assign lines_o[n] = bus[int'($bits(events_t)) - 4 * (n + 1) +: 4];
  end
  for (genvar n = int'(BusNumbers); n < int'(BusLines); n++) begin : gen_levels
    assign lines_o[n] = {3'b0, bus[int'(BusLines) - 1 - n]};
  end
  assign lines_o[LineInstructions]        = instructions;
  assign lines_o[LineBranches]            = branches;
  assign lines_o[LineBranchesTaken]       = branches_taken;
  assign lines_o[LineBranchesMissed]      = branches_missed;
  assign lines_o[LineBranchesTakenMissed] = branches_taken_missed;
  assign lines_o[LineInterrupts]          = {3'b0, interrupt};
  assign lines_o[LineUnhalted]            = {3'b0, !halted_i};

endmodule
