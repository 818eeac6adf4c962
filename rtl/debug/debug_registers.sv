// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Registers: holds DR0 to DR3, DR6, DR7 and the copies that SMI makes.
//
// Specification: section 2, "Debug registers". Contract: docs/src/debug/registers.md, "Who changes what", and
// docs/src/debug/cycle.md, "6. Delivery" and "8. Write and outputs".

module debug_registers
  import debug_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `rtm`: RTM exists.
  input  logic        rtm_i,

  // Delivery of the cycle.
  input  delivery_t   delivery_i,
  // DR6 as the delivery writes it; valid with `delivery_i.own`.
  input  dr6_t        dr6_i,
  // An accepted lane switched tasks.
  input  logic        task_i,
  // RF that SMI keeps.
  input  logic        image_rf_i,

  // One-hot: the register that MOV to DR writes in this cycle; 0 if there is none.
  input  write_t      write_i,
  // Value that it writes; valid with `write_i`.
  input  logic [63:0] wdata_i,

  // Debug registers.
  output registers_t  registers_o
);

  // Of the entries only those of tasks matter here.
  logic unused_delivery;
  assign unused_delivery = delivery_i.entry;

  // Bits n x 2: Ln.
  localparam logic [2*Breakpoints-1:0] Local = {Breakpoints{2'b01}};

  registers_t registers_d, registers_q;

  always_comb begin
    registers_d = registers_q;

    // Delivery. Entry of a task clears L0 to L3.
    if (delivery_i.own) begin
      registers_d.dr6    = dr6_i;
      registers_d.dr7.gd = 1'b0;
    end
    if (delivery_i.gate_task || task_i) registers_d.dr7.enable = registers_q.dr7.enable & ~Local;
    if (delivery_i.smi) begin
      registers_d.smm = '{dr6: registers_q.dr6, dr7: registers_q.dr7, rf: image_rf_i};
      registers_d.dr7 = '0;
    end
    if (delivery_i.rsm) begin
      registers_d.dr6 = registers_q.smm.dr6;
      registers_d.dr7 = registers_q.smm.dr7;
    end

    // MOV to DR is the youngest event of the cycle.
    for (int unsigned n = 0; n < Breakpoints; n++) begin
      if (write_i.address[n]) registers_d.address[n] = wdata_i;
    end
    if (write_i.dr6) begin
      registers_d.dr6.b     = wdata_i[3:0];
      registers_d.dr6.bd    = wdata_i[13];
      registers_d.dr6.bs    = wdata_i[14];
      registers_d.dr6.bt    = wdata_i[15];
      registers_d.dr6.in_tx = !wdata_i[16] && rtm_i;
    end
    if (write_i.dr7) begin
      registers_d.dr7.enable = wdata_i[7:0];
      registers_d.dr7.le     = wdata_i[8];
      registers_d.dr7.ge     = wdata_i[9];
      registers_d.dr7.rtm    = wdata_i[11] && rtm_i;
      registers_d.dr7.gd     = wdata_i[13];
      registers_d.dr7.kind   = wdata_i[31:16];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      registers_q <= '0;
    end else begin
      registers_q <= registers_d;
    end
  end

  assign registers_o = registers_q;

endmodule
