// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types of the wires between the stages, and the comparison of an address with a pair of breakpoint registers.
//
// Contract: docs/src/itanium/cycle.md.

package itanium_stage_pkg;
  import itanium_pkg::*;

  // Kind of a slot, one-hot; 0 for a slot that has none.
  typedef struct packed {
    logic m;
    logic i;
    logic f;
    logic b;
  } kind_t;

  // Per slot of a bundle: the instruction retires, and what it is then.
  typedef struct packed {
    logic [Slots-1:0] retires;
    // Its qualifying predicate is 0.
    logic [Slots-1:0] off;
    logic [Slots-1:0] branch;
    logic [Slots-1:0] taken;
    // Tag(PMC[8]) and Tag(PMC[9]) are hit.
    logic [Slots-1:0] pmc8;
    logic [Slots-1:0] pmc9;
  } bundle_t;

  // Events of one memory record whose tags pass.
  typedef struct packed {
    logic read;
    logic write;
    logic l1d_read;
    logic l1d_miss;
    logic l2_read;
    logic l2_write;
    logic l2_miss;
    logic dtc_miss;
    logic dtlb_miss;
  } record_t;

  // What a request that is done does to the registers; all 0 without one.
  typedef struct packed {
    logic                pmc0;
    // Per counter: PMC[4 + c] and PMD[4 + c].
    logic [Counters-1:0] pmc;
    logic [Counters-1:0] pmd;
    // PMC[8] and PMC[9].
    logic [Matchers-1:0] matcher;
    logic                pmc10;
    logic                pmc11;
    logic                pmc12;
    logic                pmc13;
    // Per pair: the register with the even index, and that with the odd one.
    logic [Pairs-1:0]    ibr_even;
    logic [Pairs-1:0]    ibr_odd;
    logic [Pairs-1:0]    dbr_even;
    logic [Pairs-1:0]    dbr_odd;
    logic                dcr;
    // Instructions that change bits of the PSR; `psr` is mov psr.l or rfi.
    logic                sum;
    logic                rum;
    logic                um;
    logic                ssm;
    logic                rsm;
    logic                psr;
  } write_t;

  // The address agrees with that of a pair in bits 63:56, and in each lower bit whose bit of the mask is 1.
  function automatic logic agrees(logic [63:0] addr, logic [63:0] pair, logic [55:0] mask);
    return ((addr ^ pair) & {8'hFF, mask}) == '0;
  endfunction

endpackage
