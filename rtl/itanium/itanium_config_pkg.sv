// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Default straps of the event qualification of an Itanium processor, for those who connect the unit.
//
//   .cfg_i(itanium_config_pkg::ConfigDefault)
//
// The unit itself does not use them.

package itanium_config_pkg;

  // Nothing in the unit needs a default.
  // verilator lint_off UNUSEDPARAM
  localparam itanium_pkg::config_t ConfigDefault = '{
    // Bit 24 leaves out IA-64 code, bit 25 IA-32 code.
    ism_order:          itanium_pkg::IsmField,
    // An interruption keeps PSR.up.
    up_on_interruption: itanium_pkg::UpKept,
    // An overflow freezes only with PMC[i].oi.
    freeze_always:      1'b0
  };
  // verilator lint_on UNUSEDPARAM

endpackage
