// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about the records gathered in a cycle, for all inputs. Not part of the hardware.
//
// They hold for records that the unit has gathered; of a restored record software chooses all but what is reserved
// (lwp_assert). The values are registered first, so that no property samples an input.
//
// Contract: docs/src/lwp/count-gather.md, "Gather".

module lwp_assert_gather
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4
) (
  // Clock: all registers change at its rising edge.
  input logic                                  clk_i,
  // Asynchronous reset, active low.
  input logic                                  rst_ni,

  // Strap `one_per_instr`: at most one record is gathered for one instruction.
  input logic                                  one_per_instr_i,
  // The straps allow several records at a time: `gather_policy` = all and `collision` = delay.
  input logic                                  many_i,
  // Strap `store_timing` = sync: retirement stalls until the record is stored.
  input logic                                  sync_i,
  // The core is in 64-bit mode; otherwise addresses are truncated to 32 bits.
  input logic                                  mode64_i,

  // Counting is on: the core is not stalled, in ring 3, and a session is active.
  input logic                                  counting_i,
  // Per event: the event is selected by a slot and enabled by LWPMSR0.
  input logic [NumEvents-1:0]                  enable_i,
  // Per event: the event has a record in the queue.
  input logic [NumEvents-1:0]                  queued_i,
  // Of each lane only `valid`, `counts` and `branch_kind` are used.
  // verilator lint_off UNUSEDSIGNAL
  // Instructions that retire in this cycle; lane 0 is the oldest.
  input lane_t [RetireLanes-1:0]               lanes_i,
  // verilator lint_on UNUSEDSIGNAL

  // Per event: a record is gathered in this cycle.
  input logic [NumEvents-1:0]                  gather_i,
  // Per event: one-hot, the lane that is recorded; 0 if the event is not gathered.
  input logic [NumEvents-1:0][RetireLanes-1:0] lane_i,
  // Per event: number of records gathered before its own in this cycle; valid if the event is gathered.
  input logic [NumEvents-1:0][1:0]             rank_i,
  // Per event: record of the event; valid if the event is gathered.
  input record_t [NumEvents-1:0]               record_i
);

  logic                                  mode64_q, counting_q;
  logic [NumEvents-1:0]                  enable_q, queued_q, gather_q;
  logic [NumEvents-1:0][RetireLanes-1:0] lane_q;
  logic [NumEvents-1:0][1:0]             rank_q;
  logic [RetireLanes-1:0][3:0]           kind, kind_q;
  logic [RetireLanes-1:0]                counts, counts_q;
  // No assertion reads the latency of a miss.
  // verilator lint_off UNUSEDSIGNAL
  record_t                               ins_q, br_q, dc_q;
  // verilator lint_on UNUSEDSIGNAL

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_fields
    assign kind[l]   = lanes_i[l].branch_kind;
    assign counts[l] = lanes_i[l].valid && lanes_i[l].counts;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mode64_q   <= 1'b0;
      counting_q <= 1'b0;
      enable_q   <= '0;
      queued_q   <= '0;
      gather_q   <= '0;
      lane_q     <= '0;
      rank_q     <= '0;
      kind_q     <= '0;
      counts_q   <= '0;
      ins_q      <= '0;
      br_q       <= '0;
      dc_q       <= '0;
    end else begin
      mode64_q   <= mode64_i;
      counting_q <= counting_i;
      enable_q   <= enable_i;
      queued_q   <= queued_i;
      gather_q   <= gather_i;
      lane_q     <= lane_i;
      rank_q     <= rank_i;
      kind_q     <= kind;
      counts_q   <= counts;
      ins_q      <= record_i[Ins];
      br_q       <= record_i[Br];
      dc_q       <= record_i[Dc];
    end
  end

  ////////////
  // Choice //
  ////////////

  // LWP-CNT-03, LWP-CNT-10, LWP-SEC-01, LWP-SMM-01
  GatherCounts:    assert property (@(posedge clk_i)
      (gather_q == '0) || (counting_q && ((gather_q & ~enable_q) == '0)));
  GatherOnce:      assert property (@(posedge clk_i) (gather_q & queued_q) == '0);

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    GatherLane:    assert property (@(posedge clk_i)
        gather_q[e] ? ($countones(lane_q[e]) == 1) : (lane_q[e] == '0));
    for (genvar o = e + 1; o < int'(NumEvents); o++) begin : gen_others
      // LWP-SIM-02
      OnePerInstr: assert property (@(posedge clk_i) !one_per_instr_i || ((lane_q[e] & lane_q[o]) == '0));
      // LWP-STO-10
      OneInCycle:  assert property (@(posedge clk_i) many_i || !(gather_q[e] && gather_q[o]));
      OneLaneSync: assert property (@(posedge clk_i)
          !(sync_i && gather_q[e] && gather_q[o]) || (lane_q[e] == lane_q[o]));
      RanksDiffer: assert property (@(posedge clk_i)
          !(gather_q[e] && gather_q[o]) || (rank_q[e] != rank_q[o]));
    end
  end

  /////////////
  // Records //
  /////////////

  // LWP-INS-04, LWP-INS-06
  InsReserved:     assert property (@(posedge clk_i)
      !gather_q[Ins] || ((ins_q.event_id == EventInsRetired) && (ins_q.flags == '0) && (ins_q.data == '0) &&
      (ins_q.addr == '0)));
  // LWP-BRN-07, LWP-BRN-13
  BranchReserved:  assert property (@(posedge clk_i)
      !gather_q[Br] || ((br_q.event_id == EventBrRetired) && !br_q.flags[0] && (br_q.data == '0)));
  // LWP-BRN-22
  BranchPredicted: assert property (@(posedge clk_i) !gather_q[Br] || br_q.flags[1] || !br_q.flags[2]);
  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    // LWP-BRN-12
    BranchTaken:   assert property (@(posedge clk_i)
        !lane_q[Br][l] || (kind_q[l] == BranchCond) || br_q.flags[3]);
    // LWP-BRN-03, LWP-BRN-04
    BranchCounted: assert property (@(posedge clk_i)
        !lane_q[Br][l] || (kind_q[l] inside {[4'd1:BranchFarRet]}));
    LaneCounts:    assert property (@(posedge clk_i)
        !(lane_q[Ins][l] || lane_q[Br][l] || lane_q[Dc][l]) || counts_q[l]);
  end
  // LWP-DCM-16
  MissSource:      assert property (@(posedge clk_i)
      !gather_q[Dc] || ((dc_q.event_id == EventDcMiss) && !(dc_q.flags[3:1] inside {3'd4, 3'd5, 3'd6})));
  // LWP-DCM-22
  MissAddress:     assert property (@(posedge clk_i) !gather_q[Dc] || dc_q.flags[0] || (dc_q.addr == '0));
  Addresses32:     assert property (@(posedge clk_i)
      mode64_q || (gather_q == '0) || ((ins_q.ip[63:32] | br_q.ip[63:32] | dc_q.ip[63:32] | br_q.addr[63:32] |
      dc_q.addr[63:32]) == '0));

endmodule
