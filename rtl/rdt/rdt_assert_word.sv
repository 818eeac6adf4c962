// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about the set of a cache that was read or written last. Not part of the hardware. The unit has one for each
// cache.
//
// In reset, and in the first cycle after it, the word is 0.
//
// Contract: docs/src/rdt/state.md, "What always holds".

module rdt_assert_word
  import rdt_pkg::*;
#(
  // Ways that are built: 2 to 16.
  parameter int unsigned Ways  = 4,
  // A line leaves in a step of its own; else a fill replaces it.
  parameter bit          Apart = 1'b1
) (
  // Clock: all registers change at its rising edge.
  input logic                clk_i,
  // Asynchronous reset, active low.
  input logic                rst_ni,

  // The step is clear.
  input logic                clear_i,
  // No access and no walk is in progress.
  input logic                idle_i,
  // Ways in use, and ways that have power.
  input logic [4:0]          ways_i,
  input logic [4:0]          on_i,
  // The memory was written in the last cycle.
  input logic                written_i,
  // The word.
  input l3_line_t [Ways-1:0] word_i
);

  // The word of the previous cycle. Its ages may be any.
  logic                past_clear_q;
  // verilator lint_off UNUSEDSIGNAL
  l3_line_t [Ways-1:0] past_q;
  // verilator lint_on UNUSEDSIGNAL
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_clear_q <= 1'b1;
      past_q       <= '0;
    end else begin
      past_clear_q <= clear_i;
      past_q       <= word_i;
    end
  end

  logic [Ways-1:0] valid, was_valid, bad, young, old, twice, again, changed, powerless;
  for (genvar w = 0; w < int'(Ways); w++) begin : gen_ways
    logic [Ways-1:0] same_line, same_age;
    for (genvar v = 0; v < int'(Ways); v++) begin : gen_others
      assign same_line[v] = (v != w) && word_i[v].valid && word_i[w].valid && (word_i[v].line == word_i[w].line);
      assign same_age[v]  = (v != w) && (word_i[v].age == word_i[w].age);
    end
    assign valid[w]     = word_i[w].valid;
    assign was_valid[w] = past_q[w].valid;
    assign twice[w]     = same_line != '0;
    assign again[w]     = same_age != '0;
    // An empty way keeps something other than its age.
    assign bad[w]       = !word_i[w].valid &&
                          (word_i[w].dirty || word_i[w].code || (word_i[w].rmid != '0) || (word_i[w].line != '0));
    // Way in use with an age of those that are not; the reverse.
    assign young[w]     = (5'(w) < ways_i) && (5'(word_i[w].age) >= ways_i);
    assign old[w]       = !(5'(w) < ways_i) && (5'(word_i[w].age) < ways_i);
    assign powerless[w] = !(5'(w) < on_i) && word_i[w].valid;
    // The way held another line in the previous cycle.
    assign changed[w]   = (word_i[w].valid != past_q[w].valid) || (word_i[w].line != past_q[w].line) ||
                          (word_i[w].rmid != past_q[w].rmid) || (word_i[w].code != past_q[w].code);
  end

  // Every cycle of clear writes, so only in its first one nothing has been written yet.
  logic fresh;
  assign fresh = clear_i && !written_i;

  LineOnce:     assert property (@(posedge clk_i) twice == '0);
  AgesApart:    assert property (@(posedge clk_i) fresh || (again == '0));
  AgesInUse:    assert property (@(posedge clk_i) fresh || ((young == '0) && (old == '0)));
  EmptyIsZero:  assert property (@(posedge clk_i) bad == '0);
  ClearIsEmpty: assert property (@(posedge clk_i) !clear_i || (valid == '0));
  // Ways without power are empty while nothing is in progress.
  PowerlessEmpty: assert property (@(posedge clk_i) !idle_i || (powerless == '0));
  // A step changes the line of one way, and in the L3 cache empties or fills it.
  OneWayChanges:  assert property (@(posedge clk_i)
      !written_i || past_clear_q || ((changed & (changed - Ways'(1))) == '0));
  NeverReplaced:  assert property (@(posedge clk_i)
      !Apart || !written_i || past_clear_q || ((changed & valid & was_valid) == '0));

endmodule
