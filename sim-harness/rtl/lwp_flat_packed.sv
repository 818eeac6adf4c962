// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The flat image with its outputs as one vector, for tools that do not show arrays: VPI, netlists.

module lwp_flat_packed #(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned EventSlots  = 8,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                clk_i,
  input  logic [2:0][31:0]                    straps_i,
  input  logic [12+11*RetireLanes-1:0][31:0]  in_i,
  output logic [78:0][31:0]                   out_o
);

  logic [31:0] words [79];

  lwp_flat #(
    .RetireLanes(RetireLanes),
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_flat (
    .clk_i,
    .straps_i,
    .in_i,
    .out_o(words)
  );

  for (genvar w = 0; w < 79; w++) begin : gen_words
    assign out_o[w] = words[w];
  end

endmodule
