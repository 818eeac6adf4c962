// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types and constants of the time-stamp counter.
//
// Specification: the document on debugging, branch records, TSC and RDT, section 7, "TSC". Straps and registers stand
// in the order of docs/src/tsc/ports.md and docs/src/tsc/state.md.

package tsc_pkg;

  // Logical processors of the widest build.
  localparam int unsigned MaxProcessors = 8;
  // Ticks of the counter in one cycle: a whole of 16 bits, and one more.
  localparam int unsigned TicksW = 17;

  // Numbers of the model-specific registers.
  localparam logic [31:0] MsrTimeStampCounter = 32'h0000_0010;
  localparam logic [31:0] MsrTscAdjust        = 32'h0000_003B;
  localparam logic [31:0] MsrTscAux           = 32'hC000_0103;

  typedef enum logic [1:0] {
    RateInvariant    = 2'd0,
    RateConstantMax  = 2'd1,
    RateConstantBoot = 2'd2,
    RateVariable     = 2'd3
  } rate_e;

  // What WRMSR of the counter sets.
  typedef enum logic {
    WriteAll   = 1'b0,
    WriteLow32 = 1'b1
  } write_width_e;

  // What the counter does while DPSLP# is asserted.
  typedef enum logic {
    DeepSleepCount = 1'b0,
    DeepSleepStop  = 1'b1
  } deep_sleep_e;

  // The straps.
  typedef struct packed {
    logic         present;
    logic         adjust;
    logic         aux;
    rate_e        rate;
    write_width_e write_width;
    deep_sleep_e  deep_sleep;
    logic [7:0]   max_ratio;
    logic [15:0]  art_whole;
    logic [15:0]  art_rest;
    logic [15:0]  art_denominator;
  } config_t;

  // What WRMSR writes in this cycle: one of the registers or none.
  typedef struct packed {
    logic counter;
    logic adjust;
    logic aux;
  } write_t;

  // Registers of the rate.
  typedef struct packed {
    logic        booted;
    logic [7:0]  boot_ratio;
    logic [15:0] fraction;
  } rate_t;

  // Registers of a logical processor.
  typedef struct packed {
    logic [63:0] counter;
    logic [63:0] adjust;
    logic [31:0] aux;
  } lp_t;

  // Registers of the answer.
  typedef struct packed {
    logic                    reg_done;
    retire_pkg::reg_result_e reg_result;
    logic [63:0]             reg_rdata;
    logic [31:0]             reg_aux;
  } answer_t;

  // Every register of the unit. Logical processors that a build does not have are 0.
  typedef struct packed {
    rate_t                   rate;
    lp_t [MaxProcessors-1:0] processors;
    answer_t                 answer;
  } state_t;

endpackage
