// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about two successive cycles, for all inputs. Not part of the hardware.
//
// They compare registers with the registers and inputs of the previous cycle. Reset clears both, so the assertions hold
// in reset.

module rdt_assert_step
  import retire_pkg::*;
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Sizes of the build.
  parameter int unsigned LogicalProcessors = 2,
  parameter int unsigned Rmids             = 4,
  parameter int unsigned Classes           = 4
) (
  // Clock: all registers change at its rising edge.
  input logic                             clk_i,
  // Asynchronous reset, active low.
  input logic                             rst_ni,

  // What no assertion reads is passed through.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t                          cfg_i,
  // Answers of memory.
  input mem_in_t                          mem_i,
  // Mode of the logical processor that makes the register request, and the request.
  input mode_in_t                         mode_i,
  input reg_request_t                     reg_i,
  // Registers.
  input cdp_t                             cdp_i,
  input class_t [Classes-1:0]             classes_i,
  input binding_t [LogicalProcessors-1:0] binding_i,
  input entry_t [LogicalProcessors-1:0]   access_i,
  input rmid_t [Rmids-1:0]                rmid_i,
  input job_t                             job_i,
  input power_t                           power_i,
  input answer_t                          answer_i
  // verilator lint_on UNUSEDSIGNAL
);

  ////////////////////////
  // The previous cycle //
  ////////////////////////

  // verilator lint_off UNUSEDSIGNAL
  logic                             past_valid_q, past_privileged_q;
  mem_in_t                          past_mem_q;
  reg_request_t                     past_reg_q;
  cdp_t                             past_cdp_q;
  class_t [Classes-1:0]             past_classes_q;
  binding_t [LogicalProcessors-1:0] past_binding_q;
  entry_t [LogicalProcessors-1:0]   past_access_q;
  rmid_t [Rmids-1:0]                past_rmid_q;
  job_t                             past_job_q;
  power_t                           past_power_q;
  // verilator lint_on UNUSEDSIGNAL

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_valid_q      <= 1'b0;
      past_privileged_q <= 1'b0;
      past_mem_q        <= '0;
      past_reg_q        <= '0;
      past_cdp_q        <= '0;
      past_classes_q    <= '0;
      past_binding_q    <= '0;
      past_access_q     <= '0;
      past_rmid_q       <= '0;
      past_job_q        <= '0;
      past_power_q      <= '0;
    end else begin
      past_valid_q      <= 1'b1;
      past_privileged_q <= (mode_i.op_mode == ModeReal) || ((mode_i.op_mode != ModeV86) && (mode_i.cpl == 2'd0));
      past_mem_q        <= mem_i;
      past_reg_q        <= reg_i;
      past_cdp_q        <= cdp_i;
      past_classes_q    <= classes_i;
      past_binding_q    <= binding_i;
      past_access_q     <= access_i;
      past_rmid_q       <= rmid_i;
      past_job_q        <= job_i;
      past_power_q      <= power_i;
    end
  end

  //////////////////////
  // Register requests //
  //////////////////////

  logic done, wrote;
  logic [31:0] number;
  assign done   = answer_i.reg_done && (answer_i.reg_result == ResultDone);
  assign wrote  = done && (past_reg_q.reg_op == RegWrmsr);
  assign number = past_reg_q.reg_number;

  // Each request has one answer, in the next cycle. There is no other answer.
  Answered:    assert property (@(posedge clk_i) answer_i.reg_done == past_reg_q.reg_valid);
  OnlyMsr:     assert property (@(posedge clk_i)
      !done || (past_reg_q.reg_op == RegRdmsr) || (past_reg_q.reg_op == RegWrmsr));
  DoneAllowed: assert property (@(posedge clk_i) !done || past_privileged_q);
  CtrReadOnly: assert property (@(posedge clk_i) !(wrote && (number == MsrCtr)));
  WroteEmpty:  assert property (@(posedge clk_i) !wrote || (answer_i.reg_rdata == '0));
  // RDTM-27: there are no data with Error or Unavailable, and not both of these.
  CtrFlags:    assert property (@(posedge clk_i)
      !(done && (number == MsrCtr)) || (answer_i.reg_rdata[63:62] == 2'd0) ||
      ((answer_i.reg_rdata[61:0] == '0) && (answer_i.reg_rdata[63:62] != 2'd3)));
  // RDTA-12, RDTA-15
  CdpKept:     assert property (@(posedge clk_i)
      ((cdp_i.l3 == past_cdp_q.l3) || (wrote && (number == MsrL3QosCfg))) &&
      ((cdp_i.l2 == past_cdp_q.l2) || (wrote && (number == MsrL2QosCfg))));

  // The cycle in which masks get their reset value.
  logic past_first;
  assign past_first = past_valid_q && (past_job_q.step == StepClear) && (past_job_q.set_index == '0);

  for (genvar n = 0; n < int'(Classes); n++) begin : gen_classes
    // RDTA-18, RDTA-24: nothing else changes masks and delays.
    L3MaskKept: assert property (@(posedge clk_i)
        (classes_i[n].l3_mask == past_classes_q[n].l3_mask) || past_first ||
        (wrote && (number == MsrL3Mask + 32'(n)) && (64'(classes_i[n].l3_mask) == past_reg_q.reg_wdata)));
    L2MaskKept: assert property (@(posedge clk_i)
        (classes_i[n].l2_mask == past_classes_q[n].l2_mask) || past_first ||
        (wrote && (number == MsrL2Mask + 32'(n)) && (64'(classes_i[n].l2_mask) == past_reg_q.reg_wdata)));
    DelayKept:  assert property (@(posedge clk_i)
        (classes_i[n].delay == past_classes_q[n].delay) ||
        (wrote && (number == MsrDelay + 32'(n)) && (64'(classes_i[n].delay) == past_reg_q.reg_wdata)));
  end

  ////////////////////////
  // Logical processors //
  ////////////////////////

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    // verilator lint_off UNUSEDSIGNAL
    binding_t now, past;
    entry_t   access, past_access;
    // verilator lint_on UNUSEDSIGNAL
    assign now         = binding_i[i];
    assign past        = past_binding_q[i];
    assign access      = access_i[i];
    assign past_access = past_access_q[i];

    // The access stays what it was.
    logic same;
    assign same = (access.write == past_access.write) && (access.code == past_access.code) &&
                  (access.line == past_access.line) && (access.rmid == past_access.rmid) &&
                  (access.cos == past_access.cos);

    // RDTM-10, RDTM-33, RDTA-24
    AssociationKept: assert property (@(posedge clk_i)
        ((now.rmid == past.rmid) && (now.cos == past.cos)) || (wrote && (number == MsrAssoc)));
    SelectionKept:   assert property (@(posedge clk_i)
        ((now.event_id == past.event_id) && (now.event_rmid == past.event_rmid)) ||
        (wrote && (number == MsrEvtSel)));
    // RDTM-17: an accepted access has the RMID and the class of the cycle of its request, until it ends.
    AccessKept:      assert property (@(posedge clk_i) (past_access.stage == StageNone) || same);
    AccessTagged:    assert property (@(posedge clk_i)
        (past_access.stage != StageNone) || (access.stage == StageNone) ||
        ((access.rmid == past.rmid) && (access.cos == past.cos)));
    DoneOnce:        assert property (@(posedge clk_i)
        access.done == ((past_access.stage != StageNone) && (access.stage == StageNone)));
    DoneTurn:        assert property (@(posedge clk_i) !access.done || (past_job_q.turn == 3'(i)));
    StageForward:    assert property (@(posedge clk_i)
        (access.stage == past_access.stage) || (access.stage == StageNone) || (past_access.stage == StageNone) ||
        ((past_access.stage == StageL2) && (access.stage == StageL3)));
  end

  ////////////
  // Memory //
  ////////////

  // What is asked of memory.
  logic back, request, past_back, past_request;
  assign back         = job_i.step == StepWriteBack;
  assign request      = job_i.step == StepMemRequest;
  assign past_back    = past_job_q.step == StepWriteBack;
  assign past_request = past_job_q.step == StepMemRequest;

  BackStable:    assert property (@(posedge clk_i)
      !(past_back && !past_mem_q.mem_gnt) ||
      (back && (job_i.victim == past_job_q.victim) && (job_i.victim_rmid == past_job_q.victim_rmid)));
  RequestStable: assert property (@(posedge clk_i)
      !(past_request && !past_mem_q.mem_gnt) ||
      (request && (job_i.line == past_job_q.line) && (job_i.rmid == past_job_q.rmid) &&
       (job_i.cos == past_job_q.cos) && (job_i.write == past_job_q.write) && (job_i.fills == past_job_q.fills)));
  // The line arrives, then the next request is made.
  WaitsForLine:  assert property (@(posedge clk_i)
      !((past_job_q.step == StepMemWait) && !past_mem_q.mem_rvalid) || (job_i.step == StepMemWait));

  //////////////
  // Counters //
  //////////////

  logic past_gnt, past_start;
  assign past_gnt   = (past_back || past_request) && past_mem_q.mem_gnt;
  assign past_start = (past_job_q.step == StepClear) && (job_i.step == StepIdle);

  // RMIDs whose counters changed, but for the start.
  logic [Rmids-1:0] changed;
  for (genvar r = 0; r < int'(Rmids); r++) begin : gen_rmids
    rmid_t now, past;
    assign now        = rmid_i[r];
    assign past       = past_rmid_q[r];
    assign changed[r] = !past_start && (now != past);

    // RDTM-02: occupancy changes by one, when a line enters or leaves.
    OccupancyUp:    assert property (@(posedge clk_i)
        (now.occupancy <= past.occupancy) ||
        ((now.occupancy == past.occupancy + OccupancyW'(1)) && (past_job_q.step == StepL3Fill) &&
         (past_job_q.rmid == 5'(r))));
    OccupancyDown:  assert property (@(posedge clk_i)
        (now.occupancy >= past.occupancy) ||
        ((now.occupancy + OccupancyW'(1) == past.occupancy) && (past_job_q.step == StepEvict) &&
         (past_job_q.victim_rmid == 5'(r))));
    // RDTM-03, RDTM-11: bandwidth counts when memory takes a request of the RMID.
    TotalOne:       assert property (@(posedge clk_i)
        past_start || (now.total == past.total) ||
        ((now.total == past.total + CounterW'(1)) && past_gnt &&
         ((past_back ? past_job_q.victim_rmid : past_job_q.rmid) == 5'(r))));
    LocalOne:       assert property (@(posedge clk_i)
        past_start || (now.local_lines == past.local_lines) ||
        ((now.local_lines == past.local_lines + CounterW'(1)) && past_gnt && past_mem_q.mem_local &&
         ((past_back ? past_job_q.victim_rmid : past_job_q.rmid) == 5'(r))));
    LocalInTotal:   assert property (@(posedge clk_i)
        past_start || !(cfg_i.events[1]) || (now.local_lines == past.local_lines) || (now.total != past.total));
  end
  OneRmidChanges: assert property (@(posedge clk_i) (changed & (changed - Rmids'(1))) == '0);

  ///////////
  // Power //
  ///////////

  // RDTM-32: power changes between accesses alone; ways go only as a walk begins.
  PowerKept:   assert property (@(posedge clk_i)
      (power_i == past_power_q) || (past_job_q.step == StepIdle) || past_start);
  PowerGoes:   assert property (@(posedge clk_i)
      ((power_i.l3_on >= past_power_q.l3_on) && (power_i.l2_on >= past_power_q.l2_on)) || job_i.walk);
  // Registers of an access change only as it is chosen.
  JobKept:     assert property (@(posedge clk_i)
      (past_job_q.step == StepIdle) ||
      ((job_i.turn == past_job_q.turn) && (job_i.rmid == past_job_q.rmid) && (job_i.cos == past_job_q.cos) &&
       (job_i.line == past_job_q.line) && (job_i.write == past_job_q.write) && (job_i.code == past_job_q.code) &&
       (job_i.l3_allowed == past_job_q.l3_allowed)));
  ClearOnce:   assert property (@(posedge clk_i)
      !past_valid_q || (job_i.step != StepClear) || (past_job_q.step == StepClear));

endmodule
