// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_retire_rvfi: random groups of real instruction words; each lane is what its instruction should become. Operations
// between them wait for the last instruction before them and have their own mode.
//
//   +seed=N  +cycles=N
//   +wrong=mode     rvfi_mode is that of the instruction before
//   +wrong=miss     miss_i comes a cycle late
//   +wrong=offset   rvfi_mem_addr contains the offset that the mask shows
//   +wrong=modes    two modes in one cycle
//   +wrong=blink    user mode is left for one cycle

module rvfi_tb
  import lwp_pkg::*;
  import mem_pkg::*;
  import rvfi_words::*;
#(
  parameter int unsigned Lanes         = 2,
  parameter int unsigned Xlen          = 64,
  parameter bit          MachineIsUser = 1'b0,
  parameter bit          ExpandedInsn  = 1'b0,
  parameter int unsigned RvfiLate      = 3
);

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, cycles = 5000, seen, taken, loads, modes, operations, others;
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
  logic                           busy, op_wait, op_user;

  // Wrong wiring, on demand: the adapter's assertions say what to connect.
  string                      wrong = "";
  logic [Lanes-1:0][1:0]      past_mode, wired_mode;
  logic [Lanes-1:0]           past_miss, wired_miss;
  logic [Lanes-1:0][Xlen-1:0] wired_addr;
  always @(posedge clk) begin
    past_miss <= miss;
    if (valid != '0) past_mode <= mode;
  end
  assign wired_mode = (wrong == "mode") ? past_mode : mode;
  assign wired_miss = (wrong == "miss") ? past_miss : miss;
  always_comb begin
    wired_addr = addr;
    if (wrong == "offset") begin
      for (int l = 0; l < Lanes; l++) wired_addr[l][0] = addr[l][0] | (rmask[l] != '0 && !rmask[l][0]);
    end
  end

  lwp_retire_rvfi #(
    .RetireLanes(Lanes), .Xlen(Xlen), .MachineIsUser(MachineIsUser), .ExpandedInsn(ExpandedInsn), .RvfiLate(RvfiLate)
  ) u_adapter (
    .clk_i(clk), .rst_ni(rst_n), .rvfi_valid_i(valid), .rvfi_trap_i(trap), .rvfi_insn_i(insn), .rvfi_mode_i(wired_mode),
    .rvfi_pc_rdata_i(pc), .rvfi_pc_wdata_i(next), .rvfi_mem_addr_i(wired_addr), .rvfi_mem_rmask_i(rmask),
    .counts_i(counts), .pred_valid_i(pred_valid), .pred_ok_i(pred_ok), .miss_i(wired_miss), .latency_i(latency),
    .source_i(source), .op_wait_i(op_wait), .op_user_i(op_user), .cpl_o(cpl), .lanes_o(lanes), .busy_o(busy)
  );

  logic [31:0] rng;
  logic [1:0]  now;   // mode of the core
  int          stay;  // cycles it lasts still
  int          cycle;

  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  // One instruction, MRET if that is wanted, and what its lane should be.
  task automatic retire(int l, logic mret);
    logic [31:0]     r;
    logic [Xlen-1:0] from, to;
    word_t       w;
    logic [2:0]  first;
    int          size, offset;
    r = draw();
    w = word(int'(r[5:0]) % Words, Xlen);
    // A word of 16 bits would be expanded: here to a NOP, which is 2 bytes long.
    size = (w.insn[1:0] == 2'b11) ? 4 : 2;
    if (ExpandedInsn && (size == 2)) w = {32'h00000013, 4'd0, 1'b0};
    if (mret) w = {Mret, 4'd10, 1'b0};
    if (mret) size = 4;
    valid[l] <= r[6] | r[7] | mret;
    trap[l]  <= r[11:8] == 4'd0 && !mret;
    insn[l]  <= w.insn;
    mode[l]  <= now;
    counts[l] <= r[12];
    {pred_valid[l], pred_ok[l]} <= r[14:13];
    miss[l]   <= w.load && (r[6] | r[7]) && r[15];
    source[l] <= source_e'(r[18:16]);
    // Instructions that do not load have a mask too. A mask with an offset goes with the address of a register's width.
    first = r[21:19] & 3'(Xlen / 8 - 1);
    rmask[l] <= r[22] ? ({Xlen/8{1'b1}} << first) : '0;
    if (!r[22]) first = '0;
    r = draw();
    unique case (r[1:0])
      2'd0:    offset = size;
      2'd1:    offset = target(w.insn);
      default: offset = int'({r[2:0], 1'b0});
    endcase
    from = Xlen'({r, ~r});
    to   = from + Xlen'(offset);
    pc[l] <= from;
    next[l] <= to;
    latency[l] <= r[30:0];
    expected[l].ip <= 64'(from);
    expected[l].branch_next <= 64'(to);
    expected[l].branch_taken <= !ExpandedInsn ? (offset != size) : (w.kind == BranchCond) ? (offset == target(w.insn)) : (w.kind != BranchNone);
    expected[l].loads[0].latency <= r[30:0];
    expected[l].loads[0].miss <= w.load;
    r = draw();
    if (first != '0) r = {r[31:3], 3'd0};
    addr[l] <= Xlen'({r, r});
    expected[l].loads[0].addr <= 64'(Xlen'({r, r})) + 64'(first);
    expected[l].branch_kind <= w.kind;
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

  // Cycles of the operation so far, and further cycles after it in which the core retires nothing.
  int  waited, rests;
  logic waits;

  // An operation is presented when nothing older can come any more, soon after, and in its own mode.
  task automatic operate;
    if (waits) begin
      waited++;
      if (!busy) begin
        if (waited < int'(RvfiLate)) $fatal(1, "FAIL too early: seed %0d, cycle %0d", seed, cycle);
        if (cpl != (op_user ? 2'd3 : 2'd0)) $fatal(1, "FAIL mode of an operation: seed %0d, cycle %0d", seed, cycle);
        op_wait <= 1'b0;
        waits = 1'b0;
        rests = 1 + int'(rng[3:1]);
        operations++;
        others += int'(op_user != (now == 2'd0));
      end else if (waited > int'(RvfiLate) + 2) begin
        $fatal(1, "FAIL no operation: seed %0d, cycle %0d", seed, cycle);
      end
    end else if (rests > 0) begin
      if (cpl != (op_user ? 2'd3 : 2'd0)) $fatal(1, "FAIL mode after an operation: seed %0d, cycle %0d", seed, cycle);
      rests--;
    end else if (stay > 3 && rng[10:7] == 4'd0) begin
      op_wait <= 1'b1;
      waits = 1'b1;
      op_user <= rng[11];
      waited = 0;
    end
  endtask

  // What this cycle's inputs should become in the next.
  lane_t [Lanes-1:0] past;
  always @(posedge clk) begin
    for (int l = 0; l < Lanes; l++) begin
      past[l]                    <= expected[l];
      past[l].valid              <= valid[l] && !trap[l] && (MachineIsUser || mode[l] == 2'd0);
      past[l].counts             <= counts[l];
      past[l].branch_pred_valid  <= pred_valid[l];
      past[l].branch_pred_ok     <= pred_ok[l];
      past[l].loads[1]           <= '0;
      past[l].loads[0].miss      <= miss[l] && expected[l].loads[0].miss;
      past[l].loads[0].addr_valid <= 1'b1;
      past[l].loads[0].is_tagged <= 1'b0;
      past[l].loads[0].source    <= source[l];
    end
    past_cpl <= cpl;
    if (rst_n) begin
      if (wrong == "") check();
      cycle++;
      for (int l = 0; l < Lanes; l++) retire(l, 1'b0);
      operate();
      if ((waits && waited >= int'(RvfiLate)) || (rests > 0)) begin
        valid <= '0;
        miss  <= '0;
      end else begin
        stay--;
      end
      // Now and then, on demand.
      if (now == 2'd0 && cycle % 50 == 49 && stay > 2) begin
        if (wrong == "modes") {valid, trap, mode[Lanes-1]} <= {{Lanes{1'b1}}, {Lanes{1'b0}}, 2'd3};
        if (wrong == "blink") begin
          retire(0, 1'b1);
          valid   <= Lanes'(1);
          miss    <= '0;
          mode[0] <= 2'd3;
        end
      end
      // U for a while, then S or M for two cycles at least, with MRET or a bubble when the mode changes.
      if (stay == 0) begin
        valid <= '0;
        miss  <= '0;
        if (now != 2'd0) retire(0, 1'b1);
        now = (now == 2'd0) ? ((rng[0]) ? 2'd1 : 2'd3) : 2'd0;
        stay = (now == 2'd0) ? 3 + int'(rng[4:1]) : 3 + int'(rng[1:0]);
      end
    end
  end

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", cycles));
    void'($value$plusargs("wrong=%s", wrong));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {valid, trap, insn, mode, pc, next, addr, rmask, counts, pred_valid, pred_ok, miss, latency, source, op_wait, op_user} = '0;
    {past, past_cpl, expected, now, seen, taken, loads, modes, cycle, operations, others, waited, rests, waits} = '0;
    stay = 5;
    now  = 2'd3;
    #22 rst_n = 1'b1;
    wait (cycle == cycles);
    if (seen == 0 || taken == 0 || loads == 0 || modes < 10 || others == 0) $fatal(1, "FAIL nothing happened");
    $display("PASS seed %0d: %0d instructions, %0d taken, %0d misses, %0d changes of mode, %0d operations, %0d of another mode",
             seed, seen, taken, loads, modes, operations, others);
    $finish;
  end

endmodule
