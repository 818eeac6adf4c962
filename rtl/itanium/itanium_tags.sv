// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Tags: the table of the tags of bundles in flight. A fetch and an issue write it, events read it.
//
// Specification: section 6.1.3, "the resulting qualification is carried by the instruction throughout the pipeline".
// Contract: docs/src/itanium/cycle.md, "3. Tags". Requirements ITA-03, ITA-05, ITA-10, ITA-21.

module itanium_tags
  import itanium_pkg::*;
#(
  // Bundles that can be fetched, issued and retired in a cycle: 1, 2.
  parameter int unsigned Bundles    = 1,
  // Bundles in flight whose tags are kept: 4, 8, 16.
  parameter int unsigned TagEntries = 4,
  // Bits of the number of an entry; leave the default.
  parameter int unsigned EntryW     = $clog2(TagEntries)
) (
  // Clock: all registers change at its rising edge.
  input  logic                            clk_i,
  // Asynchronous reset, active low.
  input  logic                            rst_ni,

  // Per bundle: it is fetched while IA-64 code runs.
  input  logic [Bundles-1:0]              fetch_i,
  // Per bundle: its entry; valid with `fetch_i`.
  input  logic [Bundles-1:0][EntryW-1:0]  fetch_id_i,
  // Per bundle: its IBRRangeTag; valid with `fetch_i`.
  input  logic [Bundles-1:0]              range_i,
  // Per bundle: it is issued while IA-64 code runs.
  input  logic [Bundles-1:0]              issue_i,
  // Per bundle: its entry; valid with `issue_i`.
  input  logic [Bundles-1:0][EntryW-1:0]  issue_id_i,
  // Per bundle: Tag(PMC[8]) of each slot; valid with `issue_i`.
  input  logic [Bundles-1:0][Slots-1:0]   pmc8_i,
  // Per bundle: Tag(PMC[9]) of each slot; valid with `issue_i`.
  input  logic [Bundles-1:0][Slots-1:0]   pmc9_i,
  // Per bundle: entry of that which retires.
  input  logic [Bundles-1:0][EntryW-1:0]  retire_id_i,
  // Per memory record: entry of its instruction.
  input  logic [MemPorts-1:0][EntryW-1:0] mem_id_i,
  // Per memory record: slot of its instruction; 3 acts as 2.
  input  logic [MemPorts-1:0][1:0]        mem_slot_i,

  // Per bundle that is issued: its IBRRangeTag.
  output logic [Bundles-1:0]              issue_range_o,
  // Per bundle that retires: Tag(PMC[8]) of each slot.
  output logic [Bundles-1:0][Slots-1:0]   retire_pmc8_o,
  // Per bundle that retires: Tag(PMC[9]) of each slot.
  output logic [Bundles-1:0][Slots-1:0]   retire_pmc9_o,
  // Per memory record: Tag(PMC[8]) of its instruction.
  output logic [MemPorts-1:0]             mem_pmc8_o,
  // The table.
  output tag_t [TagEntries-1:0]           tag_o
);

  tag_t [TagEntries-1:0] tag_d, tag_q;

  // A fetch is written last: it begins the next bundle of the entry.
  always_comb begin
    tag_d = tag_q;
    for (int b = 0; b < int'(Bundles); b++) begin
      if (issue_i[b]) begin
        tag_d[issue_id_i[b]].pmc8 = pmc8_i[b];
        tag_d[issue_id_i[b]].pmc9 = pmc9_i[b];
      end
    end
    for (int b = 0; b < int'(Bundles); b++) begin
      if (fetch_i[b]) begin
        tag_d[fetch_id_i[b]].range = range_i[b];
        tag_d[fetch_id_i[b]].pmc8  = '0;
        tag_d[fetch_id_i[b]].pmc9  = '0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tag_q <= '0;
    end else begin
      tag_q <= tag_d;
    end
  end

  for (genvar b = 0; b < int'(Bundles); b++) begin : gen_bundles
    assign issue_range_o[b] = tag_q[issue_id_i[b]].range;
    assign retire_pmc8_o[b] = tag_q[retire_id_i[b]].pmc8;
    assign retire_pmc9_o[b] = tag_q[retire_id_i[b]].pmc9;
  end

  for (genvar p = 0; p < int'(MemPorts); p++) begin : gen_records
    logic [Slots-1:0] slots;
    assign slots         = tag_q[mem_id_i[p]].pmc8;
    assign mem_pmc8_o[p] = mem_slot_i[p][1] ? slots[2] : (mem_slot_i[p][0] ? slots[1] : slots[0]);
  end

  assign tag_o = tag_q;

endmodule
