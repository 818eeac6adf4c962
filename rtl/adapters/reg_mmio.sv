// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory-mapped way to the register requests of a unit, on a 32-bit OBI subordinate port: for a core that cannot take
// RDMSR, WRMSR, RDPMC or MOV to and from DR as instructions.
//
//   0x00        START    write: makes a request; operation in bits 3:0, logical processor in bits 10:8. Reads 0
//   0x08        NUMBER   number of the MSR, counter or debug register
//   0x0C        RESULT   result of the last request, bits 2:0
//   0x10, 0x14  WDATA    value to write: low and high word
//   0x18, 0x1C  RDATA    value read: low and high word; 0 unless the last request was a read that is done
//
// There are two pages of 4 KiB, with registers of their own. Requests of the user page have the rights of level 3,
// those of the kernel page the rights of level 0: `reg_user_o` selects the mode that the unit is shown. The response
// to a store to START comes when the unit has answered, so the core waits.
//
// Contract: docs/src/integration/ibex-perf.md, docs/src/retire/requests.md.

module reg_mmio
  import retire_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic         clk_i,
  // Asynchronous reset, active low.
  input  logic         rst_ni,

  // An access is requested.
  input  logic         ctl_req_i,
  // The requested access is taken in this cycle.
  output logic         ctl_gnt_o,
  // The bus decodes the high bits.
  // verilator lint_off UNUSEDSIGNAL
  // Address; bit 12 selects the page (0 user, 1 kernel), 11:0 the register. Valid with `ctl_req_i`.
  input  logic [31:0]  ctl_addr_i,
  // verilator lint_on UNUSEDSIGNAL
  // The access is a write; valid with `ctl_req_i`.
  input  logic         ctl_we_i,
  // Bytes to write; valid with `ctl_req_i` of a write.
  input  logic [3:0]   ctl_be_i,
  // Data to write; valid with `ctl_req_i` of a write.
  input  logic [31:0]  ctl_wdata_i,
  // The response to the access is valid in this cycle, after that of the grant.
  output logic         ctl_rvalid_o,
  // Data read; valid with `ctl_rvalid_o` of a read, 0 for a write.
  output logic [31:0]  ctl_rdata_o,
  // The access was refused and had no effect; valid with `ctl_rvalid_o`.
  output logic         ctl_err_o,

  // Register request, pending until a cycle with `reg_ready_i`.
  output reg_request_t reg_o,
  // The request has the rights of level 3; valid with `reg_o.reg_valid`.
  output logic         reg_user_o,
  // A request made in this cycle is accepted; tied to 1 for a unit that is always ready.
  input  logic         reg_ready_i,
  // Answer of the unit.
  input  reg_answer_t  answer_i
);

  // Numbers of the registers: offset / 4.
  localparam logic [9:0] Start   = 10'h0;
  localparam logic [9:0] Number  = 10'h2;
  localparam logic [9:0] Result  = 10'h3;
  localparam logic [9:0] WdataLo = 10'h4;
  localparam logic [9:0] WdataHi = 10'h5;
  localparam logic [9:0] RdataLo = 10'h6;
  localparam logic [9:0] RdataHi = 10'h7;

  // Registers of a page.
  typedef struct packed {
    // Number of the next request.
    logic [31:0] number;
    // Result of the last request.
    logic [2:0]  result;
    // Value to write of the next request.
    logic [63:0] wdata;
    // Value that the last request read.
    logic [63:0] rdata;
  } page_t;

  // No request; one that is pending; one that was accepted.
  typedef enum logic [1:0] {
    Idle    = 2'd0,
    Pending = 2'd1,
    Asked   = 2'd2
  } state_e;

  state_e      state_d, state_q;
  logic [3:0]  op_d, op_q;
  logic [2:0]  lp_d, lp_q;
  logic        kernel_d, kernel_q;
  page_t [1:0] pages_d, pages_q;

  // Response: it is valid in this cycle, it is an error, its data.
  logic        rvalid_d, rvalid_q, err_d, err_q;
  logic [31:0] rdata_d, rdata_q;

  logic        taken, kernel, writes, starts, done, bad;
  logic [9:0]  register;

  assign ctl_gnt_o = state_q == Idle;
  assign taken     = ctl_req_i && ctl_gnt_o;
  assign kernel    = ctl_addr_i[12];
  assign register  = ctl_addr_i[11:2];
  assign writes    = taken && ctl_we_i && !bad;
  assign starts    = writes && (register == Start);
  assign done      = (state_q == Asked) && answer_i.reg_done;

  // Accesses that are refused.
  assign bad = !(register inside {Start, Number, Result, WdataLo, WdataHi, RdataLo, RdataHi}) ||
               (ctl_we_i && (ctl_be_i != '1));

  //////////////
  // Requests //
  //////////////

  assign reg_o = '{
    reg_valid:  state_q == Pending,
    reg_op:     reg_op_e'(op_q),
    reg_lp:     lp_q,
    reg_number: pages_q[kernel_q].number,
    reg_wdata:  pages_q[kernel_q].wdata
  };
  assign reg_user_o = !kernel_q;

  always_comb begin
    state_d  = state_q;
    op_d     = op_q;
    lp_d     = lp_q;
    kernel_d = kernel_q;
    if (starts) begin
      state_d  = Pending;
      op_d     = ctl_wdata_i[3:0];
      lp_d     = ctl_wdata_i[10:8];
      kernel_d = kernel;
    end else if ((state_q == Pending) && reg_ready_i) begin
      state_d = Asked;
    end else if (done) begin
      state_d = Idle;
    end
  end

  ///////////////
  // Registers //
  ///////////////

  for (genvar p = 0; p < 2; p++) begin : gen_pages
    always_comb begin
      pages_d[p] = pages_q[p];
      if (writes && (kernel == p[0])) begin
        unique case (register)
          Number:  pages_d[p].number       = ctl_wdata_i;
          Result:  pages_d[p].result       = ctl_wdata_i[2:0];
          WdataLo: pages_d[p].wdata[31:0]  = ctl_wdata_i;
          WdataHi: pages_d[p].wdata[63:32] = ctl_wdata_i;
          RdataLo: pages_d[p].rdata[31:0]  = ctl_wdata_i;
          RdataHi: pages_d[p].rdata[63:32] = ctl_wdata_i;
          default: ;
        endcase
      end
      if (done && (kernel_q == p[0])) begin
        pages_d[p].result = answer_i.reg_result;
        pages_d[p].rdata  = answer_i.reg_rdata;
      end
    end
  end

  ///////////////
  // Responses //
  ///////////////

  always_comb begin
    rvalid_d = (taken && !starts) || done;
    err_d    = taken && bad;
    rdata_d  = '0;
    if (taken && !ctl_we_i) begin
      unique case (register)
        Number:  rdata_d = pages_q[kernel].number;
        Result:  rdata_d = 32'(pages_q[kernel].result);
        WdataLo: rdata_d = pages_q[kernel].wdata[31:0];
        WdataHi: rdata_d = pages_q[kernel].wdata[63:32];
        RdataLo: rdata_d = pages_q[kernel].rdata[31:0];
        RdataHi: rdata_d = pages_q[kernel].rdata[63:32];
        default: rdata_d = '0;
      endcase
    end
  end

  assign ctl_rvalid_o = rvalid_q;
  assign ctl_rdata_o  = rdata_q;
  assign ctl_err_o    = err_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= Idle;
      op_q     <= '0;
      lp_q     <= '0;
      kernel_q <= 1'b0;
      pages_q  <= '0;
      rvalid_q <= 1'b0;
      err_q    <= 1'b0;
      rdata_q  <= '0;
    end else begin
      state_q  <= state_d;
      op_q     <= op_d;
      lp_q     <= lp_d;
      kernel_q <= kernel_d;
      pages_q  <= pages_d;
      rvalid_q <= rvalid_d;
      err_q    <= err_d;
      rdata_q  <= rdata_d;
    end
  end

`ifndef SYNTHESIS
  // OBI requires of a manager: a request stays pending and unchanged until it is granted.
  logic        past_stands_q;
  logic [68:0] past_request_q;

  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q      <= 1'b0;
      past_stands_q  <= 1'b0;
      past_request_q <= '0;
    end else begin
      running_q      <= 1'b1;
      past_stands_q  <= ctl_req_i && !ctl_gnt_o;
      past_request_q <= {ctl_we_i, ctl_be_i, ctl_addr_i, ctl_wdata_i};
    end
  end

  RegStands: assert property (@(posedge clk_i) !running_q || !past_stands_q ||
      (ctl_req_i && ({ctl_we_i, ctl_be_i, ctl_addr_i} == past_request_q[68:32]) &&
      (!ctl_we_i || (ctl_wdata_i == past_request_q[31:0]))))
    else $error("a request was withdrawn or changed before ctl_gnt_o: hold it, as OBI requires");
  RegWhole: assert property (@(posedge clk_i) !running_q || !taken || (ctl_addr_i[1:0] == '0) || (ctl_be_i != '1))
    else $error("a word at an address that is not a multiple of 4: connect the address of the word and byte enables");
  RegAnswer: assert property (@(posedge clk_i) !running_q || !answer_i.reg_done || (state_q == Asked))
    else $error("an answer without a request of this port: nothing else may drive the register requests of the unit");
`endif

endmodule
