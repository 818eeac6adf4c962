// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Default straps of the time-stamp counter, for those who connect it: `config_t` of an invariant counter with all of its
// registers, 83 1/3 ticks per tick of the crystal (2 GHz of 24 MHz).
//
//   .cfg_i(tsc_config_pkg::ConfigDefault)
//
// The unit itself does not use them. A test keeps them equal to the model's defaults (docs/src/tsc/ports.md).

package tsc_config_pkg;

  // Nothing in the unit needs a default.
  // verilator lint_off UNUSEDPARAM
  localparam tsc_pkg::config_t ConfigDefault = '{
    // All registers exist.
    present:         1'b1,
    adjust:          1'b1,
    aux:             1'b1,
    // The counter is invariant and counts in deep sleep; a write sets all of it.
    rate:            tsc_pkg::RateInvariant,
    write_width:     tsc_pkg::WriteAll,
    deep_sleep:      tsc_pkg::DeepSleepCount,
    // 15 core clocks per bus clock.
    max_ratio:       8'd30,
    // 83 1/3.
    art_whole:       16'd83,
    art_rest:        16'd1,
    art_denominator: 16'd3
  };
  // verilator lint_on UNUSEDPARAM

endpackage
