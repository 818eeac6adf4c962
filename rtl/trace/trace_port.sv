// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Port: makes one access to memory at a time, 8 bytes wide and naturally aligned.
//
// Contract: docs/src/trace/store.md, "The memory port".

module trace_port
  import retire_pkg::*;
  import trace_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Access of the present step.
  input  store_access_t     access_i,
  // Grant and response of memory.
  input  mem_answer_t mem_i,

  // The response of the present step's access is valid.
  output logic        done_o,
  // Registers.
  output port_t       port_o
);

  // The data of a read belong to the step.
  logic unused_answer;
  assign unused_answer = ^{mem_i.mem_err, mem_i.mem_rdata};

  port_t port_d, port_q;

  assign done_o = port_q.mem_wait && mem_i.mem_rvalid;

  always_comb begin
    port_d = port_q;
    if (port_q.mem_req) begin
      if (mem_i.mem_gnt) begin
        port_d          = '0;
        port_d.mem_wait = 1'b1;
      end
    end else if (port_q.mem_wait) begin
      if (mem_i.mem_rvalid) port_d = '0;
    end else if (access_i.valid) begin
      port_d.mem_req   = 1'b1;
      port_d.mem_cmd   = access_i.write ? MemWrite : MemRead;
      port_d.mem_be    = access_i.be;
      port_d.mem_addr  = {access_i.addr[63:3], 3'd0};
      port_d.mem_wdata = access_i.write ? access_i.wdata : '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      port_q <= '0;
    end else begin
      port_q <= port_d;
    end
  end

  assign port_o = port_q;

endmodule
