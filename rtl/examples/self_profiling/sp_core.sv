// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A small in-order core with the unit's instructions, to show what a core has to do. Three stages: fetch, execute,
// retire; a part of RV64I, machine and user mode.
//
// Lines that concern the unit are marked: "LWP" at the end of a line, or the lines between "LWP: from here" and "to
// here". LLWPCB and SLWPCB are opcode custom-0 (rs1 the pointer, rd the result). LWPMSR0 and LWPMSR1 are CSRs 0x7C0 and
// 0x7C1. The core presents the instructions that retire on RVFI.

module sp_core
  import lwp_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                clk_i,
  // Asynchronous reset, active low.
  input  logic                rst_ni,

  // Address of the instruction to fetch.
  output logic [63:0]         fetch_addr_o,
  // Instruction word at that address, in the same cycle.
  input  logic [31:0]         fetch_data_i,

  // A data access is requested, until its acknowledge.
  output logic                data_req_o,
  // The access is a store; valid with the request.
  output logic                data_we_o,
  // Bytes of the aligned 8 that are accessed; valid with the request.
  output logic [7:0]          data_be_o,
  // Address of the access; valid with the request.
  output logic [63:0]         data_addr_o,
  // Data to store; valid with the request.
  output logic [63:0]         data_wdata_o,
  // The access is done in this cycle, one cycle after its request at the earliest.
  input  logic                data_ack_i,
  // The access is to the far half of the memory.
  input  logic                data_far_i,
  // Data loaded; valid with the acknowledge.
  input  logic [63:0]         data_rdata_i,

  // LWP: from here: control, requests, and what holds the core up.
  // An operation is requested; it is accepted in a cycle without a stall.
  output logic                ctl_valid_o,
  // Requested operation; valid with `ctl_valid_o`.
  output ctl_op_e             ctl_op_o,
  // rAX of LLWPCB, or value of a WRMSR; valid with `ctl_valid_o`.
  output logic [63:0]         ctl_wdata_o,
  // The result of the operation is valid, in this one cycle.
  input  logic                rsp_valid_i,
  // Fault of the operation: 0 none, 1 #UD, 2 #GP(0), 3 #PF; valid with `rsp_valid_i`.
  input  fault_e              rsp_fault_i,
  // rAX, or value of an RDMSR; valid with `rsp_valid_i` unless there is a fault.
  input  logic [63:0]         rsp_rdata_i,
  // Nothing may retire, and no operation is accepted.
  input  logic                stall_i,
  // Lanes are in flight: an operation must wait.
  input  logic                lanes_busy_i,
  // The threshold interrupt is requested, until `irq_ack_o`.
  input  logic                irq_i,
  // The core takes the threshold interrupt.
  output logic                irq_ack_o,
  // A page-fault trap is requested, until `pf_ack_o`.
  input  logic                pf_valid_i,
  // The core takes the page-fault trap.
  output logic                pf_ack_o,
  // LWP: to here.

  // An instruction is presented on RVFI.
  output logic                rvfi_valid_o,
  // The instruction traps, so it does not retire; valid with `rvfi_valid_o`.
  output logic                rvfi_trap_o,
  // Instruction word; valid with `rvfi_valid_o`.
  output logic [31:0]         rvfi_insn_o,
  // Privilege mode, 0 is U-mode; valid with `rvfi_valid_o`.
  output logic [1:0]          rvfi_mode_o,
  // Address of the instruction; valid with `rvfi_valid_o`.
  output logic [63:0]         rvfi_pc_rdata_o,
  // Address of the next instruction; valid with `rvfi_valid_o`.
  output logic [63:0]         rvfi_pc_wdata_o,
  // Address of the memory access; valid if `rvfi_mem_rmask_o` is not 0.
  output logic [63:0]         rvfi_mem_addr_o,
  // Bytes that are loaded, 0 if the instruction does not load; valid with `rvfi_valid_o`.
  output logic [7:0]          rvfi_mem_rmask_o,
  // The instruction contributes to the counts; 0 for LLWPCB and SLWPCB. Valid with `rvfi_valid_o`.
  output logic                counts_o,  // LWP
  // The load missed; valid with `rvfi_valid_o`.
  output logic                miss_o,  // LWP
  // Latency of the load in cycles; valid with `miss_o`.
  output logic [LatencyW-1:0] latency_o  // LWP
);

  localparam logic [1:0] User = 2'd0, Machine = 2'd3;

  ///////////
  // Fetch //
  ///////////

  logic [63:0] pc_q, x_pc_q, next_pc;
  logic [31:0] insn;  // in execute
  logic [1:0]  mode_q;
  logic        x_valid_q, redirect, advance, hold, take_trap;

  assign fetch_addr_o = pc_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q      <= '0;
      x_pc_q    <= '0;
      insn      <= '0;
      x_valid_q <= 1'b0;
    end else if (redirect) begin
      pc_q      <= next_pc;
      x_valid_q <= 1'b0;
    end else if (advance || !x_valid_q) begin
      pc_q      <= pc_q + 64'd4;
      x_pc_q    <= pc_q;
      insn      <= fetch_data_i;
      x_valid_q <= 1'b1;
    end
  end

  ////////////
  // Decode //
  ////////////

  logic [6:0]  opcode;
  logic [2:0]  funct3;
  logic [4:0]  rd, rs1, rs2;
  logic [63:0] imm_i, imm_s, imm_b, imm_j, imm_u;

  assign opcode = insn[6:0];
  assign funct3 = insn[14:12];
  assign rd     = insn[11:7];
  assign rs1    = insn[19:15];
  assign rs2    = insn[24:20];
  assign imm_i  = {{52{insn[31]}}, insn[31:20]};
  assign imm_s  = {{52{insn[31]}}, insn[31:25], insn[11:7]};
  assign imm_b  = {{52{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
  assign imm_j  = {{44{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};
  assign imm_u  = {{32{insn[31]}}, insn[31:12], 12'b0};

  logic is_load, is_store, is_branch, is_jal, is_jalr, is_op, is_op_imm, is_lui, is_auipc, is_csr, is_mret, is_ecall;
  logic is_lwp, is_lwp_csr;  // LWP
  assign is_load   = (opcode == 7'h03) && (funct3 inside {3'd2, 3'd3, 3'd6});
  assign is_store  = (opcode == 7'h23) && (funct3 inside {3'd2, 3'd3});
  assign is_branch = (opcode == 7'h63) && !(funct3 inside {3'd2, 3'd3});
  assign is_jal    = opcode == 7'h6F;
  assign is_jalr   = opcode == 7'h67;
  assign is_op     = opcode == 7'h33;
  assign is_op_imm = opcode == 7'h13;
  assign is_lui    = opcode == 7'h37;
  assign is_auipc  = opcode == 7'h17;
  assign is_csr    = (opcode == 7'h73) && (funct3 inside {3'd1, 3'd2}) && (mode_q == Machine);
  assign is_mret   = (insn == 32'h3020_0073) && (mode_q == Machine);
  assign is_ecall  = insn == 32'h0000_0073;
  // LWP: from here.
  assign is_lwp     = (opcode == 7'h0B) && (funct3 inside {3'd0, 3'd1});
  assign is_lwp_csr = is_csr && (insn[31:21] == 11'h3E0);
  // LWP: to here.

  logic legal;
  assign legal = is_load || is_store || is_branch || is_jal || is_jalr || is_op || is_op_imm || is_lui || is_auipc ||
                 is_csr || is_mret ||
                 is_lwp;  // LWP

  /////////////
  // Execute //
  /////////////

  logic [63:0] regs_q [32];
  logic [63:0] a, b, alu_b, alu, result;
  logic [63:0] mepc_q, mtvec_q, mcause_q, csr;

  assign a     = (rs1 == '0) ? '0 : regs_q[rs1];
  assign b     = (rs2 == '0) ? '0 : regs_q[rs2];
  assign alu_b = is_op ? b : imm_i;

  always_comb begin
    unique case (funct3)
      3'd0:    alu = (is_op && insn[30]) ? a - alu_b : a + alu_b;
      3'd1:    alu = a << alu_b[5:0];
      3'd2:    alu = 64'($signed(a) < $signed(alu_b));
      3'd3:    alu = 64'(a < alu_b);
      3'd4:    alu = a ^ alu_b;
      3'd5:    alu = insn[30] ? 64'($signed(a) >>> alu_b[5:0]) : a >> alu_b[5:0];
      3'd6:    alu = a | alu_b;
      default: alu = a & alu_b;
    endcase
  end

  logic taken;
  always_comb begin
    unique case (funct3[2:1])
      2'd0:    taken = (a == b) ^ funct3[0];
      2'd2:    taken = ($signed(a) < $signed(b)) ^ funct3[0];
      default: taken = (a < b) ^ funct3[0];
    endcase
  end

  always_comb begin
    unique case (insn[31:20])
      12'h305: csr = mtvec_q;
      12'h341: csr = mepc_q;
      12'h342: csr = mcause_q;
      default: csr = '0;
    endcase
  end

  // Data accesses: 4 or 8 of the aligned 8 bytes.
  logic        asked_q, access;
  // Misaligned accesses are not checked for.
  // verilator lint_off UNUSEDSIGNAL
  logic [63:0] addr;
  // verilator lint_on UNUSEDSIGNAL
  logic [63:0] loaded;
  logic [30:0] waited_q;  // LWP

  assign access       = x_valid_q && (is_load || is_store) && !take_trap;
  assign addr         = a + (is_store ? imm_s : imm_i);
  assign data_req_o   = access && !hold;
  assign data_we_o    = is_store;
  assign data_be_o    = (funct3 == 3'd3) ? 8'hFF : addr[2] ? 8'hF0 : 8'h0F;
  assign data_addr_o  = {addr[63:3], 3'b0};
  assign data_wdata_o = ((funct3 != 3'd3) && addr[2]) ? {b[31:0], 32'b0} : b;

  always_comb begin
    loaded = data_rdata_i;
    if (funct3 != 3'd3) begin
      loaded = {32'b0, addr[2] ? data_rdata_i[63:32] : data_rdata_i[31:0]};
      if (funct3 == 3'd2) begin
        loaded[63:32] = {32{loaded[31]}};
      end
    end
  end

  ////////////////
  // The unit's //
  ////////////////

  // LWP: from here.

  // An operation waits until the unit has seen all that is older, is accepted when the unit does not stall, and is done
  // with its response.
  logic op_here, accepted_q, empty;

  assign op_here     = x_valid_q && (is_lwp || is_lwp_csr) && !take_trap;
  assign empty       = !rvfi_valid_o && !lanes_busy_i;
  assign ctl_valid_o = op_here && empty && !accepted_q && !stall_i;
  assign ctl_wdata_o = a;

  always_comb begin
    if (is_lwp) begin
      ctl_op_o = funct3[0] ? OpSlwpcb : OpLlwpcb;
    end else begin
      ctl_op_o = (funct3 == 3'd1) ? (insn[20] ? OpWrMsr1 : OpWrMsr0) : (insn[20] ? OpRdMsr1 : OpRdMsr0);
    end
  end

  // Between acceptance and response the unit's own stall must not hold the operation up.
  assign hold = stall_i && !op_here;
  // LWP: to here.

  ////////////////////
  // Traps, control //
  ////////////////////

  logic        take_irq, take_pf, excepts;
  logic [63:0] cause;

  // Between instructions: not while one waits for memory or for the unit.
  assign take_pf   = x_valid_q && pf_valid_i && !asked_q && !accepted_q;  // LWP
  assign take_irq  = x_valid_q && irq_i && (mode_q == User) && !asked_q && !accepted_q && !take_pf;  // LWP
  assign take_trap = take_irq || take_pf;
  assign irq_ack_o = take_irq;  // LWP
  assign pf_ack_o  = take_pf;  // LWP
  assign excepts   = is_ecall || !legal ||
                     (op_here && (rsp_fault_i != FaultNone));  // LWP

  always_comb begin
    cause = 64'd2;
    if (take_irq) begin
      cause = {1'b1, 63'd16};  // LWP
    end else if (take_pf) begin
      cause = 64'd15;  // LWP
    end else if (is_ecall) begin
      cause = 64'd8;
    end else if (op_here) begin
      cause = 64'd24 + 64'(rsp_fault_i);  // LWP
    end
  end

  // The instruction in execute leaves it at the end of this cycle.
  always_comb begin
    advance = x_valid_q && !hold;
    if (is_load || is_store) begin
      advance = advance && data_ack_i;
    end else if (op_here) begin
      advance = accepted_q && rsp_valid_i;  // LWP
    end
    if (take_trap) begin
      advance = 1'b0;
    end
  end

  logic retires;
  assign retires  = advance && !excepts;
  assign redirect = take_trap || (advance && (next_pc != x_pc_q + 64'd4));

  always_comb begin
    next_pc = x_pc_q + 64'd4;
    if (take_trap || excepts) begin
      next_pc = mtvec_q;
    end else if (is_jal) begin
      next_pc = x_pc_q + imm_j;
    end else if (is_jalr) begin
      next_pc = (a + imm_i) & ~64'd1;
    end else if (is_branch && taken) begin
      next_pc = x_pc_q + imm_b;
    end else if (is_mret) begin
      next_pc = mepc_q;
    end
  end

  always_comb begin
    result = alu;
    if (is_lui) begin
      result = imm_u;
    end else if (is_auipc) begin
      result = x_pc_q + imm_u;
    end else if (is_jal || is_jalr) begin
      result = x_pc_q + 64'd4;
    end else if (is_load) begin
      result = loaded;
    end else if (is_lwp || is_lwp_csr) begin
      result = rsp_rdata_i;  // LWP
    end else if (is_csr) begin
      result = csr;
    end
  end

  always_ff @(posedge clk_i) begin
    if (retires && (rd != '0) && !is_branch && !is_store) begin
      regs_q[rd] <= result;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mode_q     <= Machine;
      mepc_q     <= '0;
      mtvec_q    <= '0;
      mcause_q   <= '0;
      asked_q    <= 1'b0;
      accepted_q <= 1'b0;
      waited_q   <= '0;
    end else begin
      asked_q    <= data_req_o && !data_ack_i;
      waited_q   <= (data_req_o && !data_ack_i) ? waited_q + 31'd1 : '0;  // LWP
      accepted_q <= ctl_valid_o || (accepted_q && !rsp_valid_i);  // LWP
      if (take_trap || (advance && excepts)) begin
        mode_q   <= Machine;
        mepc_q   <= x_pc_q;
        mcause_q <= cause;
      end else if (retires && is_mret) begin
        mode_q <= User;
      end else if (retires && is_csr && (funct3 == 3'd1)) begin
        unique case (insn[31:20])
          12'h305: mtvec_q  <= a;
          12'h341: mepc_q   <= a;
          12'h342: mcause_q <= a;
          default: ;
        endcase
      end
    end
  end

  ////////////
  // Retire //
  ////////////

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvfi_valid_o     <= 1'b0;
      rvfi_trap_o      <= 1'b0;
      rvfi_insn_o      <= '0;
      rvfi_mode_o      <= '0;
      rvfi_pc_rdata_o  <= '0;
      rvfi_pc_wdata_o  <= '0;
      rvfi_mem_addr_o  <= '0;
      rvfi_mem_rmask_o <= '0;
      counts_o         <= 1'b0;
      miss_o           <= 1'b0;
      latency_o        <= '0;
    end else begin
      rvfi_valid_o     <= advance;
      rvfi_trap_o      <= excepts;
      rvfi_insn_o      <= insn;
      rvfi_mode_o      <= mode_q;
      rvfi_pc_rdata_o  <= x_pc_q;
      rvfi_pc_wdata_o  <= next_pc;
      rvfi_mem_addr_o  <= data_addr_o;
      rvfi_mem_rmask_o <= is_load ? data_be_o : '0;
      counts_o         <= !is_lwp;  // LWP
      miss_o           <= advance && is_load && data_far_i;  // LWP
      latency_o        <= waited_q;  // LWP
    end
  end

endmodule
