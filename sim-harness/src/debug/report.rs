//! How the unit's failures are explained: by the plain form, with the names of classes, kinds, operations, results and modes.

use crate::report::{Moment, StageFacts, StageOfFields, Suspect, UnitReport};
use lwp_model::Choice;
use lwp_model::debug::{DbClass, LaneKind};
use lwp_model::retire::{BranchKind, IntKind, OpMode, RegOp, RegResult, Rep};

/// The unit in [reports](crate::report).
#[derive(Debug)]
pub(super) struct DebugReport;

/// Returns a stage of the unit's modules.
const fn stage(
    name: &'static str,
    chapter: &'static str,
    rtl: &'static [&'static str],
    model: &'static [&'static str],
) -> StageFacts {
    StageFacts { name, chapter, rtl, model, areas: &["DBG"] }
}

/// Every output and every register.
const STAGES: &[StageOfFields] = &[
    StageOfFields {
        fields: &["state.registers."],
        stage: stage(
            "registers",
            "docs/src/debug/registers.md",
            &["rtl/debug/debug_registers.sv"],
            &["lwp-model/src/debug/registers.rs"],
        ),
        requirements: &["DBG-11", "DBG-19", "DBG-25"],
    },
    StageOfFields {
        fields: &["state.flags.", "state.frame.", "frame_"],
        stage: stage(
            "flags",
            "docs/src/debug/flags.md",
            &["rtl/debug/debug_flags.sv"],
            &["lwp-model/src/debug/flags.rs"],
        ),
        requirements: &["DBG-40", "DBG-41", "DBG-45"],
    },
    StageOfFields {
        fields: &["state.held.", "hold"],
        stage: stage(
            "compare",
            "docs/src/debug/comparators.md",
            &["rtl/debug/debug_compare.sv"],
            &["lwp-model/src/debug/compare.rs"],
        ),
        requirements: &["DBG-29", "DBG-57"],
    },
    StageOfFields {
        fields: &["state.cut.", "cut_"],
        stage: stage(
            "lanes",
            "docs/src/debug/cycle.md",
            &["rtl/debug/debug_lanes.sv"],
            &["lwp-model/src/debug/lanes.rs"],
        ),
        requirements: &["DBG-36", "DBG-52"],
    },
    StageOfFields {
        fields: &["state.request.", "state.ask.", "db_", "ask_", "reg_ready"],
        stage: stage(
            "arbiter",
            "docs/src/debug/arbiter.md",
            // What it raises are the conditions of lanes and comparators, which no register shows before.
            &[
                "rtl/debug/debug_arbiter.sv",
                "rtl/debug/debug_lanes.sv",
                "rtl/debug/debug_compare.sv",
                "rtl/debug/debug.sv",
                "rtl/debug/debug_pkg.sv",
            ],
            &[
                "lwp-model/src/debug/arbiter.rs",
                "lwp-model/src/debug/lanes.rs",
                "lwp-model/src/debug/compare.rs",
                "lwp-model/src/debug/unit.rs",
            ],
        ),
        requirements: &["DBG-12", "DBG-29", "DBG-31", "DBG-37"],
    },
    StageOfFields {
        fields: &["state.answer.", "reg_"],
        stage: stage(
            "request",
            "docs/src/debug/registers.md",
            &["rtl/debug/debug_request.sv", "rtl/debug/debug_config_pkg.sv"],
            &["lwp-model/src/debug/request.rs"],
        ),
        requirements: &["DBG-05", "DBG-09", "DBG-24"],
    },
];

impl UnitReport for DebugReport {
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
        } else if field.ends_with("db_class") {
            Some(name::<DbClass>(value))
        } else {
            is_breakpoints(field).then(|| breakpoints(value))
        }
    }

    fn is_code(&self, field: &str) -> bool {
        field.ends_with("reg_result") || field.ends_with("db_class") || is_breakpoints(field)
    }

    fn input_name(&self, input: &str, value: u64) -> Option<String> {
        match input.rsplit('.').next() {
            Some("reg_op") => Some(name::<RegOp>(value)),
            Some("op_mode") => Some(name::<OpMode>(value)),
            Some("int_kind") => Some(name::<IntKind>(value)),
            Some("branch_kind") => Some(name::<BranchKind>(value)),
            Some("rep") => Some(name::<Rep>(value)),
            Some("kind") => Some(name::<LaneKind>(value)),
            _ => None,
        }
    }
}

/// Whether a field has a bit for each breakpoint.
fn is_breakpoints(field: &str) -> bool {
    ["db_b", "held.hit", "held.off", "dr6.b"].iter().any(|name| field.ends_with(name))
}

/// The breakpoints of a mask.
fn breakpoints(mask: u64) -> String {
    let names: Vec<_> = (0..4).filter(|n| mask >> n & 1 != 0).map(|n| format!("B{n}")).collect();
    if names.is_empty() { "no breakpoint".to_owned() } else { names.join(", ") }
}

/// The name of a code; a code without one is reported as such.
fn name<T: Choice>(code: u64) -> String {
    let choice = u8::try_from(code).ok().and_then(T::from_code);
    choice.map_or_else(|| format!("code {code}, which means nothing"), |choice| choice.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{DebugReport, STAGES};
    use crate::report::{StageOfFields, UnitReport};
    use lwp_model::Unit;
    use lwp_model::debug::DebugUnit;
    use std::path::Path;

    #[test]
    fn every_field_has_a_stage_and_every_file_exists() {
        for field in DebugUnit::<4, 2>::OUTPUT_FIELDS {
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
        assert_eq!(DebugReport.meaning("state.request.db_class", 3, &[]).as_deref(), Some("rollback"));
        assert_eq!(DebugReport.meaning("reg_result", 5, &[]).as_deref(), Some("#DB"));
        assert_eq!(DebugReport.meaning("db_b", 9, &[]).as_deref(), Some("B0, B3"));
        assert_eq!(DebugReport.meaning("state.registers.smm.dr6.b", 0, &[]).as_deref(), Some("no breakpoint"));
        assert_eq!(DebugReport.meaning("db_bs", 1, &[]), None);
        assert!(DebugReport.is_code("state.held.hit") && !DebugReport.is_code("db_bt"));
        assert_eq!(DebugReport.input_name("lanes[0].debug.kind", 3).as_deref(), Some("INT1"));
        assert_eq!(DebugReport.input_name("lanes[0].flags.rep", 4).as_deref(), Some("code 4, which means nothing"));
    }
}
