// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The RTL for cocotb: its ports as three wide vectors, words as in docs/src/lwp/flat.md. Structs and arrays of structs do
// not go through every simulator's VPI.

module tb (
  input  logic          clk_i,
  input  logic [95:0]   straps_i,
  input  logic [1791:0] in_i,
  output logic [2527:0] out_o
);

  lwp_flat_packed #(.RetireLanes(4), .EventSlots(8), .LatencyBits(31)) u_flat (.*);

endmodule
