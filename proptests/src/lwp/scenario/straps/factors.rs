//! Every strap as a factor with levels, so that combinations can be drawn, counted and covered.

use lwp_model::lwp::{
    AddressPolicy, Collision, Config, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect, GatherTarget,
    HeadFlush, IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned, MissedMode,
    Prediction, StoreTiming, TailReread, WriteOnFull,
};

/// One strap.
#[derive(Clone, Copy, Debug)]
pub struct Factor {
    /// Its name.
    pub name: &'static str,
    /// How many values are told apart.
    pub levels: usize,
    /// Sets it to one of them.
    pub set: fn(&mut Config, usize),
    /// Which of them it has.
    pub level: fn(&Config) -> usize,
    /// The name of one of them.
    pub label: fn(usize) -> String,
}

macro_rules! flag {
    ($field:ident) => {
        Factor {
            name: stringify!($field),
            levels: 2,
            set: |config, level| config.$field = level == 1,
            level: |config| usize::from(config.$field),
            label: |level| level.to_string(),
        }
    };
}

macro_rules! choice {
    ($field:ident, $type:ident) => {
        Factor {
            name: stringify!($field),
            levels: $type::ALL.len(),
            set: |config, level| config.$field = $type::ALL[level],
            level: |config| config.$field as usize,
            label: |level| $type::ALL[level].name().to_owned(),
        }
    };
}

/// Numbers that are told apart by range.
macro_rules! number {
    ($field:ident, $values:expr) => {
        Factor {
            name: stringify!($field),
            levels: $values.len(),
            set: |config, level| config.$field = $values[level],
            level: |config| $values.iter().rposition(|value| config.$field >= *value).unwrap_or_default(),
            label: |level| {
                let least = $values[level];
                match $values.get(level + 1) {
                    None => format!("{least} or more"),
                    Some(next) if *next == least + 1 => least.to_string(),
                    Some(next) => format!("{least} to {}", next - 1),
                }
            },
        }
    };
}

/// Every strap but `present`, `core_id` and `lfsr_seed`, which no other one has to do with.
pub const FACTORS: &[Factor] = &[
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
