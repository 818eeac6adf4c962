// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the registers said of the bundle of one entry, chosen by the solver: at its fetch, whether its address was in the range; at
// its issue, whether its instructions matched. The unit's table of tags is not looked at.
//
// Contract: docs/src/itanium/cycle.md, 1 to 3.

module formal_history
  import itanium_pkg::*;
  import formal_pkg::*;
  import formal_qualify_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  in_t               in_i,
  input  state_t            st_i,

  // The entry.
  output logic [EntryW-1:0] entry_o,
  // Its bundle was fetched in the range.
  output logic              range_o,
  // Bit s: its instruction in slot s matched PMC[8], PMC[9] at its issue. 0 before the issue.
  output logic [Slots-1:0]  hit8_o,
  output logic [Slots-1:0]  hit9_o,
  // The same as of the cycle before.
  output logic              was_range_o,
  output logic [Slots-1:0]  was_hit8_o,
  output logic [Slots-1:0]  was_hit9_o
);

  formal_const #(.WIDTH(EntryW)) u_entry (.Y(entry_o));

  logic             range_d, range_q, was_range_q;
  logic [Slots-1:0] hit8_d, hit8_q, was_hit8_q, hit9_d, hit9_q, was_hit9_q;

  always_comb begin
    range_d = range_q;
    hit8_d  = hit8_q;
    hit9_d  = hit9_q;
    for (int unsigned b = 0; b < Bundles; b++) begin
      if (in_i.issue[b].valid && !in_i.psr_is && (entry(in_i.issue[b].id) == entry_o)) begin
        for (int unsigned s = 0; s < 3; s++) begin
          hit8_d[s] = meets(st_i.matcher[0], in_i.issue[b], s);
          hit9_d[s] = meets(st_i.matcher[1], in_i.issue[b], s);
        end
      end
    end
    for (int unsigned b = 0; b < Bundles; b++) begin
      if (in_i.fetch[b].valid && !in_i.psr_is && (entry(in_i.fetch[b].id) == entry_o)) begin
        range_d = in_code_range(st_i, in_i.fetch[b]);
        hit8_d  = '0;
        hit9_d  = '0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      range_q     <= 1'b0;
      hit8_q      <= '0;
      hit9_q      <= '0;
      was_range_q <= 1'b0;
      was_hit8_q  <= '0;
      was_hit9_q  <= '0;
    end else begin
      range_q     <= range_d;
      hit8_q      <= hit8_d;
      hit9_q      <= hit9_d;
      was_range_q <= range_q;
      was_hit8_q  <= hit8_q;
      was_hit9_q  <= hit9_q;
    end
  end

  assign range_o     = range_q;
  assign hit8_o      = hit8_q;
  assign hit9_o      = hit9_q;
  assign was_range_o = was_range_q;
  assign was_hit8_o  = was_hit8_q;
  assign was_hit9_o  = was_hit9_q;

endmodule
