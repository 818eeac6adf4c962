// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A core, a control block and a memory in one: random inputs from a seed of our own, the same in every simulator.
//
// Written in what Icarus Verilog 11 and Verilator both take. The inputs of a cycle are a function of the seed and of the
// outputs seen so far, so a run repeats after each reset. With `x_payload_i` whatever the contract calls ignored is X:
// fields of lanes that are not valid, data without a response, operands without an operation.
//
// Layout of in_o, straps_o, out_i: docs/src/lwp/flat.md.

module x_stimulus #(
  parameter Lanes = 2,
  parameter InWords = 12 + 11 * Lanes
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire [31:0]             seed_i,
  input  wire                    x_payload_i,
  input  wire [79*32-1:0]        out_i,
  output reg  [3*32-1:0]         straps_o,
  output reg  [InWords*32-1:0]   in_o
);

  // xorshift32; never 0.
  reg [31:0] rng;
  function [31:0] step(input [31:0] x);
    reg [31:0] y;
    begin
      y = x ^ (x << 13);
      y = y ^ (y >> 17);
      step = y ^ (y << 5);
    end
  endfunction

  // The straps of a seed. Bits are drawn, then what the contract forbids is put right.
  reg [31:0] s0, s2;
  always @* begin
    s0 = step(step(seed_i ^ 32'h5EED_0001));
    s2 = step(step(seed_i ^ 32'h5EED_0002));
    s0[4:0] = 5'h1F;                                  // everything there
    if (!s0[5]) s0[6] = 1'b1;                         // one filter at least
    if (s0[19:18] == 2'd3) s0[19:18] = 2'd0;          // gather_select
    if (s0[24:23] == 2'd3) s0[24:23] = 2'd1;          // leave_policy
    if (!s0[16]) s0[17] = 1'b1;                       // several for one instruction need `all`
    if (s0[26:25] == 2'd1) {s0[21], s0[17]} = 2'b11;  // fault: sync, one for each instruction
    s2[31:24] = 8'd0;
    s2[22:16] = 7'd3;                                 // a short delay of the interrupt
    s2[23] = 1'b0;
    if (!s0[31]) s2[0] = 1'b0;                        // a phase needs a step
    if (s2[2:1] == 2'd3) s2[2:1] = 2'd0;              // prediction
    if (!s2[4]) s2[8:5] = 4'd1;                       // every n-th needs lazy
    if (s2[8:5] == 4'd0) s2[8:5] = 4'd2;
    straps_o = {s2, step(seed_i) | 32'd1, s0};
  end

  wire        stall     = out_i[0];
  wire        rsp_valid = out_i[1];
  wire        mem_req   = out_i[5];
  wire [63:0] mem_addr  = out_i[5*32 +: 64];
  wire        pf_valid  = out_i[16];
  wire        irq       = out_i[18];
  wire        drain     = out_i[20];

  // Memory: which access is under way, how long still.
  reg        waiting;
  reg [2:0]  wait_left;
  reg [63:0] wait_addr;
  // Mode: the level, cycles until it changes.
  reg [1:0]  cpl;
  reg [9:0]  mode_left;
  // Control: number of operations done, cycles until the next.
  reg        asking;
  reg [7:0]  ops;
  reg [9:0]  op_left;

  // What is in memory: two control blocks (0x1000, 0x2000), anything elsewhere.
  function [63:0] memory(input [63:0] addr, input [31:0] r);
    begin
      case (addr[8:3])
        6'd0:    memory = {r[3:0], 28'd256, 32'd0};
        6'd1:    memory = 64'h4000;
        6'd2:    memory = {24'd0, r[2:0], 5'd0, 24'd0, r[6:4], 5'd0};
        6'd3:    memory = {32'd0, r};
        6'd4:    memory = {18'd0, r[13:0] & 14'h3F01, 24'd0, r[18:16], 5'd0};
        default: memory = {6'd0, 20'd0, r[5:0], 4'd0, addr[4:3], 20'd0, r[13:8]};
      endcase
      if ((addr[63:16] != 0) || (addr[15:12] > 4'd2)) memory = {r, ~r};
    end
  endfunction

  reg [31:0] w;          // word 0
  reg [31:0] r;
  reg        lane_valid;
  reg        mode_change;
  integer    l, k, base, loaded;

  // A field that nobody may look at.
  `define IGNORED(field, width) in_o[field +: width] = {width{1'bx}}

  // Outputs are registers that change at the rising edge; at the falling edge the inputs of the same cycle follow, and
  // those of the first cycle when the reset ends.
  always @(negedge clk_i or negedge rst_ni or posedge rst_ni) begin
    if (!rst_ni) begin
      rng       = (seed_i == 0) ? 32'h1 : seed_i;
      waiting   = 1'b0;
      wait_left = 3'd0;
      wait_addr = 64'd0;
      cpl       = 2'd0;
      mode_left = 10'd8;
      asking    = 1'b0;
      ops       = 8'd0;
      op_left   = 10'd1;
      // Nothing but the reset itself is known before it ends.
      in_o      = {InWords*32{x_payload_i ? 1'bx : 1'b0}};
      in_o[0]   = 1'b0;
    end else begin
      rng = step(rng);
      r   = rng;
      w   = 32'd0;
      w[0] = 1'b1;

      if (asking && rsp_valid) begin
        asking  = 1'b0;
        ops     = ops + 8'd1;
        op_left = (ops < 8'd2) ? 10'd2 : {1'b0, r[8:0]};
      end

      // Mode. In its first cycle nothing retires.
      mode_change = 1'b0;
      if (mode_left != 0) mode_left = mode_left - 10'd1;
      else if (!drain) begin
        mode_change = 1'b1;
        cpl         = (cpl == 2'd3) ? 2'd0 : 2'd3;
        mode_left   = (cpl == 2'd3) ? {1'b1, r[8:0]} : {6'd0, r[3:0]};
      end
      w[3:2] = cpl;
      w[6:4] = (r[31:28] == 4'd0) ? 3'd2 : 3'd4;
      if (!mode_change) w[6:4] = in_o[6:4];

      rng = step(rng); r = rng;
      in_o[7*32 +: 32] = 32'd0;
      in_o[32 +: 4*32] = 128'd0;
      if (x_payload_i) begin `IGNORED(32, 128); `IGNORED(7*32, 4); w[12:9] = 4'bx; end

      // Operations: first WRMSR LWPMSR0 in ring 0, then LLWPCB in ring 3, then anything.
      if (asking) begin
        w[8] = 1'b0;  // not answered yet
      end else if (op_left != 0) begin
        op_left = op_left - 10'd1;
      end else if (!stall && !mode_change && ((ops == 8'd0) ? (cpl == 2'd0) : (ops != 8'd1) || (cpl == 2'd3))) begin
        w[8] = 1'b1;
        w[12:9] = (ops == 8'd0) ? 4'd3 : (ops == 8'd1) ? 4'd0 : r[3:0] & {r[4] & r[5], 3'b111};
        in_o[3*32 +: 64] = (r[7:6] == 2'd0) ? 64'h1000 : 64'h0;
        in_o[1*32 +: 64] = (r[10:8] == 3'd0) ? 64'h0 : {48'd0, 2'b0, r[11], !r[11], 12'd0};
        if (w[12:9] == 4'd3) in_o[1*32 +: 64] = 64'h8000_000F ^ {63'd0, (ops > 8'd4) && (r[15:12] == 4'd0)};
        if (ops == 8'd1) in_o[1*32 +: 128] = {64'h0, 64'h1000};
        if (w[12:9] == 4'd7) in_o[1*32 +: 64] = {32'd0, r};
        in_o[7*32 +: 4] = r[19:16];
      end
      if (w[8]) asking = 1'b1;

      // Memory: granted now and then, answered 1 to 4 cycles later.
      w[13] = r[20];
      w[14] = 1'b0;
      w[15] = 1'b0;
      in_o[5*32 +: 64] = 64'd0;
      if (x_payload_i) begin `IGNORED(5*32, 64); w[15] = 1'bx; end
      if (waiting) begin
        if (wait_left == 0) begin
          w[14] = 1'b1;
          w[15] = (r[26:21] == 6'd0);
          rng = step(rng);
          if (!w[15] || !x_payload_i) in_o[5*32 +: 64] = memory(wait_addr, rng);
          waiting = 1'b0;
        end else wait_left = wait_left - 3'd1;
      end else if (mem_req && w[13]) begin
        waiting   = 1'b1;
        wait_left = {1'b0, r[28:27]};
        wait_addr = mem_addr;
      end

      rng = step(rng); r = rng;
      w[16] = pf_valid && (r[1:0] == 2'd0);
      w[17] = irq && (r[4:2] == 3'd0);
      w[18] = (r[9:5] == 5'd0);
      w[19] = (r[12:10] == 3'd0);
      w[22:20] = r[15:13];
      w[23] = (r[18:16] == 3'd0);
      w[26:24] = r[21:19];
      w[29:27] = r[24:22];
      w[1] = 1'b0;
      in_o[8*32 +: 64] = {32'd0, rng ^ 32'hF111};
      in_o[10*32 +: 32] = {21'd0, r[10:0]};
      rng = step(rng);
      in_o[11*32 +: 32] = rng;
      if (x_payload_i) begin
        if (!w[19]) w[22:20] = 3'bx;
        if (!w[23]) begin w[29:24] = 6'bx; `IGNORED(8*32, 64); `IGNORED(10*32, 31); end
        if (!straps_o[2*32 + 15]) `IGNORED(11*32, 32);
      end

      // Lanes.
      w[7] = (r[31:28] == 4'd1);
      if (mode_change) w[7] = 1'b0;
      for (l = 0; l < Lanes; l = l + 1) begin
        base = (12 + 11 * l) * 32;
        rng = step(rng); r = rng;
        lane_valid = !mode_change && !stall && (r[31:30] != 2'd0);
        in_o[base +: 32] = {11'd0, r[19:0], lane_valid} & 32'h001F_FFFF;
        in_o[base + 1] = (r[29:27] != 3'd0);
        in_o[base + 2 +: 4] = r[26] ? 4'd0 : (r[25:22] > 4'd10) ? 4'd2 : r[25:22];
        rng = step(rng);
        in_o[base + 32 +: 64] = {32'h7, rng};
        rng = step(rng);
        in_o[base + 96 +: 64] = {32'h7, rng};
        if (x_payload_i) begin
          if (!in_o[base + 7] && (straps_o[66:65] != 2'd1)) in_o[base + 8] = 1'bx;  // `all` needs no valid bit
          if (in_o[base + 2 +: 4] == 0) begin in_o[base + 6 +: 3] = 3'bx; `IGNORED(base + 96, 64); end
        end
        for (k = 0; k < 2; k = k + 1) begin
          rng = step(rng);
          loaded = base + 160 + 96 * k;
          in_o[loaded +: 64] = {32'h0, rng};
          in_o[loaded + 64 +: 32] = {21'd0, rng[10:0]};
          in_o[base + 9 + 5 * k] = rng[12];
          if (x_payload_i) begin
            // A tagged load is looked at though it is no miss; without replay nobody looks at the tag.
            if (straps_o[28:27] != 2'd2) in_o[base + 19 + k] = 1'bx;
            if (!in_o[base + 9 + 5 * k] && (in_o[base + 19 + k] !== 1'b1)) begin
              in_o[base + 10 + 5 * k +: 4] = 4'bx;
              in_o[loaded +: 96] = {1'b0, {95{1'bx}}};
            end else if (!in_o[base + 10 + 5 * k]) `IGNORED(loaded, 64);
          end
        end
        if (x_payload_i && !lane_valid) in_o[base + 1 +: 11*32 - 1] = {(11*32 - 1){1'bx}};
      end
      in_o[0 +: 32] = w;
    end
  end

endmodule
