// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that RVFI and the signals next to it are wired as `lwp_retire_rvfi` needs them. Each says what to connect.
// Not part of the hardware.

module lwp_rvfi_assert
  import lwp_pkg::*;
#(
  // RVFI channels.
  parameter int unsigned RetireLanes   = 1,
  // Width of a register.
  parameter int unsigned Xlen          = 64,
  // The core has no user mode.
  parameter bit          MachineIsUser = 1'b0
) (
  // Clock: all registers change at its rising edge.
  input logic                               clk_i,
  // Asynchronous reset, active low.
  input logic                               rst_ni,
  // Per channel: an instruction is presented.
  input logic [RetireLanes-1:0]             rvfi_valid_i,
  // Per channel: instruction word; valid with `rvfi_valid_i`.
  input logic [RetireLanes-1:0][31:0]       rvfi_insn_i,
  // Per channel: privilege mode, 0 is U-mode; valid with `rvfi_valid_i`.
  input logic [RetireLanes-1:0][1:0]        rvfi_mode_i,
  // Only the offset in a word is checked.
  // verilator lint_off UNUSEDSIGNAL
  // Per channel: address of the memory access; valid for a load.
  input logic [RetireLanes-1:0][Xlen-1:0]   rvfi_mem_addr_i,
  // verilator lint_on UNUSEDSIGNAL
  // Per channel: bytes that are loaded; valid for a load.
  input logic [RetireLanes-1:0][Xlen/8-1:0] rvfi_mem_rmask_i,
  // Per channel: the load missed.
  input logic [RetireLanes-1:0]             miss_i,
  // Per channel: an instruction retires.
  input logic [RetireLanes-1:0]             retired_i,
  // Per channel: an instruction retires in ring 3.
  input logic [RetireLanes-1:0]             user_i,
  // Per channel: the instruction word is that of a load.
  input logic [RetireLanes-1:0]             loads_i,
  // An operation may be presented in this cycle.
  input logic                               op_now_i,
  // Lanes of ring 3 are presented to the unit.
  input logic                               held_i,
  // Privilege level that is shown to the unit.
  input logic [1:0]                         cpl_i
);

  // xRET and DRET: the instructions that can lead to U-mode.
  function automatic logic returns(logic [31:0] insn);
    return (insn[19:0] == 20'h00073) && (insn[31:20] inside {12'h002, 12'h102, 12'h302, 12'h702, 12'h7B2});
  endfunction

  // The newest instruction so far was in U-mode or leads there; instructions that trap count.
  logic user_next_d, user_next_q;
  // An instruction of U-mode follows one that does not lead there.
  logic strays;

  always_comb begin
    user_next_d = user_next_q;
    strays      = 1'b0;
    for (int unsigned l = 0; l < RetireLanes; l++) begin
      if (rvfi_valid_i[l]) begin
        strays      = strays || ((rvfi_mode_i[l] == 2'd0) && !user_next_d);
        user_next_d = (rvfi_mode_i[l] == 2'd0) || returns(rvfi_insn_i[l]);
      end
    end
  end

  // The mask has an offset of its own.
  logic [RetireLanes-1:0] two_offsets;
  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    assign two_offsets[l] = retired_i[l] && loads_i[l] && (rvfi_mem_rmask_i[l] != '0) && !rvfi_mem_rmask_i[l][0] &&
                            (rvfi_mem_addr_i[l][$clog2(Xlen/8)-1:0] != '0);
  end

  logic past_outside_q, past_user_q;

  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q      <= 1'b0;
      user_next_q    <= 1'b0;
      past_outside_q <= 1'b0;
      past_user_q    <= 1'b0;
    end else begin
      running_q      <= 1'b1;
      user_next_q    <= user_next_d;
      past_outside_q <= (retired_i != '0) && (user_i == '0) && !op_now_i;
      past_user_q    <= cpl_i == 2'd3;
    end
  end

  // A core flushes when its mode changes: a group has one mode, and a trap takes more than one cycle.
  RvfiOneMode: assert property (@(posedge clk_i) !running_q || (user_i == '0) || (user_i == retired_i))
    else $error("instructions of two modes in one cycle: give each channel of rvfi_mode_i the mode of its instruction");
  RvfiModeLasts: assert property (@(posedge clk_i) !(past_outside_q && past_user_q && (user_i != '0)))
    else $error("U-mode was left for one cycle: give rvfi_mode_i the mode of the instruction that retires");
  RvfiModeFollowsReturn: assert property (@(posedge clk_i) !running_q || MachineIsUser || !strays)
    else $error("%s%s",
        "an instruction of U-mode follows one that is neither of U-mode nor xRET: connect rvfi_mode, the mode ",
        "of the instruction, to rvfi_mode_i, not the current mode of the core");
  RvfiMissIsLoad: assert property (@(posedge clk_i) !running_q || ((miss_i & ~(rvfi_valid_i & loads_i)) == '0))
    else $error("%s%s",
        "miss_i without a load on RVFI: it goes with the instruction on RVFI, not with the access on the bus; ",
        "keep it until RVFI shows the load");
  RvfiOneOffset: assert property (@(posedge clk_i) !running_q || (two_offsets == '0))
    else $error("%s%s",
        "rvfi_mem_addr_i and rvfi_mem_rmask_i both contain the offset in the word: tie rvfi_mem_rmask_i to 0 ",
        "if the address is that of the first byte");
  // The unit requires: no instruction retires in the first cycle of ring 3, or outside ring 3.
  RvfiRing3Before: assert property (@(posedge clk_i) !held_i || (past_user_q && (cpl_i == 2'd3)))
    else $error("lanes outside ring 3");

endmodule
