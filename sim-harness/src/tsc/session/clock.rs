//! Tables `[clock]` and `[[sleep]]`: how time passes, and when the core sleeps.

use crate::session::{Choice, Complaint, Number, Number64, choose};
use crate::tsc::environment::{At, Clock, Pin, Ratio, Sleep};
use serde::Deserialize;
use toml::Spanned;

/// Longest period, in cycles.
type Period = Number<0xFFFF_FFFF>;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClockTable {
    bus_period: Option<Period>,
    crystal_period: Option<Period>,
    core_ratio: Option<Number<255>>,
    #[serde(default)]
    change: Vec<Spanned<ChangeTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeTable {
    at_cycle: Option<Number64>,
    at_instruction: Option<Number64>,
    core_ratio: Number<255>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SleepTable {
    kind: Option<Spanned<Choice>>,
    from: Number64,
    to: Spanned<Number64>,
}

impl ClockTable {
    pub(super) fn clock(self) -> Result<Clock, Complaint> {
        let default = Clock::default();
        let period = |given: Option<Period>, default| given.map_or(default, |period| period.0);
        Ok(Clock {
            bus_period: period(self.bus_period, default.bus_period),
            crystal_period: period(self.crystal_period, default.crystal_period),
            core_ratio: self.core_ratio.map_or(default.core_ratio, Number::u8),
            changes: self.change.into_iter().map(change).collect::<Result<_, _>>()?,
        })
    }
}

fn change(table: Spanned<ChangeTable>) -> Result<Ratio, Complaint> {
    let ChangeTable { at_cycle, at_instruction, core_ratio } = table.get_ref();
    let at = match (at_cycle, at_instruction) {
        (Some(cycle), None) => At::Cycle(cycle.0),
        (None, Some(number)) => At::Instruction(number.0),
        _ => {
            return Err((
                "a change of the ratio needs either `at_cycle` or `at_instruction`".to_owned(),
                Some(table.span()),
            ));
        }
    };
    Ok(Ratio { at, core_ratio: core_ratio.u8() })
}

/// An interval in which the core sleeps.
pub(super) fn sleep(table: Spanned<SleepTable>) -> Result<Sleep, Complaint> {
    let SleepTable { kind, from, to } = table.into_inner();
    let pin = choose(kind, Pin::Hlt, &Pin::ALL, Pin::name)?;
    let (from, until) = (from.0, to.get_ref().0);
    if until <= from {
        return Err((format!("the sleep ends in cycle {until}, and begins in cycle {from}"), Some(to.span())));
    }
    Ok(Sleep { pin, from, to: until })
}
