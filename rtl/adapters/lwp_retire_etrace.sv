// SPDX-License-Identifier: MIT OR Apache-2.0
//
// E-Trace bridge: converts an ingress port of RISC-V Efficient Trace (one block per cycle) to retire lanes of the unit.
//
// The port reports where a block begins, its number of half-words, and how it ends. It does not report the number of
// instructions: with `Compressed` = 0 each has two half-words; in a core with the C extension a block must be one
// instruction (RetireLanes = 1). The port reports no loads, latencies or predictions: tie `avail_dme` to 0 and
// `prediction` to none. The target of a jump is the address of the next block, so a block that ends in a jump waits for
// the next block. An operation that is the target has no block before it ends, so `op_wait_i` gives its address. If an
// interrupt comes first, the target is not known and 0 is recorded.
//
// As with RVFI the core cannot be stalled, and only U-mode is passed on.
//
// Contract: docs/src/lwp/ports.md, docs/src/integration.md; RISC-V Efficient Trace, "Hart to encoder interface".

module lwp_retire_etrace
  import lwp_pkg::*;
#(
  // Instructions of the longest block: 1, 2, 4 or 8.
  parameter int unsigned  RetireLanes = 1,
  // Width of addresses.
  parameter int unsigned  AddrWidth   = 64,
  // 1: iretire counts instructions, 0 or 1 (single retirement); 0: it counts half-words.
  parameter bit           Single      = 1'b0,
  // 1: the core has the C extension, so that a block must be one instruction.
  parameter bit           Compressed  = 1'b0,
  // Width of iretire.
  localparam int unsigned RetireWidth = $clog2(2 * RetireLanes + 1)
) (
  // Clock: all registers change at its rising edge.
  input  logic                    clk_i,
  // Asynchronous reset, active low.
  input  logic                    rst_ni,

  // How the block ends (itype of the ingress port).
  input  logic [3:0]              itype_i,
  // Privilege mode of the block: 0 is U-mode.
  input  logic [2:0]              priv_i,
  // Address of the first instruction of the block; valid if `iretire_i` is not 0.
  input  logic [AddrWidth-1:0]    iaddr_i,
  // Length of the block in half-words, or in instructions with Single; 0: no block.
  input  logic [RetireWidth-1:0]  iretire_i,
  // Size of the last instruction: 2^ilastsize half-words.
  input  logic                    ilastsize_i,
  // The block contributes to the counts; 0 for LLWPCB and SLWPCB.
  input  logic                    counts_i,
  // An operation waits in the core, and the port has shown every older instruction; until the operation ends.
  input  logic                    op_wait_i,
  // Address of the operation; valid while `op_wait_i` is 1.
  input  logic [AddrWidth-1:0]    op_pc_i,

  // Current privilege level for the unit: 3 for U-mode, else 0.
  output logic [1:0]              cpl_o,
  // Retire lanes for the unit; lane 0 is the oldest.
  output lane_t [RetireLanes-1:0] lanes_o,
  // Lanes are in flight: an operation must wait.
  output logic                    busy_o
);

  if (Compressed && (RetireLanes != 1)) begin : gen_bad_compressed
    $error("with compressed instructions a block must be one instruction: RetireLanes = 1");
  end
  if (Single && (RetireLanes != 1)) begin : gen_bad_single
    $error("single retirement has one lane");
  end

  // The block of this cycle.
  logic                   block, exception, user;
  logic [3:0]             count;  // instructions
  logic [4:0]             halfwords;
  logic [3:0]             kind;
  logic                   taken, jumps;

  lwp_etrace_branch u_branch (.itype_i, .kind_o(kind), .taken_o(taken), .jumps_o(jumps));

  assign block     = iretire_i != '0;
  assign exception = !block && (itype_i == 4'd1);
  assign user      = priv_i == 3'd0;
  assign halfwords = Single ? (ilastsize_i ? 5'd2 : 5'd1) : 5'(iretire_i);
  assign count     = (Single || Compressed) ? 4'd1 : halfwords[4:1];

  ////////////////
  // Held block //
  ////////////////

  logic                   valid_d, valid_q, waits_d, waits_q, counts_d, counts_q, taken_d, taken_q;
  logic [3:0]             count_d, count_q, kind_d, kind_q;
  logic [AddrWidth-1:0]   addr_d, addr_q, after_d, after_q;
  logic                   known, sent;

  // The target of a jump is the next block, an instruction with an exception, or an operation; after an interrupt it is
  // unknown.
  assign known = block || exception || (itype_i == 4'd2) || op_wait_i;
  assign sent  = valid_q && (!waits_q || known);

  always_comb begin
    valid_d  = valid_q && !sent;
    waits_d  = waits_q;
    counts_d = counts_q;
    taken_d  = taken_q;
    count_d  = count_q;
    kind_d   = kind_q;
    addr_d   = addr_q;
    after_d  = after_q;
    if (block && user) begin
      valid_d  = 1'b1;
      waits_d  = jumps;
      counts_d = counts_i;
      taken_d  = taken;
      count_d  = count;
      kind_d   = kind;
      addr_d   = iaddr_i;
      after_d  = iaddr_i + AddrWidth'({halfwords, 1'b0});
    end
  end

  // Mode of the newest block. `cpl_o` shows it with the block, one cycle before its lanes.
  logic user_d, user_q;
  assign user_d = block ? user : user_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      waits_q  <= 1'b0;
      counts_q <= 1'b0;
      taken_q  <= 1'b0;
      count_q  <= '0;
      kind_q   <= '0;
      addr_q   <= '0;
      after_q  <= '0;
      user_q   <= 1'b0;
    end else begin
      valid_q  <= valid_d;
      waits_q  <= waits_d;
      counts_q <= counts_d;
      taken_q  <= taken_d;
      count_q  <= count_d;
      kind_q   <= kind_d;
      addr_q   <= addr_d;
      after_q  <= after_d;
      user_q   <= user_d;
    end
  end

  ///////////
  // Lanes //
  ///////////

  logic [63:0] target;
  always_comb begin
    target = '0;
    if (!waits_q) target = 64'(after_q);
    else if (block || exception) target = 64'(iaddr_i);
    else if (op_wait_i && (itype_i != 4'd2)) target = 64'(op_pc_i);
  end

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    logic last;
    assign last = count_q == 4'(l + 1);

    assign lanes_o[l] = '{
      valid:             sent && (count_q > 4'(l)),
      counts:            counts_q,
      ip:                64'(addr_q + AddrWidth'(4 * l)),
      branch_kind:       last ? kind_q : BranchNone,
      branch_taken:      last && taken_q,
      branch_pred_valid: 1'b0,
      branch_pred_ok:    1'b0,
      branch_next:       last ? target : 64'(addr_q + AddrWidth'(4 * l + 4)),
      loads:             '0
    };
  end

  assign cpl_o  = (valid_q || user_d) ? 2'd3 : 2'd0;
  assign busy_o = valid_q || (block && user);

`ifndef SYNTHESIS
  logic past_ring3_q, past_outside_q;

  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q      <= 1'b0;
      past_ring3_q   <= 1'b0;
      past_outside_q <= 1'b0;
    end else begin
      running_q      <= 1'b1;
      past_ring3_q   <= cpl_o == 2'd3;
      past_outside_q <= block && !user;
    end
  end

  EtraceFits:        assert property (@(posedge clk_i) !running_q || !block || (count <= 4'(RetireLanes)));
  EtraceKnownCount:  assert property (@(posedge clk_i) !running_q || !block || !Compressed || Single ||
                                      (halfwords == (ilastsize_i ? 5'd2 : 5'd1)));
  EtraceWhole:       assert property (@(posedge clk_i) !running_q || !block || Compressed || Single || !halfwords[0]);
  EtraceOpAfterAll:  assert property (@(posedge clk_i) !running_q || !op_wait_i || !block);
  EtraceModeLasts:   assert property (@(posedge clk_i) !(past_outside_q && past_ring3_q && block && user));
  EtraceRing3Before: assert property (@(posedge clk_i) !sent || (past_ring3_q && (cpl_o == 2'd3)));
`endif

endmodule
