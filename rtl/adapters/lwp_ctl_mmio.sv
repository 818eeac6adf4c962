// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory-mapped way in: operations of the unit, their results, and the acknowledges, as registers on a 32-bit OBI
// subordinate port.
//
// There are two pages of 4 KiB. Operations that are started in the user page have the rights of ring 3, and only LLWPCB
// and SLWPCB are passed on; those of the kernel page have the rights of ring 0. Each page has operands and results of
// its own; an operation takes its operand when it is started. The response to a store to START comes when the operation
// is done, so the core waits and retires nothing.
// The response to a store to POST comes at once, for a bus that carries nothing else before the response.
//
// Contract: docs/src/integration/rvfi-top.md.

module lwp_ctl_mmio
  import lwp_pkg::*;
#(
  // Sizes of the unit, shown in the register SIZES.
  parameter int unsigned RetireLanes = 1,
  parameter int unsigned EventSlots  = 3,
  parameter int unsigned LatencyBits = 10
) (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // An access is requested.
  input  logic        ctl_req_i,
  // The requested access is taken in this cycle.
  output logic        ctl_gnt_o,
  // The bus decodes the high bits.
  // verilator lint_off UNUSEDSIGNAL
  // Address; bit 12 selects the page, 11:0 the register. Valid with `ctl_req_i`.
  input  logic [31:0] ctl_addr_i,
  // verilator lint_on UNUSEDSIGNAL
  // The access is a write; valid with `ctl_req_i`.
  input  logic        ctl_we_i,
  // Bytes to write; valid with `ctl_req_i` of a write.
  input  logic [3:0]  ctl_be_i,
  // Data to write; valid with `ctl_req_i` of a write.
  input  logic [31:0] ctl_wdata_i,
  // The response to the access is valid in this cycle, after that of the grant.
  output logic        ctl_rvalid_o,
  // Data read; valid with `ctl_rvalid_o` of a read.
  output logic [31:0] ctl_rdata_o,
  // The access was refused and had no effect; valid with `ctl_rvalid_o`.
  output logic        ctl_err_o,

  // Lanes are in flight: no operation may be presented.
  input  logic        busy_i,
  // An operation waits until it is accepted.
  output logic        op_wait_o,
  // The operation has the rights of ring 3; valid with `op_wait_o`.
  output logic        op_user_o,
  // An operation that was started is in progress and its store waits for it: the core retires nothing.
  output logic        op_holds_o,

  // Nothing may retire, and no operation is accepted.
  input  logic        stall_i,
  // An operation is requested; the unit accepts it in this cycle.
  output logic        op_valid_o,
  // Requested operation; valid with `op_valid_o`.
  output ctl_op_e     op_o,
  // Number of the context word of a save or restore; valid with `op_valid_o`.
  output logic [3:0]  op_word_o,
  // Operand; valid with `op_valid_o`.
  output logic [63:0] op_wdata_o,
  // The result of the operation is valid, in this one cycle.
  input  logic        rsp_valid_i,
  // Fault of the operation; valid with `rsp_valid_i`.
  input  fault_e      rsp_fault_i,
  // A write or a write probe of the operation failed; valid with `rsp_valid_i` and #PF.
  input  logic        rsp_fault_write_i,
  // Result; valid with `rsp_valid_i` unless there is a fault.
  input  logic [63:0] rsp_rdata_i,
  // Linear address of the first failing byte; valid with `rsp_valid_i` and #PF.
  input  logic [63:0] rsp_fault_addr_i,

  // The threshold interrupt is pending.
  input  logic        irq_i,
  // Software acknowledges the threshold interrupt.
  output logic        irq_ack_o,
  // A page fault is pending.
  input  logic        pf_valid_i,
  // A write failed; valid with `pf_valid_i`.
  input  logic        pf_write_i,
  // Linear address of the first failing byte; valid with `pf_valid_i`.
  input  logic [63:0] pf_addr_i,
  // Software acknowledges the page fault.
  output logic        pf_ack_o,
  // LWPMSR0.
  input  logic [31:0] msr0_i,
  // The threshold interrupt or a page fault is pending.
  output logic        irq_o
);

  // Numbers of the registers: offset / 4.
  localparam logic [9:0] Start       = 10'h0;
  localparam logic [9:0] Post        = 10'h1;
  localparam logic [9:0] Status      = 10'h2;
  localparam logic [9:0] Fault       = 10'h3;
  localparam logic [9:0] OperandLo   = 10'h4;
  localparam logic [9:0] OperandHi   = 10'h5;
  localparam logic [9:0] ResultLo    = 10'h6;
  localparam logic [9:0] ResultHi    = 10'h7;
  localparam logic [9:0] FaultAddrLo = 10'h8;
  localparam logic [9:0] FaultAddrHi = 10'h9;
  localparam logic [9:0] Msr0        = 10'hA;
  localparam logic [9:0] Sizes       = 10'hB;
  localparam logic [9:0] PfAddrLo    = 10'hC;
  localparam logic [9:0] PfAddrHi    = 10'hD;
  localparam logic [9:0] Ack         = 10'hE;

  // Registers of a page.
  typedef struct packed {
    // Fault of the last operation: a write failed, and the code.
    logic [2:0]  fault;
    // Operand of the next operation.
    logic [63:0] operand;
    // Result of the last operation that has one.
    logic [63:0] result;
    // Address of the last page fault of an operation.
    logic [63:0] fault_addr;
  } page_t;

  // An operation that waits for its acceptance, or is in progress.
  typedef enum logic [1:0] {
    Idle    = 2'd0,
    Waiting = 2'd1,
    Running = 2'd2
  } state_e;

  state_e       state_d, state_q;
  logic [3:0]   op_d, op_q, word_d, word_q;
  logic         kernel_d, kernel_q;
  // Operand of that operation.
  logic [63:0]  wdata_d, wdata_q;
  page_t [1:0]  pages_d, pages_q;

  // Responses: one is valid in this cycle, with these data; that to START, or to a read of STATUS, is outstanding.
  logic         rvalid_d, rvalid_q, err_d, err_q, hold_d, hold_q, look_d, look_q;
  logic [31:0]  rdata_d, rdata_q;

  //////////
  // Port //
  //////////

  logic       taken, kernel, starts, writes, bad;
  logic [9:0] register;

  assign ctl_gnt_o = !hold_q && !look_q;
  assign taken     = ctl_req_i && ctl_gnt_o;
  assign kernel    = ctl_addr_i[12];
  assign register  = ctl_addr_i[11:2];
  assign writes    = taken && ctl_we_i && !bad;
  assign starts    = writes && (register inside {Start, Post});

  // Accesses that are refused.
  always_comb begin
    unique case (register)
      Start, Post: bad = ctl_we_i && (state_q != Idle);
      Fault, OperandLo, OperandHi, ResultLo, ResultHi, FaultAddrLo, FaultAddrHi: bad = 1'b0;
      Status, Msr0, Sizes: bad = ctl_we_i;
      PfAddrLo, PfAddrHi: bad = ctl_we_i || !kernel;
      Ack: bad = !ctl_we_i || !kernel;
      default: bad = 1'b1;
    endcase
    bad = bad || (ctl_we_i && (ctl_be_i != '1));
  end

  // Operations that the user page refuses without the unit, and their fault.
  logic   refuse;
  fault_e refusal;
  assign refuse  = !kernel && (ctl_wdata_i[3:0] > OpSlwpcb);
  assign refusal = (ctl_wdata_i[3:0] > OpRestore) ? FaultUd : FaultGp;

  logic [31:0] status;
  assign status = {28'b0, kernel ? {pf_valid_i && pf_write_i, pf_valid_i, irq_i} : 3'b0, state_q != Idle};

  always_comb begin
    unique case (register)
      Status:      rdata_d = status;
      Fault:       rdata_d = 32'(pages_q[kernel].fault);
      OperandLo:   rdata_d = pages_q[kernel].operand[31:0];
      OperandHi:   rdata_d = pages_q[kernel].operand[63:32];
      ResultLo:    rdata_d = pages_q[kernel].result[31:0];
      ResultHi:    rdata_d = pages_q[kernel].result[63:32];
      FaultAddrLo: rdata_d = pages_q[kernel].fault_addr[31:0];
      FaultAddrHi: rdata_d = pages_q[kernel].fault_addr[63:32];
      Msr0:        rdata_d = msr0_i;
      Sizes:       rdata_d = {8'b0, 8'(RetireLanes), 8'(LatencyBits), 8'(EventSlots)};
      PfAddrLo:    rdata_d = pf_addr_i[31:0];
      PfAddrHi:    rdata_d = pf_addr_i[63:32];
      default:     rdata_d = '0;
    endcase
    if (!taken || bad || ctl_we_i) begin
      rdata_d = taken ? '0 : rdata_q;
    end
  end

  ////////////////
  // Operations //
  ////////////////

  logic done, has_result;
  assign done       = (state_q == Running) && rsp_valid_i;
  assign has_result = op_q inside {OpLlwpcb, OpSlwpcb, OpRdMsr0, OpRdMsr1, OpSave};

  assign op_wait_o  = state_q == Waiting;
  assign op_user_o  = !kernel_q;
  assign op_holds_o = (state_q == Running) && hold_q;
  assign op_valid_o = op_wait_o && !busy_i && !stall_i;
  assign op_o       = ctl_op_e'(op_q);
  assign op_word_o  = word_q;
  assign op_wdata_o = wdata_q;

  always_comb begin
    state_d  = state_q;
    op_d     = op_q;
    word_d   = word_q;
    kernel_d = kernel_q;
    wdata_d  = wdata_q;
    if (starts && !refuse) begin
      state_d  = Waiting;
      op_d     = ctl_wdata_i[3:0];
      word_d   = ctl_wdata_i[11:8];
      kernel_d = kernel;
      wdata_d  = pages_q[kernel].operand;
    end else if (op_valid_o) begin
      state_d = Running;
    end else if (done) begin
      state_d = Idle;
    end
  end

  for (genvar p = 0; p < 2; p++) begin : gen_pages
    // The page is written; an operation of the page ends.
    logic written, ended;
    assign written = writes && (kernel == p[0]);
    assign ended   = done && (kernel_q == p[0]);

    always_comb begin
      pages_d[p] = pages_q[p];
      if (written) begin
        unique case (register)
          Start, Post: if (refuse) pages_d[p].fault = {1'b0, refusal};
          Fault:       pages_d[p].fault             = ctl_wdata_i[2:0];
          OperandLo:   pages_d[p].operand[31:0]     = ctl_wdata_i;
          OperandHi:   pages_d[p].operand[63:32]    = ctl_wdata_i;
          ResultLo:    pages_d[p].result[31:0]      = ctl_wdata_i;
          ResultHi:    pages_d[p].result[63:32]     = ctl_wdata_i;
          FaultAddrLo: pages_d[p].fault_addr[31:0]  = ctl_wdata_i;
          FaultAddrHi: pages_d[p].fault_addr[63:32] = ctl_wdata_i;
          default:     ;
        endcase
      end
      if (ended) begin
        pages_d[p].fault = {(rsp_fault_i == FaultPf) && rsp_fault_write_i, rsp_fault_i};
      end
      if (ended && (rsp_fault_i == FaultPf)) begin
        pages_d[p].fault_addr = rsp_fault_addr_i;
      end
      if (ended && (rsp_fault_i == FaultNone) && has_result) begin
        pages_d[p].result = rsp_rdata_i;
      end
    end
  end

  ///////////////
  // Responses //
  ///////////////

  logic looks;
  // A read of STATUS waits for the lanes in flight: a core that polls without a pause would otherwise keep its posted
  // operation from being presented. It never waits for the unit, whose accesses may need the same bus.
  assign looks = (state_q == Waiting) && busy_i && !stall_i;

  always_comb begin
    hold_d   = hold_q && !done;
    look_d   = look_q && looks;
    rvalid_d = (hold_q && done) || (look_q && !looks);
    err_d    = 1'b0;
    if (taken) begin
      hold_d   = starts && !refuse && (register == Start);
      look_d   = !bad && (register == Status) && looks;
      rvalid_d = !hold_d && !look_d;
      err_d    = bad;
    end
  end

  assign ctl_rvalid_o = rvalid_q;
  assign ctl_rdata_o  = rdata_q;
  assign ctl_err_o    = err_q;
  assign irq_ack_o    = writes && (register == Ack) && ctl_wdata_i[1] && irq_i;
  assign pf_ack_o     = writes && (register == Ack) && ctl_wdata_i[2] && pf_valid_i;
  assign irq_o        = irq_i || pf_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= Idle;
      op_q     <= '0;
      word_q   <= '0;
      kernel_q <= 1'b0;
      wdata_q  <= '0;
      pages_q  <= '0;
      rvalid_q <= 1'b0;
      err_q    <= 1'b0;
      hold_q   <= 1'b0;
      look_q   <= 1'b0;
      rdata_q  <= '0;
    end else begin
      state_q  <= state_d;
      op_q     <= op_d;
      word_q   <= word_d;
      kernel_q <= kernel_d;
      wdata_q  <= wdata_d;
      pages_q  <= pages_d;
      rvalid_q <= rvalid_d;
      err_q    <= err_d;
      hold_q   <= hold_d;
      look_q   <= look_d;
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

  CtlStands: assert property (@(posedge clk_i) !running_q || !past_stands_q ||
      (ctl_req_i && ({ctl_we_i, ctl_be_i, ctl_addr_i} == past_request_q[68:32]) &&
      (!ctl_we_i || (ctl_wdata_i == past_request_q[31:0]))))
    else $error("a request was withdrawn or changed before ctl_gnt_o: hold it, as OBI requires");
  CtlWhole: assert property (@(posedge clk_i) !running_q || !taken || (ctl_addr_i[1:0] == '0) || (ctl_be_i != '1))
    else $error("a word at an address that is not a multiple of 4: connect the address of the word and byte enables");
  CtlResponse: assert property (@(posedge clk_i) !running_q || !rsp_valid_i || (state_q == Running))
    else $error("a result without an operation of this port: nothing else may drive ctl_valid_i of the unit");
`endif

endmodule
