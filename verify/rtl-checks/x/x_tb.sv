// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit from power-on with unknown or random registers: after reset nothing is X, and nothing remembers.
//
//   +seed=N      of the inputs and the straps (and, under Verilator, of the registers before reset)
//   +cycles=N    after each of the two resets
//   +xpayload    what the contract calls ignored is X (4-state simulators)
//   +cold        hold reset from time 0 without a clock edge, so that no register learns its value (4-state simulators)
//   +late        spoil the registers after the reset instead of before (Verilator): the check must fail
//
// The run is: power-on, reset, N cycles, reset in the middle of it, N cycles again. The second run must be the first,
// cycle for cycle. Prints PASS and a hash of all outputs and registers in all cycles, the same in every simulator.
// Under Verilator a second unit starts with random registers and must equal the clean one in every cycle after reset.

module x_tb;
  parameter Lanes = 2;
  parameter Slots = 4;
  parameter Latency = 20;
  localparam OutW = 79 * 32;
  localparam InW  = (12 + 11 * Lanes) * 32;

  reg             clk, rst_n;
  wire [95:0]     straps;
  wire [InW-1:0]  in;
  wire [OutW-1:0] out;

  integer    seed, cycles, n, pass, first_x, i;
  reg        xpayload, cold, late;
  reg [63:0] hash, first_hash, folded;

  x_stimulus #(.Lanes(Lanes)) u_stimulus (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .x_payload_i(xpayload), .out_i(out), .straps_o(straps), .in_o(in)
  );

`ifdef VERILATOR
  `define SIZES #(.RetireLanes(Lanes), .EventSlots(Slots), .LatencyBits(Latency))
`else
  `define SIZES  // a netlist has its sizes
`endif

  lwp_flat_packed `SIZES u_unit (.clk_i(clk), .straps_i(straps), .in_i({in[InW-1:1], rst_n}), .out_o(out));

`ifdef VERILATOR
  wire [OutW-1:0] dirty;
  lwp_flat_packed `SIZES u_dirty (.clk_i(clk), .straps_i(straps), .in_i({in[InW-1:1], rst_n}), .out_o(dirty));
  // Random values in every register below a scope; returns how many bits.
  import "DPI-C" context function int x_scramble(input string scope, input int unsigned seed);
`endif

  task fail(input [16*8-1:0] what);
    begin
      $display("FAIL %0s: seed %0d, run %0d, cycle %0d after reset", what, seed, pass, n);
      $finish;
      $fatal;
    end
  endtask

  task tick;
    begin
      #5 clk = 1'b1;
      #5 clk = 1'b0;
    end
  endtask

  // Word by word, so that the message names a row of the table in flat.md.
  task check;
    begin
      if (^out === 1'bx) begin
        for (i = 78; i >= 0; i = i - 1) if (^out[32*i +: 32] === 1'bx) begin
          first_x = i;
          $display("word %0d of the outputs is %b", i, out[32*i +: 32]);
        end
        fail("X");
      end
`ifdef VERILATOR
      if (out !== dirty) begin
        for (i = 0; i < 79; i = i + 1) if (out[32*i +: 32] !== dirty[32*i +: 32])
          $display("word %0d of the outputs: clean %h, spoilt %h", i, out[32*i +: 32], dirty[32*i +: 32]);
        fail("memory");
      end
`endif
      folded = 64'd0;
      for (i = 0; i < 79; i = i + 1) folded = {folded[62:0], folded[63]} ^ {32'd0, out[32*i +: 32]};
      hash = {hash[56:0], hash[63:57]} ^ folded ^ {24'd0, hash[63:24]};
    end
  endtask

  // How far the stimulus comes: records published, operations answered, in the first run.
  reg [31:0] heads, answers, last_head;

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 2000;
    xpayload = $test$plusargs("xpayload") != 0;
    cold     = $test$plusargs("cold") != 0;
    late     = $test$plusargs("late") != 0;
    heads = 0; answers = 0; last_head = 0; n = 0; pass = 0;
    first_hash = 64'd0;
    clk = 1'b0;
    // Odd seeds: a few cycles without reset first, as when the supply comes up before the reset does. Of these every
    // other one has its first reset without a clock.
    rst_n = seed[0] && !cold;
`ifdef VERILATOR
    #1;
    if (x_scramble("x_tb.u_dirty", seed) == 0) fail("no registers");
`endif
    if (rst_n) for (n = 0; n < 4; n = n + 1) tick;
    for (pass = 0; pass < 2; pass = pass + 1) begin
      rst_n = 1'b0;
      if ((pass == 0) && (cold || (seed[1:0] == 2'b11))) #30;
      else for (n = 0; n < 3; n = n + 1) tick;
      // Not together with a clock edge: what sees the edge first would differ between simulators.
      #2 rst_n = 1'b1;
      hash  = 64'd1;
`ifdef VERILATOR
      if (late) i = x_scramble("x_tb.u_dirty", seed);
`endif
      for (n = 0; n < cycles; n = n + 1) begin
        #5 check;
        if (out[20*32 +: 32] !== last_head) heads = heads + 1;
        last_head = out[20*32 +: 32];
        if (out[1]) answers = answers + 1;
        tick;
      end
      if (pass == 0) first_hash = hash;
    end
    if (hash !== first_hash) fail("second run");
    $display("PASS seed %0d hash %h heads %0d answers %0d", seed, hash, heads, answers);
    $finish;
  end
endmodule
