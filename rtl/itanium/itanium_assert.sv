// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that hold in every reachable state, for all inputs. They serve simulation and proof, and are not part of the
// hardware.
//
// Each is one property without operators over time; assertions about two cycles are in itanium_assert_step. All of them
// hold in the reset state, so none is disabled by reset.
//
// Contract: docs/src/itanium/state.md, "What always holds".

module itanium_assert
  import itanium_pkg::*;
#(
  // Bundles in flight whose tags are kept: 4, 8, 16.
  parameter int unsigned TagEntries = 4
) (
  // Clock: all registers change at its rising edge.
  input logic                    clk_i,

  // Registers. Most may have any value.
  // verilator lint_off UNUSEDSIGNAL
  input counter_t [Counters-1:0] counter_i,
  // verilator lint_on UNUSEDSIGNAL
  // Table of tags.
  input tag_t [TagEntries-1:0]   tag_i,
  // Answer.
  input answer_t                 answer_i
);

  // PMC[6] and PMC[7] have a threshold of two bits.
  ThresholdTwoBits: assert property (@(posedge clk_i)
      !counter_i[2].threshold[2] && !counter_i[3].threshold[2]);

  for (genvar e = 0; e < int'(TagEntries); e++) begin : gen_entries
    tag_t tag;
    assign tag = tag_i[e];
    // The range comes first.
    TagNeedsRange: assert property (@(posedge clk_i) tag.range || ((tag.pmc8 == '0) && (tag.pmc9 == '0)));
  end

  AnswerResult: assert property (@(posedge clk_i)
      (answer_i.reg_result == ResultDone) || (answer_i.reg_result == ResultNotMine) ||
      (answer_i.reg_result == ResultPrivileged) || (answer_i.reg_result == ResultReserved));
  AnswerEmpty:  assert property (@(posedge clk_i) answer_i.reg_done || (answer_i.reg_result == ResultDone));
  AnswerData:   assert property (@(posedge clk_i)
      (answer_i.reg_done && (answer_i.reg_result == ResultDone)) || (answer_i.reg_rdata == '0));

endmodule
