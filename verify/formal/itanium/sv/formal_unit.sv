// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit under proof, its ports gathered in two structs, with the facts about its registers that its own assertions
// (rtl/itanium/itanium_assert*.sv) state. The proof "invariants" proves them.

module formal_unit
  import itanium_pkg::*;
  import formal_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  config_t             cfg_i,
  input  in_t                 in_i,
  output out_t                out_o,
  output state_t              st_o,
  // Bit c: counter c overflows in this cycle. The proof "freeze" shows what it is.
  output logic [Counters-1:0] over_o
);

  itanium #(
    .Bundles   (Bundles),
    .TagEntries(Entries)
  ) u_itanium (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .fetch_i     (in_i.fetch),
    .issue_i     (in_i.issue),
    .retire_i    (in_i.retire),
    .ia32_i      (in_i.ia32),
    .mem_i       (in_i.mem),
    .core_clock_i(in_i.core_clock),
    .cpl_i       (in_i.cpl),
    .psr_is_i    (in_i.psr_is),
    .int_valid_i (in_i.int_valid),
    .irq_ack_i   (in_i.irq_ack),
    .reg_i       (in_i.request),
    .irq_o       (out_o.irq),
    .pin_o       (out_o.pin),
    .psr_up_o    (out_o.psr_up),
    .psr_sp_o    (out_o.psr_sp),
    .psr_pp_o    (out_o.psr_pp),
    .iear_on_o   (out_o.iear_on),
    .dear_on_o   (out_o.dear_on),
    .btb_on_o    (out_o.btb_on),
    .reg_done_o  (out_o.reg_done),
    .reg_result_o(out_o.reg_result),
    .reg_rdata_o (out_o.reg_rdata),
    .state_o     (st_o)
  );

  assign over_o = u_itanium.over;

  // Each output is the register of its name.
  logic [Counters-1:0] pins;
  for (genvar c = 0; c < int'(Counters); c++) begin : gen_pins
    assign pins[c] = st_o.counter[c].pin;
  end
  OutputsShown: assert property (@(posedge clk_i) out_o ==
      {st_o.freeze.irq, pins, st_o.status.up, st_o.status.sp, st_o.status.pp, st_o.ear, st_o.answer});

  // The port shows zeros for the entries that this build does not have.
  for (genvar e = int'(Entries); e < int'(MaxEntries); e++) begin : gen_absent
    AbsentShown: assert property (@(posedge clk_i) st_o.tag[e] == '0);
  end

endmodule
