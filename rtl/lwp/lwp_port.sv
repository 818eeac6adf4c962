// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory port: makes one access at a time, 8 bytes wide, for store and control.
//
//               issue              grant                  response
//   req     = 0 -------> req = 1 --------> req     = 0 ------------> req     = 0
//   waiting = 0                            waiting = 1               waiting = 0
//
// Issue, grant and response take place at the end of their cycles. An abandoned access that is not granted is
// withdrawn. The response to an abandoned access that is granted is dropped, and no access is issued before it has
// arrived.
//
// Contract: docs/src/lwp/memory.md.

module lwp_port
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // The store wants an access.
  input  logic        store_want_i,
  // Access that the store wants; valid with `store_want_i`.
  input  access_t     store_access_i,
  // The control state machine wants an access.
  input  logic        ctl_want_i,
  // Access that the control state machine wants; valid with `ctl_want_i`.
  input  access_t     ctl_access_i,
  // The state machine that uses the port abandons its access in this cycle.
  input  logic        abandon_i,
  // MissedEvents has been read and is to be written back with the missed events added.
  input  logic        writeback_i,
  // Number of missed events to add; valid with `writeback_i`.
  input  logic [15:0] add_i,

  // Memory takes the pending request in this cycle; ignored if no request is pending.
  input  logic        mem_gnt_i,
  // The response of the granted access is valid in this cycle.
  input  logic        mem_rvalid_i,
  // Page fault, nothing was read or written; valid with `mem_rvalid_i`.
  input  logic        mem_err_i,
  // Aligned 8 bytes that were read; valid with the response of a read.
  input  logic [63:0] mem_rdata_i,

  // The pending request is granted in this cycle.
  output logic        granted_o,
  // A response to an access that has not been abandoned is valid in this cycle.
  output logic        rsp_valid_o,
  // The access failed with a page fault; valid with `rsp_valid_o`.
  output logic        rsp_err_o,
  // Linear address of the first byte accessed.
  output logic [63:0] first_byte_o,

  // Registers of the memory port.
  output port_t       port_o
);

  logic        req_d, req_q;
  logic        wait_d, wait_q;
  logic        drop_d, drop_q;
  mem_cmd_e    cmd_d, cmd_q;
  logic [7:0]  be_d, be_q;
  logic [63:0] addr_d, addr_q;
  logic [63:0] wdata_d, wdata_q;

  logic returned, issue;

  assign granted_o   = req_q && mem_gnt_i;
  assign returned    = wait_q && mem_rvalid_i;
  assign issue       = (store_want_i || ctl_want_i) && !req_q && !wait_q;
  assign rsp_valid_o = returned && !drop_q;
  assign rsp_err_o   = mem_err_i;
  // An access is to all of the aligned 8 bytes, or to their low or high half.
  assign first_byte_o = {addr_q[63:3], !be_q[0], addr_q[1:0]};

  always_comb begin
    req_d  = req_q;
    wait_d = wait_q;
    drop_d = drop_q;
    if (granted_o) begin
      req_d  = 1'b0;
      wait_d = 1'b1;
    end
    if (abandon_i) begin
      req_d  = 1'b0;
      drop_d = wait_d;
    end
    if (returned) begin
      wait_d = 1'b0;
      drop_d = 1'b0;
    end
    if (issue) begin
      req_d = 1'b1;
    end
  end

  mem_cmd_e    want_cmd;
  logic [7:0]  want_be;
  logic [63:0] want_addr, want_wdata;
  assign want_cmd   = store_want_i ? store_access_i.cmd : ctl_access_i.cmd;
  assign want_be    = store_want_i ? store_access_i.be : ctl_access_i.be;
  assign want_addr  = store_want_i ? store_access_i.addr : ctl_access_i.addr;
  assign want_wdata = store_want_i ? store_access_i.wdata : ctl_access_i.wdata;

  always_comb begin
    cmd_d   = cmd_q;
    be_d    = be_q;
    addr_d  = addr_q;
    wdata_d = wdata_q;
    if (issue) begin
      cmd_d   = want_cmd;
      be_d    = want_be;
      addr_d  = want_addr;
      wdata_d = want_wdata;
    end
    if (writeback_i) begin
      wdata_d = mem_rdata_i + 64'(add_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_q   <= 1'b0;
      wait_q  <= 1'b0;
      drop_q  <= 1'b0;
      cmd_q   <= MemRead;
      be_q    <= '0;
      addr_q  <= '0;
      wdata_q <= '0;
    end else begin
      req_q   <= req_d;
      wait_q  <= wait_d;
      drop_q  <= drop_d;
      cmd_q   <= cmd_d;
      be_q    <= be_d;
      addr_q  <= addr_d;
      wdata_q <= wdata_d;
    end
  end

  assign port_o = '{req: req_q, waiting: wait_q, drop: drop_q, cmd: cmd_q, be: be_q, addr: addr_q, wdata: wdata_q};

endmodule
