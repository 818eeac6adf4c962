// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Context: what a thread's session is beyond its control block, in words of 8 bytes. Combinational.
//
// Save shows a word; restore says which registers take the argument. Neither touches memory. What is missing after a
// restore comes from the block, in ring 3.
//
// Specification: Lightweight Profiling Proposal, "Processor State for context switch, SVM, and SMM". Contract:
// docs/src/lwp/context.md.

module lwp_context
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input  session_t                           session_i,
  input  logic [NumEvents-1:0]               selected_i,
  // Slots, intervals and the tail come back from the block.
  // verilator lint_off UNUSEDSIGNAL
  input  ring_t                              ring_i,
  input  event_t [NumEvents-1:0]             events_i,
  // verilator lint_on UNUSEDSIGNAL
  input  record_t                            record_i,
  input  logic                               pending_i,
  input  logic [1:0]                         rotate_i,
  input  logic                               irq_i,
  input  logic [7:0]                         irq_count_i,
  input  logic [31:0]                        lfsr_i,

  input  logic [3:0]                         word_i,
  output logic [63:0]                        save_o,

  input  logic                               restore_valid_i,
  // A counter has 26 bits.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [63:0]                        arg_i,
  // verilator lint_on UNUSEDSIGNAL
  output restore_t                           restore_o,
  output logic [NumEvents-1:0]               counter_we_o,
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
    // Nothing of one thread is left for the next.
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
