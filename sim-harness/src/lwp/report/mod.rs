//! The explanation of the unit's failures.

mod acts;
mod doings;
mod inputs_text;
mod meaning;
mod moment;
mod reads;
mod rule;
mod suspect;
mod watch;

use crate::lockstep::Field;
use crate::lwp::registers::registers_of;
use crate::lwp::stages::Stage;
use crate::lwp::unflat;
use crate::report::{Moment, StageFacts, Suspect, UnitReport};

/// The unit's part of the [reports](crate::report).
#[derive(Debug)]
pub struct LwpReport;

impl UnitReport for LwpReport {
    fn requirements(&self) -> &'static str {
        include_str!("../../../../verify/requirements/lwp.csv")
    }

    fn stages(&self) -> Vec<&'static StageFacts> {
        Stage::ALL.iter().map(|stage| stage.facts()).collect()
    }

    fn suspect(&self, field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
        suspect::suspect(field, cause)
    }

    fn group(&self, field: &str) -> Option<&'static str> {
        registers_of(field).map(|registers| registers.group)
    }

    fn meaning(&self, field: &str, value: u64, row: &[u32]) -> Option<String> {
        meaning::meaning(field, value, &unflat::unpack_state(row))
    }

    fn is_code(&self, field: &str) -> bool {
        doings::coded(field)
    }

    fn input_name(&self, input: &str, value: u64) -> Option<String> {
        doings::input_name(input, value)
    }

    fn mode(&self, inputs: &[u32], _row: &[u32]) -> String {
        doings::mode(inputs)
    }

    fn inputs(&self, _inputs: &[Field], row: &[u32], _before: Option<&[u32]>) -> Vec<String> {
        doings::inputs(row)
    }

    fn input_line(&self, _inputs: &[Field], row: &[u32]) -> String {
        inputs_text::describe(row)
    }

    /// Returns registers that change without carrying information.
    fn restless(&self) -> &'static [&'static str] {
        &["state.mab_phase", "state.was_ring3"]
    }

    fn watched(&self, stage: &str) -> Vec<&'static str> {
        watch::registers(stage)
    }

    fn is_telling(&self, input: &str) -> bool {
        watch::is_telling(input)
    }
}

/// The rules by operation, access and event.
#[cfg(test)]
pub(crate) fn rules() -> Vec<rule::Rule> {
    rule::all()
}
