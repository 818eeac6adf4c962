// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_retire_etrace: a random walk as blocks of the ingress port; the lanes, one after another, are its instructions.
//
//   +seed=N  +blocks=N

module etrace_tb
  import lwp_pkg::*;
  import mem_pkg::*;
#(
  parameter int unsigned Lanes      = 4,
  parameter bit          Single     = 1'b0,
  parameter bit          Compressed = 1'b0
);

  localparam int unsigned W = $clog2(2 * Lanes + 1);

  // The target of a jump before the next block: no lane may show it.
  localparam logic [63:0] Unknown = 64'hDEAD_DEAD_DEAD_DEAD;

  typedef struct {
    logic [63:0] ip, next;
    logic [3:0]  kind;
    logic        taken;
  } instruction_t;

  // Kind and direction by itype, by the table of the specification.
  function automatic logic [4:0] ending(logic [3:0] itype);
    unique case (itype)
      3:           ending = {1'b1, 4'd10};
      4:           ending = {1'b0, 4'd2};
      5:           ending = {1'b1, 4'd2};
      6, 10, 14:   ending = {1'b1, 4'd3};
      8, 12:       ending = {1'b1, 4'd5};
      9:           ending = {1'b1, 4'd4};
      11, 15:      ending = {1'b1, 4'd1};
      13:          ending = {1'b1, 4'd6};
      default:     ending = '0;
    endcase
  endfunction

  logic clk = 1'b0, rst_n = 1'b0;
  int   seed = 1, blocks = 4000, block, seen, unknown, excepted, operated;
  always #5 clk = !clk;

  logic [3:0]        itype;
  logic [2:0]        priv;
  logic [63:0]       iaddr;
  logic [W-1:0]      iretire;
  logic              ilastsize, busy, op_wait;
  logic [63:0]       op_pc;
  logic [1:0]        cpl, past_cpl;
  lane_t [Lanes-1:0] lanes;

  lwp_retire_etrace #(.RetireLanes(Lanes), .Single(Single), .Compressed(Compressed)) u_adapter (
    .clk_i(clk), .rst_ni(rst_n), .itype_i(itype), .priv_i(priv), .iaddr_i(iaddr), .iretire_i(iretire),
    .ilastsize_i(ilastsize), .counts_i(1'b1), .op_wait_i(op_wait), .op_pc_i(op_pc), .cpl_o(cpl), .lanes_o(lanes), .busy_o(busy)
  );

  instruction_t queue [$];
  logic         open;     // the last in the queue lacks its target
  logic [31:0]  rng;
  logic [63:0]  pc;
  logic [2:0]   now;
  int           stay, waited;

  function automatic logic [31:0] draw();
    rng = step(rng);
    return rng;
  endfunction

  task automatic settle(logic [63:0] target);
    if (open) queue[queue.size() - 1].next = target;
    open = 1'b0;
  endtask

  // A block that retires instructions.
  task automatic retire;
    logic [31:0]  r;
    instruction_t i;
    int           count, size;
    r = draw();
    count = 1 + int'(r[7:0]) % int'(Lanes);
    size  = (Compressed && r[8]) ? 2 : 4;
    itype <= (r[9]) ? 4'd0 : r[13:10];
    if (!r[9] && r[13:10] == 4'd7) itype <= 4'd5;
    if (!r[9] && (r[13:10] == 4'd1 || r[13:10] == 4'd2)) itype <= 4'd4;
    iretire   <= Single ? W'(1) : W'(count * size / 2);
    ilastsize <= size == 4;
    iaddr     <= pc;
    priv      <= now;
    settle(pc);
    for (int k = 0; k < count; k++) begin
      i.ip    = pc;
      i.kind  = '0;
      i.taken = 1'b0;
      pc     += 64'(size);
      i.next  = pc;
      if (k == count - 1) begin
        logic [3:0] t;
        t = r[9] ? 4'd0 : (r[13:10] == 4'd7) ? 4'd5 : (r[13:10] == 4'd1 || r[13:10] == 4'd2) ? 4'd4 : r[13:10];
        {i.taken, i.kind} = ending(t);
        if (i.taken) begin
          pc     = {32'd0, draw()} & ~64'd1;
          i.next = Unknown;
        end
      end
      if (now == 3'd0) queue.push_back(i);
    end
    open = (now == 3'd0) && queue[queue.size() - 1].taken && queue.size() != 0;
    block++;
  endtask

  // Leave or enter U-mode by an exception or interrupt without a further instruction, or simply.
  task automatic change;
    logic [31:0] r;
    r = draw();
    iretire <= '0;
    itype   <= 4'd0;
    if (now == 3'd0 && r[1:0] == 2'd1) begin
      itype <= 4'd1;
      iaddr <= pc;
      excepted += int'(open);
      settle(pc);
    end else if (now == 3'd0 && r[1:0] == 2'd2) begin
      itype <= 4'd2;
      iaddr <= {2{r}};
      unknown += int'(open);
      settle(64'd0);
    end
    now  = (now == 3'd0) ? 3'd3 : 3'd0;
    stay = 3 + int'(r[6:3]);
    pc   = {32'd0, draw()} & ~64'd1;
  endtask

  // An operation at `pc` waits until the adapter is idle, then for its response; its block has no instruction that counts
  // and is left out. It may be the target of the block before.
  task automatic operate;
    if (waited == 0) begin
      operated += int'(open);
      settle(pc);
    end
    op_wait <= 1'b1;
    op_pc   <= pc;
    waited++;
    if (waited > 3 && busy) $fatal(1, "FAIL an operation waits for ever: seed %0d, block %0d", seed, block);
    if (waited > 3) begin
      waited = 0;
      pc    += 64'd4;
    end
  endtask

  task automatic check;
    for (int l = 0; l < Lanes; l++) if (lanes[l].valid) begin
      automatic instruction_t want;
      if (queue.size() == 0) $fatal(1, "FAIL an instruction too many: seed %0d, block %0d", seed, block);
      want = queue.pop_front();
      if (lanes[l].ip != want.ip || lanes[l].branch_kind != want.kind || lanes[l].branch_next != want.next ||
          (want.kind != 0 && lanes[l].branch_taken != want.taken) || lanes[l].loads != '0 || !lanes[l].counts)
        $fatal(1, "FAIL lane %0d: seed %0d, block %0d, %p instead of %p", l, seed, block, lanes[l], want);
      if (cpl != 2'd3 || past_cpl != 2'd3 || !busy) $fatal(1, "FAIL mode: seed %0d, block %0d", seed, block);
      seen++;
    end
  endtask

  // Inputs change after the falling edge, so that lanes that depend on them are seen at the rising one.
  always @(negedge clk) if (rst_n) begin
    iretire <= '0;
    itype   <= 4'd0;
    iaddr   <= {2{draw()}};
    op_wait <= 1'b0;
    op_pc   <= Unknown;
    stay--;
    if (waited != 0) operate();
    else if (stay <= 0) change();
    else if (rng[6:4] == 3'd0) operate();
    else if (rng[3:2] != 2'd0) retire();
  end

  always @(posedge clk) if (rst_n) begin
    check();
    past_cpl <= cpl;
  end

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("blocks=%d", blocks));
    rng = 32'(seed) * 32'd2654435761 | 32'd1;
    {itype, iaddr, iretire, ilastsize, past_cpl, block, seen, unknown, excepted, operated, waited, op_wait, op_pc, open} = '0;
    priv = 3'd3;
    pc   = 64'h8000_0000;
    now  = 3'd3;
    stay = 5;
    #22 rst_n = 1'b1;
    wait (block >= blocks && now == 3'd3 && stay == 1);
    if (queue.size() > 1) $fatal(1, "FAIL %0d instructions are missing: seed %0d", queue.size(), seed);
    if (seen == 0 || unknown == 0 || excepted == 0 || operated == 0) $fatal(1, "FAIL nothing happened");
    $display("PASS seed %0d: %0d instructions of %0d blocks, %0d targets unknown, %0d of operations", seed, seen, block, unknown, operated);
    $finish;
  end

endmodule
