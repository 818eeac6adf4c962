// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Context: forms the context word of a save, and decodes the context word of a restore. Combinational.
//
// The context is the part of a thread's session that is not in its control block, in words of 8 bytes. Neither save nor
// restore accesses memory. After a restore the unit loads the rest from the block in ring 3.
//
// Specification: Lightweight Profiling Proposal, "Processor State for context switch, SVM, and SMM". Contract:
// docs/src/lwp/context.md.

module lwp_context
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // LWPMSR0, the LWPCB pointer, and the state of the session.
  input  session_t                           session_i,
  // Per event: a slot selects the event.
  input  logic [NumEvents-1:0]               selected_i,
  // Slots, intervals and the tail are not in the context: they are loaded from the block.
  // verilator lint_off UNUSEDSIGNAL
  // Head, tail, missed events, and records until the tail is read again.
  input  ring_t                              ring_i,
  // Per event: slot, interval and counter.
  input  event_t [NumEvents-1:0]             events_i,
  // verilator lint_on UNUSEDSIGNAL
  // records[0].
  input  record_t                            record_i,
  // records[0] faulted and is stored before the next instruction retires.
  input  logic                               pending_i,
  // Index of the event chosen last (`gather_select` = rotating).
  input  logic [1:0]                         rotate_i,
  // The threshold interrupt is requested.
  input  logic                               irq_i,
  // Cycles until the delayed interrupt is requested; 0 if none is delayed.
  input  logic [7:0]                         irq_count_i,
  // State of the LFSR; 0 until its first advance.
  input  logic [31:0]                        lfsr_i,

  // Number of the context word.
  input  logic [3:0]                         word_i,
  // Content of the context word.
  output logic [63:0]                        save_o,

  // The context word is restored at the end of this cycle.
  input  logic                               restore_valid_i,
  // Bits 63:58 are not used: a counter has 26 bits.
  // verilator lint_off UNUSEDSIGNAL
  // Argument of the operation: new LWPCB pointer, or value of a WRMSR or of a restore.
  input  logic [63:0]                        arg_i,
  // verilator lint_on UNUSEDSIGNAL
  // Context word that is restored at the end of this cycle, one-hot, and whether the old thread's state is cleared.
  output restore_t                           restore_o,
  // Per event: a restore writes the counter.
  output logic [NumEvents-1:0]               counter_we_o,
  // Per event: restored counter; valid with `counter_we_o`.
  output logic [NumEvents-1:0][CounterW-1:0] counter_o
);

  //////////
  // Save //
  //////////

  logic                               session;
  logic [NumEvents-1:0][CounterW-1:0] counter;
  logic                               queued;

  assign session = session_i.active || (session_i.init_pending && session_i.reload);
  assign queued  = record_i.event_id != EventNone;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_counters
    assign counter[e] = (session_i.active && !selected_i[e]) ? '0 : events_i[e].counter;
  end

  always_comb begin
    save_o = '0;
    unique case (word_i)
      4'd0: save_o = session_i.lwpcb;
      4'd1: if (session) save_o = {ring_i.missed, 14'b0, pending_i, 1'b1, 4'b0, ring_i.head};
      4'd2: if (session) save_o = {6'b0, counter[Br], 6'b0, counter[Ins]};
      4'd3: if (session) save_o = {26'b0, rotate_i, ring_i.tail_skip, 6'b0, counter[Dc]};
      4'd4: if (session && queued) save_o = {1'b0, record_i.data, record_i.flags, 20'b0, 8'(record_i.event_id)};
      4'd5: if (session && queued) save_o = record_i.ip;
      4'd6: if (session && queued) save_o = record_i.addr;
      4'd8: save_o = {16'b0, irq_count_i, 7'b0, irq_i, session_i.msr0};
      4'd9: save_o = {32'b0, lfsr_i};
      default: ;
    endcase
  end

  /////////////
  // Restore //
  /////////////

  logic [15:0] we;
  assign we = 16'(restore_valid_i) << word_i;

  assign restore_o = '{
    // The old thread's state is cleared before the new one's is restored.
    clear:     we[7] || ((we[7:0] != '0) && (session_i.active || session_i.init_pending)),
    pointer:   we[0],
    ring:      we[1],
    counters:  we[2],
    counter:   we[3],
    rec_first: we[4],
    rec_ip:    we[5],
    rec_addr:  we[6],
    msr0:      we[8],
    lfsr:      we[9]
  };

  logic unused_we;
  assign unused_we = ^we[15:10];

  assign counter_we_o = {restore_o.clear || we[3], {2{restore_o.clear || we[2]}}};
  assign counter_o    = {arg_i[25:0] & {26{we[3]}}, arg_i[57:32] & {26{we[2]}}, arg_i[25:0] & {26{we[2]}}};

endmodule
