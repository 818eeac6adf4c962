//! Every strap as a factor with levels, so that combinations can be generated, counted and covered.

use crate::straps::{Factor, choice, flag, number};
use lwp_model::lwp::{
    AddressPolicy, Collision, Config, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect, GatherTarget,
    HeadFlush, IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned, MissedMode,
    Prediction, StoreTiming, TailReread, WriteOnFull,
};

/// Every strap except `present`, `core_id` and `lfsr_seed`, which are independent of all others.
pub const FACTORS: &[Factor<Config>] = &[
    flag!(avail_ire),
    flag!(avail_bre),
    flag!(avail_dme),
    flag!(avail_int),
    flag!(latency_filter),
    flag!(level_filter),
    flag!(data_source),
    choice!(gather_policy, GatherPolicy),
    flag!(one_per_instr),
    choice!(gather_select, GatherSelect),
    choice!(gather_target, GatherTarget),
    choice!(store_timing, StoreTiming),
    choice!(collision, Collision),
    choice!(leave_policy, LeavePolicy),
    choice!(fault_policy, FaultPolicy),
    choice!(address_policy, AddressPolicy),
    flag!(address_gate),
    choice!(latency_source, LatencySource),
    choice!(latency_step, LatencyStep),
    choice!(latency_phase, LatencyPhase),
    choice!(prediction, Prediction),
    choice!(head_flush, HeadFlush),
    choice!(tail_reread, TailReread),
    number!(tail_nth, [1, 2, 4]),
    choice!(interval_source, IntervalSource),
    choice!(missed_mode, MissedMode),
    choice!(write_on_full, WriteOnFull),
    choice!(misaligned, Misaligned),
    choice!(flush_outside, FlushOutside),
    flag!(v86),
    choice!(entropy, Entropy),
    number!(irq_delay, [0, 1, 9]),
];
