// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Entry: a transfer as the LBR stack holds it, in the format of the strap `lbr_format`.
//
// Specification: sections 5.8.1 and 6. Contract: docs/src/trace/cycle.md, "4. The LBR stack".

module trace_entry
  import trace_pkg::*;
(
  // Strap `lbr_format`.
  input  format_e     format_i,

  // Transfer. That it exists, and whether it was predicted, does not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  transfer_t   transfer_i,
  // verilator lint_on UNUSEDSIGNAL
  // Core clocks since the last record.
  input  logic [15:0] cycles_i,
  // The core is in 64-bit mode.
  input  logic        long_i,
  // Base of CS.
  input  logic [63:0] cs_base_i,
  // 64-bit mode holds behind a far transfer.
  input  logic        far_long_i,
  // Base of CS behind a far transfer.
  input  logic [63:0] far_base_i,

  // Entry of the LBR stack.
  output entry_t      entry_o
);

  logic        to_long;
  logic [63:0] to_base;
  assign to_long = transfer_i.is_far ? far_long_i : long_i;
  assign to_base = transfer_i.is_far ? far_base_i : cs_base_i;

  // Outside 64-bit mode an address has 32 bits.
  logic [63:0] from_mask, to_mask;
  assign from_mask = {{32{long_i}}, 32'hFFFF_FFFF};
  assign to_mask   = {{32{to_long}}, 32'hFFFF_FFFF};

  logic [63:0] from_offset, to_offset;
  assign from_offset = (transfer_i.from - cs_base_i) & from_mask;
  assign to_offset   = (transfer_i.to - to_base) & to_mask;

  always_comb begin
    entry_o      = '0;
    entry_o.from = from_offset;
    entry_o.to   = to_offset;
    unique case (format_i)
      FormatOffset32: begin
        entry_o.from = {to_offset[31:0], from_offset[31:0]};
        entry_o.to   = '0;
      end
      FormatLinear: begin
        entry_o.from = transfer_i.from & from_mask;
        entry_o.to   = transfer_i.to & to_mask;
      end
      FormatFlags: entry_o.from[63] = transfer_i.mispredicted;
      FormatTsx: entry_o.from[63:61] = {transfer_i.mispredicted, transfer_i.in_tx, transfer_i.tx_abort};
      FormatInfo: begin
        entry_o.cycles       = cycles_i;
        entry_o.tsx_abort    = transfer_i.tx_abort;
        entry_o.in_tx        = transfer_i.in_tx;
        entry_o.mispredicted = transfer_i.mispredicted;
      end
      default: ;
    endcase
  end

endmodule
