// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that hold in every reachable state with legal straps, for all inputs. They serve simulation and proof, and
// are not part of the hardware.
//
// Each is one property without operators over time; assertions about two cycles are in trace_assert_step. All of them
// hold in the reset state, so none is disabled by reset. The requirement rows above an assertion are those that it
// shows.
//
// Contract: docs/src/trace/state.md, "What always holds".

module trace_assert
  import retire_pkg::*;
  import trace_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes  = 1,
  // Entries of the LBR stack that are built: 4, 8, 16 or 32.
  parameter int unsigned StackEntries = 4
) (
  // Clock: all registers change at its rising edge.
  input logic          clk_i,
  // Asynchronous reset, active low.
  input logic          rst_ni,

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
  // Number of the last entry of the LBR stack that exists.
  input logic [4:0]    last_i,
  // All registers of the unit.
  input state_t        state_i
);

  localparam int unsigned QueueEntries = 2 * RetireLanes;

  // The clocks of the stack and the last exception record have any value.
  // verilator lint_off UNUSEDSIGNAL
  control_regs_t control;
  lbr_t          lbr;
  // verilator lint_on UNUSEDSIGNAL
  queue_t        waiting;
  store_t        store;
  port_t         port;
  pebs_t         pebs;
  notice_t       notice;
  reload_t       reload;
  reg_answer_t   answer;
  assign control = state_i.control;
  assign lbr     = state_i.lbr;
  assign waiting = state_i.waiting;
  assign store   = state_i.store;
  assign port    = state_i.port;
  assign pebs    = state_i.pebs;
  assign notice  = state_i.notice;
  assign reload  = state_i.reload;
  assign answer  = state_i.answer;

  /////////////
  // Control //
  /////////////

  // DCTL-03
  NoReservedBits:  assert property (@(posedge clk_i) (control.debugctl & 16'h203C) == '0);
  // DCTL-03, BTS-06
  NoTraceBits:     assert property (@(posedge clk_i) cfg_i.ds || ((control.debugctl & 16'h01C0) == '0));
  // DCTL-21
  NoCplBits:       assert property (@(posedge clk_i) cfg_i.ds_cpl || ((control.debugctl & 16'h0600) == '0));
  // DCTL-11, DCTL-12
  NoFreezeBits:    assert property (@(posedge clk_i)
      cfg_i.pmi_freeze || (((control.debugctl & 16'h1800) == '0) && !control.lbr_frozen));
  // DCTL-13
  NoSmmBit:        assert property (@(posedge clk_i)
      cfg_i.smm_freeze || (!control.debugctl[DebugctlFreezeSmm] && !control.smm_frozen));
  // DCTL-15
  NoRtmBit:        assert property (@(posedge clk_i) cfg_i.rtm || !control.debugctl[DebugctlRtm]);
  // The copy of an SMI has the flag that asked for it.
  SmmCopyAsked:    assert property (@(posedge clk_i)
      !control.smm_frozen || control.smm_debugctl[DebugctlFreezeSmm]);
  SmmCopyEmpty:    assert property (@(posedge clk_i) control.smm_frozen || (control.smm_debugctl == '0));
  AreaExists:      assert property (@(posedge clk_i) cfg_i.ds || (control.ds_area == '0));
  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counter
    NoCounter: assert property (@(posedge clk_i)
        (cfg_i.pebs_counters > 3'(c)) ||
        !(control.pebs_enable[c] || pebs.armed[c] || pebs.pending[c]));
  end

  ///////////////
  // LBR stack //
  ///////////////

  // LBR-07
  TosInside:       assert property (@(posedge clk_i) lbr.tos <= last_i);
  // Entries that are not built are 0 as well.
  for (genvar e = 0; e < int'(MaxEntries); e++) begin : gen_entry
    // LBR-04
    NoEntry: assert property (@(posedge clk_i) (32'(last_i) + 32'd1 > e) || (lbr.entry[e] == '0));
    // LBR-21
    NoInfo:  assert property (@(posedge clk_i)
        (cfg_i.lbr_format == FormatInfo) ||
        ({lbr.entry[e].cycles, lbr.entry[e].tsx_abort, lbr.entry[e].in_tx, lbr.entry[e].mispredicted} == '0));
  end

  ///////////
  // Queue //
  ///////////

  QueueInside:     assert property (@(posedge clk_i) 32'(waiting.count) <= QueueEntries);
  for (genvar r = 0; r < int'(MaxQueue); r++) begin : gen_record
    QueueEmpty: assert property (@(posedge clk_i) (32'(waiting.count) > r) || (waiting.record[r] == '0));
  end

  ///////////
  // Store //
  ///////////

  // Fields of the record, its bytes: computed without trace_store.
  logic [7:0] fields, bytes;
  always_comb begin
    if (!store.pebs) fields = 8'd3;
    else if (!store.wide) fields = 8'd10;
    else if (cfg_i.pebs_format == 2'd0) fields = 8'd18;
    else if (cfg_i.pebs_format == 2'd1) fields = 8'd22;
    else if (cfg_i.pebs_format == 2'd2) fields = 8'd24;
    else fields = 8'd25;
  end
  assign bytes = store.wide ? fields << 3 : fields << 2;

  // Nothing of the debug store or of PEBS is in progress.
  logic quiet;
  assign quiet = (waiting.count == '0) && (store.step == StepIdle) && !port.mem_req && !port.mem_wait &&
                 (pebs == '0) && (notice == '0) && !reload.reload_valid;

  StepKnown:       assert property (@(posedge clk_i) store.step <= StepReset);
  StoreEmpty:      assert property (@(posedge clk_i) (store.step != StepIdle) || (store == '0));
  // BTS-39: a record is not sent and stored at once; the record that is being stored is not a message.
  StoreHasRecord:  assert property (@(posedge clk_i)
      (store.step == StepIdle) || store.pebs || ((waiting.count != '0) && waiting.record[0].store));
  StoreHasCounter: assert property (@(posedge clk_i)
      !store.pebs || (pebs.pending[store.counter] && (waiting.count == '0)));
  // BTS-15, BTS-31: a record is written, and published, inside its buffer, all bytes of it.
  WriteInside:     assert property (@(posedge clk_i)
      !(store.step inside {StepRecord, StepPublish}) ||
      ((store.base <= store.index) && (store.index <= store.maximum) &&
       (store.maximum - store.index >= {56'd0, bytes})));
  WriteAligned:    assert property (@(posedge clk_i)
      !(store.step inside {StepRecord, StepPublish}) ||
      ((store.index[1:0] == '0) && !(store.wide && store.index[2])));
  FieldInside:     assert property (@(posedge clk_i) {3'd0, store.field} < fields);
  WideSteps:       assert property (@(posedge clk_i)
      !(store.step inside {StepIndex, StepThreshold}) || store.wide);
  ResetPebs:       assert property (@(posedge clk_i) (store.step != StepReset) || store.pebs);
  // BTS-06
  NoStore:         assert property (@(posedge clk_i) cfg_i.ds || quiet);
  // The area does not move while a record is stored: WRMSR waits.
  AreaAligned:     assert property (@(posedge clk_i) (store.step == StepIdle) || (control.ds_area[2:0] == '0));
  FieldOnly:       assert property (@(posedge clk_i) (store.step == StepRecord) || (store.field == '0));
  // BTS-40: the buffer is circular as it was at the branch; that of PEBS never is.
  CircularBranch:  assert property (@(posedge clk_i)
      (store.step == StepIdle) || (store.circular == (!store.pebs && waiting.record[0].circular)));
  PendingWide:     assert property (@(posedge clk_i) (pebs.pending != '0) || !pebs.pending_wide);
  ArmedEnabled:    assert property (@(posedge clk_i) (pebs.armed & ~control.pebs_enable) == '0);

  //////////
  // Port //
  //////////

  PortOne:         assert property (@(posedge clk_i) !(port.mem_req && port.mem_wait));
  PortEmpty:       assert property (@(posedge clk_i)
      port.mem_req || ({port.mem_cmd, port.mem_be, port.mem_addr, port.mem_wdata} == '0));
  PortQuiet:       assert property (@(posedge clk_i)
      !(store.step inside {StepIdle, StepPlace}) || (!port.mem_req && !port.mem_wait));
  PortAligned:     assert property (@(posedge clk_i) port.mem_addr[2:0] == '0);
  PortCommand:     assert property (@(posedge clk_i) port.mem_cmd inside {MemRead, MemWrite});
  // First byte of the access, and the place where a step writes.
  logic [63:0] first, field_addr, index_addr;
  assign first      = {port.mem_addr[63:3], !port.mem_be[0], 2'b00};
  assign field_addr = store.index + (store.wide ? {56'd0, store.field, 3'd0} : {57'd0, store.field, 2'd0});
  assign index_addr = control.ds_area + (store.wide ? (store.pebs ? 64'h28 : 64'h08) : (store.pebs ? 64'h14 : 64'h04));
  // BTS-14, BTS-17, BTS-19: a step writes its field of the record, or the index.
  PortField:       assert property (@(posedge clk_i)
      !(port.mem_req && (store.step == StepRecord)) || ((port.mem_cmd == MemWrite) && (first == field_addr)));
  PortIndex:       assert property (@(posedge clk_i)
      !(port.mem_req && (store.step == StepPublish)) || ((port.mem_cmd == MemWrite) && (first == index_addr)));
  PortBytes:       assert property (@(posedge clk_i)
      !port.mem_req || (port.mem_be == 8'hFF) ||
      (!store.wide && (port.mem_cmd == MemWrite) && (port.mem_be inside {8'h0F, 8'hF0})));
  // BTS-15, BTS-16: writes go to the record's place or to the index.
  PortWrites:      assert property (@(posedge clk_i)
      (port.mem_cmd != MemWrite) || (store.step inside {StepRecord, StepPublish}));
  PortWriteInside: assert property (@(posedge clk_i)
      !(port.mem_req && (store.step == StepRecord)) ||
      ((port.mem_addr + (port.mem_be[0] ? 64'd0 : 64'd4) >= store.base) &&
       (port.mem_addr + (port.mem_be[7] ? 64'd7 : 64'd3) < store.maximum)));

  /////////////
  // Notices //
  /////////////

  NoticeOne:       assert property (@(posedge clk_i) !(notice.stored && notice.lost));
  // DCTL-24, BTS-16
  PmiStored:       assert property (@(posedge clk_i) !notice.ds_pmi || notice.stored);
  ReloadEmpty:     assert property (@(posedge clk_i) reload.reload_valid || (reload == '0));
  ResultKnown:     assert property (@(posedge clk_i) answer.reg_result inside {ResultDone, ResultGp, ResultNotMine});
  ResultAnswered:  assert property (@(posedge clk_i) answer.reg_done || (answer == '0));
  RefusedEmpty:    assert property (@(posedge clk_i) (answer.reg_result == ResultDone) || (answer.reg_rdata == '0));

  trace_assert_straps #(
    .StackEntries(StackEntries)
  ) u_straps (
    .clk_i,
    .cfg_i,
    .last_i
  );

  trace_assert_cycle #(
    .RetireLanes(RetireLanes)
  ) u_cycle (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .partial_i,
    .group_i,
    .mode_i,
    .int_i,
    .pmi_i,
    .overflow_i,
    .event_i,
    .btm_ready_i,
    .mem_i,
    .reg_i,
    .state_i
  );

  trace_assert_step u_step (
    .clk_i,
    .rst_ni,
    .int_i,
    .mem_i,
    .state_i
  );

endmodule
