// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory: the words of a cache, one for each set. One port, which in a cycle reads, writes or does neither; what is read
// or written is in the output register in the next cycle.
//
// The words are not reset. The output register is, asynchronously: block RAM whose output has no such reset, and RAM
// macros, take the place of this module without one, as nothing reads a word that was not written before. Synthesis
// removes the second port, which only reads, when nothing is connected to it.
//
// Contract: docs/src/rdt/state.md, "Memories".

module rdt_memory #(
  // Words: a power of two.
  parameter int unsigned Words = 2,
  // Bits of a word.
  parameter int unsigned Width = 1,
  // Bits of an index; leave it.
  localparam int unsigned IndexW = $clog2(Words)
) (
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset of the output register, active low.
  input  logic              rst_ni,

  // The word at `index_i` is read or written in this cycle.
  input  logic              access_i,
  // It is written.
  input  logic              write_i,
  // Index of the word.
  input  logic [IndexW-1:0] index_i,
  // Value to write.
  input  logic [Width-1:0]  wdata_i,
  // The word that was read or written last.
  output logic [Width-1:0]  word_o,

  // Index of the word that is shown.
  input  logic [IndexW-1:0] show_index_i,
  // The word at `show_index_i`, for verification.
  output logic [Width-1:0]  show_o
);

  logic [Width-1:0] words [Words];
  logic [Width-1:0] word_q;

  always_ff @(posedge clk_i) begin
    if (access_i && write_i) begin
      words[index_i] <= wdata_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q <= '0;
    end else if (access_i) begin
      word_q <= write_i ? wdata_i : words[index_i];
    end
  end

  assign word_o = word_q;
  assign show_o = words[show_index_i];

endmodule
