//! How the unit's failures are explained: by the plain form, with the names of steps, commands, kinds, operations, results and modes.

use crate::report::{Moment, StageFacts, StageOfFields, Suspect, UnitReport};
use lwp_model::Choice;
use lwp_model::retire::{BranchKind, IntKind, MemCmd, OpMode, RegOp, RegResult};
use lwp_model::trace::Step;

/// The unit in [reports](crate::report).
#[derive(Debug)]
pub(super) struct TraceReport;

/// Returns a stage of the unit's modules.
const fn stage(
    name: &'static str,
    chapter: &'static str,
    rtl: &'static [&'static str],
    model: &'static [&'static str],
    areas: &'static [&'static str],
) -> StageFacts {
    StageFacts { name, chapter, rtl, model, areas }
}

/// Every output and every register.
const STAGES: &[StageOfFields] = &[
    StageOfFields {
        fields: &["state.control.", "btf", "freeze_", "rtm_debug"],
        stage: stage(
            "control",
            "docs/src/trace/cycle.md",
            &["rtl/trace/trace_control.sv", "rtl/trace/trace_request.sv"],
            &["lwp-model/src/trace/control.rs", "lwp-model/src/trace/request.rs"],
            &["DCTL"],
        ),
        requirements: &["DCTL-11", "DCTL-13", "DCTL-16", "DCTL-19"],
    },
    StageOfFields {
        fields: &["state.lbr."],
        stage: stage(
            "stack",
            "docs/src/trace/cycle.md",
            &["rtl/trace/trace_stack.sv", "rtl/trace/trace_entry.sv", "rtl/trace/trace_collect.sv"],
            &["lwp-model/src/trace/stack.rs", "lwp-model/src/trace/collect.rs"],
            &["LBR"],
        ),
        requirements: &["LBR-01", "LBR-08", "LBR-16", "LBR-19"],
    },
    StageOfFields {
        fields: &["state.queue.", "btm_", "stall", "reg_ready"],
        stage: stage(
            "queue",
            "docs/src/trace/cycle.md",
            &["rtl/trace/trace_queue.sv", "rtl/trace/trace_collect.sv", "rtl/trace/trace.sv", "rtl/trace/trace_pkg.sv"],
            &["lwp-model/src/trace/queue.rs", "lwp-model/src/trace/collect.rs"],
            &["BTS", "DCTL"],
        ),
        requirements: &["BTS-02", "BTS-08", "BTS-38", "DCTL-09", "DCTL-10"],
    },
    StageOfFields {
        fields: &["state.store.", "state.notice.", "ds_pmi", "stored", "lost", "state_index"],
        stage: stage(
            "store",
            "docs/src/trace/store.md",
            &["rtl/trace/trace_store.sv"],
            &["lwp-model/src/trace/store.rs"],
            &["BTS"],
        ),
        requirements: &["BTS-14", "BTS-15", "BTS-16", "BTS-40"],
    },
    StageOfFields {
        fields: &["state.port.", "mem_"],
        stage: stage(
            "port",
            "docs/src/trace/store.md",
            &["rtl/trace/trace_port.sv", "rtl/trace/trace_store.sv"],
            &["lwp-model/src/trace/port.rs", "lwp-model/src/trace/store.rs"],
            &["BTS"],
        ),
        requirements: &["BTS-08", "BTS-19"],
    },
    StageOfFields {
        fields: &["state.pebs.", "pebs_", "state.reload.", "reload_"],
        stage: stage(
            "pebs",
            "docs/src/trace/cycle.md",
            &["rtl/trace/trace_pebs.sv", "rtl/trace/trace_store.sv"],
            &["lwp-model/src/trace/pebs.rs", "lwp-model/src/trace/store.rs"],
            &["BTS"],
        ),
        requirements: &["BTS-09", "BTS-10", "BTS-18"],
    },
    StageOfFields {
        fields: &["state.answer.", "reg_"],
        stage: stage(
            "request",
            "docs/src/trace/cycle.md",
            &["rtl/trace/trace_request.sv", "rtl/trace/trace_config_pkg.sv"],
            &["lwp-model/src/trace/request.rs"],
            &["DCTL", "LBR"],
        ),
        requirements: &["DCTL-02", "DCTL-03", "LBR-06"],
    },
];

impl UnitReport for TraceReport {
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
        if field.ends_with("reg_result") {
            Some(name::<RegResult>(value))
        } else if field.ends_with("store.step") {
            Some(name::<Step>(value))
        } else if field.ends_with("mem_cmd") {
            Some(name::<MemCmd>(value))
        } else {
            is_counters(field).then(|| counters(value))
        }
    }

    fn is_code(&self, field: &str) -> bool {
        ["reg_result", "store.step", "mem_cmd"].iter().any(|name| field.ends_with(name)) || is_counters(field)
    }

    fn input_name(&self, input: &str, value: u64) -> Option<String> {
        match input.rsplit('.').next() {
            Some("reg_op") => Some(name::<RegOp>(value)),
            Some("op_mode") => Some(name::<OpMode>(value)),
            Some("int_kind") => Some(name::<IntKind>(value)),
            Some("branch_kind") => Some(name::<BranchKind>(value)),
            _ => None,
        }
    }
}

/// Whether a field has a bit for each counter.
fn is_counters(field: &str) -> bool {
    ["pebs_enable", "pebs.armed", "pebs.pending", "pebs_armed"].iter().any(|name| field.ends_with(name))
}

/// The counters of a mask.
fn counters(mask: u64) -> String {
    let names: Vec<_> = (0..4).filter(|n| mask >> n & 1 != 0).map(|n| format!("counter {n}")).collect();
    if names.is_empty() { "no counter".to_owned() } else { names.join(", ") }
}

/// The name of a code; a code without one is reported as such.
fn name<T: Choice>(code: u64) -> String {
    let choice = u8::try_from(code).ok().and_then(T::from_code);
    choice.map_or_else(|| format!("code {code}, which means nothing"), |choice| choice.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{STAGES, TraceReport};
    use crate::report::{StageOfFields, UnitReport};
    use lwp_model::Unit;
    use lwp_model::trace::TraceUnit;
    use std::path::Path;

    #[test]
    fn every_field_has_a_stage_and_every_file_exists() {
        for field in TraceUnit::<4, 32>::OUTPUT_FIELDS {
            assert!(StageOfFields::suspect(STAGES, field.name, None).is_some(), "{}", field.name);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for StageOfFields { stage, .. } in STAGES {
            for file in stage.rtl.iter().chain(stage.model).chain([&stage.chapter]) {
                assert!(root.join(file).is_file(), "{file}");
            }
        }
    }

    #[test]
    fn codes_have_names() {
        assert_eq!(TraceReport.meaning("state.store.step", 5, &[]).as_deref(), Some("place"));
        assert_eq!(TraceReport.meaning("reg_result", 4, &[]).as_deref(), Some("not mine"));
        assert_eq!(TraceReport.meaning("state.pebs.armed", 9, &[]).as_deref(), Some("counter 0, counter 3"));
        assert_eq!(TraceReport.meaning("state.pebs.pending", 0, &[]).as_deref(), Some("no counter"));
        assert_eq!(TraceReport.meaning("lost", 1, &[]), None);
        assert!(TraceReport.is_code("state.port.mem_cmd") && !TraceReport.is_code("stored"));
        assert_eq!(TraceReport.input_name("lanes[0].branch.branch_kind", 6).as_deref(), Some("RET"));
        assert_eq!(TraceReport.input_name("int.int_kind", 9).as_deref(), Some("code 9, which means nothing"));
    }
}
