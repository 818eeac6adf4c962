// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Filter: which logical processors a cell looks at in this cycle, and the number that it sees. Combinational.
//
// Contract: docs/src/perf/cycle.md, "5. Filter". Requirements P6-05, P6-13 to P6-15, APM-21, APM-22, APM-37.

module perf_filter
  import perf_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1,
  // The logical processor of the counter.
  parameter int unsigned Processor         = 0
) (
  // Levels at which the cell counts, a bit for each.
  input  logic [3:0]                                levels_i,
  // The cell counts for all logical processors.
  input  logic                                      any_i,
  // The selection is not nothing.
  input  logic                                      something_i,
  // Its lines are levels.
  input  logic                                      level_kind_i,
  // Privilege level of each logical processor.
  input  logic [LogicalProcessors-1:0][1:0]         level_i,
  // Number of the selection of each logical processor.
  input  logic [LogicalProcessors-1:0][NumberW-1:0] n_i,

  // The cycle is looked at.
  output logic                                      fits_o,
  // What the cell sees.
  output logic [SumW-1:0]                           n_o
);

  logic [LogicalProcessors-1:0] hits;
  for (genvar j = 0; j < int'(LogicalProcessors); j++) begin : gen_hits
    assign hits[j] = ((j == int'(Processor)) || any_i) && something_i && levels_i[level_i[j]];
  end

  logic [SumW-1:0] sum;
  always_comb begin
    sum = '0;
    for (int unsigned j = 0; j < LogicalProcessors; j++) sum += hits[j] ? SumW'(n_i[j]) : SumW'(0);
  end

  assign fits_o = |hits;
  assign n_o    = level_kind_i ? SumW'(sum != '0) : sum;

endmodule
