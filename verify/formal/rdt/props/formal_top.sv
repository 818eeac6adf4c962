// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One unit and the families of properties that the run names, each by its macro; without any, the invariants alone.

module formal_top
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n, valid;
  config_t cfg;
  in_t     in, was_in;
  out_t    out, was_out;
  state_t  st, was;
  tags_t   tags, was_tags;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
`ifdef FORMAL_FEW
  formal_few  u_few (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .out_i(out), .in_o(in));
`else
  assign in = in_i;
`endif
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(in), .out_o(out), .st_o(st), .tags_o(tags));
  formal_past u_past (.clk_i, .rst_ni(rst_n), .in_i(in), .out_i(out), .st_i(st), .tags_i(tags),
                      .valid_o(valid), .in_o(was_in), .out_o(was_out), .st_o(was), .tags_o(was_tags));

  // Its assertions are lemmas, too: what an instance asserts whose name begins with `u_unit` is a part of "invariants".
  asked_t [Processors-1:0] asked;
  chosen_t                 choice;
  formal_asked u_unit_asked (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(in), .out_i(out), .st_i(st), .asked_o(asked),
      .choice_o(choice));

`define FORMAL_PORTS .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(in), .out_i(out), .st_i(st), .tags_i(tags)
`define FORMAL_WAS .valid_i(valid), .was_in_i(was_in), .was_out_i(was_out), .was_i(was), .was_tags_i(was_tags)
`define FORMAL_ASKED .asked_i(asked), .choice_i(choice)

`ifdef FORMAL_FILL
  formal_fill u_fill (`FORMAL_PORTS, `FORMAL_WAS, `FORMAL_ASKED);
`endif
`ifdef FORMAL_CHARGE
  formal_charge u_charge (`FORMAL_PORTS, `FORMAL_WAS, `FORMAL_ASKED);
`endif
`ifdef FORMAL_APART
  formal_apart u_apart (`FORMAL_PORTS, `FORMAL_WAS, `FORMAL_ASKED);
`endif
`ifdef FORMAL_PACE
  formal_pace u_pace (`FORMAL_PORTS, `FORMAL_WAS);
`endif
`ifdef FORMAL_TURN
  formal_turn u_turn (`FORMAL_PORTS, `FORMAL_WAS);
`endif
`ifdef FORMAL_REQUEST
  formal_request u_request (`FORMAL_PORTS, `FORMAL_WAS);
`endif
`ifdef FORMAL_PROGRESS
  formal_progress u_progress (`FORMAL_PORTS, `FORMAL_WAS);
`endif
`ifdef FORMAL_PRIVATE
  formal_private u_private (`FORMAL_PORTS, `FORMAL_WAS, `FORMAL_ASKED);
`endif

endmodule
