// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Flags: holds RF, the shadow of an SS load, the repetition, the held conditions, the answer to a question and RF of a
// frame.
//
// Specification: sections 3.1.1 (RF), 3.1.2 and 3.1.4. Contract: docs/src/debug/flags.md, and docs/src/debug/cycle.md,
// "5. Partial cycle and question" and "6. Delivery".

module debug_flags
  import retire_pkg::*;
  import debug_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `fault_rf`: RF pushed by a fault other than that of an instruction breakpoint.
  input  logic        fault_rf_i,
  // Strap `ss_fetch`: instruction breakpoints behind an SS load.
  input  ss_fetch_e   ss_fetch_i,
  // Strap `rep_rf`: RF inside a repetition.
  input  rep_rf_e     rep_rf_i,

  // Case of the cycle.
  input  case_e       case_i,
  // Delivery of the cycle.
  input  delivery_t   delivery_i,
  // Class of the pending request.
  input  class_e      db_class_i,
  // The pending request is general detect.
  input  logic        db_bd_i,
  // The interruption is an exception that is a fault; valid with an interruption.
  input  logic        int_fault_i,
  // RF of the new task's image; valid with `delivery_i.gate_task`.
  input  logic        int_rf_i,
  // RF that RSM restores.
  input  logic        smm_rf_i,

  // Flags behind the last accepted lane; valid in a group.
  input  next_flags_t lanes_flags_i,
  // Held conditions behind the last accepted lane; valid in a group.
  input  conditions_t lanes_held_i,
  // Lane 0 is valid.
  input  logic        lane0_valid_i,
  // Breakpoints that the accesses of lane 0 meet; valid with `lane0_valid_i`.
  input  conditions_t lane0_data_i,
  // An enabled breakpoint is at the instruction that is asked for, or in front of which the interruption is taken.
  input  logic        next_hit_i,
  // The question of the cycle is answered with stop.
  input  logic        ask_stops_i,

  // That breakpoint stops the instruction: neither RF nor a shadow nor a repetition suppresses it.
  output logic        next_stops_o,
  // RF that a frame has which is pushed between two instructions; SMI keeps it.
  output logic        image_rf_o,
  // Flags before the next instruction.
  output next_flags_t flags_o,
  // Held conditions.
  output conditions_t held_o,
  // Answer to the question of the last cycle.
  output asked_t      ask_o,
  // Frame of the last cycle's interruption.
  output frame_t      frame_o
);

  // SMI clears flags as any delivery does.
  logic unused_delivery;
  assign unused_delivery = delivery_i.smi;

  next_flags_t flags_d, flags_q;
  conditions_t held_d, held_q;
  asked_t      ask_d, ask_q;
  frame_t      frame_d, frame_q;

  assign next_stops_o = next_hit_i && !flags_q.rf && !flags_q.in_rep &&
                        !(flags_q.shadow && (ss_fetch_i == SsFetchSkip));

  ///////////
  // Flags //
  ///////////

  always_comb begin
    flags_d = flags_q;
    held_d  = held_q;
    ask_d   = '0;
    unique case (case_i)
      CaseDelivery: begin
        flags_d = '0;
        held_d  = '0;
        if (delivery_i.gate_task) flags_d.rf = int_rf_i;
        else if (delivery_i.rsm) flags_d.rf = smm_rf_i;
      end
      CasePartial: begin
        if (lane0_valid_i) held_d = held_q | lane0_data_i;
      end
      CaseGroup: begin
        flags_d = lanes_flags_i;
        held_d  = lanes_held_i;
      end
      CaseAsk: begin
        ask_d.ask_done = 1'b1;
        flags_d.passed = !ask_stops_i;
        if (ask_stops_i) held_d = '0;
      end
      default: ;
    endcase
  end

  ///////////
  // Frame //
  ///////////

  logic image_rf;
  assign image_rf   = flags_q.rf || (flags_q.in_rep && (rep_rf_i == RepRfSet));
  assign image_rf_o = image_rf;

  always_comb begin
    frame_d = '0;
    if (delivery_i.entry) begin
      frame_d.frame_valid = 1'b1;
      if (!delivery_i.own) frame_d.frame_rf = int_fault_i ? fault_rf_i : image_rf;
      else if (db_class_i == ClassTrap) frame_d.frame_rf = image_rf;
      else if ((db_class_i == ClassFault) && !db_bd_i) frame_d.frame_rf = flags_q.rf;
      else frame_d.frame_rf = fault_rf_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flags_q <= '0;
      held_q  <= '0;
      ask_q   <= '0;
      frame_q <= '0;
    end else begin
      flags_q <= flags_d;
      held_q  <= held_d;
      ask_q   <= ask_d;
      frame_q <= frame_d;
    end
  end

  assign flags_o = flags_q;
  assign held_o  = held_q;
  assign ask_o   = ask_q;
  assign frame_o = frame_q;

endmodule
