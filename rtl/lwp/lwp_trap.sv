// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Trap: the page-fault request of a store or of the deferred initialisation, until the core takes it.
//
// While it stands nothing is gathered and no initialisation is tried, so it is never overwritten.
//
// Specification: Lightweight Profiling Proposal, "TLB and Cache misses during LWP logging". Contract:
// docs/src/lwp/store.md, docs/src/lwp/control.md.

module lwp_trap (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        store_fault_i,
  input  logic        store_write_i,
  input  logic        ctl_fault_i,
  input  logic        ctl_write_i,
  input  logic [63:0] first_byte_i,

  input  logic        pf_ack_i,
  output logic        pf_valid_o,
  output logic        pf_write_o,
  output logic [63:0] pf_addr_o
);

  logic        valid_d, valid_q;
  logic        write_d, write_q;
  logic [63:0] addr_d, addr_q;

  always_comb begin
    valid_d = valid_q;
    write_d = write_q;
    addr_d  = addr_q;
    if (pf_ack_i) begin
      valid_d = 1'b0;
    end
    if (store_fault_i || ctl_fault_i) begin
      valid_d = 1'b1;
      write_d = store_fault_i ? store_write_i : ctl_write_i;
      addr_d  = first_byte_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      write_q <= 1'b0;
      addr_q  <= '0;
    end else begin
      valid_q <= valid_d;
      write_q <= write_d;
      addr_q  <= addr_d;
    end
  end

  assign pf_valid_o = valid_q;
  assign pf_write_o = write_q;
  assign pf_addr_o  = addr_q;

endmodule
