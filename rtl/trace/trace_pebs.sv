// SPDX-License-Identifier: MIT OR Apache-2.0
//
// PEBS: arms a counter at its overflow, and notes the next event of an armed counter as a pending record.
//
// Specification: section 5.9. Contract: docs/src/trace/cycle.md, "6. PEBS".

module trace_pebs
  import trace_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                clk_i,
  // Asynchronous reset, active low.
  input  logic                rst_ni,

  // Counters that store records: IA32_PEBS_ENABLE.
  input  logic [Counters-1:0] enable_i,
  // Counters that overflowed.
  input  logic [Counters-1:0] overflow_i,
  // Counters whose event occurred; valid with `accept_i`.
  input  logic [Counters-1:0] event_i,
  // Events of this cycle are accepted.
  input  logic                accept_i,
  // The debug store has its 64-bit format.
  input  logic                wide_i,
  // A WRMSR of IA32_PEBS_ENABLE is done.
  input  logic                write_i,
  // Counters that it enables; valid with `write_i`.
  input  logic [Counters-1:0] wdata_i,
  // Counter whose record has ended, one-hot; 0 if there is none.
  input  logic [Counters-1:0] ended_i,

  // Registers.
  output pebs_t               pebs_o
);

  pebs_t pebs_d, pebs_q;

  logic [Counters-1:0] raised, fire;
  assign raised = pebs_q.armed | (overflow_i & enable_i);
  assign fire   = accept_i ? raised & event_i : '0;

  always_comb begin
    pebs_d.armed   = raised & ~fire;
    if (write_i) pebs_d.armed = pebs_d.armed & wdata_i;
    pebs_d.pending = (pebs_q.pending & ~ended_i) | fire;

    pebs_d.pending_wide = pebs_q.pending_wide;
    if (fire != '0) pebs_d.pending_wide = wide_i;
    else if (pebs_d.pending == '0) pebs_d.pending_wide = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pebs_q <= '0;
    end else begin
      pebs_q <= pebs_d;
    end
  end

  assign pebs_o = pebs_q;

endmodule
