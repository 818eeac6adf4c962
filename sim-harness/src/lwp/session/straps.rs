//! Table `[straps]`: the features that the hardware implements, and their variants.

use crate::session::{Choice, Complaint, Flag, Number, Number32, choose};
use lwp_model::lwp::{
    AddressPolicy, Collision, Config, ConfigError, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect,
    GatherTarget, HeadFlush, IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned,
    MissedMode, Prediction, StoreTiming, TailReread, WriteOnFull,
};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrapsTable {
    present: Option<Flag>,
    avail_ire: Option<Flag>,
    avail_bre: Option<Flag>,
    avail_dme: Option<Flag>,
    avail_int: Option<Flag>,
    latency_filter: Option<Spanned<Flag>>,
    level_filter: Option<Spanned<Flag>>,
    data_source: Option<Flag>,
    gather_policy: Option<Spanned<Choice>>,
    one_per_instr: Option<Spanned<Flag>>,
    gather_select: Option<Spanned<Choice>>,
    gather_target: Option<Spanned<Choice>>,
    store_timing: Option<Spanned<Choice>>,
    collision: Option<Spanned<Choice>>,
    leave_policy: Option<Spanned<Choice>>,
    fault_policy: Option<Spanned<Choice>>,
    address_policy: Option<Spanned<Choice>>,
    address_gate: Option<Flag>,
    latency_source: Option<Spanned<Choice>>,
    latency_step: Option<Spanned<Choice>>,
    latency_phase: Option<Spanned<Choice>>,
    prediction: Option<Spanned<Choice>>,
    head_flush: Option<Spanned<Choice>>,
    tail_reread: Option<Spanned<Choice>>,
    tail_nth: Option<Spanned<Number<15>>>,
    interval_source: Option<Spanned<Choice>>,
    missed_mode: Option<Spanned<Choice>>,
    write_on_full: Option<Spanned<Choice>>,
    misaligned: Option<Spanned<Choice>>,
    flush_outside: Option<Spanned<Choice>>,
    v86: Option<Flag>,
    entropy: Option<Spanned<Choice>>,
    irq_delay: Option<Number<255>>,
    core_id: Option<Number<255>>,
    lfsr_seed: Option<Spanned<Number32>>,
}

/// Reads one of the choices of a strap from a field of the table.
macro_rules! choice {
    ($table:ident, $default:ident, $field:ident, $type:ident) => {
        choose($table.$field, $default.$field, $type::ALL, $type::name)?
    };
}

/// Returns the straps, if they form a valid configuration of the hardware.
pub(super) fn config(table: Spanned<StrapsTable>) -> Result<Config, Complaint> {
    let places = Places::of(&table);
    let config = read(table.into_inner())?;
    config.validate().map_err(|error| (error.to_string(), Some(places.culprit(error))))?;
    Ok(config)
}

/// The positions of the values that may contradict others.
struct Places {
    filters: Option<Range<usize>>,
    one_per_instr: Option<Range<usize>>,
    fault_policy: Option<Range<usize>>,
    latency_phase: Option<Range<usize>>,
    tail_nth: Option<Range<usize>>,
    lfsr_seed: Option<Range<usize>>,
    table: Range<usize>,
}

impl Places {
    fn of(table: &Spanned<StrapsTable>) -> Self {
        fn span<T>(value: &Option<Spanned<T>>) -> Option<Range<usize>> {
            value.as_ref().map(Spanned::span)
        }
        let values = table.get_ref();
        Self {
            filters: span(&values.level_filter).or_else(|| span(&values.latency_filter)),
            one_per_instr: span(&values.one_per_instr),
            fault_policy: span(&values.fault_policy),
            latency_phase: span(&values.latency_phase),
            tail_nth: span(&values.tail_nth),
            lfsr_seed: span(&values.lfsr_seed),
            table: table.span(),
        }
    }

    /// Returns the position of the value that an error is about.
    fn culprit(self, error: ConfigError) -> Range<usize> {
        let place = match error {
            ConfigError::NoFilter => self.filters,
            ConfigError::ZeroSeed => self.lfsr_seed,
            ConfigError::FaultNeedsSyncStore | ConfigError::FaultNeedsOneRecord => self.fault_policy,
            ConfigError::OneRecordAtATime => self.one_per_instr,
            ConfigError::PhaseNeedsStep16 => self.latency_phase,
            ConfigError::TailNthRange | ConfigError::TailNthNeedsLazy => self.tail_nth,
            _ => None,
        };
        place.unwrap_or(self.table)
    }
}

fn read(table: StrapsTable) -> Result<Config, Complaint> {
    let default = Config::default();
    let flag = |given: Option<Flag>, default| given.map_or(default, |flag| flag.0);
    let placed = |given: Option<Spanned<Flag>>, default| given.map_or(default, |flag| flag.get_ref().0);
    Ok(Config {
        present: flag(table.present, default.present),
        avail_ire: flag(table.avail_ire, default.avail_ire),
        avail_bre: flag(table.avail_bre, default.avail_bre),
        avail_dme: flag(table.avail_dme, default.avail_dme),
        avail_int: flag(table.avail_int, default.avail_int),
        latency_filter: placed(table.latency_filter, default.latency_filter),
        level_filter: placed(table.level_filter, default.level_filter),
        data_source: flag(table.data_source, default.data_source),
        gather_policy: choice!(table, default, gather_policy, GatherPolicy),
        one_per_instr: placed(table.one_per_instr, default.one_per_instr),
        gather_select: choice!(table, default, gather_select, GatherSelect),
        gather_target: choice!(table, default, gather_target, GatherTarget),
        store_timing: choice!(table, default, store_timing, StoreTiming),
        collision: choice!(table, default, collision, Collision),
        leave_policy: choice!(table, default, leave_policy, LeavePolicy),
        fault_policy: choice!(table, default, fault_policy, FaultPolicy),
        address_policy: choice!(table, default, address_policy, AddressPolicy),
        address_gate: flag(table.address_gate, default.address_gate),
        latency_source: choice!(table, default, latency_source, LatencySource),
        latency_step: choice!(table, default, latency_step, LatencyStep),
        latency_phase: choice!(table, default, latency_phase, LatencyPhase),
        prediction: choice!(table, default, prediction, Prediction),
        head_flush: choice!(table, default, head_flush, HeadFlush),
        tail_reread: choice!(table, default, tail_reread, TailReread),
        tail_nth: table.tail_nth.map_or(default.tail_nth, |number| number.get_ref().u8()),
        interval_source: choice!(table, default, interval_source, IntervalSource),
        missed_mode: choice!(table, default, missed_mode, MissedMode),
        write_on_full: choice!(table, default, write_on_full, WriteOnFull),
        misaligned: choice!(table, default, misaligned, Misaligned),
        flush_outside: choice!(table, default, flush_outside, FlushOutside),
        v86: flag(table.v86, default.v86),
        entropy: choice!(table, default, entropy, Entropy),
        irq_delay: table.irq_delay.map_or(default.irq_delay, Number::u8),
        core_id: table.core_id.map_or(default.core_id, Number::u8),
        lfsr_seed: table.lfsr_seed.map_or(default.lfsr_seed, |seed| seed.get_ref().u32()),
    })
}
