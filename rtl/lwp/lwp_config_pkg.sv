// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Default straps of the Lightweight Profiling unit, for those who connect it: `config_t` with every optional part, the
// simplest choice of each policy, and no assumption about the core. Change single fields, or tie `cfg_i` off as it is:
//
//   .cfg_i(lwp_config_pkg::ConfigDefault)
//
// The unit itself does not use them. A test keeps them equal to the model's defaults (docs/src/lwp/ports.md).

package lwp_config_pkg;

  // Nothing in the unit needs a default.
  // verilator lint_off UNUSEDPARAM
  localparam lwp_pkg::config_t ConfigDefault = '{
    // Everything that may be absent exists.
    present:         1'b1,
    avail_ire:       1'b1,
    avail_bre:       1'b1,
    avail_dme:       1'b1,
    avail_int:       1'b1,
    latency_filter:  1'b1,
    level_filter:    1'b1,
    data_source:     1'b1,
    // One record at a time, of the occurrence that brings the counter to zero; the lowest slot first.
    gather_policy:   1'b0,
    one_per_instr:   1'b1,
    gather_select:   2'd0,
    gather_target:   1'b0,
    // Stores do not stall retirement; records that meet are delayed, and discarded when ring 3 is left.
    store_timing:    1'b0,
    collision:       1'b0,
    leave_policy:    2'd0,
    // A page fault of a store is a trap.
    fault_policy:    2'd0,
    // The load itself gives its address; the core gives its latency in cycles.
    address_policy:  2'd0,
    address_gate:    1'b1,
    latency_source:  1'b0,
    latency_step:    1'b0,
    latency_phase:   1'b0,
    // Predictions are known for the branches that say so.
    prediction:      2'd0,
    // Head and tail are accessed for each record.
    head_flush:      1'b0,
    tail_reread:     1'b0,
    tail_nth:        4'd1,
    interval_source: 1'b0,
    // Missed events are counted in memory, after the record was written.
    missed_mode:     1'b0,
    write_on_full:   1'b0,
    // A misaligned block causes #GP; operations outside ring 3 flush.
    misaligned:      1'b0,
    flush_outside:   1'b0,
    v86:             1'b0,
    // Random bits come from the LFSR, which must not start at 0.
    entropy:         1'b0,
    irq_delay:       8'd0,
    core_id:         8'd0,
    lfsr_seed:       32'd1
  };
  // verilator lint_on UNUSEDPARAM

endpackage
