// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types and constants of the event qualification of an Itanium processor.
//
// Specification: section 6.1.3 of the processor's reference manual. Straps, inputs, outputs and registers are in the order
// of docs/src/itanium/ports.md and docs/src/itanium/state.md.

package itanium_pkg;

  // Bundles in flight whose tags the largest build keeps.
  localparam int unsigned MaxEntries = 16;
  // Slots of a bundle.
  localparam int unsigned Slots      = 3;
  // Memory records of a cycle.
  localparam int unsigned MemPorts   = 2;
  // Counters: PMC[4] and PMD[4] to PMC[7] and PMD[7].
  localparam int unsigned Counters   = 4;
  // Opcode matchers: PMC[8] and PMC[9].
  localparam int unsigned Matchers   = 2;
  // Pairs of IBRs, and pairs of DBRs.
  localparam int unsigned Pairs      = 4;
  // Bits of an instruction that an opcode matcher compares: 40:27 and 12:0.
  localparam int unsigned MatchW     = 27;

  // Values of straps.
  localparam logic IsmField   = 1'b0;
  localparam logic IsmPrinted = 1'b1;
  localparam logic UpKept     = 1'b0;
  localparam logic UpCleared  = 1'b1;

  // Operations of a register request. The codes below are those of other units.
  localparam logic [3:0] OpRead  = 4'd7;
  localparam logic [3:0] OpWrite = 4'd8;
  localparam logic [3:0] OpSum   = 4'd9;
  localparam logic [3:0] OpRum   = 4'd10;
  localparam logic [3:0] OpUm    = 4'd11;
  localparam logic [3:0] OpSsm   = 4'd12;
  localparam logic [3:0] OpRsm   = 4'd13;
  localparam logic [3:0] OpPsr   = 4'd14;
  localparam logic [3:0] OpRfi   = 4'd15;

  // Register files. The codes above are not the unit's.
  localparam logic [2:0] FilePmc = 3'd0;
  localparam logic [2:0] FilePmd = 3'd1;
  localparam logic [2:0] FileIbr = 3'd2;
  localparam logic [2:0] FileDbr = 3'd3;
  localparam logic [2:0] FileCr  = 3'd4;

  // Results of a register request.
  localparam logic [2:0] ResultDone       = 3'd0;
  localparam logic [2:0] ResultNotMine    = 3'd4;
  localparam logic [2:0] ResultPrivileged = 3'd6;
  localparam logic [2:0] ResultReserved   = 3'd7;

  // Bits of the PSR.
  localparam int unsigned PsrUp = 2;
  localparam int unsigned PsrSp = 20;
  localparam int unsigned PsrPp = 21;

  // Event codes, PMC[i].es.
  localparam logic [6:0] EsInstRetired   = 7'h08;
  localparam logic [6:0] EsBranchTaken   = 7'h0D;
  localparam logic [6:0] EsCpuCycles     = 7'h12;
  localparam logic [6:0] EsIa32Retired   = 7'h15;
  localparam logic [6:0] EsSquashed      = 7'h31;
  localparam logic [6:0] EsDtcMisses     = 7'h60;
  localparam logic [6:0] EsDtlbMisses    = 7'h61;
  localparam logic [6:0] EsReferences    = 7'h63;
  localparam logic [6:0] EsL1dReads      = 7'h64;
  localparam logic [6:0] EsL1dReadMisses = 7'h66;
  localparam logic [6:0] EsL2References  = 7'h69;
  localparam logic [6:0] EsL2Misses      = 7'h6A;
  localparam logic [6:0] EsLoads         = 7'h6C;
  localparam logic [6:0] EsStores        = 7'h6D;

  // The straps.
  typedef struct packed {
    logic ism_order;
    logic up_on_interruption;
    logic freeze_always;
  } config_t;

  ////////////
  // Inputs //
  ////////////

  // A bundle that is fetched.
  typedef struct packed {
    logic        valid;
    logic [3:0]  id;
    logic [63:0] addr;
    logic [1:0]  cpl;
  } fetch_t;

  // A bundle whose first instruction is issued.
  typedef struct packed {
    logic        valid;
    logic [3:0]  id;
    logic [4:0]  template_code;
    logic [40:0] slot0;
    logic [40:0] slot1;
    logic [40:0] slot2;
  } issue_t;

  // A bundle of which instructions retire.
  typedef struct packed {
    logic             valid;
    logic [3:0]       id;
    logic [Slots-1:0] slots;
    logic [Slots-1:0] off;
    logic [Slots-1:0] branch;
    logic [Slots-1:0] taken;
  } retire_t;

  // Events of one memory access.
  typedef struct packed {
    logic        valid;
    logic [3:0]  id;
    logic [1:0]  slot;
    logic [63:0] addr;
    logic        read;
    logic        write;
    logic        l1d_read;
    logic        l1d_miss;
    logic        l2_read;
    logic        l2_write;
    logic        l2_miss;
    logic        dtc_miss;
    logic        dtlb_miss;
  } mem_t;

  // Register request. Bits 7:0 of its number are an index, bits 10:8 a register file.
  typedef struct packed {
    logic        reg_valid;
    logic [3:0]  reg_op;
    logic [2:0]  reg_lp;
    logic [31:0] reg_number;
    logic [63:0] reg_wdata;
  } reg_request_t;

  ///////////////
  // Registers //
  ///////////////

  // Bits of the PSR and of DCR.
  typedef struct packed {
    logic up;
    logic sp;
    logic pp;
    logic dcr_pp;
  } status_t;

  // PMC[0], and the interrupt that is requested.
  typedef struct packed {
    logic                fr;
    logic [Counters-1:0] overflow;
    logic                irq;
  } freeze_t;

  // PMC[4 + c] and PMD[4 + c].
  typedef struct packed {
    logic [3:0]  plm;
    logic        ev;
    logic        oi;
    logic        pm;
    logic [6:0]  es;
    logic [3:0]  umask;
    logic [2:0]  threshold;
    logic [1:0]  ism;
    logic [31:0] count;
    logic        pin;
  } counter_t;

  // PMC[8] or PMC[9].
  typedef struct packed {
    logic [MatchW-1:0] mask;
    logic [MatchW-1:0] match_value;
    logic              b;
    logic              f;
    logic              i;
    logic              m;
  } matcher_t;

  // PMC[10].
  typedef struct packed {
    logic [3:0] plm;
    logic       pm;
    logic       tlb;
    logic [3:0] umask;
    logic [1:0] ism;
  } pmc10_t;

  // PMC[11].
  typedef struct packed {
    logic [3:0] plm;
    logic       pm;
    logic       tlb;
    logic [3:0] umask;
    logic [1:0] ism;
    logic       pt;
  } pmc11_t;

  // PMC[12].
  typedef struct packed {
    logic [3:0] plm;
    logic       pm;
    logic       tar;
    logic [1:0] tm;
    logic [1:0] ptm;
    logic [1:0] ppm;
    logic       bpt;
    logic       bac;
  } pmc12_t;

  // PMC[13].
  typedef struct packed {
    logic        ta;
    logic [62:0] rest;
  } pmc13_t;

  // A pair of instruction breakpoint registers.
  typedef struct packed {
    logic [63:0] addr;
    logic [55:0] mask;
    logic [3:0]  plm;
    logic        x;
  } ibr_t;

  // A pair of data breakpoint registers.
  typedef struct packed {
    logic [63:0] addr;
    logic [55:0] mask;
    logic [3:0]  plm;
    logic        w;
    logic        r;
  } dbr_t;

  // Tags of a bundle in flight and of the instructions in its slots.
  typedef struct packed {
    logic             range;
    logic [Slots-1:0] pmc8;
    logic [Slots-1:0] pmc9;
  } tag_t;

  // What the address registers and the branch trace buffer may record.
  typedef struct packed {
    logic iear_on;
    logic dear_on;
    logic btb_on;
  } ear_t;

  // Registers of the answer.
  typedef struct packed {
    logic        reg_done;
    logic [2:0]  reg_result;
    logic [63:0] reg_rdata;
  } answer_t;

  // Every register of the unit. What a build does not have is 0.
  typedef struct packed {
    status_t                   status;
    freeze_t                   freeze;
    counter_t [Counters-1:0]   counter;
    matcher_t [Matchers-1:0]   matcher;
    pmc10_t                    pmc10;
    pmc11_t                    pmc11;
    pmc12_t                    pmc12;
    pmc13_t                    pmc13;
    ibr_t     [Pairs-1:0]      ibr;
    dbr_t     [Pairs-1:0]      dbr;
    tag_t     [MaxEntries-1:0] tag;
    ear_t                      ear;
    answer_t                   answer;
  } state_t;

  // Values after reset of registers that are not 0 then: every instruction matches, no address is constrained.
  localparam matcher_t ResetMatcher = '{
    mask: '1, match_value: '0, b: 1'b1, f: 1'b1, i: 1'b1, m: 1'b1
  };
  localparam pmc11_t ResetPmc11 = '{
    plm: '0, pm: 1'b0, tlb: 1'b0, umask: '0, ism: '0, pt: 1'b1
  };
  localparam pmc13_t ResetPmc13 = '{ta: 1'b1, rest: '0};

endpackage
