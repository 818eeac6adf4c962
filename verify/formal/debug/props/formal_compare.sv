// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Compare: an instruction breakpoint is met if and only if the address is its own. What is met waits for an access of its
// kind. An enabled breakpoint hits; one that is off never does, and is reported as the strap says. Which bytes of an access
// a data breakpoint covers is not here: the solver does not come to an end with the two differences.
//
// The module alone, in its three kinds beside each other on the same inputs, every one of which is free in every cycle. No
// size of the build is in it, so this holds for every build.
//
// Rows: DBG-18, DBG-20, DBG-26, DBG-28, DBG-36.

module formal_compare
  import debug_pkg::*;
  import formal_pkg::*;
(
  input logic             clk_i,
  input logic [3:0][63:0] address_i,
  input dr7_t             dr7_i,
  input logic             wide_i,
  input logic             de_i,
  input logic             read_i,
  input logic             write_i,
  input logic [63:0]      addr_i,
  input logic [6:0]       size_i
);

  logic    rst_n;
  // verilator lint_off UNUSEDSIGNAL
  config_t cfg;
  // verilator lint_on UNUSEDSIGNAL
  formal_env u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));

  conditions_t fetch, data, io;

`define FORMAL_COMPARE .io_gate_i(cfg.io_gate), .exec_length_i(cfg.exec_length), .status_off_i(cfg.status_off), \
    .address_i, .dr7_i, .wide_i, .de_i, .read_i, .write_i, .addr_i, .size_i

  debug_compare #(.Kind(CompareFetch)) u_fetch (`FORMAL_COMPARE, .conditions_o(fetch));
  debug_compare #(.Kind(CompareData))  u_data (`FORMAL_COMPARE, .conditions_o(data));
  debug_compare #(.Kind(CompareIo))    u_io (`FORMAL_COMPARE, .conditions_o(io));

  // Addresses of the mode.
  logic [63:0] space;
  assign space = wide_i ? '1 : 64'h0000_0000_FFFF_FFFF;

  for (genvar n = 0; n < 4; n++) begin : gen_breakpoints
    logic [1:0] rw, len;
    assign rw  = dr7_i.kind[4*n+:2];
    assign len = dr7_i.kind[4*n+2+:2];

    logic is_on, told;
    assign is_on = dr7_i.enable[2*n] || dr7_i.enable[2*n+1];
    assign told  = is_on || (cfg.status_off == StatusOffReport);

    logic data_waits, io_waits, data_met, io_met, fetch_met;
    assign data_waits = ((rw == 2'b01) && write_i) || ((rw == 2'b11) && (read_i || write_i));
    assign io_waits   = (rw == 2'b10) && (de_i || (cfg.io_gate == IoGateIgnore));
    assign data_met   = data.hit[n] || data.off[n];
    assign io_met     = io.hit[n] || io.off[n];
    assign fetch_met  = fetch.hit[n] || fetch.off[n];

    always_comb begin
      // DBG-18
      DataWaits:  assert (!data_met || (data_waits && told));
      // DBG-26
      IoWaits:    assert (!io_met || (io_waits && told));
      // DBG-28, DBG-36
      FetchMet:   assert (fetch_met == (told && (rw == 2'b00) && ((addr_i & space) == address_i[n]) &&
                          ((len == 2'b00) || (cfg.exec_length == ExecLengthIgnore))));
      // DBG-20: what is reported of a breakpoint that is off is no hit.
      Enabled:    assert (((data.hit[n] || io.hit[n] || fetch.hit[n]) && !is_on) == 1'b0);
      Disabled:   assert (((data.off[n] || io.off[n] || fetch.off[n]) && is_on) == 1'b0);
      // R/W is of one kind.
      OneKind:    assert ($countones({data_met, io_met, fetch_met}) <= 1);
    end
    always_comb begin
      CoverData: cover (data.hit[n] && !wide_i && (addr_i[31:0] == '1));
      CoverIo:   cover (io.hit[n] && de_i);
      CoverOff:  cover (fetch.off[n] && (len != 2'b00));
    end
  end

endmodule
