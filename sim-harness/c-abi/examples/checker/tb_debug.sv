// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plain test bench of the debug unit: a core of four lanes that retires, asks, delivers and moves to debug registers at random. The
// checker is bound to the unit (debug_model_bind.sv) and compares every output and register in every cycle.
//
//   +seed=N     what is random (default 1)
//   +cycles=N   how long (default 20000)
//   +inject=N   in cycle N the RTL's strap `fault_rf` changes: a fault that must be found

module tb;
  import debug_pkg::*;
  import retire_pkg::*;

  logic           clk_i = 1'b0, rst_ni = 1'b1;
  // Without 64-bit mode and RTM, so that both values of `fault_rf` are legal.
  config_t        cfg_i = straps();
  logic           partial_i = 1'b0;
  lane_t [3:0]    lanes_i = '0;
  io_t            io_i = '0;
  mode_t          mode_i = '0;
  interrupted_t   int_i = '0;
  logic           de_i = 1'b0, btf_i = 1'b0, rtm_debug_i = 1'b0;
  ask_t           ask_i = '0;
  logic           db_ack_i = 1'b0;
  reg_request_t   reg_i = '0;
  logic           db_valid_o, db_bd_o, db_bs_o, db_bt_o;
  class_e         db_class_o;
  logic [3:0]     db_b_o;
  logic           cut_valid_o, cut_before_o, hold_o, ask_done_o, frame_valid_o, frame_rf_o, reg_ready_o, reg_done_o;
  logic [2:0]     cut_lane_o;
  reg_result_e    reg_result_o;
  logic [63:0]    reg_rdata_o;
  state_t         state_o;

  debug #(.RetireLanes(4), .LaneAccesses(2)) u_debug (.*);

  function automatic config_t straps();
    config_t cfg = debug_config_pkg::ConfigDefault;
    cfg.rtm = 1'b0;
    cfg.long_mode = 1'b0;
    return cfg;
  endfunction

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

  int unsigned traps = 0, faults = 0, answers = 0;

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", last_cycle));
    void'($value$plusargs("inject=%d", inject));
    random_state = {32'h9E37_79B9, seed};
    repeat (20) void'(random());
    // An edge, by which the registers take their reset values before the first clock.
    #1 rst_ni = 1'b0;
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    while (cycle < last_cycle) begin
      @(negedge clk_i);
      if ((inject != 0) && (cycle == inject)) cfg_i.fault_rf = 1'b0;
    end
    // A comparison of units that do nothing would be none.
    if ((traps < last_cycle / 500) || (faults < last_cycle / 500))
      $fatal(1, "%0d traps and %0d faults are too few: the stimulus is at fault", traps, faults);
    $display("seed %0d: %0d cycles compared, %0d answers, %0d traps, %0d faults, no mismatch", seed, u_debug.u_model_check.cycles,
             answers, traps, faults);
    $finish;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      cycle++;
      if (reg_done_o) answers++;
      if (db_valid_o && db_ack_i) begin
        if (db_class_o == ClassFault) faults++;
        else traps++;
      end
      idle();
      mode_i <= '{cpl: one_in(8) ? 2'd3 : 2'd0, smm: one_in(16), op_mode: one_in(2) ? ModeProtected : ModeV86};
      de_i <= !one_in(8);
      btf_i <= one_in(8);
      db_ack_i <= one_in(2);
      case (random() % 8)
        0:       move();
        1:       ask_i <= '{ask_valid: 1'b1, ask_in_tx: 1'b0, ask_ip: address()};
        2:       interrupt();
        default: retire();
      endcase
    end
  end

  task automatic idle();
    partial_i <= 1'b0;
    lanes_i <= '0;
    io_i <= '0;
    int_i <= '0;
    ask_i <= '0;
    reg_i <= '0;
  endtask

  // One of 16 addresses, which breakpoints and accesses share.
  function automatic logic [63:0] address();
    return {32'd0, 32'h1000 + (random() % 16)};
  endfunction

  task automatic retire();
    partial_i <= one_in(8);
    for (int l = 0; l < 4; l++) begin
      lanes_i[l] <= '0;
      lanes_i[l].retired.valid <= !one_in(4);
      lanes_i[l].retired.ip <= address();
      lanes_i[l].accesses[0] <= '{read: one_in(2), write: one_in(2), addr: address(), size: 7'd1 << (random() % 4)};
      lanes_i[l].accesses[1] <= '{read: one_in(8), write: one_in(8), addr: address(), size: 7'd1 << (random() % 4)};
      lanes_i[l].flags <= '{tf: one_in(16), ss_load: one_in(16), rep: one_in(8) ? rep_e'(2'(random())) : RepNone};
      lanes_i[l].debug <= one_in(8) ? $bits(debug_t)'(random()) : '0;
    end
    io_i <= '{io_valid: one_in(8), io_write: one_in(2), io_port: 16'(address()), io_size: 3'd1 << (random() % 3)};
  endtask

  task automatic interrupt();
    int_i <= '0;
    int_i.int_valid <= 1'b1;
    int_i.int_kind <= one_in(16) ? int_kind_e'(3'(random())) : IntException;
    int_i.int_from <= address();
    {int_i.int_trap, int_i.int_task, int_i.int_rf, int_i.int_t} <= 4'(random() & random());
  endtask

  // Breakpoints are on, two of them at data and now and then one at instructions or ports.
  task automatic move();
    reg_i.reg_valid <= 1'b1;
    reg_i.reg_op <= one_in(4) ? RegMovFromDr : RegMovToDr;
    reg_i.reg_number <= random() % 8;
    reg_i.reg_wdata <= address();
    if (one_in(2)) begin
      reg_i.reg_number <= 32'd7;
      reg_i.reg_wdata <= {32'd0, random() & 32'hFFFF_0000} | {50'd0, one_in(8), 13'h0AA};
    end
  endtask

endmodule
