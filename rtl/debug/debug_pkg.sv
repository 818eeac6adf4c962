// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types of the debug unit.
//
// Specification: the document on debugging, branch records, TSC and RDT, sections 2, 3 and 4.1. Straps, inputs and
// registers stand in the order of docs/src/debug/ports.md, docs/src/debug/state.md and docs/src/debug/flat.md.

package debug_pkg;

  // Breakpoints: DR0 to DR3.
  localparam int unsigned Breakpoints = 4;

  ////////////
  // Straps //
  ////////////

  // Breakpoint with R/W 10 while CR4.DE is 0: hits I/O, or hits nothing.
  typedef enum logic {
    IoGateIgnore = 1'b0,
    IoGateDe     = 1'b1
  } io_gate_e;

  // Instruction breakpoint with LEN other than 00: LEN is ignored, or the breakpoint hits nothing.
  typedef enum logic {
    ExecLengthIgnore  = 1'b0,
    ExecLengthNothing = 1'b1
  } exec_length_e;

  // Trap of data or I/O alone, in front of an instruction with a breakpoint: two exceptions, or one that reports both.
  typedef enum logic {
    MergeNextTwo = 1'b0,
    MergeNextOne = 1'b1
  } merge_next_e;

  // SS loads in a row: the first one casts a shadow, or each one does.
  typedef enum logic {
    SsChainFirst = 1'b0,
    SsChainEach  = 1'b1
  } ss_chain_e;

  // Instruction behind an SS load: not checked for instruction breakpoints, or checked.
  typedef enum logic {
    SsFetchSkip  = 1'b0,
    SsFetchCheck = 1'b1
  } ss_fetch_e;

  // Bits of earlier exceptions that #DB leaves in DR6: BD, BS and BT; none; all. Code 3 acts as StatusKeepOthers.
  typedef enum logic [1:0] {
    StatusKeepOthers = 2'd0,
    StatusReplace    = 2'd1,
    StatusKeepAll    = 2'd2
  } status_e;

  // Breakpoints that B0 to B3 report: those that are on, or also those that are off.
  typedef enum logic {
    StatusOffOmit   = 1'b0,
    StatusOffReport = 1'b1
  } status_off_e;

  // BS after INT1 with TF = 1: not reported, or reported.
  typedef enum logic {
    Int1StepOmit   = 1'b0,
    Int1StepReport = 1'b1
  } int1_step_e;

  // RF inside a repetition: pushed as 1, or kept as its first iteration found it.
  typedef enum logic {
    RepRfSet  = 1'b0,
    RepRfKeep = 1'b1
  } rep_rf_e;

  // Straps, constant after reset.
  typedef struct packed {
    // Restricted transactional memory exists: CPUID.7.0:EBX[11].
    logic         rtm;
    // 64-bit mode exists: CPUID.8000_0001H:EDX[29].
    logic         long_mode;
    // Breakpoint with R/W 10 while CR4.DE is 0.
    io_gate_e     io_gate;
    // Instruction breakpoint with LEN other than 00.
    exec_length_e exec_length;
    // Trap in front of an instruction with a breakpoint.
    merge_next_e  merge_next;
    // SS loads in a row.
    ss_chain_e    ss_chain;
    // Instruction behind an SS load.
    ss_fetch_e    ss_fetch;
    // Iterations of a fast string group, minus 1.
    logic [5:0]   string_group;
    // Bits of earlier exceptions that #DB leaves in DR6.
    status_e      status;
    // Breakpoints that B0 to B3 report.
    status_off_e  status_off;
    // RF pushed by a fault other than that of an instruction breakpoint.
    logic         fault_rf;
    // BS after INT1 with TF = 1.
    int1_step_e   int1_step;
    // RF inside a repetition.
    rep_rf_e      rep_rf;
  } config_t;

  ////////////
  // Inputs //
  ////////////

  // Kind of instruction. Codes above KindTask act as KindOther.
  typedef enum logic [2:0] {
    KindOther = 3'd0,
    // INT n, or INTO that is taken.
    KindIntN  = 3'd1,
    KindInt3  = 3'd2,
    KindInt1  = 3'd3,
    KindIret  = 3'd4,
    // An instruction that switched tasks.
    KindTask  = 3'd5
  } kind_e;

  // What only this unit sees of a lane.
  typedef struct packed {
    // Kind of instruction.
    kind_e kind;
    // RF of the image that IRET or the task switch loaded; valid with KindIret and KindTask.
    logic  rf_image;
    // T of the new task's TSS; valid with KindTask.
    logic  t_flag;
  } debug_t;

  // Lane, in which an instruction can retire.
  typedef struct packed {
    retire_pkg::retired_t     retired;
    retire_pkg::branch_t      branch;
    retire_pkg::accesses_t    accesses;
    retire_pkg::flags_t       flags;
    retire_pkg::transaction_t transaction;
    debug_t                   debug;
  } lane_t;

  // Interruption. Its type cannot have the name of the field `int_t`.
  typedef struct packed {
    // An interruption is delivered in this cycle; the other fields are valid with it.
    logic                  int_valid;
    // Kind of interruption. Codes above IntRsm act as IntInterrupt.
    retire_pkg::int_kind_e int_kind;
    // Address of the instruction before which it is taken.
    logic [63:0]           int_from;
    // The exception is not a fault; valid with the kind exception.
    logic                  int_trap;
    // It is delivered through a task gate.
    logic                  int_task;
    // RF of the new task's image; valid with `int_task`.
    logic                  int_rf;
    // T of the new task's TSS; valid with `int_task`.
    logic                  int_t;
  } interrupted_t;

  // Question whether the core may execute an instruction.
  typedef struct packed {
    // The core asks in this cycle.
    logic        ask_valid;
    // The instruction, or the MOV DR of the register request, is inside an RTM region;
    // valid with `ask_valid` and `reg_valid`.
    logic        ask_in_tx;
    // Address of the first byte of the instruction; valid with `ask_valid`.
    logic [63:0] ask_ip;
  } ask_t;

  ///////////////
  // Registers //
  ///////////////

  // Class of #DB.
  typedef enum logic [1:0] {
    ClassTrap     = 2'd0,
    ClassFault    = 2'd1,
    ClassAbort    = 2'd2,
    ClassRollback = 2'd3
  } class_e;

  // DR6 without its fixed bits.
  typedef struct packed {
    // B0 to B3.
    logic [Breakpoints-1:0] b;
    // BD: general detect.
    logic                   bd;
    // BS: single step.
    logic                   bs;
    // BT: task switch.
    logic                   bt;
    // The exception arose inside an RTM region: bit 16, RTM, is 0.
    logic                   in_tx;
  } dr6_t;

  // DR7 without its fixed bits.
  typedef struct packed {
    // Bits 7:0: Ln is bit 2n, Gn is bit 2n + 1.
    logic [2*Breakpoints-1:0] enable;
    // LE, without effect.
    logic                     le;
    // GE, without effect.
    logic                     ge;
    // RTM: advanced debugging of RTM regions.
    logic                     rtm;
    // GD: general detect.
    logic                     gd;
    // Bits 31:16: R/Wn is bits 4n + 1 to 4n, LENn is bits 4n + 3 to 4n + 2.
    logic [4*Breakpoints-1:0] kind;
  } dr7_t;

  // Copies that the last SMI made.
  typedef struct packed {
    dr6_t dr6;
    dr7_t dr7;
    // RF that a frame would have had.
    logic rf;
  } smm_t;

  // Debug registers.
  typedef struct packed {
    // DR0 to DR3.
    logic [Breakpoints-1:0][63:0] address;
    dr6_t                         dr6;
    dr7_t                         dr7;
    smm_t                         smm;
  } registers_t;

  // Flags before the next instruction.
  typedef struct packed {
    // EFLAGS.RF.
    logic       rf;
    // The last accepted instruction was an SS load that casts a shadow.
    logic       shadow;
    // The last accepted lane was an iteration, and not the last one.
    logic       in_rep;
    // The next instruction was asked for, and may execute.
    logic       passed;
    // Number of the last iteration in its fast string group, from 0; 0 unless `in_rep`.
    logic [5:0] string_n;
  } next_flags_t;

  // Breakpoints that an address or an access meets.
  typedef struct packed {
    // Breakpoints that are on.
    logic [Breakpoints-1:0] hit;
    // Breakpoints that are off; 0 unless `status_off` reports them.
    logic [Breakpoints-1:0] off;
  } conditions_t;

  // Pending #DB.
  typedef struct packed {
    // A request is pending; the other fields are 0 without it.
    logic                   db_valid;
    // Class.
    class_e                 db_class;
    // B0 to B3 to be reported.
    logic [Breakpoints-1:0] db_b;
    // BD to be reported.
    logic                   db_bd;
    // BS to be reported.
    logic                   db_bs;
    // BT to be reported.
    logic                   db_bt;
  } request_t;

  // Cut of the last cycle's group.
  typedef struct packed {
    // The group was cut; the other fields are 0 without it.
    logic       cut_valid;
    // The instruction in lane `cut_lane` has not been accepted either.
    logic       cut_before;
    // Number of the lane of the cut.
    logic [2:0] cut_lane;
  } cut_t;

  // Answer to a question.
  typedef struct packed {
    // The question of the last cycle is answered.
    logic ask_done;
  } asked_t;

  // Frame of an interruption.
  typedef struct packed {
    // The interruption of the last cycle is noted.
    logic frame_valid;
    // RF of the image that is pushed; 0 without `frame_valid`.
    logic frame_rf;
  } frame_t;

  // All registers of the unit.
  typedef struct packed {
    registers_t              registers;
    next_flags_t             flags;
    conditions_t             held;
    request_t                request;
    cut_t                    cut;
    asked_t                  ask;
    frame_t                  frame;
    retire_pkg::reg_answer_t answer;
  } state_t;

  /////////////////////
  // Between modules //
  /////////////////////

  // Case of a cycle: docs/src/debug/cycle.md, "1. Case".
  typedef enum logic [2:0] {
    CaseIdle     = 3'd0,
    CaseDelivery = 3'd1,
    CaseWaiting  = 3'd2,
    CasePartial  = 3'd3,
    CaseGroup    = 3'd4,
    CaseAsk      = 3'd5
  } case_e;

  // Input of a comparator.
  typedef enum logic [1:0] {
    CompareFetch = 2'd0,
    CompareData  = 2'd1,
    CompareIo    = 2'd2
  } compare_e;

  // Delivery of this cycle; all fields are 0 in other cases.
  typedef struct packed {
    // The pending request is taken, with a class other than abort.
    logic own;
    // An exception, interrupt or NMI enters its handler: a frame is pushed.
    logic entry;
    // The entry switches tasks.
    logic gate_task;
    // SMI.
    logic smi;
    // RSM.
    logic rsm;
  } delivery_t;

  // Exception that a lane, a question or a task gate raises.
  typedef struct packed {
    // An exception is raised; the other fields are 0 without it.
    logic                   valid;
    // It is raised inside an RTM region.
    logic                   in_tx;
    // Class outside an RTM region: a fault if 1, else a trap.
    logic                   fault;
    // B0 to B3.
    logic [Breakpoints-1:0] b;
    // BS.
    logic                   bs;
    // BT.
    logic                   bt;
  } raise_t;

  // Register that MOV to DR writes in this cycle, one-hot; 0 if there is none.
  typedef struct packed {
    logic [Breakpoints-1:0] address;
    logic                   dr6;
    logic                   dr7;
  } write_t;

endpackage
