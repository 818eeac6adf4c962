// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Block: what LLWPCB took from the LWPCB, word by word as it is read.
//
// A field that must be a multiple of 32 loses its low 5 bits as it comes in, so nothing later has to think of them.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Block". Contract: docs/src/lwp/control.md, "Probe, flush,
// load, flags".

module lwp_block
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 avail_ire_i,
  input  logic                 avail_bre_i,
  input  logic                 avail_dme_i,

  // A word is here. A restored session keeps its head, its counters and its events.
  input  logic                 load_i,
  input  logic                 reload_i,
  // Its events, and those of a session that comes back, are those of its Flags.
  input  logic                 again_i,
  input  logic [4:0]           idx_i,
  input  logic [63:0]          mem_rdata_i,
  // Events and interrupt that LWPMSR0 enables.
  input  logic [NumEvents-1:0] enabled_i,
  input  logic                 enabled_int_i,
  input  logic [27:0]          head_i,

  // The slot being read selects this event.
  output logic [NumEvents-1:0] event_load_o,
  output logic [4:0]           event_slot_o,
  output logic [CounterW-1:0]  event_interval_o,
  output logic [CounterW-1:0]  event_counter_o,
  // Head and tail are here.
  output logic                 ring_load_o,
  output logic [27:0]          ring_head_o,
  output logic [27:0]          ring_tail_o,
  // The events selected at the end of this cycle.
  output logic [NumEvents-1:0] selected_o,

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
    // Of several slots for one event the earliest counts.
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
          // A ring of one record has no room, and an offset outside the buffer would store outside it.
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
