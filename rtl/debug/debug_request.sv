// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: finds the result of this cycle's MOV to or from a debug register and the register to be written, and holds
// the answer.
//
// Specification: section 2, "Debug registers". Contract: docs/src/debug/registers.md, "MOV to and from DR", and
// docs/src/debug/cycle.md, "2. Request".

module debug_request
  import retire_pkg::*;
  import debug_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic         clk_i,
  // Asynchronous reset, active low.
  input  logic         rst_ni,

  // Strap `long_mode`: 64-bit mode exists.
  input  logic         long_mode_i,

  // Mode of the core.
  input  mode_t        mode_i,
  // CR4.DE.
  input  logic         de_i,
  // Register request; accepted while `ready_i`.
  input  reg_request_t reg_i,
  // Requests are accepted: no #DB is pending.
  input  logic         ready_i,
  // Debug registers. Only DR0 to DR3, DR6 and DR7 are read.
  input  registers_t   registers_i,

  // The request is accepted, and is general detect.
  output logic         detected_o,
  // One-hot: the register that MOV to DR writes in this cycle; 0 if there is none.
  output write_t       write_o,
  // Value that it writes; valid with `write_o`.
  output logic [63:0]  wdata_o,
  // Result of the last cycle's request.
  output reg_answer_t  answer_o
);

  // One logical processor; a debug register has a number of three bits. MOV does not reach the copies of SMM.
  logic unused_request;
  assign unused_request = ^{reg_i.reg_lp, reg_i.reg_number[31:3], registers_i.smm};

  logic accepted;
  assign accepted = reg_i.reg_valid && ready_i;

  ////////////
  // Result //
  ////////////

  logic reads, writes, mine;
  assign reads  = reg_i.reg_op == RegMovFromDr;
  assign writes = reg_i.reg_op == RegMovToDr;
  assign mine   = reads || writes;

  // DR0 to DR3; DR6, which is also DR4; DR7, which is also DR5. DR4 or DR5.
  logic [2:0] n;
  logic       is_address, is_dr6, is_alias;
  assign n          = reg_i.reg_number[2:0];
  assign is_address = !n[2];
  assign is_dr6     = n[2] && !n[0];
  assign is_alias   = n[2:1] == 2'b10;

  logic wide, privileged;
  assign wide = long_mode_i && (mode_i.op_mode == Mode64);
  // The level is 0: always in real mode and in SMM, else never in virtual-8086 mode.
  assign privileged = (mode_i.op_mode == ModeReal) || mode_i.smm ||
                      ((mode_i.op_mode != ModeV86) && (mode_i.cpl == 2'd0));

  // MOV sets a bit that DR6 or DR7 does not have.
  logic reserved;
  assign reserved = writes && !is_address && wide && (reg_i.reg_wdata[63:32] != '0);

  reg_result_e result;
  always_comb begin
    if (!mine) result = ResultNotMine;
    else if (!privileged) result = ResultGp;
    else if (is_alias && de_i) result = ResultUd;
    else if (registers_i.dr7.gd) result = ResultDb;
    else if (reserved) result = ResultGp;
    else result = ResultDone;
  end

  assign detected_o = accepted && (result == ResultDb);

  ///////////
  // Write //
  ///////////

  logic write;
  assign write       = accepted && writes && (result == ResultDone);
  assign write_o.dr6 = write && is_dr6;
  assign write_o.dr7 = write && !is_address && !is_dr6;
  for (genvar i = 0; i < int'(Breakpoints); i++) begin : gen_write
    assign write_o.address[i] = write && is_address && (n[1:0] == 2'(i));
  end

  assign wdata_o = {reg_i.reg_wdata[63:32] & {32{wide}}, reg_i.reg_wdata[31:0]};

  //////////
  // Read //
  //////////

  logic [31:0] dr6, dr7;
  assign dr6 = {15'h7FFF, !registers_i.dr6.in_tx, registers_i.dr6.bt, registers_i.dr6.bs, registers_i.dr6.bd, 1'b0,
                8'hFF, registers_i.dr6.b};
  assign dr7 = {registers_i.dr7.kind, 2'b00, registers_i.dr7.gd, 1'b0, registers_i.dr7.rtm, 1'b1, registers_i.dr7.ge,
                registers_i.dr7.le, registers_i.dr7.enable};

  logic [63:0] address, value;
  assign address = registers_i.address[n[1:0]];
  assign value   = is_address ? {address[63:32] & {32{wide}}, address[31:0]} : {32'd0, is_dr6 ? dr6 : dr7};

  reg_answer_t answer_d, answer_q;

  always_comb begin
    answer_d = '0;
    if (accepted) begin
      answer_d.reg_done   = 1'b1;
      answer_d.reg_result = result;
      if (reads && (result == ResultDone)) answer_d.reg_rdata = value;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_q <= '0;
    end else begin
      answer_q <= answer_d;
    end
  end

  assign answer_o = answer_q;

endmodule
