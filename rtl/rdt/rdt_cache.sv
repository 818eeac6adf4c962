// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Cache: the memory of a cache, and the set that was read or written last.
//
// The memory stores no bit that is always 0 in a build: ages have as many bits as the ways need, and RMID and code are
// stored if `Owned` is 1. Every port has the lines of the L3 cache.
//
// Contract: docs/src/rdt/state.md, "Memories".

module rdt_cache
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Sets that are built: a power of two.
  parameter int unsigned Sets  = 8,
  // Ways that are built: 2 to 16.
  parameter int unsigned Ways  = 4,
  // Lines have an RMID, and whether they are code.
  parameter bit          Owned = 1'b1,
  // Bits of the number of a set; leave it.
  localparam int unsigned IndexW = $clog2(Sets)
) (
  // Clock: all registers change at its rising edge.
  input  logic                clk_i,
  // Asynchronous reset, active low.
  input  logic                rst_ni,

  // The line that is searched, and filled.
  input  logic [LineW-1:0]    search_i,
  // Ways that a fill may take.
  input  logic [Ways-1:0]     allowed_i,
  // Ways that have power, from way 0 on.
  input  logic [4:0]          on_i,
  // What the word holds.
  output found_t              found_o,

  // What the step does. Sets have bits to spare.
  // verilator lint_off UNUSEDSIGNAL
  input  command_t            command_i,
  // verilator lint_on UNUSEDSIGNAL
  // RMID of a line that is filled.
  input  logic [4:0]          rmid_i,
  // A line that is filled is code.
  input  logic                code_i,

  // Set that was read or written last.
  output logic [IndexW-1:0]   index_o,
  // The memory was written in the last cycle.
  output logic                written_o,
  // The word of that set.
  output l3_line_t [Ways-1:0] word_o,

  // Set that is shown, and its word, for verification.
  input  logic [IndexW-1:0]   show_index_i,
  output l3_line_t [Ways-1:0] show_o
);

  localparam int unsigned AgeW    = $clog2(Ways);
  localparam int unsigned OwnerW  = Owned ? 6 : 0;
  localparam int unsigned StoredW = 2 + LineW + AgeW + OwnerW;

  ///////////////
  // Registers //
  ///////////////

  logic              writes, accesses;
  logic [IndexW-1:0] index_d, index_q;
  logic              written_q;
  assign writes   = command_i.clear || command_i.write;
  assign accesses = writes || command_i.read;
  assign index_d  = command_i.write ? index_q : IndexW'(command_i.set_index);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      index_q   <= '0;
      written_q <= 1'b0;
    end else begin
      written_q <= writes;
      if (accesses) index_q <= index_d;
    end
  end

  ////////////
  // Memory //
  ////////////

  logic [Ways-1:0][StoredW-1:0] stored_d, stored, stored_show;

  rdt_memory #(
    .Words(Sets),
    .Width(Ways * StoredW)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .access_i    (accesses),
    .write_i     (writes),
    .index_i     (index_d),
    .wdata_i     (stored_d),
    .word_o      (stored),
    .show_index_i,
    .show_o      (stored_show)
  );

  // Ages have bits to spare; lines without owner have no RMID.
  // verilator lint_off UNUSEDSIGNAL
  l3_line_t [Ways-1:0] word_d;
  // verilator lint_on UNUSEDSIGNAL
  l3_line_t [Ways-1:0] word;

  for (genvar w = 0; w < int'(Ways); w++) begin : gen_ways
    assign stored_d[w][0]                = word_d[w].valid;
    assign stored_d[w][1]                = word_d[w].dirty;
    assign stored_d[w][2 +: LineW]       = word_d[w].line;
    assign stored_d[w][2 + LineW +: AgeW] = word_d[w].age[AgeW-1:0];

    assign word[w].valid   = stored[w][0];
    assign word[w].dirty   = stored[w][1];
    assign word[w].line    = stored[w][2 +: LineW];
    assign word[w].age     = 4'(stored[w][2 + LineW +: AgeW]);
    assign show_o[w].valid = stored_show[w][0];
    assign show_o[w].dirty = stored_show[w][1];
    assign show_o[w].line  = stored_show[w][2 +: LineW];
    assign show_o[w].age   = 4'(stored_show[w][2 + LineW +: AgeW]);

    if (Owned) begin : gen_owner
      assign stored_d[w][StoredW-1 -: 6] = {word_d[w].code, word_d[w].rmid};
      assign {word[w].code, word[w].rmid}     = stored[w][StoredW-1 -: 6];
      assign {show_o[w].code, show_o[w].rmid} = stored_show[w][StoredW-1 -: 6];
    end else begin : gen_no_owner
      assign {word[w].code, word[w].rmid}     = 6'd0;
      assign {show_o[w].code, show_o[w].rmid} = 6'd0;
    end
  end

  /////////
  // Set //
  /////////

  rdt_set #(
    .Ways(Ways)
  ) u_set (
    .word_i(word),
    .search_i,
    .allowed_i,
    .on_i,
    .found_o,
    .command_i,
    .rmid_i,
    .code_i,
    .word_o(word_d)
  );

  assign index_o   = index_q;
  assign written_o = written_q;
  assign word_o    = word;

endmodule
