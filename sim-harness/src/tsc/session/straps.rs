//! Table `[straps]`: what the hardware implements, and how.

use crate::session::{Choice, Complaint, Flag, Number, chosen};
use lwp_model::tsc::{Config, ConfigError};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrapsTable {
    present: Option<Spanned<Flag>>,
    adjust: Option<Spanned<Flag>>,
    aux: Option<Spanned<Flag>>,
    rate: Option<Spanned<Choice>>,
    write_width: Option<Spanned<Choice>>,
    deep_sleep: Option<Spanned<Choice>>,
    max_ratio: Option<Spanned<Number<255>>>,
    art_whole: Option<Spanned<Number<0xFFFF>>>,
    art_rest: Option<Spanned<Number<0xFFFF>>>,
    art_denominator: Option<Spanned<Number<0xFFFF>>>,
}

/// The straps, if hardware may have them so.
pub(super) fn config(table: Spanned<StrapsTable>) -> Result<Config, Complaint> {
    let whole = table.span();
    let table = table.into_inner();
    let places = Places::of(&table);
    let config = read(table)?;
    config.validate().map_err(|error| (error.to_string(), Some(places.culprit(error).unwrap_or(whole))))?;
    Ok(config)
}

fn read(table: StrapsTable) -> Result<Config, Complaint> {
    let default = Config::default();
    let flag = |given: Option<Spanned<Flag>>, default| given.map_or(default, |flag| flag.get_ref().0);
    let wide =
        |given: Option<Spanned<Number<0xFFFF>>>, default| given.map_or(default, |given| given.get_ref().0 as u16);
    Ok(Config {
        present: flag(table.present, default.present),
        adjust: flag(table.adjust, default.adjust),
        aux: flag(table.aux, default.aux),
        rate: chosen(table.rate, default.rate)?,
        write_width: chosen(table.write_width, default.write_width)?,
        deep_sleep: chosen(table.deep_sleep, default.deep_sleep)?,
        max_ratio: table.max_ratio.map_or(default.max_ratio, |given| given.get_ref().u8()),
        art_whole: wide(table.art_whole, default.art_whole),
        art_rest: wide(table.art_rest, default.art_rest),
        art_denominator: wide(table.art_denominator, default.art_denominator),
    })
}

/// Where the values are that may contradict others.
struct Places {
    present: Option<Range<usize>>,
    sleep: Option<Range<usize>>,
    max_ratio: Option<Range<usize>>,
    art: Option<Range<usize>>,
}

impl Places {
    fn of(table: &StrapsTable) -> Self {
        fn span<T>(value: &Option<Spanned<T>>) -> Option<Range<usize>> {
            value.as_ref().map(Spanned::span)
        }
        Self {
            present: span(&table.present),
            sleep: span(&table.deep_sleep).or_else(|| span(&table.rate)),
            max_ratio: span(&table.max_ratio),
            art: span(&table.art_denominator).or_else(|| span(&table.art_rest)).or_else(|| span(&table.art_whole)),
        }
    }

    fn culprit(self, error: ConfigError) -> Option<Range<usize>> {
        match error {
            ConfigError::AdjustNeedsPresent | ConfigError::AuxNeedsPresent => self.present,
            ConfigError::InvariantNeedsCount => self.sleep,
            ConfigError::MaxRatioZero => self.max_ratio,
            ConfigError::Art(_) => self.art,
            _ => None,
        }
    }
}
