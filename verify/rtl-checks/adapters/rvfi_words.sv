// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Real instruction words, and what each is: kind of branch in the unit's codes, whether it loads.

package rvfi_words;

  localparam int unsigned Words = 48;

  // MRET, which comes between the modes only.
  localparam logic [31:0] Mret = 32'h30200073;

  typedef struct packed {
    logic [31:0] insn;
    logic [3:0]  kind;
    logic        load;
  } word_t;

  function automatic word_t word(int unsigned i, int unsigned xlen);
    unique case (i)
      0:  word = {32'h00310093, 4'd0, 1'b0};   // addi x1, x2, 3
      1:  word = {32'h0000006f, 4'd1, 1'b0};   // jal x0, 0
      2:  word = {32'h000000ef, 4'd4, 1'b0};   // jal x1, 0
      3:  word = {32'h000002ef, 4'd4, 1'b0};   // jal x5, 0
      4:  word = {32'h0000056f, 4'd1, 1'b0};   // jal x10, 0
      5:  word = {32'h00008067, 4'd6, 1'b0};   // jalr x0, 0(x1)
      6:  word = {32'h00028067, 4'd6, 1'b0};   // jalr x0, 0(x5)
      7:  word = {32'h000500e7, 4'd5, 1'b0};   // jalr x1, 0(x10)
      8:  word = {32'h00050067, 4'd3, 1'b0};   // jalr x0, 0(x10)
      9:  word = {32'h000082e7, 4'd5, 1'b0};   // jalr x5, 0(x1)
      10: word = {32'h00058567, 4'd3, 1'b0};   // jalr x10, 0(x11)
      11: word = {32'h00208463, 4'd2, 1'b0};   // beq x1, x2, 8
      12: word = {32'hfe20fee3, 4'd2, 1'b0};   // bgeu x1, x2, -4
      13: word = {32'h00000073, 4'd10, 1'b0};  // ecall
      14: word = {32'h00100073, 4'd10, 1'b0};  // ebreak
      15: word = {32'h30001073, 4'd0, 1'b0};   // csrrw x0, mstatus, x0
      16: word = {32'h0000a103, 4'd0, 1'b1};   // lw x2, 0(x1)
      17: word = {32'h0020a023, 4'd0, 1'b0};   // sw x2, 0(x1)
      18: word = {32'h0000a001, 4'd1, 1'b0};   // c.j 0
      19: word = {32'h0000c001, 4'd2, 1'b0};   // c.beqz x8, 0
      20: word = {32'h0000e001, 4'd2, 1'b0};   // c.bnez x8, 0
      21: word = {32'h00008082, 4'd6, 1'b0};   // c.jr x1
      22: word = {32'h00008502, 4'd3, 1'b0};   // c.jr x10
      23: word = {32'h00009502, 4'd5, 1'b0};   // c.jalr x10
      24: word = {32'h00000505, 4'd0, 1'b0};   // c.addi x10, 1
      25: word = {32'h00009002, 4'd10, 1'b0};  // c.ebreak
      26: word = {32'h0000852e, 4'd0, 1'b0};   // c.mv x10, x11
      27: word = {32'h00002501, (xlen == 32) ? 4'd4 : 4'd0, 1'b0};  // c.jal in RV32, c.addiw in RV64
      28: word = {32'h00000537, 4'd0, 1'b0};   // lui x10, 0
      29: word = {32'h0000000f, 4'd0, 1'b0};   // fence
      30: word = {32'h00004108, 4'd0, 1'b1};   // c.lw x10, 0(x10)
      31: word = {32'h0000c108, 4'd0, 1'b0};   // c.sw x10, 0(x10)
      32: word = {32'h00054503, 4'd0, 1'b1};   // lbu x10, 0(x10)
      33: word = {32'h00052507, 4'd0, 1'b1};   // flw f10, 0(x10)
      34: word = {32'h00a52027, 4'd0, 1'b0};   // fsw f10, 0(x10)
      35: word = {32'h1005252f, 4'd0, 1'b1};   // lr.w x10, (x10)
      36: word = {32'h18a5252f, 4'd0, 1'b0};   // sc.w x10, x10, (x10)
      37: word = {32'h00a5252f, 4'd0, 1'b1};   // amoadd.w x10, x10, (x10)
      38: word = {32'h00004502, 4'd0, 1'b1};   // c.lwsp x10, 0(sp)
      39: word = {32'h00006502, 4'd0, 1'b1};   // c.ldsp x10 in RV64, c.flwsp f10 in RV32
      40: word = {32'h00006108, 4'd0, 1'b1};   // c.ld x10 in RV64, c.flw f10 in RV32
      41: word = {32'h00002108, 4'd0, 1'b1};   // c.fld f10, 0(x10)
      42: word = {32'h0000c02a, 4'd0, 1'b0};   // c.swsp x10, 0(sp)
      43: word = {32'h00008108, 4'd0, 1'b1};   // c.lbu x10, 0(x10)
      44: word = {32'h00008948, 4'd0, 1'b0};   // c.sb x10, 0(x10)
      45: word = {32'h00000108, 4'd0, 1'b0};   // c.addi4spn x10, sp, 128
      46: word = {32'h00002502, 4'd0, 1'b1};   // c.fldsp f10, 0(sp)
      default: word = {32'h00000013, 4'd0, 1'b0};
    endcase
  endfunction

  // Offset of the target of the conditional branches above.
  function automatic int target(logic [31:0] insn);
    return (insn == 32'hfe20fee3) ? -4 : 8;
  endfunction

endpackage
