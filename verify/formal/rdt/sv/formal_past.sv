// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The cycle before: inputs, outputs, registers and memories as they were. valid_o is 0 in the first cycle out of reset, in
// which there is none.

module formal_past
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  in_t    in_i,
  input  out_t   out_i,
  input  state_t st_i,
  input  tags_t  tags_i,
  output logic   valid_o,
  output in_t    in_o,
  output out_t   out_o,
  output state_t st_o,
  output tags_t  tags_o
);

  logic   valid_q = 1'b0;
  in_t    in_q;
  out_t   out_q;
  state_t st_q;
  tags_t  tags_q;

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni;
    in_q    <= in_i;
    out_q   <= out_i;
    st_q    <= st_i;
    tags_q  <= tags_i;
  end

  assign valid_o = valid_q;
  assign in_o    = in_q;
  assign out_o   = out_q;
  assign st_o    = st_q;
  assign tags_o  = tags_q;

endmodule
