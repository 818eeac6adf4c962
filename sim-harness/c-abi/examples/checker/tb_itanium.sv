// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plain test bench of the event qualification of Itanium: bundles, memory records and requests at random, few addresses and opcodes. The
// checker is bound to the unit (itanium_model_bind.sv) and compares every output and register in every cycle.
//
//   +seed=N     what is random (default 1)
//   +cycles=N   how long (default 20000)
//   +inject=N   in cycle N the RTL's strap `ism_order` changes: a fault that must be found

module tb;
  import itanium_pkg::*;

  logic                clk_i = 1'b0, rst_ni = 1'b1;
  config_t             cfg_i = itanium_config_pkg::ConfigDefault;
  fetch_t [0:0]        fetch_i = '0;
  issue_t [0:0]        issue_i = '0;
  retire_t [0:0]       retire_i = '0;
  logic [1:0]          ia32_i = '0;
  mem_t [MemPorts-1:0] mem_i = '0;
  logic                core_clock_i = 1'b1;
  logic [1:0]          cpl_i = '0;
  logic                psr_is_i = 1'b0, int_valid_i = 1'b0, irq_ack_i = 1'b0;
  reg_request_t        reg_i = '0;
  logic                irq_o, psr_up_o, psr_sp_o, psr_pp_o, iear_on_o, dear_on_o, btb_on_o, reg_done_o;
  logic [Counters-1:0] pin_o;
  logic [2:0]          reg_result_o;
  logic [63:0]         reg_rdata_o;
  state_t              state_o;

  itanium #(.Bundles(1), .TagEntries(4)) u_itanium (.*);

  // Randomness of our own: a seed repeats a run.
  logic [63:0] random_state = '0;

  function automatic logic [31:0] random();
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state[47:16];
  endfunction

  // Few of the bits of a random word.
  function automatic logic [63:0] some(logic [31:0] mask);
    return {32'd0, random() & mask};
  endfunction

  function automatic logic one_in(int unsigned n);
    return (random() % n) == 0;
  endfunction

  function automatic logic [63:0] address();
    return 64'h1000 + some(32'h30) + (one_in(4) ? 64'h8000 : 64'd0);
  endfunction

  // A nop, or one of three instructions near it.
  function automatic logic [40:0] slot();
    return {9'd0, random() & 32'h0800_1000};
  endfunction

  // What a request of this number writes: counters near the end, few opcodes, one bundle or all.
  function automatic logic [63:0] value(logic [2:0] file, logic [3:0] index);
    unique case (file)
      3'd0: begin
        if (index == 4'd0) return '0;
        if ((index >= 4'd4) && (index <= 4'd7)) begin
          return some(32'h0013_006F) | (one_in(3) ? 64'h6C01 : 64'h0801);
        end
        return one_in(2) ? '1 : {random(), random()};
      end
      3'd1: return 64'hFFFF_FFFF - some(32'hF);
      3'd2, 3'd3: return index[0] ? 64'h0FFF_FFFF_FFFF_FFF0 : address();
      default: return {random(), random()};
    endcase
  endfunction

  int unsigned seed = 1, last_cycle = 20_000, inject = 0, cycle = 0;

  always #5 clk_i = !clk_i;

  int unsigned answers = 0, overflows = 0, irqs = 0;

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
      if ((inject != 0) && (cycle == inject)) cfg_i.ism_order = IsmPrinted;
    end
    // A comparison of units that do nothing would be none.
    if ((answers < last_cycle / 20) || (irqs < last_cycle / 1000)) begin
      $fatal(1, "%0d answers, %0d interrupts are too few: the stimulus is at fault", answers, irqs);
    end
    $display("seed %0d: %0d cycles compared, %0d answers, %0d interrupts, no mismatch", seed, u_itanium.u_model_check.cycles,
             answers, irqs);
    $finish;
  end

  logic [2:0] file;
  logic [3:0] index, op;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      cycle++;
      if (reg_done_o) answers++;
      if (irq_o && irq_ack_i) irqs++;
      fetch_i[0]  <= '{valid: 1'(random()), id: 4'(random()), addr: address(), cpl: one_in(4) ? 2'(random()) : 2'd0};
      issue_i[0]  <= '{valid: 1'(random()), id: 4'(random()), template_code: 5'(random()), slot0: slot(),
                       slot1: slot(), slot2: slot()};
      retire_i[0] <= '{valid: 1'(random()), id: 4'(random()), slots: 3'(random()), off: 3'(random()), branch: 3'(random()),
                       taken: 3'(random())};
      ia32_i       <= 2'(random());
      for (int p = 0; p < int'(MemPorts); p++) begin
        mem_i[p]      <= $bits(mem_t)'({random(), random(), random()});
        mem_i[p].addr <= address();
      end
      psr_is_i    <= one_in(8);
      cpl_i       <= one_in(4) ? 2'(random()) : 2'd0;
      int_valid_i <= one_in(40);
      irq_ack_i   <= irq_o && one_in(2);
      file  = one_in(3) ? 3'd0 : 3'(random() % 5);
      index = 4'(random() % 8);
      if (file == 3'd0) index = one_in(3) ? 4'd0 : 4'(4 + random() % 10);
      if (file == 3'd1) index = 4'(4 + random() % 4);
      reg_i.reg_valid  <= one_in(2);
      op = one_in(6) ? 4'(7 + random() % 9) : one_in(4) ? OpRead : OpWrite;
      reg_i.reg_op     <= op;
      reg_i.reg_lp     <= 3'(random());
      reg_i.reg_number <= {21'd0, file, 4'd0, index};
      // PSR.up and PSR.pp are mostly 1.
      reg_i.reg_wdata  <= (op > OpWrite) ? (one_in(4) ? some(32'h30_0004) : 64'h20_0004) : value(file, index);
    end
  end

endmodule
