// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One unit and the families of properties that the run names, each by its macro; without any, the invariants alone.

module formal_top
  import perf_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n, valid;
  config_t cfg;
  in_t     was_in;
  out_t    out;
  state_t  st, was;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));
  formal_past u_past (.clk_i, .rst_ni(rst_n), .in_i, .st_i(st), .valid_o(valid), .in_o(was_in), .st_o(was));

`define FORMAL_PORTS .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .out_i(out), .st_i(st), .valid_i(valid), .was_in_i(was_in), \
    .was_i(was)

`ifdef FORMAL_RESERVED
  formal_reserved u_reserved (`FORMAL_PORTS);
`endif
`ifdef FORMAL_FREEZE
  formal_freeze u_freeze (`FORMAL_PORTS);
`endif
`ifdef FORMAL_INTERRUPT
  formal_interrupt u_interrupt (`FORMAL_PORTS);
`endif
`ifdef FORMAL_PINS
  formal_pins u_pins (`FORMAL_PORTS);
`endif

endmodule
