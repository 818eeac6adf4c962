// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Report: the threshold interrupt.
//
// In the one cycle of the report state the space used is compared with the threshold for equality, so that one
// crossing makes one interrupt. The request stands until the core takes it.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 4, "LWP Control Block" (Threshold). Contract:
// docs/src/lwp/store.md.

module lwp_report
  import lwp_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  store_st_e   store_st_i,
  input  logic [27:0] size_i,
  input  logic [27:0] head_i,
  input  logic [27:0] tail_i,
  input  logic [31:0] threshold_i,
  // Interrupts are enabled, when the block was loaded and now.
  input  logic        int_enable_i,

  input  logic        irq_ack_i,
  output logic        irq_o
);

  logic        irq_d, irq_q;
  logic [27:0] used;

  always_comb begin
    used = head_i - tail_i;
    if (head_i < tail_i) begin
      used = used + size_i;
    end
  end

  always_comb begin
    irq_d = irq_q;
    if (irq_ack_i) begin
      irq_d = 1'b0;
    end
    // A new crossing outlives the acknowledge of the one before: it would be notified nowhere else.
    if ((store_st_i == StoreReport) && int_enable_i && (threshold_i != '0) && (threshold_i == 32'(used))) begin
      irq_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      irq_q <= 1'b0;
    end else begin
      irq_q <= irq_d;
    end
  end

  assign irq_o = irq_q;

endmodule
