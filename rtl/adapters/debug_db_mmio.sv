// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Registers of the delivery of #DB: how software takes a #DB and lets the program go on, on a 32-bit OBI subordinate
// port.
//
//   0x00  STATUS   read: bit 0 a #DB is pending, bit 1 it is taken and not resumed, bit 2 an instruction was lost,
//                  bits 15:8 instructions in the queue
//   0x04  ACK      write: bit 0 takes the #DB, bit 1 lets the queue go on, bit 2 clears bit 2 of STATUS
//   0x08  FLAGS    bit 0 TF: single step
//   0x0C  FROM     read: address that the frame of the #DB has, bits 31:0; 0x10: bits 63:32
//
// A read of STATUS waits until every instruction before it was compared or waits behind a #DB. Only the kernel may reach
// these registers.
//
// Contract: docs/src/integration/ibex-debug.md.

module debug_db_mmio #(
  // Width of a register of the core: 32 or 64.
  parameter int unsigned Xlen   = 32,
  // Width of the number of instructions in the queue: 1 to 8.
  parameter int unsigned CountW = 5
) (
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
  // Registers have few bits that software writes.
  // verilator lint_off UNUSEDSIGNAL
  // Data to write; valid with `ctl_req_i` of a write.
  input  logic [31:0]       ctl_wdata_i,
  // verilator lint_on UNUSEDSIGNAL
  // The response to the access is valid in this cycle, after that of the grant.
  output logic              ctl_rvalid_o,
  // Data read; valid with `ctl_rvalid_o` of a read.
  output logic [31:0]       ctl_rdata_o,
  // The access was refused and had no effect; valid with `ctl_rvalid_o`.
  output logic              ctl_err_o,

  // A read of STATUS waits until `settled_i`.
  output logic              wait_o,
  // Every instruction before the read was compared, or waits behind a #DB; valid with `wait_o`.
  input  logic              settled_i,
  // A #DB is pending.
  input  logic              db_valid_i,
  // Software has taken a #DB and has not let the program go on.
  input  logic              handler_i,
  // An instruction was lost.
  input  logic              lost_i,
  // Instructions in the queue.
  input  logic [CountW-1:0] count_i,
  // Address that the frame of the #DB has.
  input  logic [Xlen-1:0]   from_i,
  // Software takes the pending #DB.
  output logic              ack_o,
  // Software lets the queue go on.
  output logic              resume_o,
  // Software has seen that an instruction was lost.
  output logic              found_o,
  // TF of the program.
  output logic              tf_o
);

  // Numbers of the registers: offset / 4.
  localparam logic [9:0] Status = 10'h0;
  localparam logic [9:0] Ack    = 10'h1;
  localparam logic [9:0] Flags  = 10'h2;
  localparam logic [9:0] FromLo = 10'h3;
  localparam logic [9:0] FromHi = 10'h4;

  // Response: it is valid in this cycle, with these data; a read of STATUS waits. TF.
  logic        rvalid_d, rvalid_q, err_d, err_q, look_d, look_q, tf_d, tf_q;
  logic [31:0] rdata_d, rdata_q;

  logic       taken, writes, bad;
  logic [9:0] register;

  assign ctl_gnt_o = !look_q;
  assign taken     = ctl_req_i && ctl_gnt_o;
  assign register  = ctl_addr_i[11:2];
  assign writes    = taken && ctl_we_i && !bad;

  // Accesses that are refused.
  always_comb begin
    unique case (register)
      Status, FromLo, FromHi: bad = ctl_we_i;
      Ack:                    bad = !ctl_we_i;
      Flags:                  bad = 1'b0;
      default:                bad = 1'b1;
    endcase
    bad = bad || (ctl_we_i && (ctl_be_i != '1));
  end

  logic [63:0] from;
  logic [31:0] status;
  assign from   = 64'(from_i);
  assign status = {16'b0, 8'(count_i), 5'b0, lost_i, handler_i, db_valid_i};

  always_comb begin
    rvalid_d = taken;
    err_d    = taken && bad;
    look_d   = look_q;
    rdata_d  = '0;
    if (taken && !ctl_we_i) begin
      unique case (register)
        Flags:   rdata_d = {31'b0, tf_q};
        FromLo:  rdata_d = from[31:0];
        FromHi:  rdata_d = from[63:32];
        default: rdata_d = '0;
      endcase
    end
    if (taken && !ctl_we_i && (register == Status)) begin
      rvalid_d = 1'b0;
      look_d   = 1'b1;
    end
    if (look_q && settled_i) begin
      rvalid_d = 1'b1;
      look_d   = 1'b0;
      rdata_d  = status;
    end
  end

  assign tf_d         = (writes && (register == Flags)) ? ctl_wdata_i[0] : tf_q;
  assign wait_o       = look_q;
  assign ack_o        = writes && (register == Ack) && ctl_wdata_i[0];
  assign resume_o     = writes && (register == Ack) && ctl_wdata_i[1];
  assign found_o      = writes && (register == Ack) && ctl_wdata_i[2];
  assign tf_o         = tf_q;
  assign ctl_rvalid_o = rvalid_q;
  assign ctl_rdata_o  = rdata_q;
  assign ctl_err_o    = err_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      err_q    <= 1'b0;
      look_q   <= 1'b0;
      tf_q     <= 1'b0;
      rdata_q  <= '0;
    end else begin
      rvalid_q <= rvalid_d;
      err_q    <= err_d;
      look_q   <= look_d;
      tf_q     <= tf_d;
      rdata_q  <= rdata_d;
    end
  end

endmodule
