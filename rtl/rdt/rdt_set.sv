// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Set: looks into a word of a cache, and makes the word that a step writes. Combinational.
//
// Lines of the L2 cache are treated as lines of the L3 cache without RMID and code.
//
// Contract: docs/src/rdt/cycle.md, "Age", "Victim" and "3. Steps". Requirements RDTA-02, RDTA-23.

module rdt_set
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Ways that are built: 2 to 16.
  parameter int unsigned Ways = 4
) (
  // The word.
  input  l3_line_t [Ways-1:0] word_i,

  // The line that is searched.
  input  logic [LineW-1:0]    search_i,
  // Ways that a fill may take.
  input  logic [Ways-1:0]     allowed_i,
  // Ways that have power, from way 0 on.
  input  logic [4:0]          on_i,
  // What the word holds.
  output found_t              found_o,

  // How the word is changed. The set does not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  command_t            command_i,
  // verilator lint_on UNUSEDSIGNAL
  // RMID of a line that is filled.
  input  logic [4:0]          rmid_i,
  // A line that is filled is code.
  input  logic                code_i,
  // The changed word.
  output l3_line_t [Ways-1:0] word_o
);

  ///////////
  // Look //
  ///////////

  // One-hot: the way that holds the line. Valid ways without power. Allowed ways that are not valid, and the oldest
  // allowed one.
  logic [Ways-1:0] hit, off, empty, oldest;
  for (genvar w = 0; w < int'(Ways); w++) begin : gen_look
    logic [Ways-1:0] older;
    for (genvar v = 0; v < int'(Ways); v++) begin : gen_older
      assign older[v] = allowed_i[v] && (word_i[v].age > word_i[w].age);
    end
    assign hit[w]    = word_i[w].valid && (word_i[w].line == search_i);
    assign off[w]    = word_i[w].valid && (5'(w) >= on_i);
    assign empty[w]  = allowed_i[w] && !word_i[w].valid;
    assign oldest[w] = allowed_i[w] && (older == '0);
  end

  // One-hot: the lowest way without power; the victim of a fill.
  logic [Ways-1:0] off_lowest, victim;
  assign off_lowest = off & (~off + Ways'(1));
  assign victim     = (empty != '0) ? (empty & (~empty + Ways'(1))) : oldest;

  always_comb begin
    found_o           = '0;
    found_o.hit       = hit != '0;
    found_o.off       = off != '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      found_o.hit_dirty  |= hit[w] & word_i[w].dirty;
      found_o.victim_way |= 4'(w) & {4{victim[w]}};
      found_o.victim     |= word_i[w] & {$bits(l3_line_t){victim[w]}};
      found_o.off_way    |= 4'(w) & {4{off_lowest[w]}};
      found_o.off_line   |= word_i[w] & {$bits(l3_line_t){off_lowest[w]}};
    end
  end

  ////////////
  // Change //
  ////////////

  // One-hot: the way that is changed.
  logic [Ways-1:0] target;
  always_comb begin
    unique case (command_i.target)
      TargetHit:    target = hit;
      TargetVictim: target = victim;
      TargetOff:    target = off_lowest;
      default: begin
        for (int unsigned w = 0; w < Ways; w++) target[w] = command_i.way == 4'(w);
      end
    endcase
  end

  logic [3:0] target_age;
  always_comb begin
    target_age = '0;
    for (int unsigned w = 0; w < Ways; w++) target_age |= word_i[w].age & {4{target[w]}};
  end

  for (genvar w = 0; w < int'(Ways); w++) begin : gen_change
    always_comb begin
      word_o[w] = word_i[w];
      if (command_i.clear) begin
        word_o[w]     = '0;
        word_o[w].age = 4'(w);
      end else begin
        if (target[w]) begin
          if (command_i.fill) begin
            word_o[w] = '{valid: 1'b1, dirty: 1'b0, code: code_i, rmid: rmid_i, line: search_i, age: word_i[w].age};
          end
          if (command_i.dirty) word_o[w].dirty = 1'b1;
          if (command_i.empty) begin
            word_o[w]     = '0;
            word_o[w].age = word_i[w].age;
          end
        end
        if (command_i.touch) begin
          if (target[w]) word_o[w].age = '0;
          else if (word_i[w].age < target_age) word_o[w].age = word_i[w].age + 4'd1;
        end
      end
    end
  end

endmodule
