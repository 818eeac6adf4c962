// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One unit and the families of properties that the run names, each by its macro; without any, the invariants alone.

module formal_top
  import trace_pkg::*;
  import formal_pkg::*;
  import formal_store_pkg::*;
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

  transfer_t [Lanes-1:0] collected;
  shown_t [Lanes-1:0]    was_shown;
  record_t [Lanes-1:0]   was_made;
  entry_t [Lanes-1:0]    was_entry;
  moves_t                moves;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st), .collected_o(collected));
  formal_past u_past (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_i(out), .st_i(st), .collected_i(collected),
                      .valid_o(valid), .in_o(was_in), .out_o(was_out), .st_o(was), .shown_o(was_shown),
                      .made_o(was_made), .entry_o(was_entry));

  formal_moves u_moves (.cfg_i(cfg), .out_i(out), .valid_i(valid), .was_in_i(was_in), .was_out_i(was_out), .was_i(was),
                        .shown_i(was_shown), .moves_o(moves));

  // Its assertions are lemmas, too: what an instance asserts whose name begins with `u_unit` is a part of "invariants".
  if (`FORMAL_OBSERVED) begin : u_unit_observed
    formal_memory u_memory (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .answer_i(in_i.mem), .out_i(out), .st_i(st), .seen_o(seen));
  end else begin : gen_blind
    assign seen = '0;
  end

`define FORMAL_PORTS .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .out_i(out), .st_i(st)
`define FORMAL_WAS .valid_i(valid), .was_in_i(was_in), .was_i(was)

`ifdef FORMAL_AREA
  formal_area u_area (`FORMAL_PORTS, .seen_i(seen));
`endif
`ifdef FORMAL_PUBLISH
  formal_publish u_publish (`FORMAL_PORTS, `FORMAL_WAS, .in_i, .was_out_i(was_out), .seen_i(seen));
`endif
`ifdef FORMAL_TALLY
  formal_tally u_tally (`FORMAL_PORTS, `FORMAL_WAS, .shown_i(was_shown), .moves_i(moves));
`endif
`ifdef FORMAL_LEDGER
  formal_ledger u_ledger (`FORMAL_PORTS, `FORMAL_WAS, .was_out_i(was_out), .moves_i(moves), .made_i(was_made));
`endif
`ifdef FORMAL_STACK
  formal_stack u_stack (`FORMAL_PORTS, `FORMAL_WAS, .in_i, .shown_i(was_shown), .moves_i(moves));
`endif
`ifdef FORMAL_NEWEST
  formal_newest u_newest (`FORMAL_PORTS, `FORMAL_WAS, .moves_i(moves), .entry_i(was_entry));
`endif
`ifdef FORMAL_ENTRY
  formal_entry u_entry (`FORMAL_PORTS, `FORMAL_WAS, .moves_i(moves), .entry_i(was_entry));
`endif
`ifdef FORMAL_FOLLOW
  formal_follow u_follow (`FORMAL_PORTS, `FORMAL_WAS, .moves_i(moves), .entry_i(was_entry));
`endif
`ifdef FORMAL_CONTROL
  formal_control u_control (`FORMAL_PORTS, `FORMAL_WAS);
`endif

endmodule
