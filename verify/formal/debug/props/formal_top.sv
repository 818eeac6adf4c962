// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One unit and the families of properties that the run names, each by its macro; without any, the invariants alone.

module formal_top
  import debug_pkg::*;
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

  fetch_t [Lanes-1:0] fetch;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));
  formal_past u_past (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .st_i(st), .valid_o(valid), .in_o(was_in), .st_o(was),
                      .fetch_o(fetch));

`define FORMAL_PORTS .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .out_i(out), .st_i(st), .valid_i(valid), .was_in_i(was_in), \
    .was_i(was)

`ifdef FORMAL_GUARD
  formal_guard u_guard (`FORMAL_PORTS);
`endif
`ifdef FORMAL_STOP
  formal_stop u_stop (`FORMAL_PORTS, .fetch_i(fetch));
`endif
`ifdef FORMAL_RF
  formal_rf u_rf (`FORMAL_PORTS);
`endif
`ifdef FORMAL_LOST
  formal_lost u_lost (`FORMAL_PORTS);
`endif
`ifdef FORMAL_CHANGES
  formal_changes u_changes (`FORMAL_PORTS, .fetch_i(fetch));
`endif
`ifdef FORMAL_ABORT
  formal_abort u_abort (`FORMAL_PORTS);
`endif

endmodule
