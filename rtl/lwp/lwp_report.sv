// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Report: the threshold interrupt.
//
// In the one cycle of the report state the space used is compared with the threshold for equality, so that one
// crossing makes one interrupt. The request may be delayed, and stands until the core takes it.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 4, "LWP Control Block" (Threshold). Contract:
// docs/src/lwp/store.md.

module lwp_report
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [7:0]  irq_delay_i,

  input  store_st_e   store_st_i,
  input  logic [27:0] size_i,
  input  logic [27:0] head_i,
  input  logic [27:0] tail_i,
  input  logic [31:0] threshold_i,
  // Interrupts are enabled now, and were when the block was loaded.
  input  logic        msr0_int_i,
  input  logic        flags_int_i,

  // A context is restored.
  input  logic        restore_i,
  input  logic        restore_irq_i,
  input  logic [7:0]  restore_count_i,

  input  logic        irq_ack_i,
  output logic        irq_o,
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
    // A new crossing outlives the acknowledge of the one before: it would be notified nowhere else.
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
