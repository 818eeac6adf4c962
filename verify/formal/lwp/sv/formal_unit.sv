// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit under proof, its ports gathered in two structs, with the facts about its registers that its own
// assertions (rtl/lwp/lwp_assert*.sv) and formal_lemmas state. The proof "invariants" proves them all; the others
// build on them.

module formal_unit
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t cfg_i,
  input  in_t     in_i,
  output out_t    out_o,
  output state_t  st_o
);

  lwp #(
    .RetireLanes(Lanes),
    .EventSlots (Slots),
    .LatencyBits(LatBits)
  ) u_lwp (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .cpl_i            (in_i.cpl),
    .smm_i            (in_i.smm),
    .op_mode_i        (in_i.op_mode),
    .partial_i        (in_i.partial),
    .lanes_i          (in_i.lanes),
    .stall_o          (out_o.stall),
    .cut_valid_o      (out_o.cut_valid),
    .cut_lane_o       (out_o.cut_lane),
    .drain_o          (out_o.drain),
    .flush_req_o      (out_o.flush_req),
    .addr_track_o     (out_o.addr_track),
    .alloc_valid_i    (in_i.alloc_valid),
    .alloc_entry_i    (in_i.alloc_entry),
    .fill_valid_i     (in_i.fill_valid),
    .fill_entry_i     (in_i.fill_entry),
    .fill_ip_i        (in_i.fill_ip),
    .fill_latency_i   (in_i.fill_latency),
    .fill_source_i    (in_i.fill_source),
    .replay_abort_i   (in_i.replay_abort),
    .entropy_i        (in_i.entropy),
    .ctl_valid_i      (in_i.ctl_valid),
    .ctl_op_i         (in_i.ctl_op),
    .ctl_word_i       (in_i.ctl_word),
    .ctl_wdata_i      (in_i.ctl_wdata),
    .ctl_ds_base_i    (in_i.ctl_ds_base),
    .rsp_valid_o      (out_o.rsp_valid),
    .rsp_fault_o      (out_o.rsp_fault),
    .rsp_fault_write_o(out_o.rsp_fault_write),
    .rsp_rdata_o      (out_o.rsp_rdata),
    .rsp_fault_addr_o (out_o.rsp_fault_addr),
    .mem_req_o        (out_o.mem_req),
    .mem_cmd_o        (out_o.mem_cmd),
    .mem_be_o         (out_o.mem_be),
    .mem_addr_o       (out_o.mem_addr),
    .mem_wdata_o      (out_o.mem_wdata),
    .mem_gnt_i        (in_i.mem_gnt),
    .mem_rvalid_i     (in_i.mem_rvalid),
    .mem_err_i        (in_i.mem_err),
    .mem_rdata_i      (in_i.mem_rdata),
    .pf_valid_o       (out_o.pf_valid),
    .pf_write_o       (out_o.pf_write),
    .pf_abort_o       (out_o.pf_abort),
    .pf_addr_o        (out_o.pf_addr),
    .pf_ack_i         (in_i.pf_ack),
    .irq_o            (out_o.irq),
    .irq_ack_i        (in_i.irq_ack),
    .msr0_o           (out_o.msr0),
    .state_o          (st_o)
  );

  // Of the assertions over two cycles, what they keep about the record being stored.
  formal_lemmas u_lemmas (
    .cfg_i,
    .st_i       (st_o),
    .wrote_i    (u_lwp.u_assert.u_step.wrote),
    .read_tail_i(u_lwp.u_assert.u_step.read_tail),
    .skipped_i  (u_lwp.u_assert.u_step.skipped)
  );

endmodule
