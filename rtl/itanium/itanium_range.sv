// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Range: IBRRangeTag of one bundle that is fetched.
//
// Specification: section 6.1.3, "IA-64 Instruction Address Range Check". Contract: docs/src/itanium/cycle.md, "1. Range".
// Requirements ITA-02, ITA-22, ITA-29.

module itanium_range
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
(
  // PMC[13].ta: no instruction address constraint.
  input  logic             ta_i,
  // Pairs of instruction breakpoint registers.
  input  ibr_t [Pairs-1:0] ibr_i,
  // Virtual address of the bundle.
  input  logic [63:0]      addr_i,
  // Privilege level for which the bundle is fetched.
  input  logic [1:0]       cpl_i,

  // The tag is hit.
  output logic             range_o
);

  logic [Pairs-1:0] hit;
  for (genvar k = 0; k < int'(Pairs); k++) begin : gen_pairs
    // Bits 3:0 are those inside the bundle.
    assign hit[k] = !ibr_i[k].x && ibr_i[k].plm[cpl_i] &&
                    agrees(addr_i, ibr_i[k].addr, ibr_i[k].mask & ~56'hF);
  end

  assign range_o = ta_i || (hit != '0);

endmodule
