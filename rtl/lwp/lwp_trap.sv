// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Trap: the page-fault request of a store or of the deferred initialisation, until the core takes it.
//
// While it stands nothing is gathered or stored and no initialisation is tried, so it is never overwritten.
//
// Specification: Lightweight Profiling Proposal, "TLB and Cache misses during LWP logging". Contract:
// docs/src/lwp/store.md, docs/src/lwp/control.md.

module lwp_trap
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        store_fault_i,
  input  logic        store_write_i,
  // The instruction has been undone.
  input  logic        store_abort_i,
  input  logic        ctl_fault_i,
  input  logic        ctl_write_i,
  input  logic [63:0] first_byte_i,

  input  logic        pf_ack_i,
  output pf_t         pf_o
);

  pf_t pf_d, pf_q;

  always_comb begin
    pf_d = pf_q;
    if (pf_ack_i) begin
      pf_d.valid = 1'b0;
    end
    if (store_fault_i || ctl_fault_i) begin
      pf_d.valid  = 1'b1;
      pf_d.write  = store_fault_i ? store_write_i : ctl_write_i;
      pf_d.aborts = store_fault_i && store_abort_i;
      pf_d.addr   = first_byte_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pf_q <= '0;
    end else begin
      pf_q <= pf_d;
    end
  end

  assign pf_o = pf_q;

endmodule
