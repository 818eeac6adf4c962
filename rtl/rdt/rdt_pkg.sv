// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types and constants of Resource Director Technology.
//
// Specification: the document on debugging, branch records, TSC and RDT, sections 8 and 9. Straps, inputs, outputs and
// registers are in the order of docs/src/rdt/ports.md and docs/src/rdt/state.md. Four contract names are reserved words
// of SystemVerilog or C++: `class` is `classes`, `event` is `event_id`, `local` is `local_lines`, `set` is `set_index`.

package rdt_pkg;

  // Logical processors, ways, RMIDs and classes of the largest build.
  localparam int unsigned MaxProcessors = 8;
  localparam int unsigned MaxL3Ways     = 16;
  localparam int unsigned MaxL2Ways     = 8;
  localparam int unsigned MaxRmids      = 32;
  localparam int unsigned MaxClasses    = 16;
  // Bits of the address of a byte, and of the number of a line.
  localparam int unsigned AddressW      = 52;
  localparam int unsigned LineW         = 48;
  // Bits of the number of a set.
  localparam int unsigned SetW          = 12;
  // Bits of a bandwidth counter, of an occupancy counter, and of the credit of a logical processor.
  localparam int unsigned CounterW      = 62;
  localparam int unsigned OccupancyW    = 17;
  localparam int unsigned CreditW       = 15;

  // Numbers of the model-specific registers. For registers of classes: the number of class 0.
  localparam logic [31:0] MsrL3QosCfg = 32'h0000_0C81;
  localparam logic [31:0] MsrL2QosCfg = 32'h0000_0C82;
  localparam logic [31:0] MsrEvtSel   = 32'h0000_0C8D;
  localparam logic [31:0] MsrCtr      = 32'h0000_0C8E;
  localparam logic [31:0] MsrAssoc    = 32'h0000_0C8F;
  localparam logic [31:0] MsrL3Mask   = 32'h0000_0C90;
  localparam logic [31:0] MsrL2Mask   = 32'h0000_0D10;
  localparam logic [31:0] MsrDelay    = 32'h0000_0D50;

  // Values of straps.
  localparam logic VendorAmd     = 1'b1;
  localparam logic SelectPackage = 1'b1;
  localparam logic ScopeThread   = 1'b1;

  // The straps.
  typedef struct packed {
    logic [3:0]          line;
    logic [3:0]          l3_sets;
    logic [4:0]          l3_ways;
    logic                l2;
    logic [3:0]          l2_sets;
    logic [3:0]          l2_ways;
    logic                vendor;
    logic                sparse;
    logic [2:0]          events;
    logic [4:0]          max_rmid;
    logic [4:0]          l3_max_rmid;
    logic [5:0]          width;
    logic [3:0]          scale;
    logic [61:0]         start;
    logic                write_backs;
    logic                select;
    logic [7:0]          settle;
    logic                l3_cat;
    logic                l3_cdp;
    logic [3:0]          l3_cos;
    logic                l2_cat;
    logic                l2_cdp;
    logic [3:0]          l2_cos;
    logic                mba;
    logic [3:0]          mba_cos;
    logic [11:0]         mba_max;
    logic                mba_linear;
    logic                mba_scope;
    logic [7:0]          mba_period;
  } config_t;

  ////////////
  // Inputs //
  ////////////

  // Access of a logical processor, and the interruption part of what a core shows.
  typedef struct packed {
    logic                  req_valid;
    logic                  req_write;
    logic                  req_code;
    logic [AddressW-1:0]   req_addr;
    logic                  int_valid;
    retire_pkg::int_kind_e int_kind;
  } lp_in_t;

  // Answers of memory.
  typedef struct packed {
    logic mem_gnt;
    logic mem_local;
    logic mem_rvalid;
  } mem_in_t;

  // Ways that shall have power.
  typedef struct packed {
    logic [4:0] l3_power;
    logic [3:0] l2_power;
  } power_in_t;

  // Mode of the logical processor that makes the register request.
  typedef struct packed {
    logic [1:0]           cpl;
    retire_pkg::op_mode_e op_mode;
  } mode_in_t;

  // Outputs of a logical processor.
  typedef struct packed {
    logic req_ready;
    logic done;
    logic l2_hit;
    logic l3_hit;
  } lp_out_t;

  ///////////////
  // Registers //
  ///////////////

  // Steps of an access or of a change of power. Codes above StepL3Walk do not occur.
  typedef enum logic [4:0] {
    StepClear      = 5'd0,
    StepIdle       = 5'd1,
    StepL2Read     = 5'd2,
    StepL2Look     = 5'd3,
    StepL3Read     = 5'd4,
    StepL3Look     = 5'd5,
    StepInvRead    = 5'd6,
    StepInvLook    = 5'd7,
    StepWriteBack  = 5'd8,
    StepEvict      = 5'd9,
    StepMemRequest = 5'd10,
    StepMemWait    = 5'd11,
    StepL3Fill     = 5'd12,
    StepL2Fetch    = 5'd13,
    StepL2Fill     = 5'd14,
    StepMarkRead   = 5'd15,
    StepMark       = 5'd16,
    StepL2WalkRead = 5'd17,
    StepL2Walk     = 5'd18,
    StepL3WalkRead = 5'd19,
    StepL3Walk     = 5'd20
  } step_e;

  // Cache that the access of a logical processor waits for.
  localparam logic [1:0] StageNone = 2'd0;
  localparam logic [1:0] StageL2   = 2'd1;
  localparam logic [1:0] StageL3   = 2'd2;

  // Code and data prioritization.
  typedef struct packed {
    logic l3;
    logic l2;
  } cdp_t;

  // Registers of a logical processor.
  typedef struct packed {
    logic [4:0]         rmid;
    logic [3:0]         cos;
    logic [7:0]         event_id;
    logic [11:0]        event_rmid;
    logic [7:0]         settle;
    logic [1:0]         stage;
    logic               write;
    logic               code;
    logic [LineW-1:0]   line;
    logic [4:0]         access_rmid;
    logic [3:0]         access_cos;
    logic [CreditW-1:0] credit;
    logic               done;
    logic               l2_hit;
    logic               l3_hit;
  } lp_t;

  // Registers of a class of service.
  typedef struct packed {
    logic [15:0] l3_mask;
    logic [7:0]  l2_mask;
    logic [11:0] delay;
  } class_t;

  // Counters of an RMID.
  typedef struct packed {
    logic [OccupancyW-1:0] occupancy;
    logic [CounterW-1:0]   total;
    logic [CounterW-1:0]   local_lines;
  } rmid_t;

  // The access, or the change of power, in progress.
  typedef struct packed {
    step_e            step;
    logic [2:0]       turn;
    logic [4:0]       rmid;
    logic [3:0]       cos;
    logic             write;
    logic             code;
    logic [LineW-1:0] line;
    logic [15:0]      l3_allowed;
    logic [7:0]       l2_allowed;
    logic             fills;
    logic             hit;
    logic [3:0]       way;
    logic [LineW-1:0] victim;
    logic [4:0]       victim_rmid;
    logic             victim_dirty;
    logic             walk;
    logic [SetW-1:0] set_index;
  } job_t;

  // Ways that have power.
  typedef struct packed {
    logic [4:0] l3_on;
    logic [3:0] l2_on;
  } power_t;

  // A line of the L3 cache.
  typedef struct packed {
    logic             valid;
    logic             dirty;
    logic             code;
    logic [4:0]       rmid;
    logic [LineW-1:0] line;
    logic [3:0]       age;
  } l3_line_t;

  // A line of the L2 cache.
  typedef struct packed {
    logic             valid;
    logic             dirty;
    logic [LineW-1:0] line;
    logic [2:0]       age;
  } l2_line_t;

  // A set of the L3 cache.
  typedef struct packed {
    l3_line_t [MaxL3Ways-1:0] line;
  } l3_word_t;

  // A set of the L2 cache.
  typedef struct packed {
    l2_line_t [MaxL2Ways-1:0] line;
  } l2_word_t;

  // Registers of the memory of the L3 cache.
  typedef struct packed {
    logic [11:0] index;
    logic        written;
    l3_word_t    word;
  } l3_t;

  // Registers of the memory of the L2 cache.
  typedef struct packed {
    logic [9:0] index;
    logic       written;
    l2_word_t   word;
  } l2_t;

  // Register of the window on the memories, and the sets that it shows.
  typedef struct packed {
    logic [SetW-1:0] index;
    l3_word_t        l3;
    l2_word_t        l2;
  } show_t;

  // Registers of the answer.
  typedef struct packed {
    logic                    reg_done;
    retire_pkg::reg_result_e reg_result;
    logic [63:0]             reg_rdata;
  } answer_t;

  // Every register of the unit. What a build does not have is 0.
  typedef struct packed {
    cdp_t                       cdp;
    lp_t    [MaxProcessors-1:0] lp;
    class_t [MaxClasses-1:0]    classes;
    rmid_t  [MaxRmids-1:0]      rmid;
    job_t                       job;
    power_t                     power;
    l3_t                        l3;
    l2_t                        l2;
    show_t                      show;
    answer_t                    answer;
  } state_t;

endpackage
