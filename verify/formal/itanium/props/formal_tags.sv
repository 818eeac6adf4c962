// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Tags: what the table of tags says of the bundle of an arbitrary entry is what the registers said at its fetch, and of its
// instructions what they said at the issue; until the entry is given to another bundle. While IA-32 code runs, nothing is tagged.
//
// Rows: ITA-02, ITA-03, ITA-05 to ITA-07, ITA-10, ITA-21 to ITA-23.

module formal_tags
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
  input state_t  was_i,
  // An entry, and what the registers said of its bundle.
  input logic [EntryW-1:0] entry_i,
  input logic              range_i,
  input logic [Slots-1:0]  hit8_i,
  input logic [Slots-1:0]  hit9_i
);

  tag_t tag, was_tag;
  assign tag     = st_i.tag[entry_i];
  assign was_tag = was_i.tag[entry_i];

  // The cycle before fetched or issued the bundle.
  logic fetched, issued;
  always_comb begin
    fetched = 1'b0;
    issued  = 1'b0;
    for (int unsigned b = 0; b < Bundles; b++) begin
      if (was_in_i.fetch[b].valid && (entry(was_in_i.fetch[b].id) == entry_i)) fetched = 1'b1;
      if (was_in_i.issue[b].valid && (entry(was_in_i.issue[b].id) == entry_i)) issued = 1'b1;
    end
  end

  // The bundle was fetched while the range was constrained.
  logic fetched_narrow_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fetched_narrow_q <= 1'b0;
    else if (fetched) fetched_narrow_q <= !was_i.pmc13.ta;
  end

  always_comb begin
    // ITA-02
    // ITA-03
    RangeThen: assert (tag.range == range_i);
    // ITA-06
    // ITA-07
    // ITA-22
    // ITA-23
    Pmc8Then:  assert (tag.pmc8 == (range_i ? hit8_i : 3'b000));
    // ITA-06
    // ITA-07
    // ITA-22
    // ITA-23
    Pmc9Then:  assert (tag.pmc9 == (range_i ? hit9_i : 3'b000));
    // ITA-03
    Carried:   assert (!valid_i || fetched || issued || (tag == was_tag));
    // ITA-03: the range is that of the fetch, whatever it is at the issue.
    RangeKept: assert (!valid_i || fetched || (tag.range == was_tag.range));
    // ITA-05
    // ITA-10
    // ITA-21
    NoneIa32:  assert (!(valid_i && was_in_i.psr_is) || (tag == was_tag));
    // An entry begins without tags of instructions.
    Begins:    assert (!(valid_i && fetched && !was_in_i.psr_is) || ({tag.pmc8, tag.pmc9} == '0));
  end
  always_comb begin
    // A pair of IBRs hits; both matchers are constrained.
    CoverInRange: cover (tag.range && (tag.pmc8 == 3'b101) && (tag.pmc9 == 3'b010) && !st_i.pmc13.ta &&
                         (st_i.ibr[2].mask[55:4] == '1) && fetched_narrow_q);
    // The range is not what it was at the fetch, nor the matcher what it was at the issue.
    CoverStale:   cover (tag.range && (tag.pmc8 == 3'b111) && !st_i.pmc13.ta && (st_i.ibr == '0) &&
                         ({st_i.matcher[0].m, st_i.matcher[0].i, st_i.matcher[0].f, st_i.matcher[0].b} == '0));
    CoverOutside: cover (!tag.range && (hit8_i == 3'b111));
    CoverAgain:   cover (valid_i && fetched && issued && (was_tag.pmc8 != '0) && !tag.range);
  end

endmodule
