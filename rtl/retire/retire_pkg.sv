// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types of what a core shows to its monitoring units, and of what these ask and are asked. A unit's ports are the
// parts that it watches.
//
// Contract: docs/src/retire/. Fields stand in its order under its names. A part of one bit or word without an
// encoding has no type of its own: partial, cs_base, reg_ready, irq, irq_ack.

package retire_pkg;

  // Missed loads and accesses that one lane can show in one cycle.
  localparam int unsigned LoadPorts = 2;
  localparam int unsigned AccessPorts = 2;

  ///////////
  // Lanes //
  ///////////

  // Retired.
  typedef struct packed {
    logic        valid;
    logic        counts;
    logic [63:0] ip;
  } retired_t;

  // Length in bytes. 0 is not known.
  typedef logic [3:0] length_t;

  // Codes above BranchSystem act as BranchSystem.
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

  // Branch.
  typedef struct packed {
    branch_kind_e branch_kind;
    logic         branch_taken;
    logic         branch_pred_valid;
    logic         branch_pred_ok;
    logic [63:0]  branch_next;
  } branch_t;

  // Where the data of a load came from.
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

  // One missed load. `tagged` of the contract is a reserved word here.
  typedef struct packed {
    logic        miss;
    logic        addr_valid;
    logic        is_tagged;
    logic [63:0] addr;
    logic [30:0] latency;
    source_e     source;
  } load_t;

  // Missed loads. Port 0 is the oldest.
  typedef load_t [LoadPorts-1:0] loads_t;

  // One access. A size of 0 or above 64 acts as 1.
  typedef struct packed {
    logic        read;
    logic        write;
    logic [63:0] addr;
    logic [6:0]  size;
  } access_t;

  // Accesses. Port 0 is the oldest.
  typedef access_t [AccessPorts-1:0] accesses_t;

  // Which iteration of a repeated string instruction a lane is.
  typedef enum logic [1:0] {
    RepNone    = 2'd0,
    RepFirst   = 2'd1,
    RepFurther = 2'd2,
    RepLast    = 2'd3
  } rep_e;

  // Flags.
  typedef struct packed {
    logic tf;
    logic ss_load;
    rep_e rep;
  } flags_t;

  // Transaction.
  typedef struct packed {
    logic in_tx;
    logic tx_abort;
  } transaction_t;

  //////////////////////
  // Beside the lanes //
  //////////////////////

  // I/O. A size other than 1, 2 and 4 acts as 1.
  typedef struct packed {
    logic        io_valid;
    logic        io_write;
    logic [15:0] io_port;
    logic [2:0]  io_size;
  } io_t;

  // Codes above Mode64 act as ModeProtected.
  typedef enum logic [2:0] {
    ModeReal          = 3'd0,
    ModeV86           = 3'd1,
    ModeProtected     = 3'd2,
    ModeCompatibility = 3'd3,
    Mode64            = 3'd4
  } op_mode_e;

  // Mode.
  typedef struct packed {
    logic [1:0] cpl;
    logic       smm;
    op_mode_e   op_mode;
  } mode_t;

  // Codes above IntRsm act as IntInterrupt.
  typedef enum logic [2:0] {
    IntInterrupt = 3'd0,
    IntException = 3'd1,
    IntNmi       = 3'd2,
    IntSmi       = 3'd3,
    IntRsm       = 3'd4
  } int_kind_e;

  // Interruption.
  typedef struct packed {
    logic        int_valid;
    int_kind_e   int_kind;
    logic [7:0]  int_vector;
    logic [63:0] int_from;
    logic [63:0] int_to;
  } interruption_t;

  // Processor. A ratio counts halves.
  typedef struct packed {
    logic       halted;
    logic       stpclk;
    logic       dpslp;
    logic       bus_tick;
    logic       crystal_tick;
    logic [7:0] core_ratio;
  } processor_t;

  // Control bits.
  typedef struct packed {
    logic tsd;
    logic de;
    logic pce;
  } control_t;

  //////////////
  // Requests //
  //////////////

  // Codes above RegMovToDr are left to further units.
  typedef enum logic [3:0] {
    RegRdmsr     = 4'd0,
    RegWrmsr     = 4'd1,
    RegRdtsc     = 4'd2,
    RegRdtscp    = 4'd3,
    RegRdpmc     = 4'd4,
    RegMovFromDr = 4'd5,
    RegMovToDr   = 4'd6
  } reg_op_e;

  // Register request: what the core asks.
  typedef struct packed {
    logic        reg_valid;
    reg_op_e     reg_op;
    logic [2:0]  reg_lp;
    logic [31:0] reg_number;
    logic [63:0] reg_wdata;
  } reg_request_t;

  // Codes above ResultDb are not used.
  typedef enum logic [2:0] {
    ResultDone    = 3'd0,
    ResultUd      = 3'd1,
    ResultGp      = 3'd2,
    ResultPf      = 3'd3,
    ResultNotMine = 3'd4,
    ResultDb      = 3'd5
  } reg_result_e;

  // Register request: what the unit answers.
  typedef struct packed {
    logic        reg_done;
    reg_result_e reg_result;
    logic [63:0] reg_rdata;
  } reg_answer_t;

  // Code 3 is not used.
  typedef enum logic [1:0] {
    MemRead  = 2'd0,
    MemWrite = 2'd1,
    MemProbe = 2'd2
  } mem_cmd_e;

  // Memory request: what the unit asks.
  typedef struct packed {
    logic        mem_req;
    mem_cmd_e    mem_cmd;
    logic [7:0]  mem_be;
    logic [63:0] mem_addr;
    logic [63:0] mem_wdata;
  } mem_request_t;

  // Memory request: what memory answers.
  typedef struct packed {
    logic        mem_gnt;
    logic        mem_rvalid;
    logic        mem_err;
    logic [63:0] mem_rdata;
  } mem_answer_t;

endpackage
