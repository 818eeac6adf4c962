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
  // Interruption.
  input interruption_t int_i,
  // Grant and response of memory.
  input mem_answer_t   mem_i,
  // Number of the last entry of the LBR stack that exists.
  input logic [4:0]    last_i,
  // All registers of the unit.
  input state_t        state_i
);

  localparam int unsigned QueueEntries = 2 * RetireLanes;

  // That the stack is frozen, its clocks and the last exception record have any value.
  // verilator lint_off UNUSEDSIGNAL
  control_regs_t control;
  lbr_t        lbr;
  // verilator lint_on UNUSEDSIGNAL
  queue_t      waiting;
  store_t      store;
  port_t       port;
  pebs_t       pebs;
  notice_t     notice;
  reload_t     reload;
  reg_answer_t answer;
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
  for (genvar e = 0; e < int'(StackEntries); e++) begin : gen_entry
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
  for (genvar r = 0; r < int'(QueueEntries); r++) begin : gen_record
    QueueEmpty: assert property (@(posedge clk_i) (32'(waiting.count) > r) || (waiting.record[r] == '0));
  end

  ///////////
  // Store //
  ///////////

  StepKnown:       assert property (@(posedge clk_i) store.step <= StepReset);
  StoreEmpty:      assert property (@(posedge clk_i) (store.step != StepIdle) || (store == '0));
  StoreHasRecord:  assert property (@(posedge clk_i)
      (store.step == StepIdle) || store.pebs || ((waiting.count != '0) && waiting.record[0].store));
  StoreHasCounter: assert property (@(posedge clk_i)
      !store.pebs || (pebs.pending[store.counter] && (waiting.count == '0)));
  // BTS-15: a record is written, and published, inside its buffer.
  WriteInside:     assert property (@(posedge clk_i)
      !(store.step inside {StepRecord, StepPublish}) ||
      ((store.base <= store.index) && (store.index < store.maximum)));
  // BTS-39: a record for memory is no message.
  AreaAligned:     assert property (@(posedge clk_i) (store.step == StepIdle) || (control.ds_area[2:0] == '0));
  FieldOnly:       assert property (@(posedge clk_i) (store.step == StepRecord) || (store.field == '0));
  CircularBranch:  assert property (@(posedge clk_i) !store.circular || !store.pebs);
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

  trace_assert_step u_step (
    .clk_i,
    .rst_ni,
    .int_i,
    .mem_i,
    .state_i
  );

endmodule
