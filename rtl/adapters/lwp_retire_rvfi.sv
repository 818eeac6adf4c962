// SPDX-License-Identifier: MIT OR Apache-2.0
//
// RISC-V Formal Interface channels as retire lanes of the unit, one cycle later.
//
// RVFI knows neither misses nor predictions: they come beside it, a bit or a field for each channel. U-mode is ring 3;
// instructions of other modes are not passed on, since the unit would not count them, and only the mode is. An
// instruction that traps has not retired. The cycle of delay lets the unit see a new mode before its first instruction.
//
// RVFI has no way to wait, so of the straps `store_timing` = async and `fault_policy` = trap or nonpaged go with it.
// Contract: docs/src/lwp/ports.md, docs/src/integration.md.

module lwp_retire_rvfi
  import lwp_pkg::*;
#(
  parameter int unsigned RetireLanes = 1,  // NRET
  parameter int unsigned Xlen        = 64
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  input  logic [RetireLanes-1:0]                 rvfi_valid_i,
  input  logic [RetireLanes-1:0]                 rvfi_trap_i,
  input  logic [RetireLanes-1:0][31:0]           rvfi_insn_i,
  input  logic [RetireLanes-1:0][1:0]            rvfi_mode_i,
  input  logic [RetireLanes-1:0][Xlen-1:0]       rvfi_pc_rdata_i,
  input  logic [RetireLanes-1:0][Xlen-1:0]       rvfi_pc_wdata_i,
  input  logic [RetireLanes-1:0][Xlen-1:0]       rvfi_mem_addr_i,
  input  logic [RetireLanes-1:0][Xlen/8-1:0]     rvfi_mem_rmask_i,

  // Beside RVFI. `miss` matters with a load alone.
  input  logic [RetireLanes-1:0]                 counts_i,
  input  logic [RetireLanes-1:0]                 pred_valid_i,
  input  logic [RetireLanes-1:0]                 pred_ok_i,
  input  logic [RetireLanes-1:0]                 miss_i,
  input  logic [RetireLanes-1:0][LatencyW-1:0]   latency_i,
  input  source_e [RetireLanes-1:0]              source_i,

  output logic [1:0]                             cpl_o,
  output lane_t [RetireLanes-1:0]                lanes_o,
  // Lanes are on their way: an operation has to wait.
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

    // The lowest byte read; 0 when mem_addr is that byte already.
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

  // The mode of the newest group; announced with the group itself, a cycle before its lanes.
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

  // A core flushes when it changes its mode: a group is of one mode, and a trap is not over in a cycle.
  RvfiOneMode:     assert property (@(posedge clk_i) !running_q || (user == '0) || (user == retired));
  RvfiModeLasts:   assert property (@(posedge clk_i) !(past_outside_q && past_user_q && (user != '0)));
  // What the unit asks for: nothing retires in the first cycle of ring 3, or outside it.
  RvfiRing3Before: assert property (@(posedge clk_i) !held_q || (past_user_q && (cpl_o == 2'd3)));
`endif

endmodule
