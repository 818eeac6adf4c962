//! How the unit's failures are explained: by the plain form, with the names of operations, results, modes and interruptions.

use crate::report::{Moment, StageFacts, StageOfFields, Suspect, UnitReport};
use lwp_model::Choice;
use lwp_model::retire::{IntKind, OpMode, RegOp, RegResult};

/// The unit in [reports](crate::report).
#[derive(Debug)]
pub(super) struct PerfReport;

const CYCLE: &str = "docs/src/perf/cycle.md";
const DELIVERY: &str = "docs/src/perf/delivery.md";

/// Returns a stage of the unit's modules.
const fn stage(
    name: &'static str,
    chapter: &'static str,
    rtl: &'static [&'static str],
    model: &'static [&'static str],
) -> StageFacts {
    StageFacts { name, chapter, rtl, model, areas: &["P6", "APM"] }
}

/// Every output and every register, by their names without indices.
const STAGES: &[StageOfFields] = &[
    StageOfFields {
        fields: &["state.general.pin", "state.general.due", "general.pin", "state.ratio_fits"],
        stage: stage("pin", DELIVERY, &["rtl/perf/perf_pin.sv", "rtl/perf/perf.sv"], &["lwp-model/src/perf/pin.rs"]),
        requirements: &["P6-21", "P6-22", "P6-52"],
    },
    StageOfFields {
        fields: &["state.general.select", "state.fixed.control"],
        stage: stage("request", CYCLE, &["rtl/perf/perf_request.sv"], &["lwp-model/src/perf/request.rs"]),
        requirements: &["P6-07", "P6-10", "APM-02"],
    },
    StageOfFields {
        fields: &["state.general.on", "state.general.status", "state.fixed.on", "state.fixed.status"],
        stage: stage(
            "global",
            CYCLE,
            &["rtl/perf/perf_global.sv", "rtl/perf/perf_processor.sv"],
            &["lwp-model/src/perf/global.rs", "lwp-model/src/perf/processor.rs"],
        ),
        requirements: &["DCTL-12", "DCTL-13"],
    },
    StageOfFields {
        fields: &["state.general.", "state.fixed.", "general.", "fixed."],
        stage: stage(
            "cell",
            CYCLE,
            &[
                "rtl/perf/perf_cell.sv",
                "rtl/perf/perf_control.sv",
                "rtl/perf/perf_filter.sv",
                "rtl/perf/perf_select.sv",
                "rtl/perf/perf_lines.sv",
                "rtl/perf/perf_lines_pkg.sv",
            ],
            &[
                "lwp-model/src/perf/cell.rs",
                "lwp-model/src/perf/control.rs",
                "lwp-model/src/perf/filter.rs",
                "lwp-model/src/perf/select.rs",
                "lwp-model/src/perf/lines.rs",
                "lwp-model/src/perf/p6_lines.rs",
            ],
        ),
        requirements: &["P6-17", "P6-30", "P6-37", "APM-23", "APM-34"],
    },
    StageOfFields {
        fields: &["state.lp.", "lp."],
        stage: stage("deliver", DELIVERY, &["rtl/perf/perf_deliver.sv"], &["lwp-model/src/perf/deliver.rs"]),
        requirements: &["P6-24", "P6-43", "APM-28"],
    },
    StageOfFields {
        fields: &["state.answer.", "reg_"],
        stage: stage(
            "answer",
            CYCLE,
            &[
                "rtl/perf/perf_answer.sv",
                "rtl/perf/perf_request.sv",
                "rtl/perf/perf_pkg.sv",
                "rtl/perf/perf_config_pkg.sv",
            ],
            &["lwp-model/src/perf/answer.rs", "lwp-model/src/perf/request.rs"],
        ),
        requirements: &["P6-08", "P6-34", "APM-03"],
    },
];

impl UnitReport for PerfReport {
    fn requirements(&self) -> &'static str {
        include_str!("../../../verify/requirements/monitoring.csv")
    }

    fn stages(&self) -> Vec<&'static StageFacts> {
        STAGES.iter().map(|row| &row.stage).collect()
    }

    fn suspect(&self, field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
        StageOfFields::suspect(STAGES, &plain(field), cause)
    }

    fn meaning(&self, field: &str, value: u64, _row: &[u32]) -> Option<String> {
        field.ends_with("reg_result").then(|| name::<RegResult>(value))
    }

    fn is_code(&self, field: &str) -> bool {
        field.ends_with("reg_result")
    }

    fn input_name(&self, input: &str, value: u64) -> Option<String> {
        match plain(input).as_str() {
            "reg.reg_op" => Some(name::<RegOp>(value)),
            "lp.op_mode" => Some(name::<OpMode>(value)),
            "lp.int_kind" => Some(name::<IntKind>(value)),
            _ => None,
        }
    }
}

/// Returns a name without its indices: `state.general.pin` of `state.general[0][1].pin`.
fn plain(field: &str) -> String {
    field.split(['[', ']']).filter(|part| part.parse::<usize>().is_err()).collect()
}

/// The name of a code; a code without one is reported as such.
fn name<T: Choice>(code: u64) -> String {
    let choice = u8::try_from(code).ok().and_then(T::from_code);
    choice.map_or_else(|| format!("code {code}, which means nothing"), |choice| choice.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{STAGES, plain};
    use crate::report::StageOfFields;
    use lwp_model::Unit;
    use lwp_model::perf::Perf;
    use std::path::Path;

    #[test]
    fn every_field_has_a_stage_and_every_file_exists() {
        for field in Perf::<2, 4, 3, 2>::OUTPUT_FIELDS {
            assert!(StageOfFields::suspect(STAGES, &plain(field.name), None).is_some(), "{}", field.name);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for StageOfFields { stage, .. } in STAGES {
            for file in stage.rtl.iter().chain(stage.model).chain([&stage.chapter]) {
                assert!(root.join(file).is_file(), "{file}");
            }
        }
    }
}
