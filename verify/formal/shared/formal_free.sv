// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A value that is arbitrary in every cycle: the solver chooses it. The script that reads this turns each instance into
// Yosys' cell $anyseq, which slang has no way to write.

(* blackbox *)
module formal_free #(
  parameter int WIDTH = 1
) (
  output logic [WIDTH-1:0] Y
);
endmodule
