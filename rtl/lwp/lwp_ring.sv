// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The ring buffer's registers: head, the last good tail, the missed events that memory lacks.
//
// Software owns the tail in memory; only a value inside the buffer replaces the last good one. The copy here may be
// old, so what it makes appear (full, or the threshold reached) is a reason to read it again.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Block", "LWPCB Access". Contract: docs/src/lwp/store.md.

module lwp_ring
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  // Straps.
  input  logic         lazy_i,
  input  logic [3:0]   tail_nth_i,
  input  logic         deferred_i,

  input  logic [27:0]  size_i,
  input  logic [31:0]  threshold_i,

  // From lwp_store: is the tail needed for this record; the tail is here; the record is published, or missed; an
  // increment is taken back.
  input  logic         ask_i,
  input  logic         tail_we_i,
  input  logic         advance_i,
  input  logic         miss_i,
  input  logic         unmiss_i,
  // MissedEvents in memory is up to date.
  input  logic         flushed_i,

  // From lwp_control: offsets of a block; the session is none, or a new one; a context is restored.
  input  logic         load_i,
  input  logic [27:0]  load_head_i,
  input  logic [27:0]  load_tail_i,
  input  logic         forget_missed_i,
  input  logic         fresh_i,
  input  logic         clear_i,
  input  logic         restore_ring_i,
  input  logic         restore_counter_i,
  input  logic [63:0]  arg_i,

  input  logic [63:32] rsp_tail_i,

  output ring_t        ring_o,
  output logic [27:0]  next_head_o,
  // By the tail as it is at the end of this cycle.
  output logic         full_o,
  output logic         tail_needed_o,
  // The next head is to be written to memory.
  output logic         flush_head_o
);

  logic [27:0] head_d, head_q;
  logic [27:0] tail_d, tail_q;
  logic [15:0] missed_d, missed_q;
  logic [3:0]  tail_skip_d, tail_skip_q;

  logic [27:0] next_head, tail;
  logic [31:0] read_tail;
  logic        reached;

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
  assign full_o        = next_head == tail;
  assign tail_needed_o = !lazy_i || full_o || (reached && (tail_skip_q == '0));
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
    if (ask_i && lazy_i && !full_o && reached && (tail_skip_q != '0)) begin
      tail_skip_d = tail_skip_q - 4'd1;
    end
    if (tail_we_i && lazy_i) begin
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
      tail_skip_d = arg_i[35:32];
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
