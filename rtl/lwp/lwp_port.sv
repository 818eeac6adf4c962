// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The memory port: one access at a time, 8 bytes wide, shared by store and control.
//
// Issue, grant, response, each at the end of its own cycle. An access that is given up is withdrawn while it is a
// mere request; once granted its response is awaited and dropped, and nothing is issued before it has come.
//
// Contract: docs/src/lwp/memory.md.

module lwp_port
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // The two machines never want the port in the same cycle.
  input  logic        store_want_i,
  input  access_t     store_access_i,
  input  logic        ctl_want_i,
  input  access_t     ctl_access_i,
  // The machine that uses the port gives up in this cycle.
  input  logic        abandon_i,
  // The word just read is to be written back with this added.
  input  logic        writeback_i,
  input  logic [15:0] add_i,

  input  logic        mem_gnt_i,
  input  logic        mem_rvalid_i,
  input  logic        mem_err_i,
  input  logic [63:0] mem_rdata_i,

  // The standing request is granted in this cycle.
  output logic        granted_o,
  // A response that somebody waits for is here.
  output logic        rsp_valid_o,
  output logic        rsp_err_o,
  // First byte of the access, for page faults.
  output logic [63:0] first_byte_o,

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
  // Every access means the whole, the low or the high half of the aligned 8 bytes.
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
