// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One unit and the families of properties that the run names, each by its macro; without any, the invariants alone.

module formal_top
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  raw_i,
  // Free: moments that the properties choose.
  input logic pick_i
);

  logic       rst_n, valid;
  config_t    cfg;
  in_t        in, was_in;
  out_t       out, was_out;
  state_t     st, was;
  logic [3:0] gnt_age, rsp_age;

  formal_env u_env (
    .clk_i, .raw_i, .out_i(out), .st_i(st), .rst_no(rst_n), .in_o(in), .cfg_o(cfg), .gnt_age_o(gnt_age),
    .rsp_age_o(rsp_age)
  );
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(in), .out_o(out), .st_o(st));
  formal_past u_past (
    .clk_i, .rst_ni(rst_n), .in_i(in), .out_i(out), .st_i(st), .valid_o(valid), .in_o(was_in), .out_o(was_out),
    .st_o(was)
  );

`define FORMAL_PORTS .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(in), .out_i(out), .st_i(st), \
    .valid_i(valid), .was_in_i(was_in), .was_out_i(was_out), .was_i(was)

`ifdef FORMAL_RING
  formal_ring u_ring (`FORMAL_PORTS, .rest_i(pick_i));
`endif
`ifdef FORMAL_PUBLISH
  formal_publish u_publish (`FORMAL_PORTS);
`endif
`ifdef FORMAL_LEDGER
  formal_ledger u_ledger (`FORMAL_PORTS);
`endif
`ifdef FORMAL_COUNTER
  formal_counter u_counter (`FORMAL_PORTS);
`endif
`ifdef FORMAL_LOAD
  formal_load u_load (`FORMAL_PORTS);
`endif
`ifdef FORMAL_LATENCY
  formal_latency u_latency (`FORMAL_PORTS);
`endif
`ifdef FORMAL_INTERRUPT
  formal_interrupt u_interrupt (`FORMAL_PORTS);
`endif
`ifdef FORMAL_PRIVILEGE
  formal_privilege u_privilege (`FORMAL_PORTS);
`endif
`ifdef FORMAL_DISABLE
  formal_disable u_disable (`FORMAL_PORTS);
`endif
`ifdef FORMAL_HANDSHAKE
  formal_handshake u_handshake (`FORMAL_PORTS);
`endif
`ifdef FORMAL_REACH
  formal_reach u_reach (`FORMAL_PORTS);
`endif
`ifdef FORMAL_PROGRESS
  formal_progress u_progress (`FORMAL_PORTS, .gnt_age_i(gnt_age), .rsp_age_i(rsp_age));
`endif

endmodule
