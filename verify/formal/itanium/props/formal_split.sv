// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Split: what a counter counts is the sum of what two others count that share its settings but have its levels, or its instruction
// sets, divided between them. Any three counters.
//
// Rows: ITA-14, ITA-16.

module formal_split
  import itanium_pkg::*;
  import formal_pkg::*;
  import formal_qualify_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input state_t  was_i
);

  logic [1:0] x, y, z;
  formal_const #(.WIDTH(2)) u_x (.Y(x));
  formal_const #(.WIDTH(2)) u_y (.Y(y));
  formal_const #(.WIDTH(2)) u_z (.Y(z));

  counter_t one, other, both;
  assign one   = was_i.counter[x];
  assign other = was_i.counter[y];
  assign both  = was_i.counter[z];

  logic [31:0] moved_one, moved_other, moved_both;
  assign moved_one   = st_i.counter[x].count - one.count;
  assign moved_other = st_i.counter[y].count - other.count;
  assign moved_both  = st_i.counter[z].count - both.count;

  // The same event and process, no threshold, none is written.
  logic alike;
  assign alike = valid_i && !does(was_in_i, 4'd8) && ({one.pm, one.es, one.umask} == {both.pm, both.es, both.umask}) &&
                 ({other.pm, other.es, other.umask} == {both.pm, both.es, both.umask}) &&
                 ({one.threshold, other.threshold, both.threshold} == '0);

  logic levels, sets;
  assign levels = alike && (one.ism == both.ism) && (other.ism == both.ism) && ((one.plm & other.plm) == '0) &&
                  ((one.plm | other.plm) == both.plm);
  assign sets   = alike && (one.plm == both.plm) && (other.plm == both.plm) && (one.ism == 2'b10) && (other.ism == 2'b01) &&
                  (both.ism == 2'b00);

  always_comb begin
    // ITA-14
    Levels: assert (!levels || (moved_both == moved_one + moved_other));
    // ITA-16
    Sets:   assert (!sets || (moved_both == moved_one + moved_other));
  end
  always_comb begin
    CoverLevels: cover (levels && (moved_one == '0) && (moved_other == 32'd3));
    CoverSets:   cover (sets && (moved_one == 32'd3) && (moved_other == '0));
    CoverIa32:   cover (sets && (moved_one == '0) && (moved_other == 32'd1));
  end

endmodule
