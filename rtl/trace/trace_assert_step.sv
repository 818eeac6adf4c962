// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about two successive cycles, for all inputs. Not part of the hardware.
//
// They compare registers with the registers and inputs of the previous cycle. Reset clears both, so the assertions hold
// in reset.

module trace_assert_step
  import retire_pkg::*;
  import trace_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input logic          clk_i,
  // Asynchronous reset, active low.
  input logic          rst_ni,

  // Fields that no assertion reads are passed through.
  // verilator lint_off UNUSEDSIGNAL
  // Interruption.
  input interruption_t int_i,
  // Grant and response of memory.
  input mem_answer_t   mem_i,
  // All registers of the unit.
  input state_t        state_i
  // verilator lint_on UNUSEDSIGNAL
);

  logic [15:0] debugctl;
  store_t      store;
  port_t       port;
  notice_t     notice;
  assign debugctl = state_i.control.debugctl;
  assign store    = state_i.store;
  assign port     = state_i.port;
  assign notice   = state_i.notice;

  //////////////////////
  // The cycle before //
  //////////////////////

  logic        past_valid_q, past_debug_q, past_smi_q, past_pmi_q, past_answered_q, past_fault_q;
  logic [15:0] past_debugctl_q;
  // Of the store its step and its addresses are read.
  // verilator lint_off UNUSEDSIGNAL
  store_t      past_store_q;
  // verilator lint_on UNUSEDSIGNAL
  port_t       past_port_q;
  logic        past_gnt_q;
  logic        past_record_q;
  logic [63:0] past_from_q, past_to_q;

  // A full queue or a pending PEBS record stalls; an interruption is then not accepted. The assertions need less.
  logic interrupted;
  assign interrupted = int_i.int_valid && (state_i.waiting.count <= 5'd1) && (state_i.pebs.pending == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_valid_q    <= 1'b0;
      past_debug_q    <= 1'b0;
      past_smi_q      <= 1'b0;
      past_pmi_q      <= 1'b0;
      past_answered_q <= 1'b0;
      past_fault_q    <= 1'b0;
      past_debugctl_q <= '0;
      past_store_q    <= '0;
      past_port_q     <= '0;
      past_gnt_q      <= 1'b0;
      past_record_q   <= 1'b0;
      past_from_q     <= '0;
      past_to_q       <= '0;
    end else begin
      past_valid_q    <= 1'b1;
      past_debug_q    <= interrupted && (int_i.int_kind == IntException) && (int_i.int_vector == 8'd1);
      past_smi_q      <= interrupted && (int_i.int_kind == IntSmi);
      past_pmi_q      <= notice.ds_pmi;
      past_answered_q <= port.mem_wait && mem_i.mem_rvalid;
      past_fault_q    <= mem_i.mem_err;
      past_debugctl_q <= debugctl;
      past_store_q    <= store;
      past_port_q     <= port;
      past_gnt_q      <= mem_i.mem_gnt;
      past_record_q   <= (state_i.waiting.count != '0) && state_i.waiting.record[0].store;
      past_from_q     <= state_i.waiting.record[0].from;
      past_to_q       <= state_i.waiting.record[0].to;
    end
  end

  /////////////
  // Control //
  /////////////

  // DCTL-16, DCTL-19: a #DB leaves neither LBR nor BTF.
  DebugClears:    assert property (@(posedge clk_i)
      !past_debug_q || (!debugctl[DebugctlLbr] && !debugctl[DebugctlBtf]));
  // DCTL-17: a #DB leaves TR.
  DebugKeepsTr:   assert property (@(posedge clk_i)
      !past_debug_q || (debugctl[DebugctlTr] == past_debugctl_q[DebugctlTr]));
  // DCTL-13
  SmiFreezes:     assert property (@(posedge clk_i)
      !(past_smi_q && past_debugctl_q[DebugctlFreezeSmm]) || ((debugctl & 16'h00C3) == '0));
  // DCTL-13
  SmiKeepsCopy:   assert property (@(posedge clk_i)
      !(past_smi_q && past_debugctl_q[DebugctlFreezeSmm]) || state_i.control.smm_frozen);
  // DCTL-24: the stack freezes when a buffer reaches its threshold.
  PmiFreezes:     assert property (@(posedge clk_i)
      !(past_pmi_q && past_debugctl_q[DebugctlFreezeLbrs]) || state_i.control.lbr_frozen);

  //////////
  // Port //
  //////////

  PortStable:     assert property (@(posedge clk_i)
      !(past_port_q.mem_req && !past_gnt_q) || (port == past_port_q));
  PortGranted:    assert property (@(posedge clk_i)
      !(past_port_q.mem_req && past_gnt_q) || (!port.mem_req && port.mem_wait));

  ///////////
  // Store //
  ///////////

  // BTS-19: what the management area says of the buffer does not change while its record is written.
  BufferStable:   assert property (@(posedge clk_i)
      !(past_store_q.step inside {StepRecord, StepPublish}) || (store.step == StepIdle) ||
      ((store.base == past_store_q.base) && (store.index == past_store_q.index) &&
       (store.maximum == past_store_q.maximum)));
  // BTS-08: the index is written only behind the record's last response, which is no fault.
  PublishBehind:  assert property (@(posedge clk_i)
      !((store.step == StepPublish) && (past_store_q.step != StepPublish)) ||
      ((past_store_q.step == StepRecord) && past_answered_q && !past_fault_q));
  // BTS-14: a record is counted as stored when its index is in memory.
  StoredPublished: assert property (@(posedge clk_i)
      !notice.stored || ((past_store_q.step == StepPublish) && past_answered_q && !past_fault_q));
  // BTS-08: a record stays until it is stored or lost.
  RecordStays:    assert property (@(posedge clk_i)
      !past_record_q || notice.stored || notice.lost ||
      ((state_i.waiting.record[0].from == past_from_q) && (state_i.waiting.record[0].to == past_to_q)));

  // The first cycle out of reset compares with the state of reset.
  logic unused_valid;
  assign unused_valid = past_valid_q;

endmodule
