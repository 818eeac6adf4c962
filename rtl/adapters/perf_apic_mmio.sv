// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The local APIC's entry of the performance counters, and the interrupt, as registers on a 32-bit OBI subordinate port.
//
//   0x00  STATUS   read: bit 0 an interrupt is pending, bits 10:8 its mode, bits 23:16 its vector
//   0x04  ACK      write: bit 0 takes the interrupt
//   0x08  LVT      the entry: bits 7:0 vector, 10:8 mode, 16 mask; bit 12, read only: an interrupt is pending
//
// Only the kernel may reach these registers.
//
// Contract: docs/src/perf/delivery.md, docs/src/integration/ibex-perf.md.

module perf_apic_mmio (
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,

  // An access is requested.
  input  logic              ctl_req_i,
  // The requested access is taken in this cycle.
  output logic              ctl_gnt_o,
  // The bus decodes the high bits.
  // verilator lint_off UNUSEDSIGNAL
  // Address; bits 11:2 select the register. Valid with `ctl_req_i`.
  input  logic [31:0]       ctl_addr_i,
  // verilator lint_on UNUSEDSIGNAL
  // The access is a write; valid with `ctl_req_i`.
  input  logic              ctl_we_i,
  // Bytes to write; valid with `ctl_req_i` of a write.
  input  logic [3:0]        ctl_be_i,
  // Data to write; valid with `ctl_req_i` of a write.
  input  logic [31:0]       ctl_wdata_i,
  // The response to the access is valid in this cycle, after that of the grant.
  output logic              ctl_rvalid_o,
  // Data read; valid with `ctl_rvalid_o` of a read.
  output logic [31:0]       ctl_rdata_o,
  // The access was refused and had no effect; valid with `ctl_rvalid_o`.
  output logic              ctl_err_o,

  // Outputs of the unit: interrupt and entry.
  // verilator lint_off UNUSEDSIGNAL
  input  perf_pkg::lp_out_t lp_i,
  // verilator lint_on UNUSEDSIGNAL
  // The interrupt is taken.
  output logic              irq_ack_o,
  // Write of the entry.
  output perf_pkg::apic_t   apic_o
);

  // Numbers of the registers: offset / 4.
  localparam logic [9:0] Status = 10'h0;
  localparam logic [9:0] Ack    = 10'h1;
  localparam logic [9:0] Lvt    = 10'h2;

  // Response: it is valid in this cycle, it is an error, its data.
  logic        rvalid_q, err_q;
  logic [31:0] rdata_d, rdata_q;

  logic        writes, bad;
  logic [9:0]  register;

  assign ctl_gnt_o = 1'b1;
  assign register  = ctl_addr_i[11:2];
  assign writes    = ctl_req_i && ctl_we_i && !bad;

  // Accesses that are refused.
  always_comb begin
    unique case (register)
      Status:  bad = ctl_we_i;
      Ack:     bad = !ctl_we_i;
      Lvt:     bad = 1'b0;
      default: bad = 1'b1;
    endcase
    bad = bad || (ctl_we_i && (ctl_be_i != '1));
  end

  always_comb begin
    rdata_d = '0;
    if (ctl_req_i && !ctl_we_i) begin
      unique case (register)
        Status:  rdata_d = {8'b0, lp_i.irq_vector, 5'b0, lp_i.irq_mode, 7'b0, lp_i.irq};
        Lvt:     rdata_d = {15'b0, lp_i.lvt_mask, 3'b0, lp_i.irq, 1'b0, lp_i.lvt_mode, lp_i.lvt_vector};
        default: rdata_d = '0;
      endcase
    end
  end

  assign irq_ack_o    = writes && (register == Ack) && ctl_wdata_i[0];
  assign apic_o       = '{apic_write: writes && (register == Lvt), apic_lp: '0, apic_wdata: ctl_wdata_i};
  assign ctl_rvalid_o = rvalid_q;
  assign ctl_rdata_o  = rdata_q;
  assign ctl_err_o    = err_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      err_q    <= 1'b0;
      rdata_q  <= '0;
    end else begin
      rvalid_q <= ctl_req_i;
      err_q    <= ctl_req_i && bad;
      rdata_q  <= rdata_d;
    end
  end

endmodule
