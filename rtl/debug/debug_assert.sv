// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that hold in every reachable state with legal straps, for all inputs. They serve simulation and proof, and
// are not part of the hardware.
//
// Each is one property without operators over time; assertions about two cycles are in debug_assert_step. All of them
// hold in the reset state, so none is disabled by reset. The requirement rows above an assertion are those that it
// shows.
//
// Contract: docs/src/debug/state.md, "What always holds".

module debug_assert
  import retire_pkg::*;
  import debug_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 1
) (
  // Clock: all registers change at its rising edge.
  input logic                    clk_i,
  // Asynchronous reset, active low.
  input logic                    rst_ni,

  // Straps, constant after reset.
  input config_t                 cfg_i,
  // No instruction retires: lane 0 shows accesses of an instruction that has not retired.
  input logic                    partial_i,
  // Lanes, in program order.
  input lane_t [RetireLanes-1:0] lanes_i,
  // Mode of the core.
  input mode_t                   mode_i,
  // Interruption.
  input interrupted_t            int_i,
  // CR4.DE.
  input logic                    de_i,
  // Question whether the core may execute an instruction.
  input ask_t                    ask_i,
  // The core takes the pending request; ignored while none is pending.
  input logic                    db_ack_i,
  // Register request.
  input reg_request_t            reg_i,
  // All registers of the unit.
  input state_t                  state_i
);

  registers_t  registers;
  // RF has any value.
  // verilator lint_off UNUSEDSIGNAL
  next_flags_t flags;
  // verilator lint_on UNUSEDSIGNAL
  conditions_t held;
  request_t    request;
  cut_t        cut;
  frame_t      frame;
  reg_answer_t answer;
  assign registers = state_i.registers;
  assign flags     = state_i.flags;
  assign held      = state_i.held;
  assign request   = state_i.request;
  assign cut       = state_i.cut;
  assign frame     = state_i.frame;
  assign answer    = state_i.answer;

  /////////////
  // Request //
  /////////////

  RequestEmpty:   assert property (@(posedge clk_i) request.db_valid || (request == '0));
  // DBG-13
  DetectAlone:    assert property (@(posedge clk_i)
      !request.db_bd || ((request.db_class != ClassTrap) && (request.db_b == '0) && !request.db_bs && !request.db_bt));
  // DBG-31
  FaultHasCause:  assert property (@(posedge clk_i)
      (request.db_class != ClassFault) || (request.db_bd != (request.db_b != '0)));
  // DBG-31
  FaultNoTrap:    assert property (@(posedge clk_i)
      (request.db_class != ClassFault) || (!request.db_bs && !request.db_bt));
  // DBG-80, DBG-81
  NoTransactions: assert property (@(posedge clk_i)
      cfg_i.rtm || (request.db_class inside {ClassTrap, ClassFault}));
  // DBG-36
  CutPending:     assert property (@(posedge clk_i) !cut.cut_valid || request.db_valid);
  CutEmpty:       assert property (@(posedge clk_i) cut.cut_valid || (cut == '0));
  CutInside:      assert property (@(posedge clk_i) 32'(cut.cut_lane) < RetireLanes);
  // DBG-36, DBG-52
  CutClass:       assert property (@(posedge clk_i)
      !cut.cut_valid || (request.db_class inside {ClassAbort, ClassRollback}) ||
      (cut.cut_before == (request.db_class == ClassFault)));
  // A cycle is a group or a question, so a question never cuts.
  AskedNoCut:     assert property (@(posedge clk_i) !state_i.ask.ask_done || !cut.cut_valid);

  ///////////
  // Flags //
  ///////////

  StringInside:   assert property (@(posedge clk_i) flags.string_n <= cfg_i.string_group);
  StringEmpty:    assert property (@(posedge clk_i) flags.in_rep || (flags.string_n == '0));
  OffOmitted:     assert property (@(posedge clk_i)
      (cfg_i.status_off == StatusOffReport) || (held.off == '0));
  // DBG-47
  FaultBare:      assert property (@(posedge clk_i)
      !request.db_valid || (request.db_class != ClassFault) || request.db_bd || !flags.rf);
  FrameEmpty:     assert property (@(posedge clk_i) frame.frame_valid || !frame.frame_rf);
  // A delivery ends all that the next instruction would have found, except RF of an image.
  FrameFresh:     assert property (@(posedge clk_i)
      !frame.frame_valid || (!flags.shadow && !flags.in_rep && !flags.passed && (held == '0)));

  ///////////////
  // Registers //
  ///////////////

  // DBG-16, DBG-23
  NoRtmBits:      assert property (@(posedge clk_i)
      cfg_i.rtm || (!registers.dr6.in_tx && !registers.dr7.rtm && !registers.smm.dr6.in_tx && !registers.smm.dr7.rtm));
  // DBG-07
  NoHighAnswer:   assert property (@(posedge clk_i) cfg_i.long_mode || (answer.reg_rdata[63:32] == '0));
  for (genvar n = 0; n < int'(Breakpoints); n++) begin : gen_address
    // DBG-07
    NoHighAddress: assert property (@(posedge clk_i) cfg_i.long_mode || (registers.address[n][63:32] == '0));
  end

  ////////////
  // Answer //
  ////////////

  ResultKnown:    assert property (@(posedge clk_i)
      answer.reg_result inside {ResultDone, ResultUd, ResultGp, ResultNotMine, ResultDb});
  ResultAnswered: assert property (@(posedge clk_i) answer.reg_done || (answer.reg_result == ResultDone));
  // DBG-05, DBG-09, DBG-62
  RefusedEmpty:   assert property (@(posedge clk_i)
      (answer.reg_done && (answer.reg_result == ResultDone)) || (answer.reg_rdata == '0));
  // DBG-62
  DetectPending:  assert property (@(posedge clk_i) (answer.reg_result != ResultDb) || request.db_valid);

  debug_assert_step #(
    .RetireLanes(RetireLanes)
  ) u_step (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .partial_i,
    .lanes_i,
    .mode_i,
    .int_i,
    .de_i,
    .ask_i,
    .db_ack_i,
    .reg_i,
    .state_i
  );

  debug_assert_straps u_straps (.clk_i, .cfg_i);

endmodule
