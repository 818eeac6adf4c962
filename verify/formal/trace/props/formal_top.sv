// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One unit and the families of properties that the run names, each by its macro; without any, the invariants alone.

module formal_top
  import trace_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n, valid;
  config_t cfg;
  in_t     was_in;
  out_t    out, was_out;
  state_t  st, was;
  seen_t   seen;

  shown_t [Lanes-1:0] was_shown;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));
  formal_past u_past (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_i(out), .st_i(st), .valid_o(valid), .in_o(was_in),
                      .out_o(was_out), .st_o(was), .shown_o(was_shown));

  // Lemmas, too: an instance whose name begins with `u_unit` is a part of what "invariants" proves.
  formal_memory u_unit_memory (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .answer_i(in_i.mem), .out_i(out), .st_i(st),
                               .seen_o(seen));

`define FORMAL_PORTS .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .out_i(out), .st_i(st)
`define FORMAL_WAS .valid_i(valid), .was_in_i(was_in), .was_i(was)

`ifdef FORMAL_AREA
  formal_area u_area (`FORMAL_PORTS, .seen_i(seen));
`endif
`ifdef FORMAL_PUBLISH
  formal_publish u_publish (`FORMAL_PORTS, `FORMAL_WAS, .in_i, .was_out_i(was_out), .seen_i(seen));
`endif

endmodule
