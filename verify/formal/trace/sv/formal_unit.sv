// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit under proof, its ports gathered in two structs, with the facts about its registers that its own assertions
// (rtl/trace/trace_assert*.sv) and the lemmas state. The proof "invariants" proves them; the others build on them.

module formal_unit
  import trace_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t cfg_i,
  input  in_t     in_i,
  output out_t    out_o,
  output state_t  st_o,
  // The transfers of the cycle as the unit collects them, which CollectedShown compares with what the core shows.
  output transfer_t [Lanes-1:0] collected_o
);

  trace #(
    .RetireLanes (Lanes),
    .StackEntries(Entries)
  ) u_trace (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .partial_i         (in_i.partial),
    .lanes_i           (in_i.lanes),
    .mode_i            (in_i.mode),
    .cs_base_i         (in_i.cs_base),
    .far_base_i        (in_i.far_base),
    .far_long_i        (in_i.far_long),
    .int_i             (in_i.interrupted),
    .core_clock_i      (in_i.core_clock),
    .pmi_i             (in_i.pmi),
    .pebs_i            (in_i.pebs),
    .btm_ready_i       (in_i.btm_ready),
    .mem_i             (in_i.mem),
    .reg_i             (in_i.request),
    .stall_o           (out_o.stall),
    .btm_valid_o       (out_o.message.btm_valid),
    .btm_from_o        (out_o.message.btm_from),
    .btm_to_o          (out_o.message.btm_to),
    .btm_predicted_o   (out_o.message.btm_predicted),
    .mem_req_o         (out_o.mem.mem_req),
    .mem_cmd_o         (out_o.mem.mem_cmd),
    .mem_be_o          (out_o.mem.mem_be),
    .mem_addr_o        (out_o.mem.mem_addr),
    .mem_wdata_o       (out_o.mem.mem_wdata),
    .ds_pmi_o          (out_o.notice.ds_pmi),
    .stored_o          (out_o.notice.stored),
    .lost_o            (out_o.notice.lost),
    .pebs_armed_o      (out_o.pebs_armed),
    .state_index_o     (out_o.state_index),
    .reload_valid_o    (out_o.reload.reload_valid),
    .reload_counter_o  (out_o.reload.reload_counter),
    .reload_value_o    (out_o.reload.reload_value),
    .btf_o             (out_o.btf),
    .freeze_on_pmi_o   (out_o.freeze_on_pmi),
    .freeze_while_smm_o(out_o.freeze_while_smm),
    .rtm_debug_o       (out_o.rtm_debug),
    .reg_ready_o       (out_o.reg_ready),
    .reg_done_o        (out_o.answer.reg_done),
    .reg_result_o      (out_o.answer.reg_result),
    .reg_rdata_o       (out_o.answer.reg_rdata),
    .state_o           (st_o)
  );

  assign collected_o = u_trace.transfers;

  formal_lemmas u_lemmas (.clk_i, .cfg_i, .st_i(st_o));

  // The outputs are the registers of their names, or what docs/src/trace/cycle.md makes of them.
  MemoryShown:   assert property (@(posedge clk_i)
      out_o.mem == {st_o.port.mem_req, st_o.port.mem_cmd, st_o.port.mem_be, st_o.port.mem_addr, st_o.port.mem_wdata});
  NoticesShown:  assert property (@(posedge clk_i)
      (out_o.notice == st_o.notice) && (out_o.reload == st_o.reload) && (out_o.answer == st_o.answer) &&
      (out_o.pebs_armed == st_o.pebs.armed));
  DebugctlShown: assert property (@(posedge clk_i)
      {out_o.rtm_debug, out_o.freeze_while_smm, out_o.freeze_on_pmi, out_o.btf} ==
      {st_o.control.debugctl[15], st_o.control.debugctl[14], st_o.control.debugctl[12], st_o.control.debugctl[1]});
  MessageShown:  assert property (@(posedge clk_i)
      (out_o.message.btm_valid == ((st_o.waiting.count != '0) && !st_o.waiting.record[0].store)) &&
      (out_o.message == (out_o.message.btm_valid ? {1'b1, st_o.waiting.record[0].from, st_o.waiting.record[0].to,
                                                    st_o.waiting.record[0].predicted} : '0)));
  StallShown:    assert property (@(posedge clk_i) out_o.stall == stalls(st_o));
  ReadyShown:    assert property (@(posedge clk_i) out_o.reg_ready == ready(st_o));
  StateAsked:    assert property (@(posedge clk_i) out_o.state_index == (st_o.store.pebs ? st_o.store.field : 5'd0));

  // The transfers are those of the lanes or the interruption.
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    shown_t    transfer;
    transfer_t collected;
    assign transfer  = shown(cfg_i, in_i, st_o, l);
    assign collected = collected_o[l];
    CollectedShown: assert property (@(posedge clk_i)
        (transfer.valid == collected.valid) && (!transfer.valid || (transfer == as_shown(collected))));
  end

endmodule
