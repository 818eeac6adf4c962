// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The cycle before: inputs and registers as they were. valid_o is 0 in the first cycle out of reset, in which there is
// none.

module formal_past
  import itanium_pkg::*;
  import formal_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  in_t    in_i,
  input  state_t st_i,
  output logic   valid_o,
  output in_t    in_o,
  output state_t st_o
);

  logic   valid_q = 1'b0;
  in_t    in_q;
  state_t st_q;

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni;
    in_q    <= in_i;
    st_q    <= st_i;
  end

  assign valid_o = valid_q;
  assign in_o    = in_q;
  assign st_o    = st_q;

endmodule
