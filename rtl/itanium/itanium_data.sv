// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Data: DBRRangeTag of one memory record.
//
// Specification: section 6.1.3, "IA-64 Data Address Range Check". Contract: docs/src/itanium/cycle.md, "4. Data".
// Requirements ITA-11, ITA-12, ITA-26, ITA-31.

module itanium_data
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
(
  // PMC[11].pt: no data address constraint.
  input  logic             pt_i,
  // Pairs of data breakpoint registers. What makes a breakpoint of a pair does not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  dbr_t [Pairs-1:0] dbr_i,
  // verilator lint_on UNUSEDSIGNAL
  // IA-32 code runs.
  input  logic             psr_is_i,
  // Current privilege level.
  input  logic [1:0]       cpl_i,
  // Virtual address of the lowest byte of the access.
  input  logic [63:0]      addr_i,

  // The tag is hit or off.
  output logic             passes_o
);

  logic [Pairs-1:0] hit;
  for (genvar k = 0; k < int'(Pairs); k++) begin : gen_pairs
    assign hit[k] = dbr_i[k].plm[cpl_i] && agrees(addr_i, dbr_i[k].addr, dbr_i[k].mask);
  end

  assign passes_o = psr_is_i || pt_i || (hit != '0);

endmodule
