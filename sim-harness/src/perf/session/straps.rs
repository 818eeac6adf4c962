//! Table `[straps]`: what the hardware implements, and how.

use crate::session::{Choice, Complaint, Flag, Number, chosen};
use lwp_model::perf::{Config, ConfigError};
use lwp_regs::perf::architectural::Ia32PerfCapabilities;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrapsTable {
    personality: Option<Spanned<Choice>>,
    p6_model: Option<Spanned<Choice>>,
    counters: Option<Spanned<Number<8>>>,
    width: Option<Spanned<Number<63>>>,
    fixed: Option<Spanned<Number<3>>>,
    fixed_width: Option<Spanned<Number<63>>>,
    events: Option<Number<127>>,
    any_thread: Option<Spanned<Flag>>,
    pdcm: Option<Flag>,
    capabilities: Option<Spanned<Number<0x1_FFFF>>>,
    inv_zero: Option<Spanned<Choice>>,
    sel1_en: Option<Spanned<Choice>>,
    fast_read: Option<Flag>,
    x2apic: Option<Spanned<Choice>>,
    mask_on_delivery: Option<Flag>,
}

impl StrapsTable {
    /// Returns the general and fixed counters that the build must have.
    pub(super) fn sizes(&self) -> (usize, usize) {
        let default = Config::default();
        let counters = self.counters.as_ref().map_or(default.counters, |given| given.get_ref().u8());
        let fixed = self.fixed.as_ref().map_or(default.fixed, |given| given.get_ref().u8());
        (usize::from(counters), usize::from(fixed))
    }
}

/// Returns the straps, if hardware of this size may have them.
pub(super) fn config(table: Option<Spanned<StrapsTable>>, general: usize, fixed: usize) -> Result<Config, Complaint> {
    let Some(table) = table else { return Ok(Config::default()) };
    let whole = table.span();
    let table = table.into_inner();
    let places = [
        span(&table.personality),
        span(&table.counters),
        span(&table.fixed),
        span(&table.width),
        span(&table.any_thread),
        span(&table.capabilities),
        span(&table.inv_zero),
        span(&table.sel1_en),
    ];
    let config = read(table)?;
    config
        .validate(general, fixed)
        .map_err(|error| (error.to_string(), Some(culprit(error, places).unwrap_or(whole))))?;
    Ok(config)
}

fn read(table: StrapsTable) -> Result<Config, Complaint> {
    let default = Config::default();
    let flag = |given: Option<Flag>, default| given.map_or(default, |flag: Flag| flag.0);
    let capabilities = table.capabilities.map_or(0, |given| given.get_ref().0);
    Ok(Config {
        personality: chosen(table.personality, default.personality)?,
        p6_model: chosen(table.p6_model, default.p6_model)?,
        counters: table.counters.map_or(default.counters, |given| given.get_ref().u8()),
        width: table.width.map_or(default.width, |given| given.get_ref().u8()),
        fixed: table.fixed.map_or(default.fixed, |given| given.get_ref().u8()),
        fixed_width: table.fixed_width.map_or(default.fixed_width, |given| given.get_ref().u8()),
        events: table.events.map_or(default.events, Number::u8),
        any_thread: table.any_thread.map_or(default.any_thread, |given| given.get_ref().0),
        pdcm: flag(table.pdcm, default.pdcm),
        capabilities: Ia32PerfCapabilities::from_bits(capabilities),
        inv_zero: chosen(table.inv_zero, default.inv_zero)?,
        sel1_en: chosen(table.sel1_en, default.sel1_en)?,
        fast_read: flag(table.fast_read, default.fast_read),
        x2apic: chosen(table.x2apic, default.x2apic)?,
        mask_on_delivery: flag(table.mask_on_delivery, default.mask_on_delivery),
    })
}

fn span<T>(value: &Option<Spanned<T>>) -> Option<Range<usize>> {
    value.as_ref().map(Spanned::span)
}

/// Returns the place of the value that contradicts another one, if the file has it.
fn culprit(error: ConfigError, places: [Option<Range<usize>>; 8]) -> Option<Range<usize>> {
    let [personality, counters, fixed, width, any_thread, capabilities, inv_zero, sel1_en] = places;
    match error {
        ConfigError::Counters => counters,
        ConfigError::P6Counters => counters.or(width).or(personality),
        ConfigError::Fixed | ConfigError::FixedNeedsVersion2 => fixed,
        ConfigError::Width => width,
        ConfigError::AnyThreadNeedsVersion3 => any_thread,
        ConfigError::CapabilitiesNeedPdcm | ConfigError::NoMetrics => capabilities,
        ConfigError::InvZeroNeedsP6 => inv_zero,
        ConfigError::Sel1EnNeedsP6 => sel1_en,
        _ => personality,
    }
}
