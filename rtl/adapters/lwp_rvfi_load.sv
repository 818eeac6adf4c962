// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Whether a RISC-V instruction word loads from memory. Combinational.
//
// The words are those of LOAD, LOAD-FP, LR and AMO, and the compressed loads of C and Zcb. SC does not load. Words of
// Zcmp (CM.POP) are several loads, which one channel of RVFI cannot show; they do not load here.

module lwp_rvfi_load #(
  // Width of a register: 32 or 64. Some codes load a floating-point register in RV32, and an integer register in RV64.
  parameter int unsigned Xlen = 64
) (
  // Registers and most of the immediates are not used.
  // verilator lint_off UNUSEDSIGNAL
  // Instruction word.
  input  logic [31:0] insn_i,
  // verilator lint_on UNUSEDSIGNAL
  // The instruction loads from memory.
  output logic        load_o
);

  // C.LDSP and C.LWSP with register 0 are reserved; C.FLWSP, which has the code of C.LDSP in RV32, is not.
  logic integer_rd;
  assign integer_rd = insn_i[11:7] != '0;

  always_comb begin
    load_o = 1'b0;
    unique case (insn_i[1:0])
      2'b00: begin
        unique case (insn_i[15:13])
          3'b001, 3'b010, 3'b011: load_o = 1'b1;                   // C.FLD, C.LW, C.FLW or C.LD
          3'b100:                 load_o = insn_i[12:11] == 2'b00; // C.LBU, C.LHU, C.LH
          default:                load_o = 1'b0;
        endcase
      end
      2'b10: begin
        unique case (insn_i[15:13])
          3'b001:  load_o = 1'b1;                                  // C.FLDSP
          3'b010:  load_o = integer_rd;                            // C.LWSP
          3'b011:  load_o = (Xlen == 32) || integer_rd;            // C.FLWSP or C.LDSP
          default: load_o = 1'b0;
        endcase
      end
      2'b11: begin
        unique case (insn_i[6:2])
          5'b00000, 5'b00001: load_o = 1'b1;                       // LOAD, LOAD-FP
          5'b01011:           load_o = insn_i[31:27] != 5'b00011;  // AMO without SC
          default:            load_o = 1'b0;
        endcase
      end
      default: load_o = 1'b0;
    endcase
  end

endmodule
