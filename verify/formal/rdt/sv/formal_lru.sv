// SPDX-License-Identifier: MIT OR Apache-2.0
//
// LRU: a cache by itself, for formal_private. Which of two ways was used later is a matrix, not ages. "Victim of a fill among
// allowed ways: the lowest that is not valid; if all are, the one with the largest `age`."

module formal_lru
  import rdt_pkg::*;
#(
  parameter int unsigned Sets = 2,
  parameter int unsigned Ways = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // Its ways; the line, and the set of it.
  input  logic [Ways-1:0]         ways_i,
  input  logic [$clog2(Sets)-1:0] set_i,
  input  logic [LineW-1:0]        line_i,
  // The line is there, in this way; else a fill takes the way victim_o, which is full and holds leaves_o. One-hot.
  output logic                    hit_o,
  output logic [Ways-1:0]         hits_o,
  output logic [Ways-1:0]         victim_o,
  output logic                    full_o,
  output logic [LineW-1:0]        leaves_o,
  // The way gets the line, or is used. One-hot.
  input  logic [Ways-1:0]         fill_i,
  input  logic [Ways-1:0]         use_i,
  // The line gone_i leaves, from whichever set.
  input  logic                    empty_i,
  input  logic [LineW-1:0]        gone_i,
  // Per set and way: a line, and the ways that were used before it.
  output logic [Sets-1:0][Ways-1:0]            valid_o,
  output logic [Sets-1:0][Ways-1:0][LineW-1:0] line_o,
  output logic [Sets-1:0][Ways-1:0][Ways-1:0]  younger_o
);

  logic [Sets-1:0][Ways-1:0]            valid_q;
  logic [Sets-1:0][Ways-1:0][LineW-1:0] line_q;
  // Way v was used later than way w: younger_q[s][v][w].
  logic [Sets-1:0][Ways-1:0][Ways-1:0]  younger_q;

  logic [Ways-1:0] free;
  always_comb begin
    free     = ways_i & ~valid_q[set_i];
    victim_o = '0;
    leaves_o = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      logic oldest;
      hits_o[w] = ways_i[w] && valid_q[set_i][w] && (line_q[set_i][w] == line_i);
      oldest    = ways_i[w];
      for (int unsigned v = 0; v < Ways; v++) begin
        if ((v != w) && ways_i[v] && !younger_q[set_i][v][w]) oldest = 1'b0;
      end
      if (free != '0) victim_o[w] = free[w] && ((free & Ways'((1 << w) - 1)) == '0);
      else victim_o[w] = oldest;
      if (victim_o[w]) leaves_o = leaves_o | line_q[set_i][w];
    end
    hit_o  = hits_o != '0;
    full_o = (free == '0) && (ways_i != '0);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      line_q    <= '0;
      younger_q <= '0;
    end else begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (fill_i[w]) begin
          valid_q[set_i][w] <= 1'b1;
          line_q[set_i][w]  <= line_i;
        end
        if (fill_i[w] || use_i[w]) begin
          for (int unsigned v = 0; v < Ways; v++) begin
            if (v != w) begin
              younger_q[set_i][w][v] <= 1'b1;
              younger_q[set_i][v][w] <= 1'b0;
            end
          end
        end
      end
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          if (empty_i && valid_q[s][w] && (line_q[s][w] == gone_i)) valid_q[s][w] <= 1'b0;
        end
      end
    end
  end

  assign valid_o   = valid_q;
  assign line_o    = line_q;
  assign younger_o = younger_q;

endmodule
