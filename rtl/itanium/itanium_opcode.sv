// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Opcode: the kinds of the slots of one bundle that is issued, and what both opcode matchers say of its instructions.
//
// Specification: section 6.1.3, "IA-64 Instruction Opcode Match". Contract: docs/src/itanium/cycle.md, "2. Opcode".
// Requirements ITA-06, ITA-07, ITA-22, ITA-23, ITA-30.

module itanium_opcode
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
(
  // PMC[8] and PMC[9].
  input  matcher_t [Matchers-1:0] matcher_i,
  // IBRRangeTag of the bundle is hit.
  input  logic                    range_i,
  // Bits 4:0 of the bundle.
  input  logic [4:0]              template_i,
  // Slots of the bundle. An opcode matcher ignores bits 26:13.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [Slots-1:0][40:0]  slot_i,
  // verilator lint_on UNUSEDSIGNAL

  // Bit s: Tag(PMC[8]) of the instruction in slot s is hit.
  output logic [Slots-1:0]        pmc8_o,
  // Bit s: Tag(PMC[9]) of the instruction in slot s is hit.
  output logic [Slots-1:0]        pmc9_o
);

  localparam kind_t KindNone = 4'b0000;
  localparam kind_t KindM    = 4'b1000;
  localparam kind_t KindI    = 4'b0100;
  localparam kind_t KindF    = 4'b0010;
  localparam kind_t KindB    = 4'b0001;

  // Bit 0 of the template is a stop behind the bundle.
  logic unused_stop;
  assign unused_stop = template_i[0];

  // Major opcodes 0 to 7 of a long instruction execute on an I-unit, 8 to F on a B-unit.
  kind_t long;
  assign long = slot_i[2][40] ? KindB : KindI;

  // Slot 0 is the rightmost.
  kind_t [Slots-1:0] kinds;
  always_comb begin
    unique case (template_i[4:1])
      4'h0, 4'h1: kinds = {KindI, KindI, KindM};
      4'h2:       kinds = {long, KindNone, KindM};
      4'h4, 4'h5: kinds = {KindI, KindM, KindM};
      4'h6:       kinds = {KindI, KindF, KindM};
      4'h7:       kinds = {KindF, KindM, KindM};
      4'h8:       kinds = {KindB, KindI, KindM};
      4'h9:       kinds = {KindB, KindB, KindM};
      4'hB:       kinds = {KindB, KindB, KindB};
      4'hC:       kinds = {KindB, KindM, KindM};
      4'hE:       kinds = {KindB, KindF, KindM};
      default:    kinds = {KindNone, KindNone, KindNone};
    endcase
  end

  // Per matcher and slot: the instruction matches.
  logic [Matchers-1:0][Slots-1:0] hit;
  for (genvar j = 0; j < int'(Matchers); j++) begin : gen_matchers
    kind_t selected;
    assign selected = {matcher_i[j].m, matcher_i[j].i, matcher_i[j].f, matcher_i[j].b};

    for (genvar s = 0; s < int'(Slots); s++) begin : gen_slots
      logic [MatchW-1:0] bits;
      assign bits      = {slot_i[s][40:27], slot_i[s][12:0]};
      assign hit[j][s] = ((kinds[s] & selected) != '0) &&
                         (((bits ^ matcher_i[j].match_value) & ~matcher_i[j].mask) == '0);
    end
  end

  assign pmc8_o = hit[0] & {Slots{range_i}};
  assign pmc9_o = hit[1] & {Slots{range_i}};

endmodule
