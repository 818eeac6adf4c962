// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One unit and the families of properties that the run names, each by its macro; without any, the invariants alone.

module formal_top
  import itanium_pkg::*;
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
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st), .over_o());
  formal_past u_past (.clk_i, .rst_ni(rst_n), .in_i, .st_i(st), .valid_o(valid), .in_o(was_in), .st_o(was));

`define FORMAL_PORTS .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .out_i(out), .st_i(st), .valid_i(valid), .was_in_i(was_in), \
    .was_i(was)

`ifdef FORMAL_TAGS
  // The history of one entry.
  logic [EntryW-1:0] entry;
  logic              range, was_range;
  logic [Slots-1:0]  hit8, hit9, was_hit8, was_hit9;
  formal_history u_history (
    .clk_i, .rst_ni(rst_n), .in_i, .st_i(st), .entry_o(entry), .range_o(range), .hit8_o(hit8), .hit9_o(hit9),
    .was_range_o(was_range), .was_hit8_o(was_hit8), .was_hit9_o(was_hit9)
  );
  formal_tags u_tags (`FORMAL_PORTS, .entry_i(entry), .range_i(range), .hit8_i(hit8), .hit9_i(hit9));
`ifdef FORMAL_QUALIFY
  formal_qualify u_qualify (`FORMAL_PORTS, .entry_i(entry), .range_i(was_range), .hit8_i(was_hit8), .hit9_i(was_hit9));
`endif
`endif
`ifdef FORMAL_COUNT
  formal_count u_count (`FORMAL_PORTS);
`endif
`ifdef FORMAL_MONITOR
  formal_monitor u_monitor (`FORMAL_PORTS);
`endif
`ifdef FORMAL_SPLIT
  formal_split u_split (`FORMAL_PORTS);
`endif
`ifdef FORMAL_FREEZE
  formal_freeze u_freeze (`FORMAL_PORTS);
`endif
`ifdef FORMAL_STATUS
  formal_status u_status (`FORMAL_PORTS);
`endif
`ifdef FORMAL_HANDLER
  formal_handler u_handler (`FORMAL_PORTS, .in_i);
`endif
`ifdef FORMAL_ANSWER
  formal_answer u_answer (`FORMAL_PORTS);
`endif
`ifdef FORMAL_WRITE
  formal_write u_write (`FORMAL_PORTS);
`endif

endmodule
