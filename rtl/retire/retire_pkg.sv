// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types of the signals that a core shows to its monitoring units, and of the requests between core and units. The ports
// of a unit are the parts that it watches.
//
// Contract: docs/src/retire/. Fields have its order and its names. A part of one bit or word without an encoding has no
// type of its own: partial, cs_base, reg_ready, irq, irq_ack.

package retire_pkg;

  // Missed loads that one lane can show in one cycle.
  localparam int unsigned LoadPorts = 2;
  // Accesses that one lane can show in one cycle.
  localparam int unsigned AccessPorts = 2;

  ///////////
  // Lanes //
  ///////////

  // Instruction that retires in a lane.
  typedef struct packed {
    // An instruction retires in this lane; in a `partial` cycle: lane 0 has loads or accesses.
    logic        valid;
    // The instruction contributes to the number of retired instructions.
    logic        counts;
    // Linear address of the instruction.
    logic [63:0] ip;
  } retired_t;

  // Length of the instruction in bytes; 0 if it is not known.
  typedef logic [3:0] length_t;

  // Kind of branch. Codes above BranchSystem act as BranchSystem.
  typedef enum logic [3:0] {
    BranchNone         = 4'd0,
    BranchJmpRel       = 4'd1,
    BranchCond         = 4'd2,
    BranchJmpIndirect  = 4'd3,
    BranchCallRel      = 4'd4,
    BranchCallIndirect = 4'd5,
    BranchRet          = 4'd6,
    BranchFarJmp       = 4'd7,
    BranchFarCall      = 4'd8,
    BranchFarRet       = 4'd9,
    BranchSystem       = 4'd10
  } branch_kind_e;

  // Branch of the instruction.
  typedef struct packed {
    // Kind of branch; BranchNone if the instruction is not a branch.
    branch_kind_e branch_kind;
    // The branch was taken.
    logic         branch_taken;
    // `branch_pred_ok` is valid.
    logic         branch_pred_valid;
    // The branch was predicted correctly.
    logic         branch_pred_ok;
    // Linear address of the instruction executed next.
    logic [63:0]  branch_next;
  } branch_t;

  // Source of the data of a load.
  typedef enum logic [2:0] {
    SourceUnknown   = 3'd0,
    SourceLocalL3   = 3'd1,
    SourceRemote    = 3'd2,
    SourceDram      = 3'd3,
    SourceReserved4 = 3'd4,
    SourceReserved5 = 3'd5,
    SourceReserved6 = 3'd6,
    SourceOther     = 3'd7
  } source_e;

  // Missed load. The contract calls `is_tagged` *tagged*, which is a reserved word of SystemVerilog.
  typedef struct packed {
    // The port carries a load that missed the DCache.
    logic        miss;
    // `addr` is known.
    logic        addr_valid;
    // The load is the replay of the tagged load (`lwp` only).
    logic        is_tagged;
    // Linear address of the lowest byte that missed.
    logic [63:0] addr;
    // Latency in cycles, saturated.
    logic [30:0] latency;
    // Source of the data.
    source_e     source;
  } load_t;

  // Missed loads of a lane, in program order.
  typedef load_t [LoadPorts-1:0] loads_t;

  // Access to data, hit or miss.
  typedef struct packed {
    // The access loads.
    logic        read;
    // The access stores.
    logic        write;
    // Address of the lowest byte; valid with `read` or `write`.
    logic [63:0] addr;
    // Number of bytes, 1 to 64; other values act as 1. Valid with `read` or `write`.
    logic [6:0]  size;
  } access_t;

  // Accesses of a lane, in program order.
  typedef access_t [AccessPorts-1:0] accesses_t;

  // Iteration of a repeated string instruction; RepNone if it is not repeated or shown as a whole.
  typedef enum logic [1:0] {
    RepNone    = 2'd0,
    RepFirst   = 2'd1,
    RepFurther = 2'd2,
    RepLast    = 2'd3
  } rep_e;

  // Flags of the instruction: trap flag, load of SS, repetition.
  typedef struct packed {
    // EFLAGS.TF was 1 when the instruction began.
    logic tf;
    // The instruction is a MOV or POP that loads SS.
    logic ss_load;
    // Iteration of a repeated string instruction.
    rep_e rep;
  } flags_t;

  // RTM transaction of the instruction.
  typedef struct packed {
    // The instruction retired inside an RTM region.
    logic in_tx;
    // The RTM region was aborted.
    logic tx_abort;
  } transaction_t;

  ///////////////////////
  // Outside the lanes //
  ///////////////////////

  // I/O of the instruction in lane 0.
  typedef struct packed {
    // The instruction in lane 0 accesses an I/O port.
    logic        io_valid;
    // The access is an output (OUT, OUTS); otherwise an input.
    logic        io_write;
    // Lowest port address.
    logic [15:0] io_port;
    // Number of ports: 1, 2 or 4; other values act as 1.
    logic [2:0]  io_size;
  } io_t;

  // Operating mode. Codes above Mode64 act as ModeProtected.
  typedef enum logic [2:0] {
    ModeReal          = 3'd0,
    ModeV86           = 3'd1,
    ModeProtected     = 3'd2,
    ModeCompatibility = 3'd3,
    Mode64            = 3'd4
  } op_mode_e;

  // Mode of the core, or of the logical processor that makes a register request.
  typedef struct packed {
    // Current privilege level, 0 to 3.
    logic [1:0] cpl;
    // The core is in System Management Mode, or is entering or leaving it.
    logic       smm;
    // Operating mode.
    op_mode_e   op_mode;
  } mode_t;

  // Kind of interruption. Codes above IntRsm act as IntInterrupt.
  typedef enum logic [2:0] {
    IntInterrupt = 3'd0,
    IntException = 3'd1,
    IntNmi       = 3'd2,
    IntSmi       = 3'd3,
    IntRsm       = 3'd4
  } int_kind_e;

  // Interruption: an interrupt, exception, NMI or SMI, or RSM.
  typedef struct packed {
    // An interruption is delivered in this cycle.
    logic        int_valid;
    // Kind of interruption; valid with `int_valid`.
    int_kind_e   int_kind;
    // Vector of an interrupt or exception; 2 for NMI; 0 for SMI and RSM. Valid with `int_valid`.
    logic [7:0]  int_vector;
    // Address of the instruction before which it is taken; valid with `int_valid`.
    logic [63:0] int_from;
    // Address of the first instruction executed afterwards; valid with `int_valid`.
    logic [63:0] int_to;
  } interruption_t;

  // Pins, states and clock ticks of the processor. A pin that is active low on the package is 1 while it is asserted.
  typedef struct packed {
    // The processor is halted by HLT.
    logic       halted;
    // STPCLK# is asserted and acknowledged.
    logic       stpclk;
    // DPSLP# is asserted: deep sleep.
    logic       dpslp;
    // A period of the bus clock begins in this cycle.
    logic       bus_tick;
    // A period of the core crystal clock begins in this cycle.
    logic       crystal_tick;
    // Present ratio of core clock to bus clock, in halves; valid with `bus_tick`.
    logic [7:0] core_ratio;
  } processor_t;

  // Control bits, of the logical processor that makes a register request.
  typedef struct packed {
    // CR4.TSD.
    logic tsd;
    // CR4.DE.
    logic de;
    // CR4.PCE.
    logic pce;
  } control_t;

  //////////////
  // Requests //
  //////////////

  // Operation of a register request. Codes above RegMovToDr are reserved for further units.
  typedef enum logic [3:0] {
    RegRdmsr     = 4'd0,
    RegWrmsr     = 4'd1,
    RegRdtsc     = 4'd2,
    RegRdtscp    = 4'd3,
    RegRdpmc     = 4'd4,
    RegMovFromDr = 4'd5,
    RegMovToDr   = 4'd6
  } reg_op_e;

  // Register request of the core.
  typedef struct packed {
    // A request is made in this cycle; the other fields are valid with it.
    logic        reg_valid;
    // Operation.
    reg_op_e     reg_op;
    // Number of the logical processor that makes the request.
    logic [2:0]  reg_lp;
    // Number of the MSR, counter or debug register.
    logic [31:0] reg_number;
    // Value to write; ignored unless the operation writes.
    logic [63:0] reg_wdata;
  } reg_request_t;

  // Result of a register request. Codes above ResultDb are not used.
  typedef enum logic [2:0] {
    ResultDone    = 3'd0,
    ResultUd      = 3'd1,
    ResultGp      = 3'd2,
    ResultPf      = 3'd3,
    ResultNotMine = 3'd4,
    ResultDb      = 3'd5
  } reg_result_e;

  // Answer of the unit to a register request.
  typedef struct packed {
    // The answer is valid, in this one cycle.
    logic        reg_done;
    // Result; valid with `reg_done`.
    reg_result_e reg_result;
    // Value read; 0 unless a read is done.
    logic [63:0] reg_rdata;
  } reg_answer_t;

  // Command of a memory request. MemProbe tests for write permission and writes nothing. Code 3 is not used.
  typedef enum logic [1:0] {
    MemRead  = 2'd0,
    MemWrite = 2'd1,
    MemProbe = 2'd2
  } mem_cmd_e;

  // Memory request of the unit.
  typedef struct packed {
    // A request is pending, until it is granted or withdrawn.
    logic        mem_req;
    // Command; valid with `mem_req`.
    mem_cmd_e    mem_cmd;
    // Bytes of the aligned 8 that are accessed; valid with `mem_req`.
    logic [7:0]  mem_be;
    // Linear address, low 3 bits 0; valid with `mem_req`.
    logic [63:0] mem_addr;
    // Data to write in the bytes of `mem_be`, 0 in all other bytes; valid with `mem_req`.
    logic [63:0] mem_wdata;
  } mem_request_t;

  // Grant and response of memory.
  typedef struct packed {
    // Memory takes the pending request in this cycle.
    logic        mem_gnt;
    // The response of the granted access is valid in this cycle.
    logic        mem_rvalid;
    // Page fault, nothing was read or written; valid with `mem_rvalid`.
    logic        mem_err;
    // Aligned 8 bytes that were read; valid with `mem_rvalid` of a read.
    logic [63:0] mem_rdata;
  } mem_answer_t;

endpackage
