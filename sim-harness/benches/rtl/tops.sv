// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Other ways to present the RTL to a simulator than sim-harness/cpp/replay_top.sv, to see what they cost.

// All words that go out in one vector.
module vector_top (
  input  logic             clk_i,
  input  logic             in_clk_i,
  input  logic [2:0][31:0]  straps_i,
  input  logic [55:0][31:0] in_i,
  output logic [78:0][31:0] out_o
);

  logic [2:0][31:0]  straps_q;
  logic [55:0][31:0] in_q;

  always_ff @(posedge in_clk_i) begin
    straps_q <= straps_i;
    in_q     <= in_i;
  end

  lwp_flat_packed #(.RetireLanes(4), .EventSlots(8), .LatencyBits(31)) u_flat (
    .clk_i, .straps_i(straps_q), .in_i(in_q), .out_o
  );

endmodule

// The unit's outputs alone: Verilator throws the probe away.
module outputs_top (
  input  logic             clk_i,
  input  logic             in_clk_i,
  input  logic [2:0][31:0]  straps_i,
  input  logic [55:0][31:0] in_i,
  output logic [31:0]       out_o [12]
);

  logic [2:0][31:0]  straps_q;
  logic [55:0][31:0] in_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0]       words [79];
  // verilator lint_on UNUSEDSIGNAL

  always_ff @(posedge in_clk_i) begin
    straps_q <= straps_i;
    in_q     <= in_i;
  end

  lwp_flat #(.RetireLanes(4), .EventSlots(8), .LatencyBits(31)) u_flat (
    .clk_i, .straps_i(straps_q), .in_i(in_q), .out_o(words)
  );

  for (genvar w = 0; w < 12; w++) begin : gen_words
    assign out_o[w] = words[w];
  end

endmodule
