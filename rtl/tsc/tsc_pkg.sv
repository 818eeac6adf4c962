// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types and constants of the time-stamp counter.
//
// Specification: the document on debugging, branch records, TSC and RDT, section 7, "TSC". Straps and registers stand
// in the order of docs/src/tsc/ports.md and docs/src/tsc/state.md.

package tsc_pkg;

  // Logical processors of the widest build.
  localparam int unsigned MaxProcessors = 8;
  // Width of the number of ticks in one cycle: a whole number of 16 bits, plus one.
  localparam int unsigned TicksW = 17;

  // Numbers of the model-specific registers.
  localparam logic [31:0] MsrTimeStampCounter = 32'h0000_0010;
  localparam logic [31:0] MsrTscAdjust        = 32'h0000_003B;
  localparam logic [31:0] MsrTscAux           = 32'hC000_0103;

  // Rate: time base and ratio of the counter.
  typedef enum logic [1:0] {
    RateInvariant    = 2'd0,
    RateConstantMax  = 2'd1,
    RateConstantBoot = 2'd2,
    RateVariable     = 2'd3
  } rate_e;

  // Bits that WRMSR of the counter sets: all 64, or the low 32, with the others cleared.
  typedef enum logic {
    WriteAll   = 1'b0,
    WriteLow32 = 1'b1
  } write_width_e;

  // Behaviour of the counter while DPSLP# is asserted.
  typedef enum logic {
    DeepSleepCount = 1'b0,
    DeepSleepStop  = 1'b1
  } deep_sleep_e;

  // Straps, constant after reset.
  typedef struct packed {
    // The time-stamp counter exists: CPUID.1:EDX[4].
    logic         present;
    // IA32_TSC_ADJUST exists: CPUID.7.0:EBX[1].
    logic         adjust;
    // RDTSCP and IA32_TSC_AUX exist: CPUID.8000_0001H:EDX[27].
    logic         aux;
    // Rate of the counter.
    rate_e        rate;
    // Bits that WRMSR of the counter sets.
    write_width_e write_width;
    // Behaviour of the counter while DPSLP# is asserted.
    deep_sleep_e  deep_sleep;
    // Ratio of core clock to bus clock for the rate constant-max, in halves.
    logic [7:0]   max_ratio;
    // Whole ticks of the counter per tick of the crystal.
    logic [15:0]  art_whole;
    // Remainder per tick of the crystal, in units of 1 / `art_denominator`.
    logic [15:0]  art_rest;
    // Denominator of the ratio: CPUID.15H:EAX.
    logic [15:0]  art_denominator;
  } config_t;

  // Register that WRMSR writes in this cycle, one-hot; 0 if there is none.
  typedef struct packed {
    logic counter;
    logic adjust;
    logic aux;
  } write_t;

  // Registers of the rate.
  typedef struct packed {
    // The first cycle after reset has passed; stays 0 unless `rate` is constant-boot.
    logic        booted;
    // Ratio of core clock to bus clock in that cycle, in halves.
    logic [7:0]  boot_ratio;
    // Remainder of the last ticks of the time base, in units of 1 / denominator.
    logic [15:0] fraction;
  } rate_t;

  // Registers of a logical processor.
  typedef struct packed {
    // IA32_TIME_STAMP_COUNTER, in ticks, modulo 2^64.
    logic [63:0] counter;
    // IA32_TSC_ADJUST; 0 if the strap `adjust` is 0.
    logic [63:0] adjust;
    // Bits 31:0 of IA32_TSC_AUX.
    logic [31:0] aux;
  } lp_t;

  // Registers of the answer.
  typedef struct packed {
    // The result of the last cycle's request is valid.
    logic                    reg_done;
    // Result; 0 without `reg_done`.
    retire_pkg::reg_result_e reg_result;
    // EDX:EAX of a read; 0 unless a read is done.
    logic [63:0]             reg_rdata;
    // ECX of RDTSCP; 0 unless RDTSCP is done.
    logic [31:0]             reg_aux;
  } answer_t;

  // All registers of the unit. Those of logical processors that a build does not have are 0.
  typedef struct packed {
    rate_t                   rate;
    lp_t [MaxProcessors-1:0] processors;
    answer_t                 answer;
  } state_t;

endpackage
