// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Default straps, for an integrator to connect: `config_t` of a 64-bit processor with everything that the unit can have
// and the smallest LBR stack.
//
//   .cfg_i(trace_config_pkg::ConfigDefault)
//
// The unit itself does not use them. A test keeps them equal to the model's defaults (docs/src/trace/ports.md).

package trace_config_pkg;

  // Nothing in the unit needs a default.
  // verilator lint_off UNUSEDPARAM
  localparam trace_pkg::config_t ConfigDefault = '{
    // Four entries at 680H and 6C0H, with the misprediction in the source register.
    lbr_depth:     trace_pkg::DepthFour,
    lbr_format:    trace_pkg::FormatFlags,
    lbr_numbers:   trace_pkg::NumbersNehalem,
    // Without LBR the stack stands still.
    lbr_tr:        1'b0,
    // The debug store exists, with CPL qualification and the 64-bit format in every mode.
    ds:            1'b1,
    ds_cpl:        1'b1,
    dtes64:        1'b1,
    // Freezing at performance interrupts and in SMM.
    pmi_freeze:    1'b1,
    smm_freeze:    1'b1,
    rtm:           1'b1,
    // PEBS of four counters, format 0.
    pebs_counters: 3'd4,
    pebs_format:   2'd0,
    linear:        trace_pkg::Linear48,
    // A #DB makes a trace message.
    db_message:    1'b1
  };
  // verilator lint_on UNUSEDPARAM

endpackage
