// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about two successive cycles, for all inputs. Not part of the hardware.
//
// They compare registers with the registers and inputs of the previous cycle. Reset clears both, so the assertions hold
// in reset.

module debug_assert_step
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

  // Fields that no assertion reads are passed through.
  // verilator lint_off UNUSEDSIGNAL
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
  // verilator lint_on UNUSEDSIGNAL
);

  registers_t  registers;
  next_flags_t flags;
  conditions_t held;
  request_t    request;
  cut_t        cut;
  reg_answer_t answer;
  assign registers = state_i.registers;
  assign flags     = state_i.flags;
  assign held      = state_i.held;
  assign request   = state_i.request;
  assign cut       = state_i.cut;
  assign answer    = state_i.answer;

  //////////////////////
  // The cycle before //
  //////////////////////

  // Wide values have registers of their own, because a vector of all is too wide for a property.
  logic         past_valid_q, past_group_q, past_ask_q, past_ack_q, past_de_q, past_wide_q;
  logic         privileged_q;
  // Of the interruption validity, kind, task and T are read; of the other registers not every field.
  // verilator lint_off UNUSEDSIGNAL
  interrupted_t past_int_q;
  reg_request_t past_reg_q;
  registers_t   past_registers_q;
  // verilator lint_on UNUSEDSIGNAL
  conditions_t  past_held_q;
  request_t     past_request_q;
  logic         past_both_q, past_cut_q;

  logic wide, group;
  assign wide = cfg_i.long_mode && (mode_i.op_mode == Mode64);

  logic [RetireLanes-1:0] valid;
  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_valid
    assign valid[l] = lanes_i[l].retired.valid;
  end
  assign group = !request.db_valid && !int_i.int_valid && !partial_i && (valid != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_valid_q     <= 1'b0;
      past_group_q     <= 1'b0;
      past_ask_q       <= 1'b0;
      past_ack_q       <= 1'b0;
      past_de_q        <= 1'b0;
      past_wide_q      <= 1'b0;
      privileged_q     <= 1'b0;
      past_int_q       <= '0;
      past_reg_q       <= '0;
      past_registers_q <= '0;
      past_both_q      <= 1'b0;
      past_held_q      <= '0;
      past_request_q   <= '0;
      past_cut_q       <= 1'b0;
    end else begin
      past_valid_q     <= 1'b1;
      past_group_q     <= group;
      past_ask_q       <= ask_i.ask_valid && !request.db_valid && !int_i.int_valid && !partial_i && (valid == '0);
      past_ack_q       <= db_ack_i;
      past_de_q        <= de_i;
      past_wide_q      <= wide;
      privileged_q     <= (mode_i.op_mode == ModeReal) || mode_i.smm ||
                          ((mode_i.op_mode != ModeV86) && (mode_i.cpl == 2'd0));
      past_int_q       <= int_i;
      past_reg_q       <= reg_i;
      past_registers_q <= registers;
      past_both_q      <= flags.shadow && flags.in_rep;
      past_held_q      <= held;
      past_request_q   <= request;
      past_cut_q       <= cut.cut_valid;
    end
  end

  // Kind of the previous cycle.
  logic taken, own, lost, smi, rsm, task_gate, delivered;
  assign taken     = past_request_q.db_valid && past_ack_q;
  assign own       = taken && (past_request_q.db_class != ClassAbort);
  assign lost      = past_request_q.db_valid && past_int_q.int_valid && !past_ack_q;
  assign smi       = past_int_q.int_valid && !own && (past_int_q.int_kind == IntSmi);
  assign rsm       = past_int_q.int_valid && !own && (past_int_q.int_kind == IntRsm);
  assign task_gate = past_int_q.int_valid && !smi && !rsm && past_int_q.int_task;
  assign delivered = taken || past_int_q.int_valid;

  // The request of the previous cycle was accepted; it is done; the registers that it wrote.
  logic       accepted, moved, written, to_dr6, to_dr7;
  logic [2:0] number;
  assign accepted = past_reg_q.reg_valid && !past_request_q.db_valid;
  assign moved    = accepted && (past_reg_q.reg_op inside {RegMovFromDr, RegMovToDr}) && answer.reg_done &&
                    (answer.reg_result == ResultDone);
  assign written  = moved && (past_reg_q.reg_op == RegMovToDr);
  assign number   = past_reg_q.reg_number[2:0];
  assign to_dr6   = written && (number inside {3'd4, 3'd6});
  assign to_dr7   = written && (number inside {3'd5, 3'd7});

  ///////////
  // Reset //
  ///////////

  RegistersReset: assert property (@(posedge clk_i) past_valid_q || (registers == '0));
  FlagsReset:     assert property (@(posedge clk_i) past_valid_q || ((flags == '0) && (held == '0)));
  RequestReset:   assert property (@(posedge clk_i) past_valid_q || ((request == '0) && (cut == '0)));
  AnswerReset:    assert property (@(posedge clk_i)
      past_valid_q || ((state_i.ask == '0) && (state_i.frame == '0) && (answer == '0)));

  ///////////////
  // Registers //
  ///////////////

  // DBG-11, DBG-80
  Dr6Changes:     assert property (@(posedge clk_i)
      own || to_dr6 || rsm || (registers.dr6 == past_registers_q.dr6));
  // DBG-16
  InTxRollback:   assert property (@(posedge clk_i)
      !registers.dr6.in_tx || past_registers_q.dr6.in_tx || to_dr6 || rsm ||
      (own && (past_request_q.db_class == ClassRollback)));
  // DBG-25
  OwnClearsGd:    assert property (@(posedge clk_i) !own || !registers.dr7.gd);
  // DBG-12, DBG-13, DBG-14, DBG-15
  OwnReports:     assert property (@(posedge clk_i)
      !own || (((past_request_q.db_b & ~registers.dr6.b) == '0) && (registers.dr6.bd || !past_request_q.db_bd) &&
               (registers.dr6.bs || !past_request_q.db_bs) && (registers.dr6.bt || !past_request_q.db_bt)));
  // DBG-21: G0 to G3 and what is no enable bit change by MOV, SMI and RSM, and GD when #DB is taken.
  GlobalKept:     assert property (@(posedge clk_i)
      to_dr7 || smi || rsm || ((registers.dr7.enable & 8'hAA) == (past_registers_q.dr7.enable & 8'hAA)));
  KindKept:       assert property (@(posedge clk_i)
      to_dr7 || smi || rsm ||
      ((registers.dr7.kind == past_registers_q.dr7.kind) && (registers.dr7.rtm == past_registers_q.dr7.rtm) &&
       (registers.dr7.le == past_registers_q.dr7.le) && (registers.dr7.ge == past_registers_q.dr7.ge)));
  // DBG-19
  TaskGateLocal:  assert property (@(posedge clk_i)
      !task_gate || to_dr7 || ((registers.dr7.enable & 8'h55) == '0));
  // The copies of SMM.
  CopiesKept:     assert property (@(posedge clk_i) smi || (registers.smm == past_registers_q.smm));
  SmiCopies:      assert property (@(posedge clk_i)
      !smi || ((registers.smm.dr6 == past_registers_q.dr6) && (registers.smm.dr7 == past_registers_q.dr7)));
  SmiClears:      assert property (@(posedge clk_i) !smi || to_dr7 || (registers.dr7 == '0));

  for (genvar n = 0; n < int'(Breakpoints); n++) begin : gen_address
    // DBG-06
    AddressKept: assert property (@(posedge clk_i)
        (written && (number == 3'(n))) || (registers.address[n] == past_registers_q.address[n]));
  end

  ////////////
  // Answer //
  ////////////

  // Each accepted request has one answer, in the next cycle. There is no other answer.
  Answered:       assert property (@(posedge clk_i) answer.reg_done == accepted);
  // DBG-24, DBG-62: with GD no MOV is done, so none changes a register.
  GdRefuses:      assert property (@(posedge clk_i) !moved || !past_registers_q.dr7.gd);
  // DBG-05
  MovAllowed:     assert property (@(posedge clk_i) !moved || privileged_q);
  // DBG-09
  AliasRefused:   assert property (@(posedge clk_i) !moved || !past_de_q || !(number inside {3'd4, 3'd5}));
  // DBG-07
  ReservedRefused: assert property (@(posedge clk_i)
      !(to_dr6 || to_dr7) || !past_wide_q || (past_reg_q.reg_wdata[63:32] == '0));
  WriteEmpty:     assert property (@(posedge clk_i) !written || (answer.reg_rdata == '0));

  /////////////
  // Request //
  /////////////

  CutApart:       assert property (@(posedge clk_i) !cut.cut_valid || !past_cut_q);
  CutOfGroup:     assert property (@(posedge clk_i) !cut.cut_valid || past_group_q);
  PendingStays:   assert property (@(posedge clk_i)
      !past_request_q.db_valid || delivered || (request == past_request_q));
  // DBG-58, DBG-59, DBG-74
  LostLeaves:     assert property (@(posedge clk_i)
      !lost || !request.db_valid ||
      ((request.db_class == ClassTrap) && request.db_bt && task_gate && past_int_q.int_t));
  // DBG-58
  LostHeld:       assert property (@(posedge clk_i) !delivered || (held == '0));
  AskAnswered:    assert property (@(posedge clk_i) state_i.ask.ask_done == past_ask_q);
  FrameNoted:     assert property (@(posedge clk_i)
      state_i.frame.frame_valid == (own || (past_int_q.int_valid && !smi && !rsm)));

  ///////////
  // Lanes //
  ///////////

  // A lane of the previous cycle was an SS load and an iteration. The lane of the cut defers what it hits.
  logic [RetireLanes-1:0] both_q, defers_q;
  // An enabled breakpoint is at a lane of the previous cycle, and nothing suppresses it.
  logic [RetireLanes-1:0] bare_q;
  logic                   cut_defers;
  // An SS load lets the next instruction pass its breakpoints.
  logic                   skips;
  assign skips = cfg_i.ss_fetch == SsFetchSkip;
  // Lanes that a cut leaves; valid with `cut_valid`.
  logic [RetireLanes-1:0] refused;
  assign cut_defers = cut.cut_valid && !cut.cut_before && (((8'(defers_q) >> cut.cut_lane) & 8'd1) != '0);
  assign refused    = {RetireLanes{1'b1}} << (4'(cut.cut_lane) + 4'(!cut.cut_before));

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    // Of the lane only the address, the kind and some flags are read.
    // verilator lint_off UNUSEDSIGNAL
    lane_t lane, below;
    // verilator lint_on UNUSEDSIGNAL
    assign lane   = lanes_i[l];
    assign below = lanes_i[(l == 0) ? 0 : l-1];

    logic iterates, continues;
    assign iterates  = lane.flags.rep inside {RepFirst, RepFurther};
    assign continues = lane.flags.rep inside {RepFurther, RepLast};

    // Nothing of the registers, or of the lane below, suppresses a breakpoint of this lane.
    logic bare;
    if (l == 0) begin : gen_first
      assign bare = !flags.rf && !(flags.shadow && skips) && !flags.passed && !(flags.in_rep && continues);
    end else begin : gen_next
      assign bare = valid[l-1] && !(below.debug.rf_image && (below.debug.kind inside {KindIret, KindTask})) &&
                    !(below.flags.ss_load && skips) &&
                    !((below.flags.rep inside {RepFirst, RepFurther}) &&
                      (continues || (cfg_i.rep_rf == RepRfKeep)));
    end

    // Enabled instruction breakpoints at the address, compared without debug_compare. In lane 0 the address of the next
    // instruction stands where the lane is not valid: a proof then compares the same 64 bits as the unit.
    logic [Breakpoints-1:0] here;
    logic [63:0]            next_ip, ip, linear;
    assign next_ip = int_i.int_valid ? int_i.int_from : ask_i.ask_ip;
    assign ip      = ((l == 0) && (int_i.int_valid || !valid[0])) ? next_ip : lane.retired.ip;
    assign linear  = {ip[63:32] & {32{wide}}, ip[31:0]};
    for (genvar n = 0; n < int'(Breakpoints); n++) begin : gen_here
      assign here[n] = (linear == registers.address[n]) && (registers.dr7.enable[2*n+:2] != 2'b00) &&
                       (registers.dr7.kind[4*n+:2] == 2'b00) &&
                       ((cfg_i.exec_length == ExecLengthIgnore) || (registers.dr7.kind[4*n+2+:2] == 2'b00));
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        both_q[l]   <= 1'b0;
        defers_q[l] <= 1'b0;
        bare_q[l]   <= 1'b0;
      end else begin
        both_q[l]   <= valid[l] && lane.flags.ss_load && iterates;
        defers_q[l] <= valid[l] && (lane.debug.kind inside {KindInt1, KindTask}) && (lane.flags.ss_load || iterates);
        bare_q[l]   <= valid[l] && bare && (here != '0) && !(lane.transaction.tx_abort && cfg_i.rtm);
      end
    end

    // DBG-36, DBG-40: no accepted lane hits.
    AcceptedBare: assert property (@(posedge clk_i)
        !(past_group_q && bare_q[l]) ||
        (cut.cut_valid && refused[l]));
  end

  // Both are 1 only behind a lane that is both.
  ShadowOrRep:    assert property (@(posedge clk_i)
      !(flags.shadow && flags.in_rep) || past_both_q || (both_q != '0));
  // DBG-57: nothing is held while #DB is pending, general detect and a lane that defers apart.
  HeldDelivered:  assert property (@(posedge clk_i)
      !request.db_valid || request.db_bd || (held == '0) || cut_defers ||
      (past_request_q.db_valid && !delivered && (held == past_held_q)));

endmodule
