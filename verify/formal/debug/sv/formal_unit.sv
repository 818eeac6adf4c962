// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit under proof, its ports gathered in two structs, with the facts about its registers that its own assertions
// (rtl/debug/debug_assert*.sv) state. The proof "invariants" proves them; the others build on them.

module formal_unit
  import debug_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t cfg_i,
  input  in_t     in_i,
  output out_t    out_o,
  output state_t  st_o
);

  debug #(
    .RetireLanes (Lanes),
    .LaneAccesses(Accesses)
  ) u_debug (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .partial_i    (in_i.partial),
    .lanes_i      (in_i.lanes),
    .io_i         (in_i.io),
    .mode_i       (in_i.mode),
    .int_i        (in_i.interrupted),
    .de_i         (in_i.de),
    .btf_i        (in_i.btf),
    .rtm_debug_i  (in_i.rtm_debug),
    .ask_i        (in_i.ask),
    .db_ack_i     (in_i.db_ack),
    .reg_i        (in_i.request),
    .db_valid_o   (out_o.request.db_valid),
    .db_class_o   (out_o.request.db_class),
    .db_b_o       (out_o.request.db_b),
    .db_bd_o      (out_o.request.db_bd),
    .db_bs_o      (out_o.request.db_bs),
    .db_bt_o      (out_o.request.db_bt),
    .cut_valid_o  (out_o.cut.cut_valid),
    .cut_before_o (out_o.cut.cut_before),
    .cut_lane_o   (out_o.cut.cut_lane),
    .hold_o       (out_o.hold),
    .ask_done_o   (out_o.ask_done),
    .frame_valid_o(out_o.frame.frame_valid),
    .frame_rf_o   (out_o.frame.frame_rf),
    .reg_ready_o  (out_o.reg_ready),
    .reg_done_o   (out_o.answer.reg_done),
    .reg_result_o (out_o.answer.reg_result),
    .reg_rdata_o  (out_o.answer.reg_rdata),
    .state_o      (st_o)
  );

  // The outputs are the registers of their names, and nothing else.
  OutputsShown: assert property (@(posedge clk_i)
      (out_o.request == st_o.request) && (out_o.cut == st_o.cut) && (out_o.frame == st_o.frame) &&
      (out_o.answer == st_o.answer) && (out_o.ask_done == st_o.ask.ask_done));
  HoldShown:    assert property (@(posedge clk_i) out_o.hold == (st_o.held.hit != '0));
  ReadyShown:   assert property (@(posedge clk_i) out_o.reg_ready == !st_o.request.db_valid);

endmodule
