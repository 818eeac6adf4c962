// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit behind arrays of 32-bit words, so that driving and comparing it is a copy and a memcmp.
//
// Contract: docs/src/lwp/flat.md. Bits that the tables do not name are 0 on the way out and ignored on the way in.

module lwp_flat
  import lwp_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned EventSlots  = 8,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                clk_i,
  // Words have room to spare.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [1:0][31:0]                    straps_i,
  input  logic [7+11*RetireLanes-1:0][31:0]   in_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [52:0][31:0]                   out_o
);

  config_t cfg;

  assign cfg = '{
    present:        straps_i[0][0],
    avail_ire:      straps_i[0][1],
    avail_bre:      straps_i[0][2],
    avail_dme:      straps_i[0][3],
    avail_int:      straps_i[0][4],
    latency_filter: straps_i[0][5],
    level_filter:   straps_i[0][6],
    data_address:   straps_i[0][7],
    core_id:        straps_i[0][15:8],
    lfsr_seed:      straps_i[1]
  };

  lane_t [RetireLanes-1:0] lanes;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    localparam int unsigned W = 7 + 11 * l;
    load_t load0, load1;

    assign load0 = '{
      miss:       in_i[W][9],
      addr_valid: in_i[W][10],
      addr:       {in_i[W+6], in_i[W+5]},
      latency:    in_i[W+7][LatencyW-1:0],
      source:     source_e'(in_i[W][13:11])
    };
    assign load1 = '{
      miss:       in_i[W][14],
      addr_valid: in_i[W][15],
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

  logic        stall, rsp_valid, rsp_fault_write, mem_req, pf_valid, pf_write, irq;
  fault_e      rsp_fault;
  mem_cmd_e    mem_cmd;
  logic [7:0]  mem_be;
  logic [63:0] rsp_rdata, rsp_fault_addr, mem_addr, mem_wdata, pf_addr;
  logic [31:0] msr0;
  state_t      s;

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
    .ctl_valid_i      (in_i[0][8]),
    .ctl_op_i         (ctl_op_e'(in_i[0][11:9])),
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
    .mem_gnt_i        (in_i[0][12]),
    .mem_rvalid_i     (in_i[0][13]),
    .mem_err_i        (in_i[0][14]),
    .mem_rdata_i      ({in_i[6], in_i[5]}),
    .pf_valid_o       (pf_valid),
    .pf_write_o       (pf_write),
    .pf_addr_o        (pf_addr),
    .pf_ack_i         (in_i[0][15]),
    .irq_o            (irq),
    .irq_ack_i        (in_i[0][16]),
    .msr0_o           (msr0),
    .probe_o          (s)
  );

  // Outputs.
  assign out_o[0] = {13'b0, irq, pf_write, pf_valid, mem_be, mem_cmd, mem_req, rsp_fault_write, rsp_fault, rsp_valid,
                     stall};
  assign {out_o[2], out_o[1]}   = rsp_rdata;
  assign {out_o[4], out_o[3]}   = rsp_fault_addr;
  assign {out_o[6], out_o[5]}   = mem_addr;
  assign {out_o[8], out_o[7]}   = mem_wdata;
  assign {out_o[10], out_o[9]}  = pf_addr;
  assign out_o[11] = msr0;

  // Probe.
  assign out_o[12] = s.msr0;
  assign {out_o[14], out_o[13]} = s.lwpcb;
  assign out_o[15] = {s.rec_flags, s.rec_event, s.cand_source, s.cand_addr_valid, s.cand_valid, s.events[2].slot,
                      s.events[1].slot, s.events[0].slot, s.random, s.init_pending, s.active};
  assign out_o[16] = s.flags;
  assign {out_o[18], out_o[17]} = s.base;
  assign out_o[19] = {4'b0, s.size};
  assign out_o[20] = {4'b0, s.head};
  assign out_o[21] = {4'b0, s.tail};
  assign out_o[22] = s.threshold;
  assign out_o[23] = {18'b0, s.filter};
  assign out_o[24] = {6'b0, s.events[0].interval};
  assign out_o[25] = {6'b0, s.events[0].counter};
  assign out_o[26] = {6'b0, s.events[1].interval};
  assign out_o[27] = {6'b0, s.events[1].counter};
  assign out_o[28] = {6'b0, s.events[2].interval};
  assign out_o[29] = {6'b0, s.events[2].counter};
  assign out_o[30] = s.lfsr;
  assign out_o[31] = {1'b0, s.cand_latency};
  assign {out_o[33], out_o[32]} = s.cand_addr;
  assign out_o[34] = {1'b0, s.rec_data};
  assign {out_o[36], out_o[35]} = s.rec_ip;
  assign {out_o[38], out_o[37]} = s.rec_addr;
  assign out_o[39] = {1'b0, s.ctl_idx, s.ctl_ring3, s.ctl_init, s.ctl_op, s.ctl_st, s.mem_be, s.mem_cmd, s.mem_drop,
                      s.mem_wait, s.mem_req, s.store_beat, s.store_st};
  assign out_o[40] = {26'b0, s.irq, s.pf_write, s.pf_valid, s.ctl_fault_write, s.ctl_fault};
  assign {out_o[42], out_o[41]} = s.mem_addr;
  assign {out_o[44], out_o[43]} = s.mem_wdata;
  assign {out_o[46], out_o[45]} = s.ctl_arg;
  assign {out_o[48], out_o[47]} = s.ctl_rdata;
  assign {out_o[50], out_o[49]} = s.ctl_fault_addr;
  assign {out_o[52], out_o[51]} = s.pf_addr;

endmodule
