// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Real instruction words, and what each accesses.

package debug_words;

  localparam int unsigned Words = 32;

  typedef struct packed {
    logic [31:0] insn;
    logic        read;
    logic        write;
    // Bytes; 0 without an access.
    logic [3:0]  size;
  } word_t;

  function automatic word_t word(int unsigned i, int unsigned xlen);
    unique case (i)
      0:  word = {32'h00054503, 2'b10, 4'd1};   // lbu x10, 0(x10)
      1:  word = {32'h00050503, 2'b10, 4'd1};   // lb x10, 0(x10)
      2:  word = {32'h00051503, 2'b10, 4'd2};   // lh x10, 0(x10)
      3:  word = {32'h00055503, 2'b10, 4'd2};   // lhu x10, 0(x10)
      4:  word = {32'h0000a103, 2'b10, 4'd4};   // lw x2, 0(x1)
      5:  word = {32'h00a50023, 2'b01, 4'd1};   // sb x10, 0(x10)
      6:  word = {32'h00a51023, 2'b01, 4'd2};   // sh x10, 0(x10)
      7:  word = {32'h0020a023, 2'b01, 4'd4};   // sw x2, 0(x1)
      8:  word = {32'h00004108, 2'b10, 4'd4};   // c.lw x10, 0(x10)
      9:  word = {32'h0000c108, 2'b01, 4'd4};   // c.sw x10, 0(x10)
      10: word = {32'h00004502, 2'b10, 4'd4};   // c.lwsp x10, 0(sp)
      11: word = {32'h0000c02a, 2'b01, 4'd4};   // c.swsp x10, 0(sp)
      12: word = {32'h00052507, 2'b10, 4'd4};   // flw f10, 0(x10)
      13: word = {32'h00a52027, 2'b01, 4'd4};   // fsw f10, 0(x10)
      14: word = {32'h1005252f, 2'b10, 4'd4};   // lr.w x10, (x10)
      15: word = {32'h18a5252f, 2'b01, 4'd4};   // sc.w x10, x10, (x10)
      16: word = {32'h00a5252f, 2'b11, 4'd4};   // amoadd.w x10, x10, (x10)
      17: word = {32'h00008108, 2'b10, 4'd1};   // c.lbu x10, 0(x10)
      18: word = {32'h00008508, 2'b10, 4'd2};   // c.lhu x10, 0(x10)
      19: word = {32'h00008908, 2'b01, 4'd1};   // c.sb x10, 0(x10)
      20: word = {32'h00008d08, 2'b01, 4'd2};   // c.sh x10, 0(x10)
      // Two accesses in RV64, floating point in RV32.
      21: word = {32'h0000e108, 2'b01, (xlen == 32) ? 4'd4 : 4'd8};  // c.fsw or c.sd x10, 0(x10)
      22: word = {32'h0000e02a, 2'b01, (xlen == 32) ? 4'd4 : 4'd8};  // c.fswsp or c.sdsp x10, 0(sp)
      23: word = {32'h00006108, 2'b10, (xlen == 32) ? 4'd4 : 4'd8};  // c.flw or c.ld x10, 0(x10)
      24: word = {32'h00310093, 2'b00, 4'd0};   // addi x1, x2, 3
      25: word = {32'h0000006f, 2'b00, 4'd0};   // jal x0, 0
      26: word = {32'h00208463, 2'b00, 4'd0};   // beq x1, x2, 8
      27: word = {32'h0000852e, 2'b00, 4'd0};   // c.mv x10, x11
      28: word = {32'h0000a001, 2'b00, 4'd0};   // c.j 0
      29: word = {32'h30001073, 2'b00, 4'd0};   // csrrw x0, mstatus, x0
      30: word = {32'h0000000f, 2'b00, 4'd0};   // fence
      default: word = {32'h00000537, 2'b00, 4'd0};  // lui x10, 0
    endcase
  endfunction

endpackage
