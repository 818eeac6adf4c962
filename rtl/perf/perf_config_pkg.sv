// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Default straps of the performance counters, for those who connect the unit: `config_t` of a Pentium III with its two counters.
//
//   .cfg_i(perf_config_pkg::ConfigDefault)
//
// The unit itself does not use them. A test keeps them equal to the model's defaults (docs/src/perf/ports.md).

package perf_config_pkg;

  // Nothing in the unit needs a default.
  // verilator lint_off UNUSEDPARAM
  localparam perf_pkg::config_t ConfigDefault = '{
    // P6, Pentium III.
    personality:      2'd0,
    p6_model:         2'd2,
    // Two general counters of 40 bits, no fixed counter.
    counters:         4'd2,
    width:            6'd40,
    fixed:            2'd0,
    fixed_width:      6'd40,
    // All architectural events, which P6 ignores.
    events:           7'd127,
    any_thread:       1'b0,
    pdcm:             1'b0,
    capabilities:     17'd0,
    // INV has no effect while CMASK is 0; a write of bit 22 of PerfEvtSel1 faults.
    inv_zero:         1'b0,
    sel1_en:          1'b0,
    fast_read:        1'b0,
    // The entry of the local APIC is written in memory, and does not mask itself.
    x2apic:           1'b0,
    mask_on_delivery: 1'b0
  };
  // verilator lint_on UNUSEDPARAM

endpackage
