// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Report: requests the threshold interrupt.
//
// In the one cycle of the report state the space used is compared with the threshold for equality, so that each
// crossing requests one interrupt. The request may be delayed, and stays asserted until the core takes it.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 4, "LWP Control Block" (Threshold). Contract:
// docs/src/lwp/store.md.

module lwp_report
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `irq_delay`: cycles from the crossing of the threshold to the request.
  input  logic [7:0]  irq_delay_i,

  // State of the store state machine.
  input  store_st_e   store_st_i,
  // BufferSize in bytes; 0 if the block is unusable.
  input  logic [27:0] size_i,
  // Head: offset of the next record in bytes.
  input  logic [27:0] head_i,
  // Tail: offset of the oldest unread record in bytes, as last read.
  input  logic [27:0] tail_i,
  // Threshold in bytes; 0 if there is none.
  input  logic [31:0] threshold_i,
  // LWPMSR0[31]: the threshold interrupt is enabled.
  input  logic        msr0_int_i,
  // Flags[31]: LWPMSR0[31] was 1 when the block was loaded.
  input  logic        flags_int_i,

  // Context word 8 is restored: LWPMSR0 and the threshold interrupt.
  input  logic        restore_i,
  // Restored interrupt request; valid with `restore_i`.
  input  logic        restore_irq_i,
  // Restored delay of the interrupt in cycles; valid with `restore_i`.
  input  logic [7:0]  restore_count_i,

  // The core takes the threshold interrupt.
  input  logic        irq_ack_i,
  // The threshold interrupt is requested, until `irq_ack_i`.
  output logic        irq_o,
  // Cycles until the delayed interrupt is requested; 0 if none is delayed.
  output logic [7:0]  irq_count_o
);

  logic        irq_d, irq_q;
  logic [7:0]  count_d, count_q;
  logic        crossing;

  assign crossing = (store_st_i == StoreReport) && msr0_int_i && flags_int_i && (threshold_i != '0) &&
                    (threshold_i == 32'(ring_used(head_i, tail_i, size_i)));

  always_comb begin
    irq_d   = irq_q && !irq_ack_i;
    count_d = count_q;
    if (count_q != '0) begin
      count_d = count_q - 8'd1;
    end
    // A request that arises in the cycle of an acknowledge stays asserted: otherwise it would be lost.
    if ((count_q == 8'd1) && msr0_int_i) begin
      irq_d = 1'b1;
    end
    if (crossing) begin
      if (irq_delay_i == '0) begin
        irq_d = 1'b1;
      end else if (count_q == '0) begin
        count_d = irq_delay_i;
      end
    end
    if (restore_i) begin
      irq_d   = irq_d || restore_irq_i;
      count_d = restore_count_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      irq_q   <= 1'b0;
      count_q <= '0;
    end else begin
      irq_q   <= irq_d;
      count_q <= count_d;
    end
  end

  assign irq_o       = irq_q;
  assign irq_count_o = count_q;

endmodule
