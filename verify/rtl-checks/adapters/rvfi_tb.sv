// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_retire_rvfi: random groups of real instruction words; each lane is what its instruction should become.
//
//   +seed=N  +cycles=N

module rvfi_tb
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  parameter int unsigned Lanes = 2,
  parameter int unsigned Xlen  = 64
);

  localparam int unsigned Words = 32;

  // Instruction word, kind of branch in the unit's codes.
  function automatic logic [35:0] word(int unsigned i);
    unique case (i)
      0:  word = {32'h00310093, 4'd0};   // addi x1, x2, 3
      1:  word = {32'h0000006f, 4'd1};   // jal x0, 0
      2:  word = {32'h000000ef, 4'd4};   // jal x1, 0
      3:  word = {32'h000002ef, 4'd4};   // jal x5, 0
      4:  word = {32'h0000056f, 4'd1};   // jal x10, 0
      5:  word = {32'h00008067, 4'd6};   // jalr x0, 0(x1)
      6:  word = {32'h00028067, 4'd6};   // jalr x0, 0(x5)
      7:  word = {32'h000500e7, 4'd5};   // jalr x1, 0(x10)
      8:  word = {32'h00050067, 4'd3};   // jalr x0, 0(x10)
      9:  word = {32'h000082e7, 4'd5};   // jalr x5, 0(x1)
      10: word = {32'h00058567, 4'd3};   // jalr x10, 0(x11)
      11: word = {32'h00208463, 4'd2};   // beq x1, x2, 8
      12: word = {32'hfe20fee3, 4'd2};   // bgeu x1, x2, -4
      13: word = {32'h00000073, 4'd10};  // ecall
      14: word = {32'h30200073, 4'd10};  // mret
      15: word = {32'h30001073, 4'd0};   // csrrw x0, mstatus, x0
      16: word = {32'h0000a103, 4'd0};   // lw x2, 0(x1)
      17: word = {32'h0020a023, 4'd0};   // sw x2, 0(x1)
      18: word = {32'h0000a001, 4'd1};   // c.j 0
      19: word = {32'h0000c001, 4'd2};   // c.beqz x8, 0
      20: word = {32'h0000e001, 4'd2};   // c.bnez x8, 0
      21: word = {32'h00008082, 4'd6};   // c.jr x1
      22: word = {32'h00008502, 4'd3};   // c.jr x10
      23: word = {32'h00009502, 4'd5};   // c.jalr x10
      24: word = {32'h00000505, 4'd0};   // c.addi x10, 1
      25: word = {32'h00009002, 4'd10};  // c.ebreak
      26: word = {32'h0000852e, 4'd0};   // c.mv x10, x11
      27: word = {32'h00002501, (Xlen == 32) ? 4'd4 : 4'd0};  // c.jal in RV32, c.addiw in RV64
      28: word = {32'h00000537, 4'd0};   // lui x10, 0
      29: word = {32'h0000000f, 4'd0};   // fence
      30: word = {32'h00004108, 4'd0};   // c.lw x10, 0(x10)
      default: word = {32'h00000013, 4'd0};
    endcase
  endfunction

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, cycles = 5000, seen, taken, loads, modes;
  always #5 clk = !clk;

  logic [Lanes-1:0]               valid, trap, counts, pred_valid, pred_ok, miss;
  logic [Lanes-1:0][31:0]         insn;
  logic [Lanes-1:0][1:0]          mode;
  logic [Lanes-1:0][Xlen-1:0]     pc, next, addr;
  logic [Lanes-1:0][Xlen/8-1:0]   rmask;
  logic [Lanes-1:0][LatencyW-1:0] latency;
  source_e [Lanes-1:0]            source;
  logic [1:0]                     cpl, past_cpl;
  lane_t [Lanes-1:0]              lanes, expected;
  logic                           busy;

  lwp_retire_rvfi #(.RetireLanes(Lanes), .Xlen(Xlen)) u_adapter (
    .clk_i(clk), .rst_ni(rst_n), .rvfi_valid_i(valid), .rvfi_trap_i(trap), .rvfi_insn_i(insn), .rvfi_mode_i(mode),
    .rvfi_pc_rdata_i(pc), .rvfi_pc_wdata_i(next), .rvfi_mem_addr_i(addr), .rvfi_mem_rmask_i(rmask),
    .counts_i(counts), .pred_valid_i(pred_valid), .pred_ok_i(pred_ok), .miss_i(miss), .latency_i(latency),
    .source_i(source), .cpl_o(cpl), .lanes_o(lanes), .busy_o(busy)
  );

  logic [31:0] rng;
  logic [1:0]  now;   // mode of the core
  int          stay;  // cycles it lasts still
  int          cycle;

  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  // One instruction, and what its lane should be.
  task automatic retire(int l);
    logic [31:0] r;
    logic [35:0] w;
    logic [3:0]  size, first, offset;
    r = draw();
    w = word(int'(r[4:0]) % Words);
    size = (w[5:4] == 2'b11) ? 4'd4 : 4'd2;
    valid[l] <= r[5] | r[6];
    trap[l]  <= r[10:7] == 4'd0;
    insn[l]  <= w[35:4];
    mode[l]  <= now;
    counts[l] <= r[11];
    {pred_valid[l], pred_ok[l], miss[l]} <= r[14:12];
    first = r[18] ? {1'b0, r[17:15]} & 4'(Xlen / 8 - 1) : 4'd0;
    rmask[l] <= r[18] ? ({Xlen/8{1'b1}} << first) : '0;
    source[l] <= source_e'(r[21:19]);
    r = draw();
    offset = r[0] ? size : {r[2:0], 1'b0};
    pc[l] <= Xlen'({r, ~r});
    next[l] <= Xlen'({r, ~r}) + Xlen'(offset);
    latency[l] <= r[30:0];
    expected[l].ip <= 64'(Xlen'({r, ~r}));
    expected[l].branch_next <= 64'(Xlen'({r, ~r}) + Xlen'(offset));
    expected[l].branch_taken <= offset != size;
    expected[l].loads[0].latency <= r[30:0];
    r = draw();
    addr[l] <= Xlen'({r, r});
    expected[l].loads[0].addr <= 64'(Xlen'({r, r})) + 64'(first);
    expected[l].branch_kind <= w[3:0];
  endtask

  task automatic check;
    for (int l = 0; l < Lanes; l++) begin
      automatic logic want = past[l].valid;
      if (lanes[l].valid != want) $fatal(1, "FAIL lane %0d valid: seed %0d, cycle %0d", l, seed, cycle);
      if (want && lanes[l] != past[l]) $fatal(1, "FAIL lane %0d: seed %0d, cycle %0d, kind %0d, %h instead of %h", l, seed, cycle, past[l].branch_kind, lanes[l], past[l]);
      if (want && (cpl != 2'd3 || past_cpl != 2'd3)) $fatal(1, "FAIL mode: seed %0d, cycle %0d", seed, cycle);
      if (want && !busy) $fatal(1, "FAIL busy: seed %0d, cycle %0d", seed, cycle);
      seen  += int'(want);
      taken += int'(want && lanes[l].branch_taken);
      loads += int'(want && lanes[l].loads[0].miss);
    end
    modes += int'(cpl != past_cpl);
  endtask

  // What this cycle's inputs should become in the next.
  lane_t [Lanes-1:0] past;
  always @(posedge clk) begin
    for (int l = 0; l < Lanes; l++) begin
      past[l]                    <= expected[l];
      past[l].valid              <= valid[l] && !trap[l] && mode[l] == 2'd0;
      past[l].counts             <= counts[l];
      past[l].branch_pred_valid  <= pred_valid[l];
      past[l].branch_pred_ok     <= pred_ok[l];
      past[l].loads[1]           <= '0;
      past[l].loads[0].miss      <= miss[l] && rmask[l] != '0;
      past[l].loads[0].addr_valid <= 1'b1;
      past[l].loads[0].is_tagged <= 1'b0;
      past[l].loads[0].source    <= source[l];
    end
    past_cpl <= cpl;
    if (rst_n) begin
      check();
      cycle++;
      for (int l = 0; l < Lanes; l++) retire(l);
      // U for a while, then S or M for two cycles at least, with a bubble when the mode changes.
      stay--;
      if (stay == 0) begin
        valid <= '0;
        now = (now == 2'd0) ? ((rng[0]) ? 2'd1 : 2'd3) : 2'd0;
        stay = (now == 2'd0) ? 3 + int'(rng[4:1]) : 3 + int'(rng[1:0]);
      end
    end
  end

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", cycles));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {valid, trap, insn, mode, pc, next, addr, rmask, counts, pred_valid, pred_ok, miss, latency, source} = '0;
    {past, past_cpl, expected, now, seen, taken, loads, modes, cycle} = '0;
    stay = 5;
    now  = 2'd3;
    #22 rst_n = 1'b1;
    wait (cycle == cycles);
    if (seen == 0 || taken == 0 || loads == 0 || modes < 10) $fatal(1, "FAIL nothing happened");
    $display("PASS seed %0d: %0d instructions, %0d taken, %0d misses, %0d changes of mode", seed, seen, taken, loads, modes);
    $finish;
  end

endmodule
