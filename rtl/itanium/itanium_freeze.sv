// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Freeze: PMC[0] and the interrupt. What an overflow sets stays set, even if PMC[0] is written in the same cycle.
//
// Specification: section 6.1.3, "Performance Monitor Freeze". Contract: docs/src/itanium/cycle.md, "8. Freeze".
// Requirements ITA-17, ITA-18, ITA-20.

module itanium_freeze
  import itanium_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                clk_i,
  // Asynchronous reset, active low.
  input  logic                rst_ni,

  // Strap `freeze_always`: an overflow freezes without PMC[i].oi too.
  input  logic                always_i,
  // Bit c: counter c overflows in this cycle.
  input  logic [Counters-1:0] over_i,
  // Bit c: PMC[4 + c].oi.
  input  logic [Counters-1:0] oi_i,
  // The interrupt is taken in this cycle.
  input  logic                irq_ack_i,
  // PMC[0] is written.
  input  logic                write_i,
  // New PMC[0].fr; valid with `write_i`.
  input  logic                fr_i,
  // New PMC[0][7:4]; valid with `write_i`.
  input  logic [Counters-1:0] overflow_i,

  // Registers.
  output freeze_t             freeze_o
);

  freeze_t freeze_d, freeze_q;

  logic [Counters-1:0] noted;
  assign noted = over_i & (oi_i | {Counters{always_i}});

  assign freeze_d.fr       = (write_i ? fr_i : freeze_q.fr) || (noted != '0);
  assign freeze_d.overflow = (write_i ? overflow_i : freeze_q.overflow) | noted;
  assign freeze_d.irq      = ((over_i & oi_i) != '0) || (freeze_q.irq && !irq_ack_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      freeze_q <= '{fr: 1'b1, overflow: '0, irq: 1'b0};
    end else begin
      freeze_q <= freeze_d;
    end
  end

  assign freeze_o = freeze_q;

endmodule
