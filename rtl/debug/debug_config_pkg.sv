// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Default straps, for an integrator to connect: `config_t` of a processor with 64-bit mode and RTM.
//
//   .cfg_i(debug_config_pkg::ConfigDefault)
//
// The unit itself does not use them. A test keeps them equal to the model's defaults (docs/src/debug/ports.md).

package debug_config_pkg;

  // Nothing in the unit needs a default.
  // verilator lint_off UNUSEDPARAM
  localparam debug_pkg::config_t ConfigDefault = '{
    // RTM and 64-bit mode exist.
    rtm:          1'b1,
    long_mode:    1'b1,
    // Without CR4.DE there are no I/O breakpoints; LEN of an instruction breakpoint is ignored.
    io_gate:      debug_pkg::IoGateDe,
    exec_length:  debug_pkg::ExecLengthIgnore,
    // A trap and the breakpoint of the next instruction are two exceptions.
    merge_next:   debug_pkg::MergeNextTwo,
    // The first of several SS loads casts a shadow.
    ss_chain:     debug_pkg::SsChainFirst,
    // The instruction behind an SS load is not checked for instruction breakpoints.
    ss_fetch:     debug_pkg::SsFetchSkip,
    // A data breakpoint is delivered after its iteration.
    string_group: 6'd0,
    // BD, BS and BT stay in DR6; B0 to B3 report the breakpoints that are on.
    status:       debug_pkg::StatusKeepOthers,
    status_off:   debug_pkg::StatusOffOmit,
    // A fault pushes RF = 1; INT1 with TF = 1 reports BS.
    fault_rf:     1'b1,
    int1_step:    debug_pkg::Int1StepReport,
    // Inside a repetition a trap or an interrupt pushes RF = 1.
    rep_rf:       debug_pkg::RepRfSet
  };
  // verilator lint_on UNUSEDPARAM

endpackage
