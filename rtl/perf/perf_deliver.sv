// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Deliver: the local APIC's performance entry and the interrupt that it makes.
//
// Contract: docs/src/perf/delivery.md, "The local APIC's entry". Requirements P6-24, P6-43, P6-46, APM-28.

module perf_deliver
  import perf_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // Strap: the entry masks itself when it interrupts.
  input  logic        mask_on_delivery_i,
  // A performance interrupt is asked for in this cycle.
  input  logic        pmi_i,
  // The interrupt is taken.
  input  logic        irq_ack_i,
  // The entry is written.
  input  logic        write_i,
  // The vector that is written.
  input  logic [7:0]  vector_i,
  // The delivery mode that is written.
  input  logic [2:0]  mode_i,
  // The mask that is written.
  input  logic        mask_i,

  // Vector of the entry.
  output logic [7:0]  lvt_vector_o,
  // Delivery mode of the entry.
  output logic [2:0]  lvt_mode_o,
  // The entry is masked.
  output logic        lvt_mask_o,
  // A performance interrupt is requested.
  output logic        irq_o,
  // How it is delivered. 0 without irq_o.
  output logic [2:0]  irq_mode_o,
  // Its vector. 0 unless it is delivered as an interrupt.
  output logic [7:0]  irq_vector_o
);

  typedef struct packed {
    logic [7:0] lvt_vector;
    logic [2:0] lvt_mode;
    logic       lvt_mask;
    logic       irq;
    logic [2:0] irq_mode;
    logic [7:0] irq_vector;
  } regs_t;

  localparam regs_t Reset = '{lvt_mask: 1'b1, default: '0};

  regs_t regs_d, regs_q;

  logic interrupts, delivered;
  always_comb begin
    unique case (regs_q.lvt_mode)
      DeliverFixed:           interrupts = regs_q.lvt_vector[7:4] != 4'd0;
      DeliverSmi, DeliverNmi: interrupts = 1'b1;
      default:                interrupts = 1'b0;
    endcase
  end
  assign delivered = pmi_i && !regs_q.lvt_mask && interrupts;

  always_comb begin
    regs_d = regs_q;
    if (write_i) begin
      regs_d.lvt_vector = vector_i;
      regs_d.lvt_mode   = mode_i;
      regs_d.lvt_mask   = mask_i;
    end
    if (delivered && mask_on_delivery_i) regs_d.lvt_mask = 1'b1;
    if (!regs_q.irq || irq_ack_i) begin
      regs_d.irq        = delivered;
      regs_d.irq_mode   = delivered ? regs_q.lvt_mode : 3'd0;
      regs_d.irq_vector = (delivered && (regs_q.lvt_mode == DeliverFixed)) ? regs_q.lvt_vector : 8'd0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_q <= Reset;
    end else begin
      regs_q <= regs_d;
    end
  end

  assign lvt_vector_o = regs_q.lvt_vector;
  assign lvt_mode_o   = regs_q.lvt_mode;
  assign lvt_mask_o   = regs_q.lvt_mask;
  assign irq_o        = regs_q.irq;
  assign irq_mode_o   = regs_q.irq_mode;
  assign irq_vector_o = regs_q.irq_vector;

endmodule
