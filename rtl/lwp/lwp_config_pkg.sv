// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Straps of the Lightweight Profiling unit, for those who connect it. `ConfigDefault` is `config_t` with every optional
// part, the simplest choice of each policy, and no assumption about the core. `ConfigRvfi` is that for a core that shows
// its instructions by RVFI. Change single fields, or tie `cfg_i` off as it is:
//
//   .cfg_i(lwp_config_pkg::ConfigDefault)
//
// Each value of each policy has a name, here or in `lwp_pkg`.
//
// The unit itself uses none of this. A test keeps `ConfigDefault` equal to the model's defaults (docs/src/lwp/ports.md).

package lwp_config_pkg;

  // A product uses the names of its choices, and the unit none.
  // verilator lint_off UNUSEDPARAM

  // Names of the values of `gather_policy`.
  localparam logic GatherOne = 1'b0;
  localparam logic GatherAll = 1'b1;
  // Names of the values of `gather_select`; further values: `lwp_pkg::SelectRotating`, `SelectRandom`.
  localparam logic [1:0] SelectLowest = 2'd0;
  // Names of the values of `gather_target`.
  localparam logic TargetSame = 1'b0;
  localparam logic TargetNext = 1'b1;
  // Names of the values of `store_timing`.
  localparam logic StoreAsync = 1'b0;
  localparam logic StoreSync  = 1'b1;
  // Names of the values of `collision`.
  localparam logic CollisionDelay   = 1'b0;
  localparam logic CollisionDiscard = 1'b1;
  // Names of the values of `leave_policy`; further values: `lwp_pkg::LeaveDrain`, `LeaveHold`.
  localparam logic [1:0] LeaveDiscard = 2'd0;
  // Names of the values of `fault_policy`; further values: `lwp_pkg::PolicyFault`, `PolicyTrapPending`.
  localparam logic [1:0] PolicyTrap     = 2'd0;
  localparam logic [1:0] PolicyNonpaged = 2'd3;
  // Names of the values of `address_policy`; further values: `lwp_pkg::AddressNext`, `AddressReplay`, `AddressNone`.
  localparam logic [1:0] AddressSame = 2'd0;
  // Names of the values of `latency_source`.
  localparam logic LatencyCore   = 1'b0;
  localparam logic LatencyBuffer = 1'b1;
  // Names of the values of `latency_step`, in cycles.
  localparam logic LatencyStep1  = 1'b0;
  localparam logic LatencyStep16 = 1'b1;
  // Names of the values of `latency_phase`.
  localparam logic PhaseExact       = 1'b0;
  localparam logic PhaseFreeRunning = 1'b1;
  // Names of the values of `prediction`; further values: `lwp_pkg::PredictAll`, `PredictNone`.
  localparam logic [1:0] PredictSome = 2'd0;
  // Names of the values of `head_flush`.
  localparam logic HeadEach     = 1'b0;
  localparam logic HeadDeferred = 1'b1;
  // Names of the values of `tail_reread`.
  localparam logic TailEach = 1'b0;
  localparam logic TailLazy = 1'b1;
  // Names of the values of `interval_source`.
  localparam logic IntervalCached = 1'b0;
  localparam logic IntervalReread = 1'b1;
  // Names of the values of `missed_mode`.
  localparam logic MissedMemory = 1'b0;
  localparam logic MissedCached = 1'b1;
  // Names of the values of `write_on_full`.
  localparam logic FullWriteSlot = 1'b0;
  localparam logic FullSkip      = 1'b1;
  // Names of the values of `misaligned`.
  localparam logic MisalignedFault    = 1'b0;
  localparam logic MisalignedTruncate = 1'b1;
  // Names of the values of `flush_outside`.
  localparam logic FlushSync = 1'b0;
  localparam logic FlushSkip = 1'b1;
  // Names of the values of `entropy`.
  localparam logic EntropyLfsr = 1'b0;
  localparam logic EntropyPort = 1'b1;

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
    gather_policy:   GatherOne,
    one_per_instr:   1'b1,
    gather_select:   SelectLowest,
    gather_target:   TargetSame,
    // Stores do not stall retirement; records that meet are delayed, and discarded when ring 3 is left.
    store_timing:    StoreAsync,
    collision:       CollisionDelay,
    leave_policy:    LeaveDiscard,
    // A page fault of a store is a trap.
    fault_policy:    PolicyTrap,
    // The load itself gives its address; the core gives its latency in cycles.
    address_policy:  AddressSame,
    address_gate:    1'b1,
    latency_source:  LatencyCore,
    latency_step:    LatencyStep1,
    latency_phase:   PhaseExact,
    // Predictions are known for the branches that say so.
    prediction:      PredictSome,
    // Head and tail are accessed for each record.
    head_flush:      HeadEach,
    tail_reread:     TailEach,
    tail_nth:        4'd1,
    interval_source: IntervalCached,
    // Missed events are counted in memory, after the record was written.
    missed_mode:     MissedMemory,
    write_on_full:   FullWriteSlot,
    // A misaligned block causes #GP; operations outside ring 3 flush.
    misaligned:      MisalignedFault,
    flush_outside:   FlushSync,
    v86:             1'b0,
    // Random bits come from the LFSR, which must not start at 0.
    entropy:         EntropyLfsr,
    irq_delay:       8'd0,
    core_id:         8'd0,
    lfsr_seed:       32'd1
  };

  // `straps` as RVFI permits them: retirement cannot wait, nothing is undone or replayed, the core reports
  // the latency of a load with the load, and it reports no prediction.
  function automatic lwp_pkg::config_t rvfi_straps(lwp_pkg::config_t straps);
    rvfi_straps = straps;
    rvfi_straps.store_timing   = StoreAsync;
    rvfi_straps.leave_policy   = LeaveDiscard;
    rvfi_straps.fault_policy   = PolicyTrap;
    rvfi_straps.address_policy = AddressSame;
    rvfi_straps.latency_source = LatencyCore;
    rvfi_straps.prediction     = lwp_pkg::PredictNone;
  endfunction

  // Straps for `lwp_retire_rvfi` (docs/src/integration.md, "Retire port").
  localparam lwp_pkg::config_t ConfigRvfi = rvfi_straps(ConfigDefault);
  // verilator lint_on UNUSEDPARAM

endpackage
