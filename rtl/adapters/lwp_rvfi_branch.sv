// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Kind of branch of a RISC-V instruction word, in the unit's codes. Combinational.
//
// Link registers are x1 and x5, as in the unprivileged specification's hints for return-address stacks: an indirect
// jump that writes a link register is a call, one that only reads a link register is a return. A direct jump that does
// not write a link register is a jump. All other SYSTEM instructions without a CSR, like MRET and ECALL, are system
// transfers, which are never counted.

module lwp_rvfi_branch #(
  // Width of a register: 32 or 64. C.JAL exists in RV32 only; its code is C.ADDIW in RV64.
  parameter int unsigned Xlen = 64
) (
  // Immediates are not used.
  // verilator lint_off UNUSEDSIGNAL
  // Instruction word.
  input  logic [31:0] insn_i,
  // verilator lint_on UNUSEDSIGNAL
  // Kind of branch, in the unit's codes.
  output logic [3:0]  kind_o
);

  // The codes are the same in lwp_pkg and retire_pkg.
  localparam logic [3:0] BranchNone    = 4'd0;
  localparam logic [3:0] BranchJmpRel  = 4'd1;
  localparam logic [3:0] BranchCond    = 4'd2;
  localparam logic [3:0] JmpIndirect   = 4'd3;
  localparam logic [3:0] BranchCallRel = 4'd4;
  localparam logic [3:0] CallIndirect  = 4'd5;
  localparam logic [3:0] Ret           = 4'd6;
  localparam logic [3:0] System        = 4'd10;

  function automatic logic is_link(logic [4:0] register);
    return (register == 5'd1) || (register == 5'd5);
  endfunction

  function automatic logic [3:0] indirect(logic [4:0] writes, logic [4:0] reads);
    return is_link(writes) ? CallIndirect : is_link(reads) ? Ret : JmpIndirect;
  endfunction

  logic [4:0] rd, rs1;
  assign rd  = insn_i[11:7];
  assign rs1 = insn_i[19:15];

  always_comb begin
    kind_o = BranchNone;
    if (insn_i[1:0] == 2'b11) begin
      unique case (insn_i[6:2])
        5'b11000: kind_o = BranchCond;
        5'b11001: kind_o = indirect(rd, rs1);
        5'b11011: kind_o = is_link(rd) ? BranchCallRel : BranchJmpRel;
        5'b11100: kind_o = (insn_i[14:12] == 3'b000) ? System : BranchNone;
        default:  kind_o = BranchNone;
      endcase
    end else if (insn_i[1:0] == 2'b01) begin
      unique case (insn_i[15:13])
        3'b001:         kind_o = (Xlen == 32) ? BranchCallRel : BranchNone;
        3'b101:         kind_o = BranchJmpRel;
        3'b110, 3'b111: kind_o = BranchCond;
        default:        kind_o = BranchNone;
      endcase
    end else if ((insn_i[1:0] == 2'b10) && (insn_i[15:13] == 3'b100) && (insn_i[6:2] == '0)) begin
      // C.JR, C.JALR; with register 0 it is C.EBREAK.
      if (rd == '0) begin
        kind_o = insn_i[12] ? System : BranchNone;
      end else begin
        kind_o = indirect(insn_i[12] ? 5'd1 : 5'd0, rd);
      end
    end
  end

endmodule
