//! Table `[straps]`: what the hardware implements.

use super::Complaint;
use super::flag::Flag;
use super::number::{Number, Number32};
use lwp_model::lwp::Config;
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrapsTable {
    present: Option<Flag>,
    avail_ire: Option<Flag>,
    avail_bre: Option<Flag>,
    avail_dme: Option<Flag>,
    avail_int: Option<Flag>,
    latency_filter: Option<Flag>,
    level_filter: Option<Flag>,
    data_address: Option<Flag>,
    core_id: Option<Number<255>>,
    lfsr_seed: Option<Number32>,
}

/// The straps, if hardware may have them so.
pub(super) fn config(table: Spanned<StrapsTable>) -> Result<Config, Complaint> {
    let span = table.span();
    let table = table.into_inner();
    let default = Config::default();
    let flag = |given: Option<Flag>, default| given.map_or(default, |flag| flag.0);
    let config = Config {
        present: flag(table.present, default.present),
        avail_ire: flag(table.avail_ire, default.avail_ire),
        avail_bre: flag(table.avail_bre, default.avail_bre),
        avail_dme: flag(table.avail_dme, default.avail_dme),
        avail_int: flag(table.avail_int, default.avail_int),
        latency_filter: flag(table.latency_filter, default.latency_filter),
        level_filter: flag(table.level_filter, default.level_filter),
        data_address: flag(table.data_address, default.data_address),
        core_id: table.core_id.map_or(default.core_id, Number::u8),
        lfsr_seed: table.lfsr_seed.map_or(default.lfsr_seed, Number::u32),
    };
    config.validate().map_err(|error| (error.to_string(), Some(span)))?;
    Ok(config)
}
