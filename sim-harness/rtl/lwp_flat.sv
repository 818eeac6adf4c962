// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit behind arrays of 32-bit words, so that driving and comparing it is a copy and a memcmp.
//
// Contract: docs/src/lwp/flat.md. Bits that the tables do not name are 0 on the way out and ignored on the way in.
//
// What goes out is an array: of one wide vector Verilator makes one wide concatenation, which costs as much as half of the unit.

module lwp_flat
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned EventSlots  = 8,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                clk_i,
  // Words have room to spare.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [2:0][31:0]                    straps_i,
  input  logic [12+11*RetireLanes-1:0][31:0]  in_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0]                         out_o [79]
);

  config_t cfg;

  assign cfg = '{
    present:         straps_i[0][0],
    avail_ire:       straps_i[0][1],
    avail_bre:       straps_i[0][2],
    avail_dme:       straps_i[0][3],
    avail_int:       straps_i[0][4],
    latency_filter:  straps_i[0][5],
    level_filter:    straps_i[0][6],
    data_source:     straps_i[0][7],
    gather_policy:   straps_i[0][16],
    one_per_instr:   straps_i[0][17],
    gather_select:   straps_i[0][19:18],
    gather_target:   straps_i[0][20],
    store_timing:    straps_i[0][21],
    collision:       straps_i[0][22],
    leave_policy:    straps_i[0][24:23],
    fault_policy:    straps_i[0][26:25],
    address_policy:  straps_i[0][28:27],
    address_gate:    straps_i[0][29],
    latency_source:  straps_i[0][30],
    latency_step:    straps_i[0][31],
    latency_phase:   straps_i[2][0],
    prediction:      straps_i[2][2:1],
    head_flush:      straps_i[2][3],
    tail_reread:     straps_i[2][4],
    tail_nth:        straps_i[2][8:5],
    interval_source: straps_i[2][9],
    missed_mode:     straps_i[2][10],
    write_on_full:   straps_i[2][11],
    misaligned:      straps_i[2][12],
    flush_outside:   straps_i[2][13],
    v86:             straps_i[2][14],
    entropy:         straps_i[2][15],
    irq_delay:       straps_i[2][23:16],
    core_id:         straps_i[0][15:8],
    lfsr_seed:       straps_i[1]
  };

  lane_t [RetireLanes-1:0] lanes;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    localparam int unsigned W = 12 + 11 * l;
    load_t load0, load1;

    assign load0 = '{
      miss:       in_i[W][9],
      addr_valid: in_i[W][10],
      is_tagged:  in_i[W][19],
      addr:       {in_i[W+6], in_i[W+5]},
      latency:    in_i[W+7][LatencyW-1:0],
      source:     source_e'(in_i[W][13:11])
    };
    assign load1 = '{
      miss:       in_i[W][14],
      addr_valid: in_i[W][15],
      is_tagged:  in_i[W][20],
      addr:       {in_i[W+9], in_i[W+8]},
      latency:    in_i[W+10][LatencyW-1:0],
      source:     source_e'(in_i[W][18:16])
    };
    assign lanes[l] = '{
      valid:             in_i[W][0],
      counts:            in_i[W][1],
      ip:                {in_i[W+2], in_i[W+1]},
      branch_kind:       in_i[W][5:2],
      branch_taken:      in_i[W][6],
      branch_pred_valid: in_i[W][7],
      branch_pred_ok:    in_i[W][8],
      branch_next:       {in_i[W+4], in_i[W+3]},
      loads:             {load1, load0}
    };
  end

  logic             stall, cut_valid, drain, flush_req, addr_track;
  logic [LaneW-1:0] cut_lane;
  logic             rsp_valid, rsp_fault_write, mem_req, pf_valid, pf_write, pf_abort, irq;
  fault_e           rsp_fault;
  mem_cmd_e         mem_cmd;
  logic [7:0]       mem_be;
  logic [63:0]      rsp_rdata, rsp_fault_addr, mem_addr, mem_wdata, pf_addr;
  logic [31:0]      msr0;
  state_t           s;

  lwp #(
    .RetireLanes(RetireLanes),
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_lwp (
    .clk_i,
    .rst_ni           (in_i[0][0]),
    .cfg_i            (cfg),
    .cpl_i            (in_i[0][3:2]),
    .smm_i            (in_i[0][1]),
    .op_mode_i        (in_i[0][6:4]),
    .partial_i        (in_i[0][7]),
    .lanes_i          (lanes),
    .stall_o          (stall),
    .cut_valid_o      (cut_valid),
    .cut_lane_o       (cut_lane),
    .drain_o          (drain),
    .flush_req_o      (flush_req),
    .addr_track_o     (addr_track),
    .alloc_valid_i    (in_i[0][19]),
    .alloc_entry_i    (in_i[0][22:20]),
    .fill_valid_i     (in_i[0][23]),
    .fill_entry_i     (in_i[0][26:24]),
    .fill_ip_i        ({in_i[9], in_i[8]}),
    .fill_latency_i   (in_i[10][LatencyW-1:0]),
    .fill_source_i    (source_e'(in_i[0][29:27])),
    .replay_abort_i   (in_i[0][18]),
    .entropy_i        (in_i[11]),
    .ctl_valid_i      (in_i[0][8]),
    .ctl_op_i         (ctl_op_e'(in_i[0][12:9])),
    .ctl_word_i       (in_i[7][3:0]),
    .ctl_wdata_i      ({in_i[2], in_i[1]}),
    .ctl_ds_base_i    ({in_i[4], in_i[3]}),
    .rsp_valid_o      (rsp_valid),
    .rsp_fault_o      (rsp_fault),
    .rsp_fault_write_o(rsp_fault_write),
    .rsp_rdata_o      (rsp_rdata),
    .rsp_fault_addr_o (rsp_fault_addr),
    .mem_req_o        (mem_req),
    .mem_cmd_o        (mem_cmd),
    .mem_be_o         (mem_be),
    .mem_addr_o       (mem_addr),
    .mem_wdata_o      (mem_wdata),
    .mem_gnt_i        (in_i[0][13]),
    .mem_rvalid_i     (in_i[0][14]),
    .mem_err_i        (in_i[0][15]),
    .mem_rdata_i      ({in_i[6], in_i[5]}),
    .pf_valid_o       (pf_valid),
    .pf_write_o       (pf_write),
    .pf_abort_o       (pf_abort),
    .pf_addr_o        (pf_addr),
    .pf_ack_i         (in_i[0][16]),
    .irq_o            (irq),
    .irq_ack_i        (in_i[0][17]),
    .msr0_o           (msr0),
    .state_o          (s)
  );

  // Outputs.
  assign out_o[0] = {5'b0, cut_lane, cut_valid, addr_track, flush_req, drain, pf_abort, irq, pf_write, pf_valid, mem_be,
                     mem_cmd, mem_req, rsp_fault_write, rsp_fault, rsp_valid, stall};
  assign {out_o[2], out_o[1]}   = rsp_rdata;
  assign {out_o[4], out_o[3]}   = rsp_fault_addr;
  assign {out_o[6], out_o[5]}   = mem_addr;
  assign {out_o[8], out_o[7]}   = mem_wdata;
  assign {out_o[10], out_o[9]}  = pf_addr;
  assign out_o[11] = msr0;

  // Probe.
  assign out_o[12] = s.session.msr0;
  assign {out_o[14], out_o[13]} = s.session.lwpcb;
  assign out_o[15] = {s.undo.valid, s.undo.split, s.pending, s.rotate, s.cand.source, s.cand.addr_valid, s.cand.valid,
                      s.events[2].slot, s.events[1].slot, s.events[0].slot, s.block.random, s.session.reload, s.session.init_pending,
                      s.session.active};
  assign out_o[16] = s.block.flags;
  assign {out_o[18], out_o[17]} = s.block.base;
  assign out_o[19] = {4'b0, s.block.size};
  assign out_o[20] = {4'b0, s.ring.head};
  assign out_o[21] = {4'b0, s.ring.tail};
  assign out_o[22] = s.block.threshold;
  assign out_o[23] = {12'b0, s.ring.tail_skip, 2'b0, s.block.filter};
  assign out_o[24] = {6'b0, s.events[0].interval};
  assign out_o[25] = {6'b0, s.events[0].counter};
  assign out_o[26] = {6'b0, s.events[1].interval};
  assign out_o[27] = {6'b0, s.events[1].counter};
  assign out_o[28] = {6'b0, s.events[2].interval};
  assign out_o[29] = {6'b0, s.events[2].counter};
  assign out_o[30] = s.lfsr;
  assign out_o[31] = {1'b0, s.cand.latency};
  assign {out_o[33], out_o[32]} = s.cand.addr;
  assign out_o[34] = {2'b0, s.retire.cut_lane, s.retire.cut_valid, s.retire.flush_req, s.retire.was_ring3, s.irq.count, s.ring.missed};
  assign out_o[35] = {6'b0, s.undo.counters[0]};
  assign out_o[36] = {6'b0, s.undo.counters[1]};
  assign out_o[37] = {6'b0, s.undo.counters[2]};
  assign out_o[38] = {6'b0, s.mab.phase, s.tag.source, s.tag.valid, s.records[2].flags, s.records[2].event_id,
                      s.records[1].flags, s.records[1].event_id, s.records[0].flags, s.records[0].event_id};
  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_records
    assign out_o[39+5*i] = {1'b0, s.records[i].data};
    assign {out_o[41+5*i], out_o[40+5*i]} = s.records[i].ip;
    assign {out_o[43+5*i], out_o[42+5*i]} = s.records[i].addr;
  end
  assign out_o[54] = {1'b0, s.tag.latency};
  assign {out_o[56], out_o[55]} = s.tag.ip;
  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_mab
    assign out_o[57+i] = {s.mab.entries[i].counting, s.mab.entries[i].latency};
  end
  assign out_o[65] = {4'b0, s.ctl.ring3, s.ctl.init, s.ctl.op, s.ctl.st, s.port.be, s.port.cmd, s.port.drop, s.port.waiting,
                      s.port.req, s.store.beat, s.store.st};
  assign out_o[66] = {16'b0, s.ctl.old, s.block.allow, s.irq.valid, s.pf.aborts, s.pf.write, s.pf.valid, s.ctl.fault_write, s.ctl.fault,
                      s.ctl.idx};
  assign {out_o[68], out_o[67]} = s.port.addr;
  assign {out_o[70], out_o[69]} = s.port.wdata;
  assign {out_o[72], out_o[71]} = s.ctl.arg;
  assign {out_o[74], out_o[73]} = s.ctl.rdata;
  assign {out_o[76], out_o[75]} = s.ctl.fault_addr;
  assign {out_o[78], out_o[77]} = s.pf.addr;

endmodule
