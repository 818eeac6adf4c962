// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What kind of branch a RISC-V instruction word is, in the unit's codes. Combinational.
//
// Links are x1 and x5, as the unprivileged specification's hints for return-address stacks have it: an indirect jump
// that writes one is a call, one that only reads one is a return. A jump that writes any other register is a jump.
// What stands beside MRET and ECALL is a system transfer, which is never counted.

module lwp_rvfi_branch
  import lwp_pkg::*;
#(
  // C.JAL exists in RV32 alone; its code is C.ADDIW in RV64.
  parameter int unsigned Xlen = 64
) (
  // Immediates do not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [31:0] insn_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [3:0]  kind_o
);

  localparam logic [3:0] JmpIndirect  = 4'd3;
  localparam logic [3:0] CallIndirect = 4'd5;
  localparam logic [3:0] Ret          = 4'd6;
  localparam logic [3:0] System       = 4'd10;

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
