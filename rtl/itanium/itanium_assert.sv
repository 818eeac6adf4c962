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
  input logic   clk_i,

  // All registers of the unit. Most may have any value.
  // verilator lint_off UNUSEDSIGNAL
  input state_t state_i
  // verilator lint_on UNUSEDSIGNAL
);

  answer_t answer;
  assign answer = state_i.answer;

  // PMC[6] and PMC[7] have a threshold of two bits.
  ThresholdTwoBits: assert property (@(posedge clk_i)
      !state_i.counter[2].threshold[2] && !state_i.counter[3].threshold[2]);

  for (genvar e = 0; e < int'(MaxEntries); e++) begin : gen_entries
    tag_t tag;
    assign tag = state_i.tag[e];
    // The range comes first.
    TagNeedsRange: assert property (@(posedge clk_i) tag.range || ((tag.pmc8 == '0) && (tag.pmc9 == '0)));
    TagAbsent:     assert property (@(posedge clk_i) (e < int'(TagEntries)) || (tag == '0));
  end

  AnswerResult: assert property (@(posedge clk_i)
      (answer.reg_result == ResultDone) || (answer.reg_result == ResultNotMine) ||
      (answer.reg_result == ResultPrivileged) || (answer.reg_result == ResultReserved));
  AnswerEmpty:  assert property (@(posedge clk_i) answer.reg_done || (answer.reg_result == ResultDone));
  AnswerData:   assert property (@(posedge clk_i)
      (answer.reg_done && (answer.reg_result == ResultDone)) || (answer.reg_rdata == '0));

endmodule
