// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Default straps of Resource Director Technology, for those who connect the unit: `config_t` of the build `s8w4` with all
// of monitoring and allocation.
//
//   .cfg_i(rdt_config_pkg::ConfigDefault)
//
// The unit itself does not use them. A test keeps them equal to the model's defaults (docs/src/rdt/ports.md).

package rdt_config_pkg;

  // Nothing in the unit needs a default.
  // verilator lint_off UNUSEDPARAM
  localparam rdt_pkg::config_t ConfigDefault = '{
    // Lines of 64 bytes.
    line:        4'd6,
    // L3 cache of 8 sets with 4 ways, L2 cache of 4 sets with 2 ways.
    l3_sets:     4'd3,
    l3_ways:     5'd4,
    l2:          1'b1,
    l2_sets:     4'd2,
    l2_ways:     4'd2,
    // Intel; masks are in one piece.
    vendor:      1'b0,
    sparse:      1'b0,
    // All events, RMIDs 0 to 3.
    events:      3'd7,
    max_rmid:    5'd3,
    l3_max_rmid: 5'd3,
    // Counters of 24 bits, in lines, that start at 0.
    width:       6'd24,
    scale:       4'd0,
    start:       62'd0,
    write_backs: 1'b1,
    // A selection for each logical processor, whose data are available at once.
    select:      1'b0,
    settle:      8'd0,
    // Masks of both caches for four classes, with CDP.
    l3_cat:      1'b1,
    l3_cdp:      1'b1,
    l3_cos:      4'd3,
    l2_cat:      1'b1,
    l2_cdp:      1'b1,
    l2_cos:      4'd3,
    // Delays in percent, up to 90, of a logical processor.
    mba:         1'b1,
    mba_cos:     4'd3,
    mba_max:     12'd90,
    mba_linear:  1'b1,
    mba_scope:   1'b1,
    mba_period:  8'd8
  };
  // verilator lint_on UNUSEDPARAM

endpackage
