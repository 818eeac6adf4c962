// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Arbiter: decides what happens in a cycle, and holds the pending #DB and the cut.
//
// Nothing retires while a request is pending, so at most one exception arises in a cycle, apart from general detect,
// which gives way.
//
// Specification: sections 2 (DR6), 3.1 and 4.1. Contract: docs/src/debug/arbiter.md, and docs/src/debug/cycle.md, "1.
// Case", "6. Delivery" and "7. Raise".

module debug_arbiter
  import retire_pkg::*;
  import debug_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic         clk_i,
  // Asynchronous reset, active low.
  input  logic         rst_ni,

  // Strap `rtm`: RTM exists.
  input  logic         rtm_i,
  // Strap `merge_next`: trap of data or I/O alone, in front of an instruction with a breakpoint.
  input  merge_next_e  merge_next_i,
  // Strap `status`: bits of earlier exceptions that #DB leaves in DR6.
  input  status_e      status_i,

  // No instruction retires; lane 0 shows accesses.
  input  logic         partial_i,
  // A lane is valid.
  input  logic         group_i,
  // Interruption. Only its validity, kind and task are read.
  input  interrupted_t int_i,
  // The core asks in this cycle.
  input  logic         ask_valid_i,
  // The instruction that is asked for, or the MOV DR of the request, is inside an RTM region.
  input  logic         ask_in_tx_i,
  // The core takes the pending request.
  input  logic         db_ack_i,
  // IA32_DEBUGCTL.RTM.
  input  logic         rtm_debug_i,

  // Exception of the lanes; valid in a group.
  input  raise_t       lanes_raise_i,
  // Cut of the lanes; valid in a group.
  input  cut_t         lanes_cut_i,
  // Breakpoints at the instruction that is asked for, or in front of which the interruption is taken.
  input  conditions_t  next_i,
  // One of them stops the instruction.
  input  logic         next_stops_i,
  // A register request is general detect.
  input  logic         detected_i,
  // DR6.
  input  dr6_t         dr6_i,
  // DR7.RTM.
  input  logic         dr7_rtm_i,

  // Case of the cycle.
  output case_e        case_o,
  // Delivery of the cycle.
  output delivery_t    delivery_o,
  // The question of the cycle is answered with stop.
  output logic         ask_stops_o,
  // DR6 as the delivery writes it; valid with `delivery_o.own`.
  output dr6_t         dr6_o,
  // Pending #DB.
  output request_t     request_o,
  // Cut of the last cycle's group.
  output cut_t         cut_o
);

  request_t request_d, request_q;
  cut_t     cut_d, cut_q;

  //////////
  // Case //
  //////////

  // Other stages use RF of the task, the address and the kind of exception. RTM of DR6 is always replaced.
  logic unused_inputs;
  assign unused_inputs = ^{int_i.int_from, int_i.int_trap, int_i.int_rf, dr6_i.in_tx};

  logic taken, own;
  assign taken = request_q.db_valid && db_ack_i;
  assign own   = taken && (request_q.db_class != ClassAbort);

  case_e cycle_case;
  always_comb begin
    if (int_i.int_valid || taken) cycle_case = CaseDelivery;
    else if (request_q.db_valid) cycle_case = CaseWaiting;
    else if (partial_i) cycle_case = CasePartial;
    else if (group_i) cycle_case = CaseGroup;
    else if (ask_valid_i) cycle_case = CaseAsk;
    else cycle_case = CaseIdle;
  end

  assign case_o = cycle_case;

  //////////////
  // Delivery //
  //////////////

  logic smi, rsm, entry, gate_task;
  assign smi       = int_i.int_valid && (int_i.int_kind == IntSmi) && !own;
  assign rsm       = int_i.int_valid && (int_i.int_kind == IntRsm) && !own;
  assign entry     = (int_i.int_valid || own) && !smi && !rsm;
  assign gate_task = entry && int_i.int_valid && int_i.int_task;

  assign delivery_o = '{
    own:       own,
    entry:     entry,
    gate_task: gate_task,
    smi:       smi,
    rsm:       rsm
  };

  // The trap is of data or I/O, and of nothing else.
  logic accesses_alone;
  assign accesses_alone = (request_q.db_b != '0) && !request_q.db_bs && !request_q.db_bt;

  // The trap reports the breakpoint of the next instruction as well.
  logic merges;
  assign merges = (merge_next_i == MergeNextOne) && (request_q.db_class == ClassTrap) && accesses_alone &&
                  int_i.int_valid && next_stops_i;

  logic [Breakpoints-1:0] b;
  assign b = request_q.db_b | ((next_i.hit | next_i.off) & {Breakpoints{merges}});

  // Earlier B0 to B3, and earlier BD, BS and BT, stay.
  logic keep_b, keep_others;
  assign keep_b      = status_i == StatusKeepAll;
  assign keep_others = status_i != StatusReplace;

  assign dr6_o = '{
    b:     b | (dr6_i.b & {Breakpoints{keep_b}}),
    bd:    request_q.db_bd || (dr6_i.bd && keep_others),
    bs:    request_q.db_bs || (dr6_i.bs && keep_others),
    bt:    request_q.db_bt || (dr6_i.bt && keep_others),
    in_tx: request_q.db_class == ClassRollback
  };

  ///////////
  // Raise //
  ///////////

  assign ask_stops_o = (cycle_case == CaseAsk) && next_stops_i;

  raise_t raised;
  always_comb begin
    raised = '0;
    unique case (cycle_case)
      CaseGroup: raised = lanes_raise_i;
      CaseAsk: begin
        if (next_stops_i) begin
          raised.valid = 1'b1;
          raised.in_tx = ask_in_tx_i && rtm_i;
          raised.fault = 1'b1;
          raised.b     = next_i.hit | next_i.off;
        end
      end
      CaseDelivery: begin
        raised.valid = gate_task && int_i.int_t;
        raised.bt    = gate_task && int_i.int_t;
      end
      default: ;
    endcase
  end

  class_e inside_class, outside_class;
  assign inside_class  = (dr7_rtm_i && rtm_debug_i) ? ClassRollback : ClassAbort;
  assign outside_class = raised.fault ? ClassFault : ClassTrap;

  always_comb begin
    request_d = request_q;
    if (cycle_case == CaseDelivery) request_d = '0;
    if (raised.valid) begin
      request_d.db_valid = 1'b1;
      request_d.db_class = raised.in_tx ? inside_class : outside_class;
      request_d.db_b     = raised.b;
      request_d.db_bd    = 1'b0;
      request_d.db_bs    = raised.bs;
      request_d.db_bt    = raised.bt;
    end else if (detected_i) begin
      request_d.db_valid = 1'b1;
      request_d.db_class = (ask_in_tx_i && rtm_i) ? inside_class : ClassFault;
      request_d.db_b     = '0;
      request_d.db_bd    = 1'b1;
      request_d.db_bs    = 1'b0;
      request_d.db_bt    = 1'b0;
    end

    cut_d = (cycle_case == CaseGroup) ? lanes_cut_i : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= '0;
      cut_q     <= '0;
    end else begin
      request_q <= request_d;
      cut_q     <= cut_d;
    end
  end

  assign request_o = request_q;
  assign cut_o     = cut_q;

endmodule
