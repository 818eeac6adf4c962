// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ring: holds head, last valid tail, and the missed events that MissedEvents in memory lacks.
//
// Software owns the tail in memory; only a value inside the buffer replaces the last valid one. The copy may be old, so
// if the ring appears full or the threshold reached, the tail is read again.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Block", "LWPCB Access". Contract: docs/src/lwp/store.md.

module lwp_ring
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic         clk_i,
  // Asynchronous reset, active low.
  input  logic         rst_ni,

  // Strap `tail_reread` = lazy: the tail is read only while threshold or full appear reached.
  input  logic         lazy_i,
  // Strap `tail_nth`: the tail is read for every n-th record while the threshold appears reached; 1 unless lazy.
  input  logic [3:0]   tail_nth_i,
  // Strap `head_flush` = deferred: the head is written only at the threshold, when full, or by a flush.
  input  logic         deferred_i,

  // BufferSize in bytes; 0 if the block is unusable.
  input  logic [27:0]  size_i,
  // Threshold in bytes; 0 if there is none.
  input  logic [31:0]  threshold_i,

  // Whether the tail is read for records[0] is decided in this cycle.
  input  logic         ask_i,
  // BufferTailOffset has been read: the response is valid in this cycle.
  input  logic         tail_we_i,
  // The head advances past records[0].
  input  logic         advance_i,
  // The event of records[0] is missed, because the ring is full.
  input  logic         miss_i,
  // The increment of MissedEvents by the undone instruction is taken back.
  input  logic         unmiss_i,
  // MissedEvents in memory is up to date: `missed` becomes 0.
  input  logic         flushed_i,

  // Head and tail of the block being loaded are valid in this cycle.
  input  logic         load_i,
  // New head in bytes: BufferHeadOffset, in a reload the restored head. Valid with `load_i`.
  input  logic [27:0]  load_head_i,
  // New tail in bytes: BufferTailOffset. Valid with `load_i`.
  input  logic [27:0]  load_tail_i,
  // The session is dropped or replaced: `missed` becomes 0.
  input  logic         forget_missed_i,
  // The load of a session that was not restored, or is not good, ends: `missed` and `tail_skip` become 0.
  input  logic         fresh_i,
  // A restore clears what the previous thread left.
  input  logic         clear_i,
  // Context word 1 is restored: `head`, `missed`, `pending`.
  input  logic         restore_ring_i,
  // Context word 3 is restored: `tail_skip`.
  input  logic         restore_counter_i,
  // Argument of the operation: new LWPCB pointer, or value of a WRMSR or of a restore.
  input  logic [63:0]  arg_i,

  // BufferTailOffset in bytes as it was read; valid with the response of that read.
  input  logic [63:32] rsp_tail_i,

  // Head, tail, missed events, and records until the tail is read again.
  output ring_t        ring_o,
  // Next head in bytes: the head after records[0] has been published.
  output logic [27:0]  next_head_o,
  // The ring is full, by the tail as it is at the end of this cycle.
  output logic         full_o,
  // The tail must be read for records[0]; valid with `ask_o`.
  output logic         tail_needed_o,
  // The next head must be written to memory; otherwise it advances without an access.
  output logic         flush_head_o
);

  logic [27:0] head_d, head_q;
  logic [27:0] tail_d, tail_q;
  logic [15:0] missed_d, missed_q;
  logic [3:0]  tail_skip_d, tail_skip_q;

  logic [27:0] next_head, tail;
  logic [31:0] read_tail;
  logic        reached, stays_reached;

  assign read_tail = {rsp_tail_i[63:37], 5'b0};

  always_comb begin
    next_head = head_q + RecordBytes;
    if (next_head == size_i) begin
      next_head = '0;
    end
    tail = tail_q;
    if (tail_we_i && (read_tail < 32'(size_i))) begin
      tail = read_tail[27:0];
    end
  end

  assign reached       = (threshold_i != '0) && (32'(ring_used(next_head, tail, size_i)) >= threshold_i);
  // The threshold was reached before records[0] already; if not, records[0] detects it.
  assign stays_reached = 32'(ring_used(head_q, tail_q, size_i)) >= threshold_i;
  assign full_o        = next_head == tail;
  assign tail_needed_o = !lazy_i || full_o || (reached && !(stays_reached && (tail_skip_q != '0)));
  assign flush_head_o  = !deferred_i || (threshold_i == '0) || reached;
  assign next_head_o   = next_head;

  always_comb begin
    head_d      = head_q;
    tail_d      = tail;
    missed_d    = missed_q;
    tail_skip_d = tail_skip_q;
    if (advance_i) begin
      head_d = next_head;
    end
    if (ask_i && reached && !tail_needed_o) begin
      tail_skip_d = tail_skip_q - 4'd1;
    end
    if (tail_we_i) begin
      tail_skip_d = tail_nth_i - 4'd1;
    end
    if (miss_i) begin
      missed_d = missed_q + 16'd1;
    end
    if (unmiss_i) begin
      missed_d = missed_q - 16'd1;
    end
    if (load_i) begin
      head_d = load_head_i;
      tail_d = load_tail_i;
    end
    if (flushed_i || forget_missed_i || fresh_i || clear_i) begin
      missed_d = '0;
    end
    if (fresh_i || clear_i) begin
      tail_skip_d = '0;
    end
    if (clear_i) begin
      head_d = '0;
    end
    if (restore_ring_i) begin
      head_d   = {arg_i[27:5], 5'b0};
      missed_d = arg_i[63:48];
    end
    if (restore_counter_i) begin
      tail_skip_d = (arg_i[35:32] < tail_nth_i) ? arg_i[35:32] : '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q      <= '0;
      tail_q      <= '0;
      missed_q    <= '0;
      tail_skip_q <= '0;
    end else begin
      head_q      <= head_d;
      tail_q      <= tail_d;
      missed_q    <= missed_d;
      tail_skip_q <= tail_skip_d;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{rsp_tail_i[36:32], arg_i[47:36], arg_i[31:28], arg_i[4:0]};

  assign ring_o = '{head: head_q, tail: tail_q, missed: missed_q, tail_skip: tail_skip_q};

endmodule
