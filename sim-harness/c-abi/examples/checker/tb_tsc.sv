// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plain test bench of the time-stamp counter, asked at random. The checker is bound to the unit (tsc_model_bind.sv) and compares every
// output and register in every cycle.
//
//   +seed=N     what is random (default 1)
//   +cycles=N   how long (default 20000)
//   +inject=N   in cycle N the RTL's strap `art_whole` changes: a fault that must be found

module tb;
  import tsc_pkg::*;
  import retire_pkg::*;

  logic         clk_i = 1'b0, rst_ni = 1'b1;
  config_t      cfg_i = tsc_config_pkg::ConfigDefault;
  processor_t   processor_i = '0;
  logic [1:0]   cpl_i = '0;
  op_mode_e     op_mode_i = Mode64;
  logic         tsd_i = 1'b0;
  reg_request_t reg_i = '0;
  logic         reg_done_o;
  reg_result_e  reg_result_o;
  logic [63:0]  reg_rdata_o;
  logic [31:0]  reg_aux_o;
  state_t       state_o;

  tsc #(.LogicalProcessors(1)) u_tsc (.*);

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

  int unsigned answers = 0;

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
      if ((inject != 0) && (cycle == inject)) cfg_i.art_whole = 16'd84;
    end
    // A comparison of units that do nothing would be none.
    if (answers < last_cycle / 500) $fatal(1, "%0d answers are too few: the stimulus is at fault", answers);
    $display("seed %0d: %0d cycles compared, %0d answers, no mismatch", seed, u_tsc.u_model_check.cycles, answers);
    $finish;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      cycle++;
      if (reg_done_o) answers++;
      processor_i <= $bits(processor_t)'(random());
      cpl_i <= one_in(4) ? 2'(random()) : 2'd0;
      tsd_i <= one_in(4);
      reg_i.reg_valid <= one_in(3);
      reg_i.reg_op <= reg_op_e'($bits(reg_op_e)'(random() % 5));
      reg_i.reg_lp <= 3'(random());
      reg_i.reg_number <= one_in(3) ? MsrTimeStampCounter : one_in(2) ? MsrTscAdjust : MsrTscAux;
      reg_i.reg_wdata <= {one_in(2) ? random() : 32'd0, random()};
    end
  end

endmodule
