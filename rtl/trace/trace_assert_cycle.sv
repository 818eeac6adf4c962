// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about what a cycle's inputs do, for all inputs: they compare registers with the registers and inputs of the
// previous cycle. Not part of the hardware.
//
// Reset clears both, so the assertions hold in reset. Wide registers are compared outside the properties.

module trace_assert_cycle
  import retire_pkg::*;
  import trace_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 1
) (
  // Clock: all registers change at its rising edge.
  input logic          clk_i,
  // Asynchronous reset, active low.
  input logic          rst_ni,

  // Fields that no assertion reads are passed through.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t       cfg_i,
  // No instruction retires; the lanes show no branch.
  input logic          partial_i,
  // A lane is valid.
  input logic          group_i,
  // Mode of the core.
  input mode_t         mode_i,
  // Interruption.
  input interruption_t int_i,
  // A performance interrupt was asked for.
  input logic          pmi_i,
  // Counters that overflowed; those whose event occurred.
  input logic [Counters-1:0] overflow_i,
  input logic [Counters-1:0] event_i,
  // The system bus takes the message.
  input logic          btm_ready_i,
  // Grant and response of memory.
  input mem_answer_t   mem_i,
  // Register request.
  input reg_request_t  reg_i,
  // All registers of the unit.
  input state_t        state_i
  // verilator lint_on UNUSEDSIGNAL
);

  logic [15:0]         debugctl, copy;
  logic                smm_frozen, lbr_frozen;
  logic [4:0]          count, tos;
  logic [Counters-1:0] armed, pending, enable;
  record_t             head;
  notice_t             notice;
  reg_answer_t         answer;
  step_e               step;
  assign debugctl   = state_i.control.debugctl;
  assign copy       = state_i.control.smm_debugctl;
  assign smm_frozen = state_i.control.smm_frozen;
  assign lbr_frozen = state_i.control.lbr_frozen;
  assign enable     = state_i.control.pebs_enable;
  assign count      = state_i.waiting.count;
  assign head       = state_i.waiting.record[0];
  assign tos        = state_i.lbr.tos;
  assign armed      = state_i.pebs.armed;
  assign pending    = state_i.pebs.pending;
  assign notice     = state_i.notice;
  assign answer     = state_i.answer;
  assign step       = state_i.store.step;

  logic        reload_valid, circular;
  logic [1:0]  reload_counter, counter;
  logic [63:0] ler_from, ler_to, index, threshold;
  assign reload_valid   = state_i.reload.reload_valid;
  assign reload_counter = state_i.reload.reload_counter;
  assign circular       = state_i.store.circular;
  assign counter        = state_i.store.counter;
  assign ler_from       = state_i.lbr.ler_from;
  assign ler_to         = state_i.lbr.ler_to;
  assign index          = state_i.store.index;
  assign threshold      = state_i.store.threshold;

  ////////////////
  // This cycle //
  ////////////////

  logic stall, ready, accepted, delivered, freeze, level0, recording, message, answered;
  assign stall     = (32'(count) > RetireLanes) || (pending != '0);
  assign ready     = (count == '0) && (step == StepIdle) && (pending == '0);
  assign accepted  = reg_i.reg_valid && ready && !int_i.int_valid && (partial_i || !group_i);
  assign delivered = int_i.int_valid && !stall;
  assign freeze    = (pmi_i || notice.ds_pmi) && debugctl[DebugctlFreezeLbrs];
  assign level0    = (mode_i.op_mode == ModeReal) || ((mode_i.op_mode != ModeV86) && (mode_i.cpl == 2'd0));
  assign recording = debugctl[DebugctlLbr] || (cfg_i.lbr_tr && debugctl[DebugctlTr] && !lbr_frozen);
  assign message   = (count != '0) && !head.store;
  assign answered  = state_i.port.mem_wait && mem_i.mem_rvalid;

  //////////////////////
  // The cycle before //
  //////////////////////

  logic                past_accepted_q, past_write_q, past_delivered_q, past_freeze_q, past_level0_q, past_recording_q;
  logic                past_stall_q, past_message_q, past_answered_q, past_fault_q, past_circular_q, past_smm_frozen_q;
  logic                past_smi_q, past_rsm_q, past_return_q, past_debug_q;
  logic [31:0]         past_number_q;
  logic [15:0]         past_debugctl_q, past_copy_q;
  logic [4:0]          past_count_q, past_tos_q;
  logic [Counters-1:0] past_pending_q, past_raised_q, past_event_q;
  logic [1:0]          past_counter_q;
  step_e               past_step_q;
  record_t             past_head_q;
  logic [63:0]         past_ler_from_q, past_ler_to_q, past_index_q, past_threshold_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_accepted_q   <= 1'b0;
      past_write_q      <= 1'b0;
      past_delivered_q  <= 1'b0;
      past_freeze_q     <= 1'b0;
      past_level0_q     <= 1'b0;
      past_recording_q  <= 1'b0;
      past_stall_q      <= 1'b0;
      past_message_q    <= 1'b0;
      past_answered_q   <= 1'b0;
      past_fault_q      <= 1'b0;
      past_circular_q   <= 1'b0;
      past_smm_frozen_q <= 1'b0;
      past_smi_q        <= 1'b0;
      past_rsm_q        <= 1'b0;
      past_return_q     <= 1'b0;
      past_debug_q      <= 1'b0;
      past_number_q     <= '0;
      past_debugctl_q   <= '0;
      past_copy_q       <= '0;
      past_count_q      <= '0;
      past_tos_q        <= '0;
      past_pending_q    <= '0;
      past_raised_q     <= '0;
      past_event_q      <= '0;
      past_counter_q    <= '0;
      past_step_q       <= StepIdle;
      past_head_q       <= '0;
      past_ler_from_q   <= '0;
      past_ler_to_q     <= '0;
      past_index_q      <= '0;
      past_threshold_q  <= '0;
    end else begin
      past_accepted_q   <= accepted;
      past_write_q      <= accepted && (reg_i.reg_op == RegWrmsr);
      past_delivered_q  <= delivered;
      past_freeze_q     <= freeze;
      past_level0_q     <= level0;
      past_recording_q  <= recording;
      past_stall_q      <= stall;
      past_message_q    <= message && !btm_ready_i;
      past_answered_q   <= answered;
      past_fault_q      <= mem_i.mem_err;
      past_circular_q   <= circular;
      past_smm_frozen_q <= smm_frozen;
      past_smi_q        <= delivered && (int_i.int_kind == IntSmi) && debugctl[DebugctlFreezeSmm];
      past_rsm_q        <= delivered && (int_i.int_kind == IntRsm) && smm_frozen;
      past_return_q     <= int_i.int_valid && (int_i.int_kind == IntRsm);
      past_debug_q      <= int_i.int_valid && (int_i.int_kind == IntException) && (int_i.int_vector == 8'd1);
      past_number_q     <= reg_i.reg_number;
      past_debugctl_q   <= debugctl;
      past_copy_q       <= copy;
      past_count_q      <= count;
      past_tos_q        <= tos;
      past_pending_q    <= pending;
      past_raised_q     <= armed | (overflow_i & enable);
      past_event_q      <= (stall || int_i.int_valid || partial_i) ? '0 : event_i;
      past_counter_q    <= counter;
      past_step_q       <= step;
      past_head_q       <= head;
      past_ler_from_q   <= ler_from;
      past_ler_to_q     <= ler_to;
      past_index_q      <= index;
      past_threshold_q  <= threshold;
    end
  end

  // A WRMSR of the previous cycle is done; its register is IA32_DEBUGCTL.
  logic written, wrote_debugctl;
  assign written        = past_write_q && answer.reg_done && (answer.reg_result == ResultDone);
  assign wrote_debugctl = written && (past_number_q == 32'h1D9);

  ////////////
  // Answer //
  ////////////

  // Each accepted request has one answer, in the next cycle. There is no other answer.
  Answered:       assert property (@(posedge clk_i) answer.reg_done == past_accepted_q);
  DoneAllowed:    assert property (@(posedge clk_i)
      !answer.reg_done || (answer.reg_result != ResultDone) || past_level0_q);
  WriteEmpty:     assert property (@(posedge clk_i) !past_write_q || (answer.reg_rdata == '0));
  // LBR-17: software does not write the last exception record.
  LerRefused:     assert property (@(posedge clk_i) !written || !(past_number_q inside {32'h1DD, 32'h1DE}));

  /////////////
  // Control //
  /////////////

  // The copy of the last cycle, as a freeze left it.
  logic [15:0] kept_copy;
  assign kept_copy = past_copy_q & ~{15'd0, past_freeze_q};

  // DCTL-03
  DebugctlStays:  assert property (@(posedge clk_i)
      wrote_debugctl || past_freeze_q || past_delivered_q || (debugctl == past_debugctl_q));
  // DCTL-11, DCTL-22, DCTL-23, DCTL-24: in SMM and behind RSM as well.
  FreezeClears:   assert property (@(posedge clk_i)
      !past_freeze_q || (lbr_frozen && !debugctl[DebugctlLbr] && !copy[DebugctlLbr]));
  // DCTL-25: a stack that is frozen stays so until software writes IA32_DEBUGCTL, or RSM restores it.
  ThawedWritten:  assert property (@(posedge clk_i)
      !debugctl[DebugctlLbr] || past_debugctl_q[DebugctlLbr] || wrote_debugctl || past_rsm_q);
  // DCTL-13
  SmiCopies:      assert property (@(posedge clk_i)
      !past_smi_q || (copy == (past_debugctl_q & ~{15'd0, past_freeze_q})));
  CopyStays:      assert property (@(posedge clk_i)
      past_smi_q || past_rsm_q || ((copy == kept_copy) && (smm_frozen == past_smm_frozen_q)));
  // DCTL-14
  RsmRestores:    assert property (@(posedge clk_i) !past_rsm_q || ((debugctl == kept_copy) && !smm_frozen));

  ///////////////
  // LBR stack //
  ///////////////

  // DCTL-04, LBR-03
  StackStill:     assert property (@(posedge clk_i) past_recording_q || written || (tos == past_tos_q));
  // LBR-01, DCTL-16: a #DB adds no record. Neither does RSM as an interruption.
  DebugNoRecord:  assert property (@(posedge clk_i) !(past_debug_q || past_return_q) || (tos == past_tos_q));
  // LBR-19
  LerStays:       assert property (@(posedge clk_i)
      (past_recording_q && past_delivered_q) || ((ler_from == past_ler_from_q) && (ler_to == past_ler_to_q)));

  ///////////
  // Queue //
  ///////////

  QueueStep:      assert property (@(posedge clk_i)
      (6'(count) <= 6'(past_count_q) + 6'(RetireLanes)) && (6'(count) + 6'd1 >= 6'(past_count_q)));
  // BTS-05: a stall lets nothing in.
  StallsQueue:    assert property (@(posedge clk_i) !past_stall_q || (count <= past_count_q));
  // DCTL-06, BTS-02
  NoTraceNoEntry: assert property (@(posedge clk_i) past_debugctl_q[DebugctlTr] || (count <= past_count_q));
  // DCTL-09, DCTL-10, DCTL-21
  LevelOff:       assert property (@(posedge clk_i)
      !past_debugctl_q[past_level0_q ? DebugctlBtsOffOs : DebugctlBtsOffUsr] || (count <= past_count_q));
  // RSM makes no record; a #DB makes one if the strap says so; an SMI that stops the trace makes none.
  NoQueueEntry:   assert property (@(posedge clk_i)
      !(past_return_q || past_smi_q || (past_debug_q && !cfg_i.db_message)) || (count <= past_count_q));
  // DCTL-07, BTS-38: BTS decides between memory and bus.
  NewDirected:    assert property (@(posedge clk_i)
      (past_count_q != '0) || (count == '0) || (head.store == past_debugctl_q[DebugctlBts]));
  // BTS-03: a message stays until the bus takes it.
  MessageStays:   assert property (@(posedge clk_i) !past_message_q || ((count != '0) && (head == past_head_q)));

  //////////
  // PEBS //
  //////////

  // The lowest counter that was pending.
  logic [Counters-1:0] lowest;
  assign lowest = past_pending_q & (~past_pending_q + 4'd1);

  // BTS-09: a record comes of an event behind an overflow, of a counter that is enabled.
  FiresRaised:    assert property (@(posedge clk_i)
      (pending & ~past_pending_q & ~(past_raised_q & past_event_q)) == '0);
  ArmedRaised:    assert property (@(posedge clk_i) (armed & ~past_raised_q) == '0);
  // The lowest counter ends first, and one at a time.
  EndsLowest:     assert property (@(posedge clk_i)
      (past_pending_q & ~pending & ~lowest) == '0);
  // BTS-10, BTS-18
  ReloadRead:     assert property (@(posedge clk_i)
      !reload_valid || ((past_step_q == StepReset) && past_answered_q && !past_fault_q &&
                        (reload_counter == past_counter_q)));

  ///////////
  // Store //
  ///////////

  // BTS-08: no record vanishes: it is stored, lost, or its counter is reset or cannot be.
  EndTold:        assert property (@(posedge clk_i)
      (past_step_q == StepIdle) || (step != StepIdle) || notice.stored || notice.lost || reload_valid ||
      ((past_step_q == StepReset) && past_answered_q && past_fault_q));
  // DCTL-08, BTS-40: a circular buffer does not interrupt.
  CircularQuiet:  assert property (@(posedge clk_i) !notice.ds_pmi || !past_circular_q);
  // BTS-16: the interrupt comes with the record that reaches the threshold, once.
  ThresholdOnce:  assert property (@(posedge clk_i) !notice.ds_pmi || (past_index_q < past_threshold_q));
  // A fault is never stored.
  FaultLost:      assert property (@(posedge clk_i)
      !(past_answered_q && past_fault_q) || (!notice.stored && !reload_valid && (step == StepIdle)));

endmodule
