// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A value that is the same in every cycle, and arbitrary: the solver chooses it. The script that reads this turns
// each instance into Yosys' cell $anyconst, which slang has no way to write.

(* blackbox *)
module formal_const #(
  parameter int WIDTH = 1
) (
  output logic [WIDTH-1:0] Y
);
endmodule
