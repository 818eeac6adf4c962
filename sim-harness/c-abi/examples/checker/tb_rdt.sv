// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plain test bench of the shared cache: two logical processors that access memory and ask at random, a memory with delays, changes of
// power, and a reset now and then. The checker is bound to the unit (rdt_model_bind.sv) and compares every output and register, and the
// set of each cache that the probe shows, in every cycle.
//
//   +seed=N     what is random (default 1)
//   +cycles=N   how long (default 20000)
//   +inject=N   in cycle N the RTL's strap `write_backs` changes: a fault that must be found

module tb;
  import rdt_pkg::*;
  import retire_pkg::*;

  logic                clk_i = 1'b0, rst_ni = 1'b1;
  config_t             cfg_i = rdt_config_pkg::ConfigDefault;
  lp_in_t [1:0]        lp_i = '0;
  mem_in_t             mem_i = '0;
  power_in_t           power_i = '1;
  logic                qm_unavailable_i = 1'b0;
  logic [SetW-1:0]     show_i = '0;
  mode_in_t            mode_i = '0;
  reg_request_t        reg_i = '0;
  lp_out_t [1:0]       lp_o;
  logic                mem_req_o, mem_write_o;
  // The memory has no data, and treats all addresses, RMIDs and classes alike.
  // verilator lint_off UNUSEDSIGNAL
  logic [AddressW-1:0] mem_addr_o;
  logic [4:0]          mem_rmid_o, l3_on_o;
  logic [3:0]          mem_cos_o, l2_on_o;
  // verilator lint_on UNUSEDSIGNAL
  logic                walking_o, reg_done_o;
  reg_result_e         reg_result_o;
  logic [63:0]         reg_rdata_o;
  state_t              state_o;

  rdt #(.LogicalProcessors(2), .L3Sets(8), .L3Ways(4), .L2Sets(4), .L2Ways(2), .Rmids(4), .Classes(4)) u_rdt (.*);

  // Randomness of our own: a seed repeats a run.
  logic [63:0] random_state = '0;

  function automatic logic [31:0] random();
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state[47:16];
  endfunction

  function automatic logic one_in(int unsigned n);
    return (random() % n) == 0;
  endfunction

  int unsigned seed = 1, last_cycle = 20_000, inject = 0, cycle = 0;

  always #5 clk_i = !clk_i;

  int unsigned answers = 0, readings = 0, accesses = 0, l2_hits = 0, l3_hits = 0, writes = 0, walks = 0, resets = 0;

  initial begin
    automatic int unsigned next_reset = 2000;
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", last_cycle));
    void'($value$plusargs("inject=%d", inject));
    random_state = {32'h9E37_79B9, seed};
    repeat (20) void'(random());
    // An edge, by which the registers take their reset values before the first clock.
    #1 reset();
    while (cycle < last_cycle) begin
      @(negedge clk_i);
      if ((inject != 0) && (cycle == inject)) cfg_i.write_backs = 1'b0;
      // The checker takes straps in reset: no fault is left behind it.
      if ((inject == 0) && (cycle == next_reset)) begin
        reset();
        resets++;
        next_reset = cycle + 1000 + (random() % 2000);
      end
    end
    enough();
    $display("seed %0d: %0d cycles compared, %0d answers, %0d readings, %0d accesses, no mismatch", seed, u_rdt.u_model_check.cycles,
             answers, readings, accesses);
    $display("%0d L2 hits, %0d L3 hits, %0d lines written, %0d walks, %0d resets", l2_hits, l3_hits, writes, walks, resets);
    $finish;
  end

  // A comparison of units that do nothing would be none.
  task automatic enough();
    if ((accesses < last_cycle / 50) || (l2_hits < last_cycle / 500) || (l3_hits < last_cycle / 500))
      $fatal(1, "%0d accesses, %0d L2 hits and %0d L3 hits are too few: the stimulus is at fault", accesses, l2_hits, l3_hits);
    if ((writes < last_cycle / 500) || (readings < last_cycle / 500) || (walks < last_cycle / 2000))
      $fatal(1, "%0d writes, %0d readings and %0d walks are too few: the stimulus is at fault", writes, readings, walks);
    if (resets < last_cycle / 4000) $fatal(1, "%0d resets are too few: the stimulus is at fault", resets);
  endtask

  task automatic reset();
    rst_ni = 1'b0;
    repeat (1 + (random() % 3)) @(negedge clk_i);
    rst_ni = 1'b1;
  endtask

  logic walked = 1'b0;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      cycle++;
      count();
      answer();
      for (int i = 0; i < 2; i++) access(i);
      power();
      ask();
      show_i <= SetW'(random());
      qm_unavailable_i <= one_in(16);
    end else begin
      granted = 1'b0;
      mem_i <= '0;
    end
  end

  task automatic count();
    if (reg_done_o) answers++;
    if (reg_done_o && (reg_result_o == ResultDone) && (reg_rdata_o != '0)) readings++;
    for (int i = 0; i < 2; i++) begin
      if (lp_o[i].done) accesses++;
      if (lp_o[i].l2_hit) l2_hits++;
      if (lp_o[i].l3_hit) l3_hits++;
    end
    if (mem_req_o && mem_write_o && mem_i.mem_gnt) writes++;
    if (walking_o && !walked) walks++;
    walked = walking_o;
  endtask

  ////////////
  // Memory //
  ////////////

  // A grant at any time, and the line of a read some cycles later.
  logic granted = 1'b0;
  task automatic answer();
    mem_i <= '0;
    if (mem_req_o && mem_i.mem_gnt && !mem_write_o) granted = 1'b1;
    if (granted) begin
      if (one_in(4)) begin
        granted = 1'b0;
        mem_i.mem_rvalid <= 1'b1;
      end
    end else begin
      mem_i.mem_gnt <= one_in(2);
      mem_i.mem_local <= one_in(2);
    end
  endtask

  ////////////////////////
  // Logical processors //
  ////////////////////////

  // 64 lines: twice what the L3 cache holds. Each logical processor has a favourite one. An unaccepted request stays.
  task automatic access(int i);
    lp_i[i].int_valid <= one_in(64);
    lp_i[i].int_kind <= one_in(2) ? IntSmi : IntInterrupt;
    if (!lp_i[i].req_valid || lp_o[i].req_ready) begin
      lp_i[i].req_valid <= !one_in(4);
      lp_i[i].req_write <= one_in(3);
      lp_i[i].req_code <= one_in(3);
      lp_i[i].req_addr <= {40'h00_0004_0000, one_in(4) ? {5'd0, i[0]} : 6'(random()), 6'(random())};
    end
  endtask

  // Some ways lose their power, and soon all have it again.
  task automatic power();
    if (one_in(256)) power_i <= '{l3_power: 5'(random() % 5), l2_power: 4'(random() % 3)};
    else if (one_in(64)) power_i <= '1;
  endtask

  // Now and then with too little privilege, and of a register that the unit does not have.
  task automatic ask();
    reg_i.reg_valid <= one_in(4);
    reg_i.reg_op <= one_in(16) ? RegRdpmc : one_in(2) ? RegRdmsr : RegWrmsr;
    reg_i.reg_lp <= 3'(random());
    mode_i <= '{cpl: one_in(16) ? 2'd3 : 2'd0, op_mode: one_in(16) ? ModeV86 : Mode64};
    case (random() % 8)
      0:       put(MsrL3QosCfg + (random() % 2), 64'(one_in(2)));
      1:       put(MsrEvtSel, {30'd0, 2'(random()), 24'd0, 8'(random() % 5)});
      2, 3:    put(MsrCtr, 64'd0);
      4:       put(MsrAssoc, {30'd0, 2'(random()), 30'd0, 2'(random())});
      5:       put(MsrL3Mask + (random() % 5), 64'(ones(4)));
      6:       put(MsrL2Mask + (random() % 5), 64'(ones(2)));
      default: put(MsrDelay + (random() % 5), one_in(2) ? 64'd0 : {57'd0, 7'(random() % 100)});
    endcase
  endtask

  task automatic put(logic [31:0] number, logic [63:0] value);
    reg_i.reg_number <= number;
    reg_i.reg_wdata <= value;
  endtask

  // Ways in one piece, seldom too many.
  function automatic logic [4:0] ones(int unsigned ways);
    automatic int unsigned first = random() % ways;
    return 5'(((32'd1 << (1 + (random() % (ways - first)))) - 32'd1) << first) | {one_in(16), 4'd0};
  endfunction

endmodule
