//! First cycle in which RTL and model disagree, for people and for programs.

use crate::capsule::Replayed;
use crate::lockstep::{Difference, Divergence, HistoryRow};
use crate::rtl::{BuildId, assertion};
use crate::unit::Unit;
use serde::Serialize;
use std::fmt;

/// First field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Number of the cycle, from 0 at power-up.
    pub cycle: u64,
    /// Name of the field in the unit's contract; registers begin with `state.`.
    pub field: String,
    /// Value of the model.
    pub expected: u64,
    /// Value of the RTL.
    pub actual: u64,
}

/// Mismatch with all details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MismatchReport {
    build: BuildId,
    cycle: u64,
    differences: Vec<Difference>,
    assertion_failed: bool,
    assertion: Option<String>,
    expected: Vec<u32>,
    actual: Vec<u32>,
    /// Cycle and inputs of the last cycles, that of the mismatch last.
    last_inputs: Vec<(u64, Vec<u32>)>,
}

impl MismatchReport {
    /// The end of a lockstep run on this build.
    #[must_use]
    pub fn of(found: &Divergence, build: BuildId) -> Self {
        let last = |row: &HistoryRow| (row.cycle, row.inputs.clone());
        Self {
            build,
            cycle: found.cycle,
            differences: found.differences.clone(),
            assertion_failed: found.assertion_failed,
            assertion: found.assertion.clone(),
            expected: found.expected.clone(),
            actual: found.actual.clone(),
            last_inputs: found.history.iter().map(last).collect(),
        }
    }

    /// The failure of a capsule that was played again, with as many cycles before it as the replay kept; `None` if it did
    /// not fail.
    #[must_use]
    pub fn of_replay(replayed: &Replayed) -> Option<Self> {
        let found = replayed.found.as_ref()?;
        let at = replayed.rows.iter().find(|row| row.cycle == found.cycle)?;
        let before = replayed.rows.iter().take_while(|row| row.cycle <= found.cycle);
        Some(Self {
            build: replayed.build,
            cycle: found.cycle,
            differences: found.differences.clone(),
            assertion_failed: found.assertion.is_some(),
            assertion: found.assertion.as_ref().map(|(_, label)| label.clone()),
            expected: at.model.clone(),
            actual: at.rtl.clone(),
            last_inputs: before.map(|row| (row.cycle, row.inputs.clone())).collect(),
        })
    }

    /// The cycle.
    #[must_use]
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The first field that differs; the name is `assertion` if only an assertion failed.
    #[must_use]
    pub fn first(&self) -> Mismatch {
        let first = self.differences.first();
        Mismatch {
            cycle: self.cycle,
            field: first.map_or("assertion", |difference| difference.field.name).to_owned(),
            expected: first.map_or(0, |difference| difference.expected),
            actual: first.map_or(0, |difference| difference.actual),
        }
    }

    /// One difference: the numbers, and what they mean where they are codes.
    fn describe(&self, difference: &Difference) -> String {
        let digits = difference.field.width.div_ceil(4) as usize + 2;
        let (name, unit) = (difference.field.name, Unit::of(self.build).report);
        let show = |value: u64, row: &[u32]| {
            let meaning = unit.meaning(name, value, row).filter(|_| unit.is_code(name));
            let meaning = meaning.map_or(String::new(), |meaning| format!(" ({meaning})"));
            format!("{value:#0digits$x}{meaning}")
        };
        let (model, rtl) = (show(difference.expected, &self.expected), show(difference.actual, &self.actual));
        format!("{name}: model {model}, RTL {rtl}")
    }
}

impl fmt::Display for MismatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = Unit::of(self.build);
        match (self.assertion_failed, self.differences.is_empty()) {
            (true, true) => write!(f, "ASSERTION fails in cycle {}", self.cycle)?,
            _ => write!(f, "MISMATCH in cycle {}", self.cycle)?,
        }
        if self.assertion_failed {
            let label = self.assertion.as_deref().unwrap_or("(without a name)");
            match assertion(unit.name, label) {
                Some(known) => write!(f, "\n  {}", known.line_of(label))?,
                None => write!(f, "\n  the assertion {label} failed in the RTL")?,
            }
        }
        for difference in &self.differences {
            write!(f, "\n  {}", self.describe(difference))?;
        }
        write!(f, "\nlast inputs:")?;
        for (cycle, row) in &self.last_inputs {
            write!(f, "\n  {cycle}: {}", unit.report.input_line((unit.capsule.input_fields)(self.build), row))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockstep::differences;
    use crate::lwp::fields::FIELDS;
    use crate::lwp::flat::{OUT_WORDS, in_words, pack_inputs};
    use lwp_model::lwp::Inputs;

    #[test]
    fn says_cycle_names_both_values_and_the_inputs() {
        let mut inputs = vec![0; in_words(4)];
        pack_inputs(&Inputs::<4> { irq_ack: true, ..Inputs::default() }, true, &mut inputs);
        let (expected, mut actual) = (vec![0; OUT_WORDS], vec![0; OUT_WORDS]);
        actual[0] |= 1 << 18;
        actual[65] |= 4;
        let report = MismatchReport::of(
            &Divergence {
                cycle: 77,
                differences: differences(FIELDS, &expected, &actual),
                assertion_failed: false,
                assertion: None,
                inputs: inputs.clone(),
                expected: expected.clone(),
                actual,
                history: vec![HistoryRow { cycle: 77, inputs, expected }],
            },
            BuildId::LwpW4,
        );
        assert_eq!(report.first(), Mismatch { cycle: 77, field: "irq".to_owned(), expected: 0, actual: 1 });
        let text = "MISMATCH in cycle 77\n  irq: model 0x0, RTL 0x1\n  state.store_st: model 0x0 (idle), RTL 0x4 (head)\n\
                    last inputs:\n  77: cpl 0, interrupt taken";
        assert_eq!(report.to_string(), text);
    }
}
