// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The randomisation LFSR: 32 bits, Galois form, x^32 + x^22 + x^2 + x + 1.
//
// An advance is sixteen steps, so that the low 15 bits are fresh each time. The register resets to 0, which no LFSR
// reaches; it stands for the seed strap, so that reset needs no value from outside.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Block" (Random). Contract: docs/src/lwp/store.md.

module lwp_lfsr (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [31:0] seed_i,
  input  logic        advance_i,

  input  logic        restore_i,
  input  logic [31:0] restore_lfsr_i,

  output logic [31:0] state_o,
  // The state, or what it stands for.
  output logic [31:0] current_o,
  // The state after an advance; without meaning while advance_i is 0.
  output logic [31:0] next_o
);

  localparam logic [31:0] Taps  = 32'h8020_0003;
  localparam int unsigned Steps = 16;

  logic [31:0] lfsr_q;

  // A seed of 0 would stand still.
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
