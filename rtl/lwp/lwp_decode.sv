// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Decode: forms argument, result and fault of an operation in the cycle of its acceptance. Combinational.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "LWP Control Instructions". Contract:
// docs/src/lwp/control.md, "Idle: accept".

module lwp_decode
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
(
  // Strap `present`: LWP exists.
  input  logic        present_i,
  // Strap `avail_ire`: event 1, instructions retired, is implemented.
  input  logic        avail_ire_i,
  // Strap `avail_bre`: event 2, branches retired, is implemented.
  input  logic        avail_bre_i,
  // Strap `avail_dme`: event 3, DCache misses, is implemented.
  input  logic        avail_dme_i,
  // Strap `avail_int`: the threshold interrupt is implemented.
  input  logic        avail_int_i,
  // Strap `misaligned` = truncate: the low 4 bits of a block's address are ignored; otherwise they cause #GP.
  input  logic        misaligned_i,
  // Strap `v86`: virtual-8086 mode counts as protected mode.
  input  logic        v86_i,

  // Current privilege level, 0 to 3.
  input  logic [1:0]  cpl_i,
  // Operating mode: 0 real, 1 virtual-8086, 2 protected, 3 compatibility, 4 64-bit; 5 to 7 act as 2.
  input  logic [2:0]  op_mode_i,
  // Requested operation.
  input  ctl_op_e     op_i,
  // The context word, 8 or above, belongs to the processor and not to a thread.
  input  logic        core_word_i,
  // rAX of LLWPCB, or value of a WRMSR or of a restore.
  input  logic [63:0] wdata_i,
  // Linear base address of DS.
  input  logic [63:0] ds_base_i,

  // LWPMSR0.
  input  logic [31:0] msr0_i,
  // Linear address of the LWPCB; 0 if there is none.
  input  logic [63:0] lwpcb_i,

  // Argument of the operation: new LWPCB pointer, or value of a WRMSR or of a restore.
  output logic [63:0] arg_o,
  // rAX that LLWPCB or SLWPCB returns, or value of an RDMSR; 0 for all other operations.
  output logic [63:0] rdata_o,
  // Fault of the operation: none, #UD, #GP(0).
  output fault_e      fault_o
);

  logic        mode64;
  logic [63:0] rax;

  assign mode64 = op_mode_i == Mode64;
  assign rax    = mode_addr(mode64, wdata_i);

  // A block is aligned to 16 bytes: the low 4 bits of its address cause #GP, or are ignored.
  logic [63:0] linear, aligned;
  assign linear  = (op_i == OpWrMsr1) ? wdata_i : (rax == '0) ? '0 : mode_addr(mode64, rax + ds_base_i);
  assign aligned = {linear[63:4], linear[3:0] & {4{!misaligned_i}}};

  // LLWPCB and SLWPCB use offsets in DS, MSR accesses linear addresses. For both, 0 stands for no block.
  always_comb begin
    arg_o   = wdata_i;
    rdata_o = '0;
    unique case (op_i)
      OpLlwpcb, OpSlwpcb: begin
        if (op_i == OpLlwpcb) begin
          arg_o = aligned;
        end
        rdata_o = (lwpcb_i == '0) ? '0 : mode_addr(mode64, lwpcb_i - ds_base_i);
      end
      OpRdMsr0: rdata_o = 64'(msr0_i);
      OpRdMsr1: rdata_o = lwpcb_i;
      OpWrMsr1: arg_o = aligned;
      default: ;
    endcase
  end

  logic [63:0] writable;
  logic        no_instruction, no_msr;

  assign writable       = {32'b0, avail_int_i, 27'b0, avail_dme_i, avail_bre_i, avail_ire_i, 1'b1};
  assign no_instruction = !present_i || !msr0_i[Msr0Enabled] || (op_mode_i == ModeReal) ||
                          ((op_mode_i == ModeV86) && !v86_i);
  assign no_msr         = !present_i || (cpl_i != 2'd0);

  always_comb begin
    fault_o = FaultNone;
    unique case (op_i)
      OpLlwpcb: begin
        if (no_instruction) fault_o = FaultUd;
        else if (arg_o[3:0] != '0) fault_o = FaultGp;
      end
      OpSlwpcb: if (no_instruction) fault_o = FaultUd;
      OpRdMsr0: if (no_msr) fault_o = FaultGp;
      OpWrMsr0: if (no_msr || ((wdata_i & ~writable) != '0)) fault_o = FaultGp;
      OpRdMsr1: if (no_msr || !msr0_i[Msr0Enabled]) fault_o = FaultGp;
      OpWrMsr1: if (no_msr || !msr0_i[Msr0Enabled] || (arg_o[3:0] != '0)) fault_o = FaultGp;
      OpSave, OpRestore: begin
        if (!present_i) fault_o = FaultUd;
        else if (core_word_i && (cpl_i != 2'd0)) fault_o = FaultGp;
      end
      default:  fault_o = FaultUd;
    endcase
  end

  logic unused_msr0;
  assign unused_msr0 = ^msr0_i[31:1];

endmodule
