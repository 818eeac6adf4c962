//! How the unit's failures are explained: by the plain form, with the names of operations, results and modes.

use crate::report::{Moment, StageFacts, StageOfFields, Suspect, UnitReport};
use lwp_model::Choice;
use lwp_model::retire::{OpMode, RegOp, RegResult};

/// The unit in [reports](crate::report).
#[derive(Debug)]
pub(super) struct TscReport;

const CYCLE: &str = "docs/src/tsc/cycle.md";

/// Every output and every register.
const STAGES: &[StageOfFields] = &[
    StageOfFields {
        fields: &["state.rate."],
        stage: StageFacts {
            name: "rate",
            chapter: CYCLE,
            rtl: &["rtl/tsc/tsc_rate.sv"],
            model: &["lwp-model/src/tsc/rate.rs"],
            areas: &["TSC"],
        },
        requirements: &["TSC-05", "TSC-06", "TSC-07", "TSC-13", "TSC-25"],
    },
    StageOfFields {
        fields: &["state.processors["],
        stage: StageFacts {
            name: "processor",
            chapter: CYCLE,
            rtl: &["rtl/tsc/tsc_processor.sv"],
            model: &["lwp-model/src/tsc/registers.rs"],
            areas: &["TSC"],
        },
        requirements: &["TSC-17", "TSC-21", "TSC-22", "TSC-23"],
    },
    StageOfFields {
        fields: &["state.answer.", "reg_"],
        stage: StageFacts {
            name: "answer",
            chapter: CYCLE,
            rtl: &[
                "rtl/tsc/tsc_request.sv",
                "rtl/tsc/tsc_answer.sv",
                "rtl/tsc/tsc.sv",
                "rtl/tsc/tsc_pkg.sv",
                "rtl/tsc/tsc_config_pkg.sv",
            ],
            model: &["lwp-model/src/tsc/request.rs"],
            areas: &["TSC"],
        },
        requirements: &["TSC-15"],
    },
];

impl UnitReport for TscReport {
    fn requirements(&self) -> &'static str {
        include_str!("../../../verify/requirements/monitoring.csv")
    }

    fn stages(&self) -> Vec<&'static StageFacts> {
        STAGES.iter().map(|row| &row.stage).collect()
    }

    fn suspect(&self, field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
        StageOfFields::suspect(STAGES, field, cause)
    }

    fn meaning(&self, field: &str, value: u64, _row: &[u32]) -> Option<String> {
        field.ends_with("reg_result").then(|| name::<RegResult>(value))
    }

    fn is_code(&self, field: &str) -> bool {
        field.ends_with("reg_result")
    }

    fn input_name(&self, input: &str, value: u64) -> Option<String> {
        match input {
            "reg.reg_op" => Some(name::<RegOp>(value)),
            "op_mode" => Some(name::<OpMode>(value)),
            _ => None,
        }
    }
}

/// The name of a code; a code without one is told as such.
fn name<T: Choice>(code: u64) -> String {
    let choice = u8::try_from(code).ok().and_then(T::from_code);
    choice.map_or_else(|| format!("code {code}, which means nothing"), |choice| choice.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{STAGES, TscReport};
    use crate::report::{StageOfFields, UnitReport};
    use lwp_model::Unit;
    use lwp_model::tsc::Tsc;
    use std::path::Path;

    #[test]
    fn every_field_has_a_stage_and_every_file_exists() {
        for field in Tsc::<2>::OUTPUT_FIELDS {
            assert!(StageOfFields::suspect(STAGES, field.name, None).is_some(), "{}", field.name);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for StageOfFields { stage, .. } in STAGES {
            for file in stage.rtl.iter().chain(stage.model).chain([&stage.chapter]) {
                assert!(root.join(file).is_file(), "{file}");
            }
        }
    }

    /// The first cycle has every input that is not 0; a later one those that change, also to 0.
    #[test]
    fn an_input_is_told_when_it_changes() {
        let fields = Tsc::<2>::INPUT_FIELDS;
        let row = |set: &[(&str, u64)]| {
            let mut row = vec![0; Tsc::<2>::INPUT_WORDS];
            for (name, value) in [("rst_n", 1)].iter().chain(set) {
                fields.iter().find(|field| field.name == *name).expect("an input").set(&mut row, *value);
            }
            row
        };
        let first = row(&[("processor.bus_tick", 1), ("processor.core_ratio", 11), ("cpl", 3)]);
        let then = row(&[("processor.core_ratio", 11), ("processor.halted", 1), ("cpl", 0)]);
        let told = |row: &[u32], before: Option<&[u32]>| TscReport.inputs(fields, row, before);
        assert_eq!(told(&first, None), ["processor.bus_tick, processor.core_ratio 11, cpl 3"]);
        let changes =
            ["processor.halted, processor.bus_tick 0, cpl 0", "1 more that are not 0, as in the cycle before"];
        assert_eq!(told(&then, Some(&first)), changes);
        assert_eq!(told(&row(&[("rst_n", 0)]), None), ["reset is asserted"]);
    }
}
