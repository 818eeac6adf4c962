// SPDX-License-Identifier: MIT OR Apache-2.0
//
// RVFI bridge: converts the channels of the RISC-V Formal Interface to retire lanes of the unit, one cycle later.
//
// RVFI has neither misses nor predictions: separate inputs supply them for each channel. U-mode is ring 3. Instructions
// of other modes are not passed on, because the unit does not count them; only the mode is. An instruction that traps
// has not retired. The delay of one cycle shows the unit a new mode before its first instruction.
//
// The core cannot be stalled through RVFI, so use the straps `store_timing` = async and `fault_policy` = trap or
// nonpaged.
//
// Contract: docs/src/lwp/ports.md, docs/src/integration.md.

module lwp_retire_rvfi
  import lwp_pkg::*;
#(
  // RVFI channels (NRET): 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 1,
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen        = 64
) (
  // Clock: all registers change at its rising edge.
  input  logic                                   clk_i,
  // Asynchronous reset, active low.
  input  logic                                   rst_ni,

  // Per channel: an instruction is presented.
  input  logic [RetireLanes-1:0]                 rvfi_valid_i,
  // Per channel: the instruction traps, so it does not retire; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0]                 rvfi_trap_i,
  // Per channel: instruction word; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][31:0]           rvfi_insn_i,
  // Per channel: privilege mode, 0 is U-mode; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][1:0]            rvfi_mode_i,
  // Per channel: address of the instruction; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][Xlen-1:0]       rvfi_pc_rdata_i,
  // Per channel: address of the next instruction; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][Xlen-1:0]       rvfi_pc_wdata_i,
  // Per channel: address of the memory access; valid if `rvfi_mem_rmask_i` is not 0.
  input  logic [RetireLanes-1:0][Xlen-1:0]       rvfi_mem_addr_i,
  // Per channel: bytes that are loaded, 0 if the instruction does not load; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][Xlen/8-1:0]     rvfi_mem_rmask_i,

  // Per channel, not in RVFI: the instruction contributes to the counts; 0 for LLWPCB and SLWPCB.
  input  logic [RetireLanes-1:0]                 counts_i,
  // Per channel, not in RVFI: `pred_ok_i` is valid.
  input  logic [RetireLanes-1:0]                 pred_valid_i,
  // Per channel, not in RVFI: the branch was predicted correctly.
  input  logic [RetireLanes-1:0]                 pred_ok_i,
  // Per channel, not in RVFI: the load missed the DCache; ignored if the instruction does not load.
  input  logic [RetireLanes-1:0]                 miss_i,
  // Per channel, not in RVFI: latency of the load in cycles; valid with `miss_i`.
  input  logic [RetireLanes-1:0][LatencyW-1:0]   latency_i,
  // Per channel, not in RVFI: source of the data; valid with `miss_i`.
  input  source_e [RetireLanes-1:0]              source_i,

  // Current privilege level for the unit: 3 for U-mode, else 0.
  output logic [1:0]                             cpl_o,
  // Retire lanes for the unit; lane 0 is the oldest.
  output lane_t [RetireLanes-1:0]                lanes_o,
  // Lanes are in flight: an operation must wait.
  output logic                                   busy_o
);

  if ((Xlen != 32) && (Xlen != 64)) begin : gen_bad_xlen
    $error("Xlen must be 32 or 64");
  end

  logic [RetireLanes-1:0] retired, user;
  lane_t [RetireLanes-1:0] lanes_d, lanes_q;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    logic [3:0]      kind;
    logic [Xlen-1:0] sequential;
    logic [2:0]      first;
    load_t           load;

    lwp_rvfi_branch #(.Xlen(Xlen)) u_branch (.insn_i(rvfi_insn_i[l]), .kind_o(kind));

    assign retired[l]  = rvfi_valid_i[l] && !rvfi_trap_i[l];
    assign user[l]     = retired[l] && (rvfi_mode_i[l] == 2'd0);
    assign sequential  = rvfi_pc_rdata_i[l] + ((rvfi_insn_i[l][1:0] == 2'b11) ? Xlen'(4) : Xlen'(2));

    // Offset of the lowest byte that is loaded; 0 if mem_addr is the address of that byte.
    always_comb begin
      first = '0;
      for (int b = int'(Xlen) / 8 - 1; b >= 0; b--) begin
        if (rvfi_mem_rmask_i[l][b]) begin
          first = 3'(b);
        end
      end
    end

    assign load = '{
      miss:       miss_i[l] && (rvfi_mem_rmask_i[l] != '0),
      addr_valid: 1'b1,
      is_tagged:  1'b0,
      addr:       64'(rvfi_mem_addr_i[l]) + 64'(first),
      latency:    latency_i[l],
      source:     source_i[l]
    };
    assign lanes_d[l] = '{
      valid:             user[l],
      counts:            counts_i[l],
      ip:                64'(rvfi_pc_rdata_i[l]),
      branch_kind:       kind,
      branch_taken:      rvfi_pc_wdata_i[l] != sequential,
      branch_pred_valid: pred_valid_i[l],
      branch_pred_ok:    pred_ok_i[l],
      branch_next:       64'(rvfi_pc_wdata_i[l]),
      loads:             {load_t'('0), load}
    };
  end

  // Mode of the newest group. `cpl_o` shows it with the group, one cycle before its lanes.
  logic user_d, user_q, held_q;

  assign user_d = (retired != '0) ? (user != '0) : user_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lanes_q <= '0;
      held_q  <= 1'b0;
      user_q  <= 1'b0;
    end else begin
      lanes_q <= lanes_d;
      held_q  <= user != '0;
      user_q  <= user_d;
    end
  end

  assign cpl_o   = (held_q || user_d) ? 2'd3 : 2'd0;
  assign lanes_o = lanes_q;
  assign busy_o  = held_q || (user != '0);

`ifndef SYNTHESIS
  logic past_outside_q, past_user_q;

  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q      <= 1'b0;
      past_outside_q <= 1'b0;
      past_user_q    <= 1'b0;
    end else begin
      running_q      <= 1'b1;
      past_outside_q <= (retired != '0) && (user == '0);
      past_user_q    <= cpl_o == 2'd3;
    end
  end

  // A core flushes when its mode changes: a group has one mode, and a trap takes more than one cycle.
  RvfiOneMode:     assert property (@(posedge clk_i) !running_q || (user == '0) || (user == retired));
  RvfiModeLasts:   assert property (@(posedge clk_i) !(past_outside_q && past_user_q && (user != '0)));
  // The unit requires: no instruction retires in the first cycle of ring 3, or outside ring 3.
  RvfiRing3Before: assert property (@(posedge clk_i) !held_q || (past_user_q && (cpl_o == 2'd3)));
`endif

endmodule
