// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lwp_ctl_mmio as its page of the book has it: each access on the control port has the response that the map of registers
// gives, in the cycle in which it is due; each operation reaches the unit once, with the rights of its page.

module mmio_check
  import lwp_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,

  input logic        req_i, gnt_i, we_i,
  input logic [31:0] addr_i, wdata_i,
  input logic [3:0]  be_i,
  input logic        rvalid_i, err_i,
  input logic [31:0] rdata_i,

  input logic        busy_i, stall_i, op_wait_i, op_user_i, op_holds_i, op_valid_i,
  input ctl_op_e     op_i,
  input logic [3:0]  op_word_i,
  input logic [63:0] op_wdata_i,
  input logic        rsp_valid_i,
  input fault_e      rsp_fault_i,
  input logic        rsp_fault_write_i,
  input logic [63:0] rsp_rdata_i, rsp_fault_addr_i,
  input logic        irq_i, irq_ack_i, pf_valid_i, pf_write_i, pf_ack_i, irq_o_i,
  input logic [63:0] pf_addr_i,
  input logic [31:0] msr0_i
);

  // What is written and read, by page: words 3 to 9.
  logic [31:0] words [2][10];
  // The operation that waits (1) or is in progress (2); who waits for a response: 1 next cycle, 2 the operation, 3 STATUS.
  int          stage, past_stage, due, page_of;
  logic [31:0] order, answer;
  // Its operand, as it was when it was started.
  logic [63:0] operand;
  logic        wrong;
  int          started, posted, refused, faults, errors, acknowledged, looked, late;

  task automatic fail(string what);
    $fatal(1, "FAIL %s: address %h", what, addr_i);
  endtask

  function automatic logic exists(int page, int register, logic write);
    if (register inside {0, 1, 3, 4, 5, 6, 7, 8, 9}) return 1'b1;
    if (register inside {2, 10, 11}) return !write;
    if (register inside {12, 13}) return page == 1 && !write;
    return register == 14 && page == 1 && write;
  endfunction

  function automatic logic [31:0] value(int page, int register);
    unique case (register)
      2:       return page == 1 ? 32'({pf_valid_i && pf_write_i, pf_valid_i, irq_i, stage != 0}) : 32'(stage != 0);
      3, 4, 5, 6, 7, 8, 9: return words[page][register];
      10:      return msr0_i;
      11:      return 32'h00_01_0A_03;
      12:      return pf_addr_i[31:0];
      13:      return pf_addr_i[63:32];
      default: return '0;
    endcase
  endfunction

  task automatic respond;
    logic now;
    now = (due == 1) || (due == 2 && stage == 0) || (due == 3 && !past_looks);
    if (rvalid_i != now) fail(now ? "no response" : "a response too early");
    if (now) begin
      if (err_i != wrong) fail("error");
      if (!wrong && due != 2 && rdata_i != answer) fail("data");
      due = 0;
    end
  endtask

  // STATUS waits for lanes in flight, and never for the unit.
  logic past_looks;

  task automatic take;
    int page, register;
    page     = int'(addr_i[12]);
    register = int'(addr_i[11:2]);
    answer   = we_i ? '0 : value(page, register);
    wrong    = !exists(page, register, we_i) || (we_i && (be_i != '1 || (register <= 1 && stage != 0)));
    due      = (!we_i && register == 2 && stage == 1 && busy_i && !stall_i) ? 3 : 1;
    looked  += int'(due == 3);
    errors  += int'(wrong);
    if (we_i && !wrong) begin
      if (register <= 1) begin
        if (page == 0 && wdata_i[3:0] > 4'd1) begin
          words[0][3] = (wdata_i[3:0] > 4'd7) ? 32'd1 : 32'd2;
          refused++;
        end else begin
          stage   = 1;
          page_of = page;
          order   = wdata_i;
          operand = {words[page][5], words[page][4]};
          due     = (register == 0) ? 2 : 1;
          started += int'(register == 0);
          posted  += int'(register == 1);
        end
      end else if (register <= 9) begin
        words[page][register] = (register == 3) ? wdata_i & 32'd7 : wdata_i;
      end
    end
  endtask

  task automatic finish;
    if (rsp_fault_i == FaultNone) begin
      if (order[3:0] inside {4'd0, 4'd1, 4'd2, 4'd4, 4'd6}) {words[page_of][7], words[page_of][6]} = rsp_rdata_i;
    end else begin
      faults++;
    end
    if (rsp_fault_i == FaultPf) {words[page_of][9], words[page_of][8]} = rsp_fault_addr_i;
    words[page_of][3] = 32'(rsp_fault_i) | ((rsp_fault_i == FaultPf && rsp_fault_write_i) ? 32'd4 : 32'd0);
    stage = 0;
  endtask

  logic acks;
  assign acks = req_i && gnt_i && we_i && addr_i[12:2] == 11'h40E && be_i == '1;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {started, posted, refused, faults, errors, acknowledged, looked, late} = '0;
      {stage, due, page_of, order, operand, answer, wrong, past_looks} = '0;
      for (int p = 0; p < 2; p++) for (int r = 0; r < 10; r++) words[p][r] = '0;
    end else begin
      if (op_wait_i != (stage == 1)) fail("an operation that waits");
      if (op_wait_i && op_user_i != (page_of == 0)) fail("rights");
      if (op_holds_i != (stage == 2 && due == 2)) fail("a store that waits");
      if (op_valid_i != (stage == 1 && !busy_i && !stall_i)) fail("an operation presented");
      if (op_valid_i && (op_i != ctl_op_e'(order[3:0]) || op_word_i != order[11:8])) fail("operation");
      if (op_valid_i && op_wdata_i != operand) fail("operand");
      if (irq_o_i != (irq_i || pf_valid_i)) fail("interrupt");
      if (irq_ack_i != (acks && wdata_i[1] && irq_i)) fail("acknowledge of the interrupt");
      if (pf_ack_i != (acks && wdata_i[2] && pf_valid_i)) fail("acknowledge of the page fault");
      if (gnt_i != (due < 2 || rvalid_i)) fail("grant");
      acknowledged += int'(irq_ack_i || pf_ack_i);
      late         += int'(op_wait_i && !op_valid_i);
      respond();
      past_looks = stage == 1 && busy_i && !stall_i;
      past_stage = stage;
      if (req_i && gnt_i) take();
      if (op_valid_i) stage = 2;
      if (past_stage == 2 && rsp_valid_i) finish();
    end
  end

  // Enough of everything.
  function automatic logic complete();
    return started > 20 && posted > 5 && refused > 5 && faults > 5 && errors > 20 && acknowledged > 5 && late > 20 && looked > 0;
  endfunction

endmodule
