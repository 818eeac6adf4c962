// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Control: what the registers of a counter ask of its cell. Combinational. Knows the personality.
//
// Contract: docs/src/perf/cycle.md, "4. Control". Requirements P6-13 to P6-16, P6-23, P6-25 to P6-29, P6-41, P6-42,
// APM-21 to APM-23, APM-28, APM-29, APM-31, APM-33.

module perf_control
  import perf_pkg::*;
#(
  // It is a fixed counter.
  parameter bit IsFixed = 1'b0
) (
  // The counter exists.
  input  logic        exists_i,
  // Strap: P6.
  input  logic        p6_i,
  // Strap: bits of the counter.
  input  logic [5:0]  width_i,

  // Event select of a general counter; control of a fixed one in bits 3:0.
  // Its code and mask are for the selection.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [31:0] select_i,
  // verilator lint_on UNUSEDSIGNAL
  // EN of the event select of general counter 0.
  input  logic        enable0_i,
  // The counter's bit of IA32_PERF_GLOBAL_CTRL.
  input  logic        on_i,
  // No counter of this logical processor counts in this cycle.
  input  logic        freeze_i,

  // What the cell is asked to do.
  output cell_control_t control_o
);

  logic runs;
  assign runs = exists_i && on_i && !freeze_i;

  if (IsFixed) begin : gen_fixed
    assign control_o = '{
      levels:     {{3{select_i[1]}}, select_i[0]},
      any:        select_i[2],
      threshold:  8'd0,
      inverted:   1'b0,
      edges:      1'b0,
      enable:     runs,
      interrupts: select_i[3],
      width:      width_i
    };
    logic unused_enable;
    assign unused_enable = ^{p6_i, enable0_i};
  end else begin : gen_general
    assign control_o = '{
      levels:     {{3{select_i[16]}}, select_i[17]},
      any:        select_i[21],
      threshold:  select_i[31:24],
      inverted:   select_i[23],
      edges:      select_i[18],
      enable:     runs && (p6_i ? enable0_i : select_i[22]),
      interrupts: select_i[20],
      width:      width_i
    };
  end

endmodule
