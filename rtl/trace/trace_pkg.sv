// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types of the unit of branch records.
//
// Specification: the document on debugging, branch records, TSC and RDT, sections 5 and 6. Straps, inputs and registers
// stand in the order of docs/src/trace/ports.md, docs/src/trace/state.md and docs/src/trace/flat.md.

package trace_pkg;

  // Entries of the largest LBR stack.
  localparam int unsigned MaxEntries = 32;
  // Records of the largest queue: 2 for each lane.
  localparam int unsigned MaxQueue   = 16;
  // Counters that can store PEBS records.
  localparam int unsigned Counters   = 4;

  // Bits of IA32_DEBUGCTL.
  localparam int unsigned DebugctlLbr           = 0;
  localparam int unsigned DebugctlBtf           = 1;
  localparam int unsigned DebugctlTr            = 6;
  localparam int unsigned DebugctlBts           = 7;
  localparam int unsigned DebugctlBtint         = 8;
  localparam int unsigned DebugctlBtsOffOs      = 9;
  localparam int unsigned DebugctlBtsOffUsr     = 10;
  localparam int unsigned DebugctlFreezeLbrs    = 11;
  localparam int unsigned DebugctlFreezePerfmon = 12;
  localparam int unsigned DebugctlFreezeSmm     = 14;
  localparam int unsigned DebugctlRtm           = 15;

  ////////////
  // Straps //
  ////////////

  // Entries of the LBR stack that exist.
  typedef enum logic [1:0] {
    DepthFour      = 2'd0,
    DepthEight     = 2'd1,
    DepthSixteen   = 2'd2,
    DepthThirtyTwo = 2'd3
  } depth_e;

  // Format of the LBR stack: IA32_PERF_CAPABILITIES[5:0]. Codes above FormatInfo are not used.
  typedef enum logic [2:0] {
    FormatOffset32  = 3'd0,
    FormatLinear    = 3'd1,
    FormatEffective = 3'd2,
    FormatFlags     = 3'd3,
    FormatTsx       = 3'd4,
    FormatInfo      = 3'd5
  } format_e;

  // First numbers of the stack's registers: 40H and 60H, or 680H and 6C0H.
  typedef enum logic {
    NumbersCore    = 1'b0,
    NumbersNehalem = 1'b1
  } numbers_e;

  // Width of a linear address. Code 3 is not used.
  typedef enum logic [1:0] {
    Linear32 = 2'd0,
    Linear48 = 2'd1,
    Linear57 = 2'd2
  } linear_e;

  // Straps, constant after reset.
  typedef struct packed {
    // Entries of the LBR stack that exist.
    depth_e     lbr_depth;
    // Format of the LBR stack.
    format_e    lbr_format;
    // First numbers of the stack's registers.
    numbers_e   lbr_numbers;
    // The stack is updated while TR is 1, even if LBR is 0.
    logic       lbr_tr;
    // The debug store exists.
    logic       ds;
    // BTS_OFF_OS and BTS_OFF_USR exist.
    logic       ds_cpl;
    // The debug store has its 64-bit format in every mode; otherwise in IA-32e mode.
    logic       dtes64;
    // FREEZE_LBRS_ON_PMI and FREEZE_PERFMON_ON_PMI exist.
    logic       pmi_freeze;
    // FREEZE_WHILE_SMM exists.
    logic       smm_freeze;
    // Restricted transactional memory exists.
    logic       rtm;
    // Counters that can store PEBS records, from 0 upwards.
    logic [2:0] pebs_counters;
    // PEBS format.
    logic [1:0] pebs_format;
    // Width of a linear address.
    linear_e    linear;
    // A #DB makes a trace message.
    logic       db_message;
  } config_t;

  ////////////
  // Inputs //
  ////////////

  // What a lane shows.
  typedef struct packed {
    // The instruction that retires.
    retire_pkg::retired_t     retired;
    // Its transfer of control.
    retire_pkg::branch_t      branch;
    // Its transaction.
    retire_pkg::transaction_t transaction;
  } lane_t;

  // What PEBS watches.
  typedef struct packed {
    // Bit n: counter n overflowed.
    logic [Counters-1:0] pebs_overflow;
    // Bit n: the event of counter n occurred at an instruction of this cycle's group.
    logic [Counters-1:0] pebs_event;
    // Register of the processor that `state_index` names.
    logic [63:0]         state_value;
  } pebs_in_t;

  // Transfer of control in a cycle.
  typedef struct packed {
    // The transfer exists. The other fields are 0 without it.
    logic        valid;
    // It may change the code segment: its destination is told by the base and mode behind it.
    logic        is_far;
    // It is a debug exception.
    logic        is_debug;
    // It was predicted correctly.
    logic        predicted;
    // It was mispredicted.
    logic        mispredicted;
    // It was taken in an RTM region.
    logic        in_tx;
    // It is the abort of an RTM region.
    logic        tx_abort;
    // Linear address of its source.
    logic [63:0] from;
    // Linear address of its destination.
    logic [63:0] to;
  } transfer_t;

  ///////////////
  // Registers //
  ///////////////

  // IA32_DEBUGCTL and what points at memory.
  typedef struct packed {
    // IA32_DEBUGCTL[15:0].
    logic [15:0]         debugctl;
    // An SMI has saved and cleared `debugctl`.
    logic                smm_frozen;
    // Copy of the last such SMI; 0 without `smm_frozen`.
    logic [15:0]         smm_debugctl;
    // A performance interrupt has frozen the stack, and IA32_DEBUGCTL has not been written since.
    logic                lbr_frozen;
    // IA32_DS_AREA.
    logic [63:0]         ds_area;
    // IA32_PEBS_ENABLE[3:0].
    logic [Counters-1:0] pebs_enable;
  } control_regs_t;

  // Entry of the LBR stack.
  typedef struct packed {
    // MSR_LASTBRANCH_x_FROM_IP.
    logic [63:0] from;
    // MSR_LASTBRANCH_x_TO_IP.
    logic [63:0] to;
    // MSR_LBR_INFO_x[15:0]: core clocks since the last record.
    logic [15:0] cycles;
    // MSR_LBR_INFO_x[61].
    logic        tsx_abort;
    // MSR_LBR_INFO_x[62].
    logic        in_tx;
    // MSR_LBR_INFO_x[63].
    logic        mispredicted;
  } entry_t;

  // The LBR stack and the last exception record.
  typedef struct packed {
    // Number of the newest entry.
    logic [4:0]              tos;
    // Core clocks since the last record, saturated.
    logic [15:0]             elapsed;
    // MSR_LER_FROM_LIP.
    logic [63:0]             ler_from;
    // MSR_LER_TO_LIP.
    logic [63:0]             ler_to;
    // Entries; 0 from the number of existing ones on.
    entry_t [MaxEntries-1:0] entry;
  } lbr_t;

  // Record that waits for the bus or for memory.
  typedef struct packed {
    // The record goes to the debug store; otherwise it is a message.
    logic        store;
    // 64-bit format of the debug store.
    logic        wide;
    // BTINT was 0: the buffer is circular.
    logic        circular;
    // The branch was predicted correctly.
    logic        predicted;
    // Linear address of its source.
    logic [63:0] from;
    // Linear address of its destination.
    logic [63:0] to;
  } record_t;

  // Records that wait, oldest first.
  typedef struct packed {
    // Their number.
    logic [4:0]             count;
    // Records; 0 from `count` on.
    record_t [MaxQueue-1:0] record;
  } queue_t;

  // Step of the debug store.
  typedef enum logic [3:0] {
    StepIdle      = 4'd0,
    StepBase      = 4'd1,
    StepIndex     = 4'd2,
    StepMaximum   = 4'd3,
    StepThreshold = 4'd4,
    StepPlace     = 4'd5,
    StepRecord    = 4'd6,
    StepPublish   = 4'd7,
    StepReset     = 4'd8
  } step_e;

  // Record that is being stored.
  typedef struct packed {
    // Step; StepIdle without a record. The other fields are 0 then.
    step_e       step;
    // The record is a PEBS record.
    logic        pebs;
    // 64-bit format of the debug store.
    logic        wide;
    // The buffer is circular.
    logic        circular;
    // Counter of the PEBS record.
    logic [1:0]  counter;
    // Next field of the record; 0 except in StepRecord.
    logic [4:0]  field;
    // Base of the buffer.
    logic [63:0] base;
    // Index of the buffer.
    logic [63:0] index;
    // Absolute maximum of the buffer.
    logic [63:0] maximum;
    // Interrupt threshold of the buffer.
    logic [63:0] threshold;
  } store_t;

  // Memory port.
  typedef struct packed {
    // A request is pending. The fields up to `mem_wdata` are 0 without it.
    logic                 mem_req;
    // Command: read or write.
    retire_pkg::mem_cmd_e mem_cmd;
    // Bytes of the aligned 8 that are accessed.
    logic [7:0]           mem_be;
    // Linear address, low 3 bits 0.
    logic [63:0]          mem_addr;
    // Data of a write; 0 in all other bytes.
    logic [63:0]          mem_wdata;
    // An access is granted and its response is outstanding.
    logic                 mem_wait;
  } port_t;

  // Counters of PEBS.
  typedef struct packed {
    // Counters whose next event stores a record.
    logic [Counters-1:0] armed;
    // Counters whose record is to be stored.
    logic [Counters-1:0] pending;
    // 64-bit format of these records; 0 without them.
    logic                pending_wide;
  } pebs_t;

  // Pulses about the debug store.
  typedef struct packed {
    // A buffer has reached its threshold.
    logic ds_pmi;
    // A record is in memory and its index is written.
    logic stored;
    // A record was dropped.
    logic lost;
  } notice_t;

  // Counter that is to be set.
  typedef struct packed {
    // A counter is to be set. The other fields are 0 without it.
    logic        reload_valid;
    // Number of the counter.
    logic [1:0]  reload_counter;
    // Its value.
    logic [63:0] reload_value;
  } reload_t;

  // All registers.
  typedef struct packed {
    control_regs_t                control;
    lbr_t                    lbr;
    queue_t                  waiting;
    store_t                  store;
    port_t                   port;
    pebs_t                   pebs;
    notice_t                 notice;
    reload_t                 reload;
    retire_pkg::reg_answer_t answer;
  } state_t;

  ////////////////////
  // Between stages //
  ////////////////////

  // What a WRMSR that is done writes in this cycle: one of the registers or none.
  typedef struct packed {
    // IA32_DEBUGCTL.
    logic                  debugctl;
    // IA32_DS_AREA.
    logic                  ds_area;
    // IA32_PEBS_ENABLE.
    logic                  pebs_enable;
    // MSR_LASTBRANCH_TOS.
    logic                  tos;
    // MSR_LASTBRANCH_x_FROM_IP, one-hot.
    logic [MaxEntries-1:0] from;
    // MSR_LASTBRANCH_x_TO_IP, one-hot.
    logic [MaxEntries-1:0] to;
    // MSR_LBR_INFO_x, one-hot.
    logic [MaxEntries-1:0] info;
  } write_t;

  // Access that the debug store asks of the memory port.
  typedef struct packed {
    // The step makes an access.
    logic        valid;
    // The access is a write.
    logic        write;
    // Address of the field.
    logic [63:0] addr;
    // Bytes of the aligned 8 that are accessed.
    logic [7:0]  be;
    // Data of a write, in the bytes of `be`.
    logic [63:0] wdata;
  } store_access_t;

endpackage
