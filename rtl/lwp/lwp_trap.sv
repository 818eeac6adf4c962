// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Trap: holds the page-fault request of a store or of an initialisation until the core takes it.
//
// While a request is pending, no record is gathered or stored, and no initialisation starts, so the request is never
// overwritten.
//
// Specification: Lightweight Profiling Proposal, "TLB and Cache misses during LWP logging". Contract:
// docs/src/lwp/store.md, docs/src/lwp/control.md.

module lwp_trap
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // An access of the store failed with a page fault in ring 3.
  input  logic        store_fault_i,
  // The access of the store that failed was a write; valid with `store_fault_i`.
  input  logic        store_write_i,
  // The instruction that gathered the record is undone; valid with `store_fault_i`.
  input  logic        store_abort_i,
  // An access of an initialisation or a reload failed with a page fault in ring 3.
  input  logic        ctl_fault_i,
  // The access of the initialisation that failed was a write or a write probe; valid with `ctl_fault_i`.
  input  logic        ctl_write_i,
  // Linear address of the first byte accessed.
  input  logic [63:0] first_byte_i,

  // The core takes the page-fault trap.
  input  logic        pf_ack_i,
  // Registers of the page-fault request.
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
