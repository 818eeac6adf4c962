// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plain test bench of the performance counters: a P6 that retires at random and is asked at random. The checker is bound to the unit
// (perf_model_bind.sv) and compares every output and register in every cycle.
//
//   +seed=N     what is random (default 1)
//   +cycles=N   how long (default 20000)
//   +inject=N   in cycle N the RTL's strap `mask_on_delivery` changes: a fault that must be found

module tb;
  import perf_pkg::*;
  import retire_pkg::*;

  logic               clk_i = 1'b0, rst_ni = 1'b1;
  config_t            cfg_i = perf_config_pkg::ConfigDefault;
  logic               bus_tick_i = 1'b0, core_clock_i = 1'b0;
  logic [7:0]         core_ratio_i = 8'd4;
  lane_t [0:0][3:0]   lanes_i = '0;
  lp_in_t [0:0]       lp_i = '0;
  reg_request_t       reg_i = '0;
  apic_t              apic_i = '0;
  logic               reg_done_o;
  reg_result_e        reg_result_o;
  logic [63:0]        reg_rdata_o;
  lp_out_t [0:0]      lp_o;
  general_out_t [0:0][1:0] general_o;
  // The build has no fixed counters.
  // verilator lint_off UNUSEDSIGNAL
  fixed_out_t [0:0][0:0] fixed_o;
  // verilator lint_on UNUSEDSIGNAL
  state_t             state_o;

  perf #(.LogicalProcessors(1), .GeneralCounters(2), .FixedCounters(0), .RetireLanes(4)) u_perf (.*);

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

  int unsigned overflows = 0, answers = 0;

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
      if ((inject != 0) && (cycle == inject)) cfg_i.mask_on_delivery = 1'b1;
    end
    // A comparison of units that do nothing would be none.
    if (overflows < last_cycle / 500) $fatal(1, "%0d overflows are too few: the stimulus is at fault", overflows);
    $display("seed %0d: %0d cycles compared, %0d answers, %0d overflows, no mismatch", seed, u_perf.u_model_check.cycles,
             answers, overflows);
    $finish;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      cycle++;
      if (reg_done_o) answers++;
      if (general_o[0][0].overflow || general_o[0][1].overflow) overflows++;
      run();
      ask();
    end
  end

  // Clocks, lanes, the event bus, modes.
  task automatic run();
    bus_tick_i <= one_in(2);
    core_clock_i <= !one_in(4);
    for (int l = 0; l < 4; l++) lanes_i[0][l] <= $bits(lane_t)'(random());
    for (int b = 0; b < int'($bits(lp_in_t)); b++) lp_i[0][b] <= one_in(4);
    if (!one_in(8)) begin
      lp_i[0].cpl <= 2'd0;
      lp_i[0].op_mode <= Mode64;
      lp_i[0].freeze <= 1'b0;
    end
  endtask

  // Now and then a select of an architectural event that a P6 has as well, a count near its end, or anything.
  task automatic ask();
    reg_i.reg_valid <= one_in(4);
    reg_i.reg_op <= one_in(2) ? RegWrmsr : one_in(2) ? RegRdmsr : RegRdpmc;
    reg_i.reg_lp <= 3'(random());
    apic_i <= $bits(apic_t)'({random(), random()});
    case (random() % 3)
      0: begin
        reg_i.reg_number <= 32'h186 + (random() % 2);
        reg_i.reg_wdata <= 64'h0000_0000_0043_00C0 ^ {32'd0, random() & 32'h0010_0000};
      end
      1: begin
        reg_i.reg_number <= 32'hC1 + (random() % 2);
        reg_i.reg_wdata <= {32'd0, -(random() % 64)};
      end
      default: begin
        reg_i.reg_number <= random() % 4;
        reg_i.reg_wdata <= '0;
      end
    endcase
  endtask

endmodule
