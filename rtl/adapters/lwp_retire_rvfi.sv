// SPDX-License-Identifier: MIT OR Apache-2.0
//
// RVFI bridge: converts the channels of the RISC-V Formal Interface to retire lanes of the unit, one cycle later.
//
// RVFI has neither misses nor predictions: separate inputs supply them for each channel, in the cycle in which RVFI
// shows the instruction. U-mode is ring 3. Instructions of other modes are not passed on, because the unit does not
// count them; only the mode is. An instruction that traps has not retired. The delay of one cycle shows the unit a new
// mode before its first instruction.
//
// The instruction word tells whether an instruction loads. Cores differ in what they show as the read mask of others.
//
// RVFI comes later than the bus. An operation that the core starts through the bus must therefore wait for the
// instructions before it: `op_wait_i` and RvfiLate. The operation is in the mode `op_user_i`, whatever the mode of the
// last instruction was.
//
// The core cannot be stalled through RVFI, so use the straps `store_timing` = async and `fault_policy` = trap or
// nonpaged.
//
// Contract: docs/src/lwp/ports.md, docs/src/integration.md.

module lwp_retire_rvfi
  import lwp_pkg::*;
#(
  // RVFI channels (NRET): 1, 2, 4 or 8.
  parameter int unsigned RetireLanes   = 1,
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen          = 64,
  // The core has no user mode: every instruction is in ring 3.
  parameter bit          MachineIsUser = 1'b0,
  // The instruction word of a compressed instruction is the 32-bit instruction that it stands for.
  parameter bit          ExpandedInsn  = 1'b0,
  // Cycles with `op_wait_i` until RVFI has shown every instruction that is older than the operation: 0 to 63.
  parameter int unsigned RvfiLate      = 0
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
  // Per channel: address of the memory access; valid for a load.
  input  logic [RetireLanes-1:0][Xlen-1:0]       rvfi_mem_addr_i,
  // Per channel: bytes from `rvfi_mem_addr_i` on that are loaded; 0: that is the lowest byte. Valid for a load.
  input  logic [RetireLanes-1:0][Xlen/8-1:0]     rvfi_mem_rmask_i,

  // Per channel, not in RVFI: the instruction contributes to the counts; 0 for LLWPCB and SLWPCB.
  input  logic [RetireLanes-1:0]                 counts_i,
  // Per channel, not in RVFI: `pred_ok_i` is valid.
  input  logic [RetireLanes-1:0]                 pred_valid_i,
  // Per channel, not in RVFI: the branch was predicted correctly.
  input  logic [RetireLanes-1:0]                 pred_ok_i,
  // Per channel, not in RVFI: the load that RVFI shows in this cycle missed the DCache; 0 if RVFI shows no load.
  input  logic [RetireLanes-1:0]                 miss_i,
  // Per channel, not in RVFI: latency of the load in cycles; valid with `miss_i`.
  input  logic [RetireLanes-1:0][LatencyW-1:0]   latency_i,
  // Per channel, not in RVFI: source of the data; valid with `miss_i`.
  input  source_e [RetireLanes-1:0]              source_i,

  // An operation waits, from the cycle after its request until it is accepted. The core executes nothing meanwhile.
  input  logic                                   op_wait_i,
  // The operation has the rights of U-mode; valid with `op_wait_i`.
  input  logic                                   op_user_i,

  // Current privilege level for the unit: 3 for U-mode, else 0.
  output logic [1:0]                             cpl_o,
  // Retire lanes for the unit; lane 0 is the oldest.
  output lane_t [RetireLanes-1:0]                lanes_o,
  // Lanes are in flight, or may still come before the operation that waits: it must not be presented.
  output logic                                   busy_o
);

  if ((Xlen != 32) && (Xlen != 64)) begin : gen_bad_xlen
    $error("Xlen must be 32 or 64");
  end
  if (RvfiLate > 63) begin : gen_bad_late
    $error("RvfiLate must be 0 to 63");
  end

  logic [RetireLanes-1:0] retired, user, loads;
  lane_t [RetireLanes-1:0] lanes_d, lanes_q;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    logic [3:0]      kind;
    logic            taken;
    logic [2:0]      first;
    load_t           load;

    lwp_rvfi_branch #(.Xlen(Xlen)) u_branch (.insn_i(rvfi_insn_i[l]), .kind_o(kind));
    lwp_rvfi_load #(.Xlen(Xlen)) u_load (.insn_i(rvfi_insn_i[l]), .load_o(loads[l]));

    assign retired[l] = rvfi_valid_i[l] && !rvfi_trap_i[l];
    assign user[l]    = retired[l] && (MachineIsUser || (rvfi_mode_i[l] == 2'd0));

    if (ExpandedInsn) begin : gen_expanded
      // The length is not known: a conditional branch is taken if the next address is its target, every other always.
      logic [Xlen-1:0] target;
      assign target = rvfi_pc_rdata_i[l] + {{Xlen - 12{rvfi_insn_i[l][31]}}, rvfi_insn_i[l][7], rvfi_insn_i[l][30:25],
                                            rvfi_insn_i[l][11:8], 1'b0};
      assign taken  = (kind != BranchNone) && ((kind != BranchCond) || (rvfi_pc_wdata_i[l] == target));
    end else begin : gen_exact
      logic [Xlen-1:0] sequential;
      assign sequential = rvfi_pc_rdata_i[l] + ((rvfi_insn_i[l][1:0] == 2'b11) ? Xlen'(4) : Xlen'(2));
      assign taken      = rvfi_pc_wdata_i[l] != sequential;
    end

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
      miss:       miss_i[l] && loads[l],
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
      branch_taken:      taken,
      branch_pred_valid: pred_valid_i[l],
      branch_pred_ok:    pred_ok_i[l],
      branch_next:       64'(rvfi_pc_wdata_i[l]),
      loads:             {load_t'('0), load}
    };
  end

  // Mode of the newest group, or of an operation after it. `cpl_o` shows it with the group, one cycle before its lanes.
  logic user_d, user_q, held_q;
  // The operation may be presented in this cycle.
  logic op_now;

  assign op_now = op_wait_i && !busy_o;
  assign user_d = op_now ? op_user_i : (retired != '0) ? (user != '0) : user_q;

  // Every instruction that is older than the operation has been shown, or is in this cycle.
  logic shown;
  if (RvfiLate > 1) begin : gen_late
    logic [5:0] waited_q;
    assign shown = waited_q >= 6'(RvfiLate - 1);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waited_q <= '0;
      end else if (!op_wait_i) begin
        waited_q <= '0;
      end else if (!shown) begin
        waited_q <= waited_q + 6'd1;
      end
    end
  end else begin : gen_prompt
    assign shown = 1'b1;
  end

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
  assign busy_o  = held_q || (user != '0) || (op_wait_i && !shown);

`ifndef SYNTHESIS
  lwp_rvfi_assert #(
    .RetireLanes  (RetireLanes),
    .Xlen         (Xlen),
    .MachineIsUser(MachineIsUser)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .rvfi_valid_i,
    .rvfi_insn_i,
    .rvfi_mode_i,
    .rvfi_mem_addr_i,
    .rvfi_mem_rmask_i,
    .miss_i,
    .retired_i(retired),
    .user_i   (user),
    .loads_i  (loads),
    .op_now_i (op_now),
    .held_i   (held_q),
    .cpl_i    (cpl_o)
  );
`endif

endmodule
