// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Block: holds the fields of the LWPCB, and takes them word by word as the load reads them.
//
// A field that must be a multiple of 32 loses its low 5 bits when it is read.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Block". Contract: docs/src/lwp/control.md, "Probe, flush,
// load, flags".

module lwp_block
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                 clk_i,
  // Asynchronous reset, active low.
  input  logic                 rst_ni,

  // Strap `avail_ire`: event 1, instructions retired, is implemented.
  input  logic                 avail_ire_i,
  // Strap `avail_bre`: event 2, branches retired, is implemented.
  input  logic                 avail_bre_i,
  // Strap `avail_dme`: event 3, DCache misses, is implemented.
  input  logic                 avail_dme_i,

  // `mem_rdata_i` holds word `idx_i` of the block.
  input  logic                 load_i,
  // Reload of a restored session: keep `head_i`.
  input  logic                 reload_i,
  // Reload or going back: take events and interrupt bit from the Flags just read, not from LWPMSR0.
  input  logic                 again_i,
  // Number of the word: 0 Flags and BufferSize, 1 BufferBase, 2 head and tail, 3 Threshold and filters, 4 + i slot i.
  input  logic [4:0]           idx_i,
  // Aligned 8 bytes that were read; valid with the response of a read.
  input  logic [63:0]          mem_rdata_i,
  // Per event: LWPMSR0 enables the event.
  input  logic [NumEvents-1:0] enabled_i,
  // LWPMSR0[31]: the threshold interrupt is enabled.
  input  logic                 enabled_int_i,
  // Head: offset of the next record in bytes.
  input  logic [27:0]          head_i,

  // Per event: the slot that was read selects the event.
  output logic [NumEvents-1:0] event_load_o,
  // Number of the slot that was read; valid with `event_load_o`.
  output logic [4:0]           event_slot_o,
  // EventInterval of the slot that was read; valid with `event_load_o`.
  output logic [CounterW-1:0]  event_interval_o,
  // EventCounter of the slot that was read; valid with `event_load_o`.
  output logic [CounterW-1:0]  event_counter_o,
  // Head and tail of the block being loaded are valid in this cycle.
  output logic                 ring_load_o,
  // New head in bytes: BufferHeadOffset, in a reload the restored head. Valid with `ring_load_o`.
  output logic [27:0]          ring_head_o,
  // New tail in bytes: BufferTailOffset. Valid with `ring_load_o`.
  output logic [27:0]          ring_tail_o,
  // Per event: a slot selects the event.
  output logic [NumEvents-1:0] selected_o,

  // Fields of the LWPCB that were read when the session was loaded.
  output block_t               block_o
);

  block_t block_d, block_q;

  logic [31:0]          head, tail;
  logic [NumEvents-1:0] avail;
  logic                 is_slot;

  assign head    = reload_i ? 32'(head_i) : {mem_rdata_i[31:5], 5'b0};
  assign tail    = {mem_rdata_i[63:37], 5'b0};
  assign avail   = {avail_dme_i, avail_bre_i, avail_ire_i};
  assign is_slot = load_i && (idx_i >= 5'd4);

  assign event_slot_o     = idx_i - 5'd4;
  assign event_interval_o = mem_rdata_i[25:0];
  assign event_counter_o  = mem_rdata_i[57:32];
  assign ring_load_o      = load_i && (idx_i == 5'd2);
  assign ring_head_o      = {head[27:5], 5'b0};
  assign ring_tail_o      = tail[27:0];
  assign selected_o       = block_q.flags[NumEvents:1] | event_load_o;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    // If several slots have the same EventId, the first one selects the event.
    assign event_load_o[e] = is_slot && (mem_rdata_i[31:26] == 6'(e + 1)) && block_q.allow[e] && !block_q.flags[e+1];
  end

  always_comb begin
    block_d = block_q;
    if (load_i) begin
      unique case (idx_i)
        5'd0: begin
          block_d.size   = {mem_rdata_i[59:37], 5'b0};
          block_d.random = mem_rdata_i[63:60];
          block_d.flags  = {again_i ? mem_rdata_i[FlagsInterrupt] : enabled_int_i, 31'b0};
          block_d.allow  = avail & (again_i ? mem_rdata_i[NumEvents:1] : enabled_i);
        end
        5'd1: block_d.base = {mem_rdata_i[63:5], 5'b0};
        5'd2: begin
          // The block is unusable if the ring has room for one record only, or if an offset is outside the buffer.
          if ((block_q.size < 28'd2 * RecordBytes) || (head >= 32'(block_q.size)) || (tail >= 32'(block_q.size))) begin
            block_d.size = '0;
          end
        end
        5'd3: begin
          block_d.threshold = {mem_rdata_i[31:5], 5'b0};
          block_d.filter    = mem_rdata_i[45:32];
        end
        default: block_d.flags[NumEvents:1] = selected_o;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      block_q <= '0;
    end else begin
      block_q <= block_d;
    end
  end

  assign block_o = block_q;

endmodule
