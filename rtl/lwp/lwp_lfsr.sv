// SPDX-License-Identifier: MIT OR Apache-2.0
//
// LFSR for randomisation: 32 bits, Galois form, x^32 + x^22 + x^2 + x + 1.
//
// An advance is sixteen steps, so that each advance renews the low 15 bits. The register resets to 0, which is not a
// state of the LFSR; 0 stands for the seed strap, so that the reset value is a constant.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Block" (Random). Contract: docs/src/lwp/store.md.

module lwp_lfsr (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `lfsr_seed`: state in which the LFSR starts; 0 acts as 1.
  input  logic [31:0] seed_i,
  // The LFSR advances by sixteen steps.
  input  logic        advance_i,

  // Context word 9 is restored: the LFSR.
  input  logic        restore_i,
  // Restored state of the LFSR; valid with `restore_i`.
  input  logic [31:0] restore_lfsr_i,

  // State of the LFSR; 0 until its first advance.
  output logic [31:0] state_o,
  // State of the LFSR, or the seed if the state is 0.
  output logic [31:0] current_o,
  // State of the LFSR after the advance; valid with `advance_i`.
  output logic [31:0] next_o
);

  localparam logic [31:0] Taps  = 32'h8020_0003;
  localparam int unsigned Steps = 16;

  logic [31:0] lfsr_q;

  // A seed of 0 acts as 1, because the LFSR never leaves 0.
  assign current_o = (lfsr_q != '0) ? lfsr_q : (seed_i != '0) ? seed_i : 32'd1;

  always_comb begin
    next_o = lfsr_q;
    if (advance_i) begin
      next_o = current_o;
      for (int unsigned s = 0; s < Steps; s++) begin
        next_o = (next_o >> 1) ^ (Taps & {32{next_o[0]}});
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q <= '0;
    end else begin
      lfsr_q <= restore_i ? restore_lfsr_i : next_o;
    end
  end

  assign state_o = lfsr_q;

endmodule
