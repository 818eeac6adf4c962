// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit under proof, its ports gathered in two structs, with the facts about its registers that its own assertions
// (rtl/tsc/tsc_assert*.sv) state. The proof "invariants" proves them; the others build on them.

module formal_unit
  import tsc_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t cfg_i,
  input  in_t     in_i,
  output out_t    out_o,
  output state_t  st_o
);

  tsc #(
    .LogicalProcessors(Processors)
  ) u_tsc (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .processor_i (in_i.processor),
    .cpl_i       (in_i.cpl),
    .op_mode_i   (in_i.op_mode),
    .tsd_i       (in_i.tsd),
    .reg_i       (in_i.request),
    .reg_done_o  (out_o.reg_done),
    .reg_result_o(out_o.reg_result),
    .reg_rdata_o (out_o.reg_rdata),
    .reg_aux_o   (out_o.reg_aux),
    .state_o     (st_o)
  );

  // The port shows zeros for the logical processors that this build does not have.
  for (genvar i = int'(Processors); i < int'(MaxProcessors); i++) begin : gen_absent
    AbsentShown: assert property (@(posedge clk_i) st_o.processors[i] == '0);
  end

endmodule
