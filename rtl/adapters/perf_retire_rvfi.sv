// SPDX-License-Identifier: MIT OR Apache-2.0
//
// RVFI bridge of the performance counters: converts a channel of the RISC-V Formal Interface to a lane, the mode, the
// interruptions and two lines of the event bus.
//
//   cycle t      RVFI shows an instruction; if it is the first one of a handler, an interruption is delivered
//   cycle t + 1  the mode is that of the instruction, and nothing retires
//   cycle t + 2  the instruction retires: lane, `data_mem_refs`, `misalign_mem_ref`
//
// U-mode is level 3, every other mode level 0. An instruction that traps does not retire; the interruption behind it is
// an exception, every other one an interrupt. RVFI tells neither interrupts from NMI, nor whether a prediction was
// correct. The instruction word tells whether an instruction loads or stores. An access across a multiple of BusBytes
// is two references, since the core splits it.
//
// RVFI comes later than the bus, and a request that the core makes through the bus must find what is older counted. So
// it waits: RvfiLate cycles, and until no lane is in flight. It has the rights of its page, whatever the mode is.
//
// Contract: docs/src/retire/lanes.md, docs/src/perf/ports.md, docs/src/integration/ibex-perf.md.

module perf_retire_rvfi
  import retire_pkg::*;
#(
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen     = 32,
  // Bytes of the data bus: 4 or 8. The core splits an access across a multiple of them.
  parameter int unsigned BusBytes = 4,
  // Cycles from the grant of an access on the control port until RVFI has shown every older instruction: 1 to 63.
  parameter int unsigned RvfiLate = 1
) (
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,

  // An instruction is presented.
  input  logic              rvfi_valid_i,
  // The instruction traps, so it does not retire; valid with `rvfi_valid_i`.
  input  logic              rvfi_trap_i,
  // The instruction is the first one of a handler; valid with `rvfi_valid_i`.
  input  logic              rvfi_intr_i,
  // Instruction word; valid with `rvfi_valid_i`.
  input  logic [31:0]       rvfi_insn_i,
  // Privilege mode of the instruction, 0 is U-mode; valid with `rvfi_valid_i`.
  input  logic [1:0]        rvfi_mode_i,
  // Address of the instruction; valid with `rvfi_valid_i`.
  input  logic [Xlen-1:0]   rvfi_pc_rdata_i,
  // Address of the next instruction; valid with `rvfi_valid_i`.
  input  logic [Xlen-1:0]   rvfi_pc_wdata_i,
  // Address of the memory access; valid for a load or store.
  input  logic [Xlen-1:0]   rvfi_mem_addr_i,
  // Bytes from `rvfi_mem_addr_i` on that are loaded; valid for a load.
  input  logic [Xlen/8-1:0] rvfi_mem_rmask_i,
  // Bytes from `rvfi_mem_addr_i` on that are stored; valid for a store.
  input  logic [Xlen/8-1:0] rvfi_mem_wmask_i,
  // Not in RVFI: `pred_ok_i` is valid; 0 if the core does not show its predictions.
  input  logic              pred_valid_i,
  // Not in RVFI: the branch was predicted correctly.
  input  logic              pred_ok_i,

  // Register request, pending until a cycle with `reg_ready_o`.
  input  reg_request_t      reg_i,
  // The request has the rights of level 3; valid with `reg_i.reg_valid`.
  input  logic              reg_user_i,
  // The request is accepted in this cycle.
  output logic              reg_ready_o,

  // Lane of the unit.
  output perf_pkg::lane_t   lane_o,
  // Level for the unit; in a cycle with a request, that of the request.
  output logic [1:0]        cpl_o,
  // An interruption is delivered.
  output logic              int_valid_o,
  // Kind of interruption: exception or interrupt; valid with `int_valid_o`.
  output int_kind_e         int_kind_o,
  // Line of the event bus: loads and stores.
  output logic [3:0]        data_mem_refs_o,
  // Line of the event bus: an access crosses a 64-bit boundary.
  output logic              misalign_mem_ref_o,
  // Register request for the unit.
  output reg_request_t      reg_o
);

  if ((Xlen != 32) && (Xlen != 64)) begin : gen_bad_xlen
    $error("Xlen must be 32 or 64");
  end
  if ((BusBytes != 4) && (BusBytes != 8)) begin : gen_bad_bus
    $error("BusBytes must be 4 or 8");
  end
  if ((RvfiLate < 1) || (RvfiLate > 63)) begin : gen_bad_late
    $error("RvfiLate must be 1 to 63");
  end

  // What retires in a cycle.
  typedef struct packed {
    perf_pkg::lane_t lane;
    logic [3:0]      refs;
    logic            misaligned;
  } group_t;

  group_t group_d;
  // What RVFI showed one cycle ago, and two.
  group_t recent_q, group_q;
  // The last instruction was one of U-mode; it trapped.
  logic   user_d, user_q, trapped_d, trapped_q;

  ///////////////////
  // Instructions //
  ///////////////////

  logic [3:0]      kind;
  logic            system, transfers, branches;
  // The address of the access alone is looked at: its lowest bits.
  // verilator lint_off UNUSEDSIGNAL
  access_t         access;
  // verilator lint_on UNUSEDSIGNAL
  logic [Xlen-1:0] sequential;

  lwp_rvfi_branch #(.Xlen(Xlen)) u_branch (.insn_i(rvfi_insn_i), .kind_o(kind));

  retire_rvfi_access #(.Xlen(Xlen)) u_access (
    .insn_i     (rvfi_insn_i),
    .mem_addr_i (rvfi_mem_addr_i),
    .mem_rmask_i(rvfi_mem_rmask_i),
    .mem_wmask_i(rvfi_mem_wmask_i),
    .access_o   (access)
  );

  assign sequential = rvfi_pc_rdata_i + ((rvfi_insn_i[1:0] == 2'b11) ? Xlen'(4) : Xlen'(2));

  // Of the SYSTEM instructions without a CSR, ECALL, EBREAK, SRET, MRET, MNRET and DRET transfer control. The others,
  // like WFI, are not branches.
  assign system    = (kind == BranchSystem) && (rvfi_insn_i[1:0] == 2'b11);
  assign transfers = rvfi_insn_i[31:20] inside {12'h000, 12'h001, 12'h102, 12'h302, 12'h702, 12'h7B2};
  assign branches  = (kind != BranchNone) && (!system || transfers);

  // Offset behind the access, from the word of the bus and from the 64 bits that it begins in.
  logic [4:0] past_word, past_line;
  logic [3:0] parts;
  logic       accesses;
  assign past_word = {2'b0, access.addr[2:0] & 3'(BusBytes - 1)} + {1'b0, access.size[3:0]};
  assign past_line = {2'b0, access.addr[2:0]} + {1'b0, access.size[3:0]};
  assign parts     = (past_word > 5'(BusBytes)) ? 4'd2 : 4'd1;
  assign accesses  = access.read || access.write;

  always_comb begin
    group_d = '0;
    if (rvfi_valid_i && !rvfi_trap_i) begin
      group_d.lane = '{
        valid:             1'b1,
        counts:            1'b1,
        branch_kind:       branches ? branch_kind_e'(kind) : BranchNone,
        branch_taken:      branches && ((kind != BranchCond) || (rvfi_pc_wdata_i != sequential)),
        branch_pred_valid: pred_valid_i,
        branch_pred_ok:    pred_ok_i
      };
      group_d.refs       = (access.read ? parts : '0) + (access.write ? parts : '0);
      group_d.misaligned = accesses && (past_line > 5'd8);
    end
  end

  assign user_d    = rvfi_valid_i ? (rvfi_mode_i == 2'd0) : user_q;
  assign trapped_d = rvfi_valid_i ? rvfi_trap_i : trapped_q;

  assign lane_o             = group_q.lane;
  assign data_mem_refs_o    = group_q.refs;
  assign misalign_mem_ref_o = group_q.misaligned;
  assign int_valid_o        = rvfi_valid_i && rvfi_intr_i;
  assign int_kind_o         = trapped_q ? IntException : IntInterrupt;

  //////////////
  // Requests //
  //////////////

  // Cycles that the request has waited, up to that in which RVFI has shown what is older.
  logic [5:0] waited_d, waited_q;
  logic       settled;

  assign settled     = waited_q == 6'(RvfiLate - 1);
  assign waited_d    = (!reg_i.reg_valid || reg_ready_o) ? '0 : settled ? waited_q : waited_q + 6'd1;
  assign reg_ready_o = reg_i.reg_valid && settled && !rvfi_valid_i && !recent_q.lane.valid && !group_q.lane.valid;

  always_comb begin
    reg_o           = reg_i;
    reg_o.reg_valid = reg_ready_o;
  end

  assign cpl_o = (reg_ready_o ? reg_user_i : user_q) ? 2'd3 : 2'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      recent_q  <= '0;
      group_q   <= '0;
      user_q    <= 1'b0;
      trapped_q <= 1'b0;
      waited_q  <= '0;
    end else begin
      recent_q  <= group_d;
      group_q   <= recent_q;
      user_q    <= user_d;
      trapped_q <= trapped_d;
      waited_q  <= waited_d;
    end
  end

`ifndef SYNTHESIS
  // Out of reset; a request waits, and RVFI has shown what is older.
  logic running_q, past_settled_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q      <= 1'b0;
      past_settled_q <= 1'b0;
    end else begin
      running_q      <= 1'b1;
      past_settled_q <= reg_i.reg_valid && settled && !reg_ready_o;
    end
  end

  PerfModeGap: assert property (@(posedge clk_i) !running_q || !rvfi_valid_i || (user_d == user_q) ||
      !recent_q.lane.valid)
    else $error("instructions of two modes retire in two cycles without a pause: connect rvfi_mode to rvfi_mode_i");
  PerfIntGap: assert property (@(posedge clk_i) !running_q || !int_valid_o ||
      (!recent_q.lane.valid && !group_q.lane.valid))
    else $error("less than two cycles between an instruction and a handler: connect rvfi_intr to rvfi_intr_i");
  PerfModeFollows: assert property (@(posedge clk_i) !running_q || !rvfi_valid_i || !user_q || user_d ||
      rvfi_intr_i)
    else $error("user mode ends without rvfi_intr_i: connect rvfi_intr to rvfi_intr_i");
  PerfCoreWaits: assert property (@(posedge clk_i) !running_q || !past_settled_q || !rvfi_valid_i)
    else $error("an instruction retires while a request waits: RvfiLate is too small, or the core buffers its stores");
`endif

endmodule
