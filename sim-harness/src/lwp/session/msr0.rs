//! Table `[msr0]`: the features that the operating system allows.

use super::all_features;
use crate::session::{Complaint, Flag, Number64};
use lwp_model::lwp::Config;
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Msr0Table {
    enabled: Option<Flag>,
    ire: Option<Flag>,
    bre: Option<Flag>,
    dme: Option<Flag>,
    interrupt: Option<Flag>,
    value: Option<Number64>,
}

/// Returns the value that WRMSR writes. A flag that is left out is set if the straps offer it.
pub(super) fn value(table: Spanned<Msr0Table>, straps: &Config) -> Result<u64, Complaint> {
    let span = table.span();
    let table = table.into_inner();
    let flags = [table.enabled, table.ire, table.bre, table.dme, table.interrupt];
    if let Some(value) = table.value {
        if flags.iter().any(Option::is_some) {
            return Err(("`value` is the whole register: give either it or flags".to_owned(), Some(span)));
        }
        return Ok(value.0);
    }
    let default = all_features(straps);
    let flag = |given: Option<Flag>, default| given.map_or(default, |flag| flag.0);
    let value = default
        .with_enabled(flag(table.enabled, true))
        .with_ire(flag(table.ire, default.ire()))
        .with_bre(flag(table.bre, default.bre()))
        .with_dme(flag(table.dme, default.dme()))
        .with_interrupt(flag(table.interrupt, default.interrupt()));
    Ok(value.into_bits())
}
