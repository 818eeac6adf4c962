// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Access of a RISC-V instruction to data, as the contract of the retire port has it. Combinational.
//
// The instruction word tells whether an instruction loads or stores: cores differ in what they show as the masks of
// others, and Ibex shows a read mask with every instruction. The masks tell which bytes are accessed. Stores are STORE,
// STORE-FP, SC, AMO and the compressed stores of C and Zcb; an SC that fails counts as a store, as a conditional store of
// the contract does. Zcmp and Zcmt, whose codes are those of C.FSDSP, are not decoded: their words are taken for stores.
// One of Zcmp makes several accesses, which one channel of RVFI cannot show.
//
// Contract: docs/src/retire/lanes.md, "Accesses".

module retire_rvfi_access #(
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen = 32
) (
  // Registers and most of the immediates are not used.
  // verilator lint_off UNUSEDSIGNAL
  // Instruction word.
  input  logic [31:0]         insn_i,
  // verilator lint_on UNUSEDSIGNAL
  // Address of the access; valid for a load or store.
  input  logic [Xlen-1:0]     mem_addr_i,
  // Bytes from `mem_addr_i` on that are loaded; valid for a load.
  input  logic [Xlen/8-1:0]   mem_rmask_i,
  // Bytes from `mem_addr_i` on that are stored; valid for a store.
  input  logic [Xlen/8-1:0]   mem_wmask_i,
  // Access; neither read nor write if the instruction makes none.
  output retire_pkg::access_t access_o
);

  logic load, store;

  lwp_rvfi_load #(.Xlen(Xlen)) u_load (.insn_i, .load_o(load));

  always_comb begin
    store = 1'b0;
    unique case (insn_i[1:0])
      2'b00: begin
        unique case (insn_i[15:13])
          3'b101, 3'b110, 3'b111: store = 1'b1;                    // C.FSD, C.SW, C.FSW or C.SD
          3'b100:                 store = insn_i[12:11] == 2'b01;  // C.SB, C.SH
          default:                store = 1'b0;
        endcase
      end
      2'b10: begin
        // C.FSDSP, C.SWSP, C.FSWSP or C.SDSP
        store = insn_i[15:13] inside {3'b101, 3'b110, 3'b111};
      end
      2'b11: begin
        unique case (insn_i[6:2])
          5'b01000, 5'b01001: store = 1'b1;                        // STORE, STORE-FP
          5'b01011:           store = insn_i[31:27] != 5'b00010;   // AMO without LR
          default:            store = 1'b0;
        endcase
      end
      default: store = 1'b0;
    endcase
  end

  // Bytes of the access: their lowest offset, and their number, 0 to 8.
  logic [Xlen/8-1:0] mask;
  logic [2:0]        first;
  logic [3:0]        count;
  assign mask = (load ? mem_rmask_i : '0) | (store ? mem_wmask_i : '0);

  always_comb begin
    first = '0;
    count = '0;
    for (int b = int'(Xlen) / 8 - 1; b >= 0; b--) begin
      if (mask[b]) begin
        first = 3'(b);
        count = count + 4'd1;
      end
    end
  end

  // Addresses have as many bits as a register.
  logic [Xlen-1:0] addr;
  assign addr = mem_addr_i + Xlen'(first);

  assign access_o = '{read: load, write: store, addr: 64'(addr), size: 7'(count)};

endmodule
